package laws

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// pieces is a file that holds all items of its source, as the bundle has it.
type pieces struct {
	path     string // below the source's folder
	after    string // what stands behind an item unless its record says otherwise
	text     strings.Builder
	before   string // white space before that document
	around   string // the document that the items stand in, where that is the state; rowEnd what ends it
	rowEnd   string
	state    *string // that document without its items, nil when it is not kept
	redacted bool    // something was cut out of it
	lacking  bool    // a part of it is not in the bundle
}

// oneFile is the file that holds all items of a source, and the folder that it lies in; nil where each has its own.
func oneFile(src *bundle.SourceInfo, raw string) (one *pieces, folder string) {
	switch src.Layout {
	case "event-lines":
		return &pieces{path: "events.jsonl", after: "\n"}, raw
	case "cli-json":
		return &pieces{path: path.Base(raw), after: "\n"}, path.Dir(raw)
	case "export":
		return &pieces{path: path.Base(raw), after: ","}, path.Dir(raw)
	case "evaluation-rows":
		return &pieces{path: path.Base(raw), after: ",", around: "history", rowEnd: "\n"}, path.Dir(raw)
	case "evaluation-document":
		return &pieces{path: path.Base(raw), after: ",", around: "history"}, path.Dir(raw)
	}
	return nil, raw
}

// piece adds an item to the file that holds all of them, with what stands around it.
func (c *cover) piece(r *row, kept *string) {
	around := c.frames(r, map[string]string{"before": "", "after": c.one.after})
	c.one.redacted = c.one.redacted || len(r.Native.Redacted) > 0
	if kept == nil {
		c.one.lacking = true
		return
	}
	c.one.text.WriteString(around["before"] + *kept + around["after"])
}

// frames are what stands before and after a part of the file, in place of the usual.
func (c *cover) frames(r *row, around map[string]string) map[string]string {
	var list []struct {
		Place    string
		Text     *string
		Bytes    *int64
		Blob     *struct{ SHA256 string }
		Redacted []any
	}
	if raw := r.Meta["rs.ctx/serialization"]; raw != nil {
		if err := json.Unmarshal(raw, &list); err != nil {
			c.Add("bytes", "%s: %s: %v", c.src.Path, r.ID, err)
		}
	}
	for _, f := range list {
		switch {
		case f.Blob != nil:
			if text := c.blob(f.Blob.SHA256); text != nil {
				around[f.Place] = *text
			}
		case f.Text != nil:
			around[f.Place] = *f.Text
		case f.Bytes != nil:
			c.one.lacking = true
			if !r.lost("native-unreadable") {
				c.Add("bytes", "%s: %s has no text of what stands around it and declares no loss", c.src.Path, r.ID)
			}
		}
		c.one.redacted = c.one.redacted || len(f.Redacted) > 0
	}
	return around
}

// rest adds what the last record alone lists of the file.
func (c *cover) rest(f *listed) {
	c.one.redacted = c.one.redacted || len(f.Redacted) > 0
	if f.Blob == nil {
		c.one.lacking = true
		return
	}
	if text := c.blob(f.Blob.SHA256); text != nil {
		c.one.text.WriteString(*text)
	}
}

// built accounts for the file once all its parts are there.
func (c *cover) built() {
	if c.one.lacking {
		c.claim(c.one.path, record.SpellPath(c.one.path), nil, false)
		return
	}
	text := c.one.text.String()
	if c.one.around != "" {
		if c.one.state == nil {
			c.Add("bytes", "%s: got neither the document around the items nor a word that it is not kept", c.src.Path)
			return
		}
		text = c.one.enclosed(*c.one.state, text)
	}
	c.claim(c.one.path, record.SpellPath(c.one.path), &text, c.one.redacted)
}

// surrounds keeps the document that the items stand in, with the white space around it.
func (c *cover) surrounds(r *row, kept *string) {
	if kept == nil {
		c.Add("bytes", "%s: got a state without its bytes", c.src.Path)
		return
	}
	c.one.redacted = c.one.redacted || len(r.Native.Redacted) > 0
	c.one.state = kept
	around := c.frames(r, map[string]string{"before": "", "after": c.one.rowEnd})
	c.one.before, c.one.rowEnd = around["before"], around["after"]
}

// enclosed puts the items where the array stands in the document.
func (p *pieces) enclosed(doc, items string) string {
	at, depth, last := len(doc), 0, ""
	for i := 0; i < len(doc) && at == len(doc); i++ {
		switch doc[i] {
		case '"':
			end := i + 1
			for end < len(doc) && doc[end] != '"' {
				if doc[end] == '\\' {
					end++
				}
				end++
			}
			last = doc[i:min(end+1, len(doc))]
			i = end
		case '{', '[':
			if depth++; depth == 2 && doc[i] == '[' && last == `"`+p.around+`"` {
				at = i + 1
			}
		case '}', ']':
			depth--
		case ',':
			last = ""
		}
	}
	return p.before + doc[:at] + items + doc[at:] + p.rowEnd
}
