package validator

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// agent is what a registry entry says that a stream must keep to.
type agent struct {
	name, version, alias string
	evidence             int64
	keys                 map[string]bool // of _meta
	entry                *entry.Entry    // nil when it is none that can be read whole
	retained             *retained
	plan                 *plan
}

// readAgent reads an entry as far as it is needed here; nil when the bytes are no entry.
func readAgent(raw []byte) *agent {
	doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil || doc.Kind(0) != jsonscan.Object {
		return nil
	}
	a := &agent{name: doc.Text(doc.Find(0, "name")), version: "0", keys: map[string]bool{}}
	a.alias = a.name
	if first := doc.Elem(doc.Find(0, "aliases"), 0); first >= 0 {
		a.alias = doc.Text(first)
	}
	if v := doc.Text(doc.Find(0, "version")); v != "" {
		a.version = v
	}
	a.evidence = int64(doc.Len(doc.Find(0, "evidence")))
	for i := range doc.Children(doc.Find(0, "destinations")) {
		name, _ := jsonscan.AppendUnescape(nil, doc.Name(i))
		a.keys[a.name+"/"+string(name)] = true
	}
	if e, err := entry.Load(raw); err == nil {
		a.entry, a.retained, a.plan = e, newRetained(&e.Secrets), newPlan(e)
	}
	return a
}

// entries reads the registry entries that the manifest names.
func (v *validation) entries() error {
	v.agents = map[string]*agent{}
	for i := range v.m.Registry {
		if err := v.entry(&v.m.Registry[i], "/registry/"+number(int64(i))); err != nil {
			return err
		}
	}
	for name, other := range v.o.Registry {
		if a := readAgent(other.Raw); a != nil && a.name == name {
			v.agents[name] = a
		}
	}
	return nil
}

func (v *validation) entry(e *bundle.RegistryEntry, pointer string) error {
	if v.blobs.use(e.SHA256) == nil {
		v.fail(ruleRegistry, pointer, "got entry "+quote(e.Agent)+" whose bytes are no blob of the manifest")
		return nil
	}
	raw, err := v.b.Blob(e.SHA256)
	if err != nil {
		return faultOf(err).err // a faulty blob is found where all blobs are read
	}
	a := readAgent(raw)
	switch {
	case a == nil:
		v.fail(ruleRegistry, pointer, "got bytes that are no registry entry")
		return nil
	case a.name != e.Agent:
		v.fail(ruleRegistry, pointer, "got the entry of "+quote(a.name)+", expected "+quote(e.Agent))
		return nil
	case a.version != e.EntryVersion:
		v.fail(ruleRegistry, pointer, "got entry version "+quote(a.version)+", expected "+quote(e.EntryVersion))
	case v.agents[e.Agent] != nil:
		v.fail(ruleRegistry, pointer, "got the entry of "+quote(e.Agent)+" twice, expected once")
	}
	v.agents[e.Agent] = a
	return nil
}

// target is what the records of a stream must agree with.
func (v *validation) target(s *bundle.StreamInfo) *target {
	t := &target{stream: s.ID, sessionID: s.SessionID, agent: s.Agent, source: s.Source, from: "in the manifest"}
	if v.doubtful[s.ID] { // the manifest is at fault
		t.sessionID, t.agent, t.source = "", "", ""
	}
	if a := v.agents[s.Agent]; a != nil {
		t.keys, t.entry, t.retained, t.plan = a.keys, a.entry, a.retained, a.plan
	}
	if from := v.source[s.Source]; from != nil && !v.doubtful[s.ID] {
		t.format = from.Format
		t.named = t.entry != nil && slices.ContainsFunc(t.entry.Formats, func(f entry.Format) bool {
			if f.ID == from.Format {
				t.child, t.unplaced = v.childOf(&f, from.Path)
				t.name = f.Items.Name
				t.length, _, _ = strings.Cut(f.Items.Length, "{")
				for _, l := range f.Layouts {
					if l.Name == from.Layout {
						t.folder = l.Items
					}
				}
			}
			return f.ID == from.Format && strings.Contains(f.Items.Name, "{id}")
		})
	}
	return t
}

// childOf says whether a source lies in the folder of another one as its format has children. unplaced: it cannot be told,
// since the other one may have failed or not been chosen.
func (v *validation) childOf(f *entry.Format, at string) (child, unplaced bool) {
	unplaced = strings.Contains(at, token)
	parts := strings.Split(at, "/")
	for _, g := range f.Children {
		above := len(parts) - strings.Count(g.String(), "/") - 1
		if above < 0 || !g.Match(strings.Join(parts[above:], "/")) {
			continue
		}
		parent := path.Join(".", strings.Join(parts[:above], "/"))
		found, nearer := false, false
		for i := range v.m.Sources {
			s := v.m.Sources[i].Path
			found = found || s == parent
			nearer = nearer || s != parent && (parent == "." || strings.HasPrefix(s, parent+"/")) && strings.HasPrefix(at, s+"/")
		}
		if found && !nearer {
			return true, unplaced
		}
		unplaced = true
	}
	return false, unplaced
}

// maxStreamID is where a stream id is cut.
const maxStreamID = 120

// startOf is how the id of a stream begins.
func (a *agent) startOf(sessionID string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r == '.', r == '_', r == '-':
			return r
		default:
			return '_'
		}
	}, a.alias+"-"+strings.ReplaceAll(sessionID, "-", ""))
	return id[:min(len(id), maxStreamID)]
}

func isCancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
