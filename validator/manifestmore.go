package validator

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// relative says whether a path is one below the input root, slash separated: "." is the root itself.
func relative(path string) bool {
	if path == "." {
		return true
	}
	for _, part := range strings.Split(path, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// order checks that sources, streams, blobs and unidentified files stand in the order of the format.
func (v *validation) order() {
	for i := 1; i < len(v.m.Sources); i++ {
		if a, b := v.m.Sources[i-1].Path, v.m.Sources[i].Path; a > b && !strings.Contains(a+b, "%") && !strings.Contains(a+b, token) { // names that are not UTF-8, or not the source's any more, are ordered by what they were
			v.fail(ruleManifest, "/sources/"+number(int64(i)), "got source path "+quote(b)+" after "+quote(a)+", expected the order of their bytes")
		}
	}
	for i := 1; i < len(v.m.Streams); i++ {
		if sourceNumber(v.m.Streams[i].Source) < sourceNumber(v.m.Streams[i-1].Source) {
			v.fail(ruleManifest, "/streams/"+number(int64(i)), "got the stream of "+quote(v.m.Streams[i].Source)+" after that of "+quote(v.m.Streams[i-1].Source)+", expected the order of the sources")
		}
	}
	for i := range v.m.Sources {
		if p := v.m.Sources[i].Path; !relative(p) {
			v.fail(ruleManifest, "/sources/"+number(int64(i))+"/path", "got path "+quote(p)+", expected one relative to the input root")
		}
		v.row(i)
	}
	seen := map[bundle.Unidentified]bool{}
	for i := range v.m.Unidentified {
		u := bundle.Unidentified{Path: v.m.Unidentified[i].Path, Reason: v.m.Unidentified[i].Reason}
		if seen[u] {
			v.fail(ruleManifest, "/unidentifiedSources/"+number(int64(i)), "got "+quote(u.Path)+" twice for one reason, expected once")
		}
		seen[u] = true
		if p := v.m.Unidentified[i].Path; !relative(p) {
			v.fail(ruleManifest, "/unidentifiedSources/"+number(int64(i))+"/path", "got path "+quote(p)+", expected one relative to the input root")
		}
	}
}

// row checks the number of a row against that of the row before it in the same file, which is the only thing that several
// sources may share.
func (v *validation) row(i int) {
	s := &v.m.Sources[i]
	at := "/sources/" + number(int64(i))
	if s.Rows > 0 && s.Row >= s.Rows {
		v.fail(ruleManifest, at+"/row", "got row "+number(s.Row)+" of "+number(s.Rows)+" rows")
	}
	if i == 0 || v.m.Sources[i-1].Path != s.Path || strings.Contains(s.Path, token) {
		return
	}
	switch before := &v.m.Sources[i-1]; {
	case s.Rows == 0 || before.Rows != s.Rows:
		v.fail(ruleManifest, at+"/path", "got path "+quote(s.Path)+" twice, expected that once but for the rows of one file")
	case s.Row <= before.Row:
		v.fail(ruleManifest, at+"/row", "got row "+number(s.Row)+" after row "+number(before.Row)+", expected the order of the rows")
	}
}

func sourceNumber(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "s"))
	return n
}

// namesOf checks what a stream and its source say about themselves against the entry of their agent.
func (v *validation) namesOf(s *bundle.StreamInfo, a *agent, at string) {
	if id := s.SessionID; id == "." || id == ".." || strings.ContainsAny(id, "/\\\x00") {
		v.fail(ruleManifest, at+"/sessionId", "got session id "+quote(id)+", expected one without path in it")
	}
	from := v.source[s.Source]
	if from == nil {
		return
	}
	if !a.streamID(s, from) {
		v.fail(ruleManifest, at+"/id", "got stream id "+quote(s.ID)+", expected "+quote(a.startOf(s.SessionID))+", maybe with a number or 8 hex digits of the hash of session id and path")
	}
	if a.entry == nil {
		return
	}
	for i := range a.entry.Formats {
		f := &a.entry.Formats[i]
		if f.ID != from.Format {
			continue
		}
		for j := range f.Layouts {
			if f.Layouts[j].Name == from.Layout {
				v.evidenceOf(s, &f.Layouts[j], at)
				return
			}
		}
		v.fail(ruleManifest, "/sources/"+number(int64(sourceNumber(from.ID)-1))+"/layout", "got layout "+quote(from.Layout)+", expected one that the registry entry lists for "+quote(from.Format))
		return
	}
	v.fail(ruleManifest, "/sources/"+number(int64(sourceNumber(from.ID)-1))+"/format", "got format "+quote(from.Format)+", expected one that the registry entry lists")
}

// streamID says whether a stream has the id that the format makes from session id and path.
func (a *agent) streamID(s *bundle.StreamInfo, from *bundle.SourceInfo) bool {
	path := from.Path
	rest, ok := strings.CutPrefix(s.ID, a.startOf(s.SessionID))
	if !ok || rest == "" {
		return ok
	}
	sum := sha256.Sum256([]byte(s.SessionID + "\x00" + from.Key()))
	rest = strings.TrimSuffix(rest, "-"+hex.EncodeToString(sum[:4]))
	if rest == "" || strings.Contains(path, "%") || strings.Contains(path+s.SessionID, token) { // the hash is taken over the bytes of the source's own names
		return true
	}
	n, err := strconv.Atoi(strings.TrimPrefix(rest, "-"))
	return err == nil && rest[0] == '-' && n >= 2 || len(a.startOf(s.SessionID)) == maxStreamID
}

// evidenceOf checks that the evidence of a stream covers its layout.
func (v *validation) evidenceOf(s *bundle.StreamInfo, l *entry.Layout, at string) {
	for _, index := range s.Evidence {
		if len(l.Evidence) > 0 && !slices.Contains(l.Evidence, int(index)) {
			v.fail(ruleManifest, at+"/evidence", "got index "+number(index)+", expected one that the registry entry lists for layout "+quote(l.Name))
			return
		}
	}
}

// filesOf checks that a source has the files that the records of its stream came from.
func (v *validation) filesOf(s *bundle.StreamInfo, res *streamResult) {
	from := v.source[s.Source]
	if from == nil || !res.named {
		return
	}
	at := "/sources/" + number(int64(sourceNumber(s.Source)-1))
	switch {
	case from.Files < res.files:
		v.fail(ruleManifest, at+"/files", "got "+number(from.Files)+", expected the "+number(res.files)+" files at least that its records came from")
	case from.Bytes < 2*res.sum.Items:
		v.fail(ruleManifest, at+"/bytes", "got "+number(from.Bytes)+" bytes for "+number(res.sum.Items)+" items")
	}
}

// metaKeys checks the keys of the manifest's own _meta.
func (v *validation) metaKeys() {
	if v.m.Meta == nil {
		return
	}
	doc, err := jsonscan.Scan(v.m.Meta, nil, jsonscan.Options{})
	if err != nil {
		return
	}
	for i := range doc.Children(0) {
		name, _ := jsonscan.AppendUnescape(nil, doc.Name(i))
		agent, ok := strings.CutSuffix(string(name), "/unassigned")
		if (!ok || !v.named(agent)) && string(name) != record.Own+"derivedFrom" {
			v.fail(ruleMetaKey, "/_meta", "got key "+quote(string(name))+" in the manifest, expected <agent name>/unassigned or "+record.Own+"derivedFrom")
		}
	}
}

// families compares the position families of a source with those of its stream.
func (v *validation) families(s *bundle.StreamInfo, res *streamResult) {
	from := v.source[s.Source]
	if from == nil {
		return
	}
	for _, f := range [...]struct {
		family string
		there  bool // a source may have a family of which no record is left: its only item is not committed
	}{{record.Transcript, res.transcript}, {record.CurrentState, res.snapshot}} {
		if f.there && !slices.Contains(from.Positions, f.family) {
			v.fail(ruleManifest, "/sources/"+number(int64(sourceNumber(s.Source)-1))+"/positions", "got no family "+f.family+" for a stream with records of it, expected it")
		}
	}
}
