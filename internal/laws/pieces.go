package laws

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
)

// pieces is a file that holds all items of its source, as the bundle has it.
type pieces struct {
	path     string // below the source's folder
	after    string // what stands behind an item unless its record says otherwise
	text     strings.Builder
	redacted bool // something was cut out of it
	lacking  bool // a part of it is not in the bundle
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
	}
	return nil, raw
}

// piece adds an item to the file that holds all of them, with what stands around it.
func (c *cover) piece(r *row, kept *string) {
	var list []struct {
		Place, Text string
		Blob        *struct{ SHA256 string }
		Redacted    []any
	}
	if raw := r.Meta["rs.ctx/serialization"]; raw != nil {
		if err := json.Unmarshal(raw, &list); err != nil {
			c.Add("bytes", "%s: %s: %v", c.src.Path, r.ID, err)
		}
	}
	around := map[string]string{"before": "", "after": c.one.after}
	for _, f := range list {
		around[f.Place] = f.Text
		if f.Blob != nil {
			if text := c.blob(f.Blob.SHA256); text != nil {
				around[f.Place] = *text
			}
		}
		c.one.redacted = c.one.redacted || len(f.Redacted) > 0
	}
	c.one.redacted = c.one.redacted || len(r.Native.Redacted) > 0
	if kept == nil {
		c.one.lacking = true
		return
	}
	c.one.text.WriteString(around["before"] + *kept + around["after"])
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
		c.claim(c.one.path, c.one.path, nil, false)
		return
	}
	text := c.one.text.String()
	c.claim(c.one.path, c.one.path, &text, c.one.redacted)
}
