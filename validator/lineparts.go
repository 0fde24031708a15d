package validator

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// numbers reports the first unsafe number of the members and the first of native.record.
func (c *lineCheck) numbers(d *jsonscan.Doc, found *lineFindings) {
	if !d.Has(jsonscan.UnsafeNumber) {
		return
	}
	inNative, inMember := false, false
	for i := range d.Nodes {
		if d.Kind(i) != jsonscan.Number || jsonscan.SafeNumber(d.Value(i)) {
			continue
		}
		seen := &inMember
		if within(d, c.m.record, i) {
			seen = &inNative
		}
		if !*seen {
			*seen = true
			found.fail(ruleUnsafe, d.Pointer(i), "got a number that readers cannot hold, expected it in a blob alone")
		}
	}
}

// inline judges size and depth of native.record.
func (c *lineCheck) inline(d *jsonscan.Doc, found *lineFindings) {
	if c.m.record < 0 {
		return
	}
	if n := len(d.Value(c.m.record)); n > maxInline {
		found.fail(ruleNativeInline, d.Pointer(c.m.record), "got "+number(int64(n))+" bytes, expected a blob above "+number(maxInline))
	}
	if d.Depth > maxInlineDepth+inlineAt {
		if n := depth(d, c.m.record); n > maxInlineDepth {
			found.fail(ruleNativeInline, d.Pointer(c.m.record), "got depth "+number(int64(n))+", expected a blob above "+number(maxInlineDepth))
		}
	}
}

// depth is the nesting below a node.
func depth(d *jsonscan.Doc, at int) int {
	var ends []uint32
	deepest := 0
	for i := at; i < int(d.Nodes[at].Next); i++ {
		for len(ends) > 0 && uint32(i) >= ends[len(ends)-1] {
			ends = ends[:len(ends)-1]
		}
		if k := d.Kind(i); k == jsonscan.Object || k == jsonscan.Array {
			ends = append(ends, d.Nodes[i].Next)
			deepest = max(deepest, len(ends))
		}
	}
	return deepest
}

// state lets the _meta member that holds a state's bytes stand for native.record, of which the same is asked.
func (c *lineCheck) state(r *reading) {
	if i := r.doc.Find(c.m.native, "meta"); i >= 0 {
		c.m.record = r.doc.Find(c.m.meta, r.str(i))
	}
}

// secretNames are the members that are retained nowhere.
func secretNames() [2]string { return [...]string{"secret_registry", "secrets_manager"} }

// secrets looks for registries of secrets in the native bytes and the vendor facts of a line.
func (c *lineCheck) secrets(r *reading, found *lineFindings) {
	d := r.doc
	for i := range d.Nodes {
		if size := len(d.Name(i)); size < len(secretNames()[0]) || size > len(secretNames()[1]) && !d.Has(jsonscan.EscapedKey) {
			continue // an escape makes a name longer, never shorter
		}
		if name := r.key(i); (name == secretNames()[0] || name == secretNames()[1]) && (within(d, c.m.native, i) || within(d, c.m.meta, i)) {
			found.fail(ruleSecretName, d.Pointer(i), "got a member "+quote(name)+", expected none anywhere")
			return
		}
	}
}

// retained looks in the native value for what the entry says is never kept.
func (c *lineCheck) retained(d *jsonscan.Doc, f *record.Facts, found *lineFindings) {
	if c.target.retained == nil || c.m.record < 0 {
		return
	}
	if n, why := c.target.retained.find(documentOf(f), d, c.m.record); n >= 0 {
		found.fail(ruleRetained, d.Pointer(n), "got "+why+", expected it cut out")
	}
}

// documentOf is the kind of document whose bytes a record carries.
func documentOf(f *record.Facts) entry.In {
	switch stageOf(f) {
	case stageLast:
		return entry.InSnapshot
	case stageAttachments:
		return entry.In(f.Path)
	default:
		return entry.InTranscript
	}
}

// meta judges the keys of _meta and what native says about them, and the namespaces of vendor losses.
func (c *lineCheck) meta(r *reading, f *record.Facts, sound bool, found *lineFindings) {
	for _, key := range f.Meta {
		if !c.target.allows(key) {
			found.fail(ruleMetaKey, "/_meta", "got key "+quote(key)+", expected one of ours or one that the registry entry of "+c.target.agent+" lists")
		}
	}
	if c.m.meta >= 0 {
		c.lists(r, found)
	}
	if stageOf(f) == stageLast {
		c.dropped(r, f, found)
	}
	if i := r.doc.Find(c.m.native, "meta"); sound && f.Phase != "head" && i >= 0 && r.doc.Find(c.m.meta, r.str(i)) < 0 {
		found.fail(ruleNativeMissing, "/native/meta", "got no member "+quote(r.str(i))+" in _meta, expected the native bytes there")
	}
	for _, code := range f.Losses {
		if c.target.agent != "" && vendorCode(code) && !strings.HasPrefix(code, c.target.agent+"/") {
			found.fail(ruleLossUnknown, "/losses", "got loss "+quote(code)+", expected a core code or one of "+c.target.agent)
		}
	}
}

// allows says whether a _meta key may stand in a stream of the agent. Our own ones are a closed list.
func (t *target) allows(key string) bool {
	if name, own := strings.CutPrefix(key, record.Own); own {
		for _, have := range record.OwnMeta() {
			if have == name {
				return true
			}
		}
		return false
	}
	return t.keys == nil || t.keys[key]
}

// info compares a session_info with the manifest, or with the first one of a stream that stands alone.
func (c *lineCheck) info(r *reading, f *record.Facts, found *lineFindings) {
	if f.Type != record.SessionInfo {
		return
	}
	t := c.target
	for _, pair := range []struct {
		name, want string
		node       int
	}{
		{"sessionId", t.sessionID, c.m.sessionID}, {"agent", t.agent, c.m.agent}, {"format", t.format, c.m.format}, {"source", t.source, c.m.src},
	} {
		if r.doc.Kind(pair.node) == jsonscan.String && pair.want != "" && r.str(pair.node) != "" && !r.doc.Equal(pair.node, pair.want) {
			found.fail(ruleSessionInfo, "/"+pair.name, "got "+quote(r.str(pair.node))+", expected "+quote(pair.want)+" as "+t.from)
		}
	}
}

// place asks for the id of the item's name where names have one.
func (c *lineCheck) place(f *record.Facts, found *lineFindings) {
	if p := &f.Position; stageOf(f) == stageTranscript && p.Path != "" && !strings.Contains(p.ID, "%") && p.Path == c.target.nameOf(p) {
		found.fail(rulePosition, "/position/path", "got a path that the layout's name pattern gives, expected none")
	}
	if c.target.named && stageOf(f) == stageTranscript && f.Position.ID == "" && f.Position.Ordinal >= 0 && (f.Type != record.Gap || f.GapReason != gapMissing) {
		found.fail(rulePosition, "/position", "got no id, expected the one in the item's name")
	}
}

// nameOf is the path that the layout's name pattern gives an item, "" for a pattern with other parts.
func (t *target) nameOf(p *record.Position) string {
	start, rest, ok := strings.Cut(t.name, "{ordinal:")
	digits, rest, plus := strings.Cut(rest, "+}")
	width, err := strconv.Atoi(digits)
	if !ok || !plus || err != nil {
		return ""
	}
	ordinal := number(p.Ordinal)
	name := start + strings.Repeat("0", max(0, width-len(ordinal))) + ordinal + strings.Replace(rest, "{id}", p.ID, 1)
	if strings.ContainsAny(name, "{}") {
		return ""
	}
	return path.Join(t.folder, name)
}

// lists judges what stands under our own keys: files by their paths.
func (c *lineCheck) lists(r *reading, found *lineFindings) {
	for i := range r.doc.Children(c.m.meta) {
		switch r.key(i) {
		case record.Own + "file", record.Own + "uncommitted", record.Own + "unfinished":
		default:
			continue
		}
		if r.doc.Kind(i) != jsonscan.Array || r.doc.Len(i) == 0 {
			found.fail(ruleMetaKey, r.doc.Pointer(i), "got no list of files, expected one")
			continue
		}
		for e := range r.doc.Children(i) {
			path, blob := r.str(r.doc.Find(e, "path")), r.doc.Find(e, "blob")
			if n, ok := r.doc.Int(r.doc.Find(blob, "bytes")); ok && r.doc.Find(e, "redacted") < 0 && r.num(r.doc.Find(e, "bytes"), n) != n {
				found.fail(ruleBlobHash, r.doc.Pointer(e), "got another size than its blob has, expected the same")
			}
			if size := r.doc.Find(e, "bytes"); path == "" || !relative(path) || size >= 0 && r.num(size, -1) < 0 {
				found.fail(ruleMetaKey, r.doc.Pointer(e), "got no file, expected an object with a path relative to the source, and its size")
			}
		}
	}
}

// dropped judges losses of the last session_info that documents imply which are not kept.
func (c *lineCheck) dropped(r *reading, f *record.Facts, found *lineFindings) {
	have := lossesOf(f)
	if have&(lossNative|lossSecret) == 0 {
		return
	}
	gone, cut := false, slices.ContainsFunc(f.Redacted, func(r record.Redaction) bool { return r.Kind == "secret" })
	for _, name := range [...]string{"file", "uncommitted", "unfinished"} {
		for e := range r.doc.Children(r.doc.Find(c.m.meta, record.Own+name)) {
			marker := c.target.length != "" && strings.HasPrefix(path.Base(r.str(r.doc.Find(e, "path"))), c.target.length)
			gone = gone || name != "uncommitted" && !marker && r.doc.Find(e, "blob") < 0
			cut = cut || r.doc.Find(e, "redacted") >= 0
		}
	}
	for _, code := range f.Losses {
		if l := lossBit(code); l == lossNative && !gone || l == lossSecret && !gone && !cut {
			found.fail(ruleLossUnfounded, "/losses", "got loss "+code+", expected none: no document is said to be left out, and nothing to be cut")
		}
	}
}

// usage reports counters of zero.
func (c *lineCheck) usage(d *jsonscan.Doc, found *lineFindings) {
	if c.m.usage < 0 {
		return
	}
	for i := range d.Children(c.m.usage) {
		if n, ok := d.Int(i); ok && n == 0 {
			found.fail(ruleUsagePlace, d.Pointer(i), "got a counter of zero, expected none: it is no report")
		}
	}
}
