package validator

import (
	"fmt"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// manifest checks manifest.json in itself.
func (v *validation) manifest() error {
	doc, err := jsonscan.Scan(v.b.RawManifest(), nil, jsonscan.Options{})
	if err != nil {
		return fmt.Errorf("manifest.json: %w", err) // it was read before
	}
	if !v.set.Accept("manifest", &doc) {
		problems, err := v.set.Check("manifest", doc.Raw)
		if err != nil {
			return fmt.Errorf("manifest.json: %w", err)
		}
		for _, p := range problems {
			v.fail(v.manifestRule(p.Pointer), p.Pointer, p.Message)
		}
	}
	v.report.UnidentifiedSources = int64(len(v.m.Unidentified))
	v.report.Selection = v.m.Selection
	if root := bundle.RootSHA256(v.m.Streams, v.m.Blobs); root != v.m.RootSHA256 {
		v.fail(ruleManifest, "/rootSha256", "got "+quote(v.m.RootSHA256)+", expected "+root)
	}
	v.sources()
	v.order()
	v.metaKeys()
	v.blobList()
	v.unassigned()
	return nil
}

// manifestRule is the rule about the member of the manifest at a pointer. A code that is no loss is one fault, wherever it stands.
func (v *validation) manifestRule(pointer string) string {
	switch parts := strings.Split(pointer, "/"); {
	case len(parts) == 5 && parts[1] == "streams" && parts[3] == "losses":
		return ruleLossUnknown
	case len(parts) == 3 && parts[1] == "_meta":
		return ruleMetaKey
	case len(parts) > 1 && parts[1] == "selection":
		return ruleSelection
	default:
		return ruleManifest
	}
}

func (v *validation) sources() {
	v.source = make(map[string]*bundle.SourceInfo, len(v.m.Sources))
	for i := range v.m.Sources {
		v.source[v.m.Sources[i].ID] = &v.m.Sources[i]
		if want := "s" + number(int64(i)+1); v.m.Sources[i].ID != want {
			v.fail(ruleManifest, "/sources/"+number(int64(i))+"/id", "got "+quote(v.m.Sources[i].ID)+", expected "+want)
		}
	}
}

// streamEntries checks the streams of the manifest against its sources and entries.
func (v *validation) streamEntries() error {
	seen, taken := map[string]bool{}, map[string]bool{}
	v.doubtful = map[string]bool{}
	for i := range v.m.Streams {
		s, at := &v.m.Streams[i], "/streams/"+number(int64(i))
		if lower := strings.ToLower(s.ID); seen[lower] {
			v.fail(ruleManifest, at+"/id", "got stream id "+quote(s.ID)+" twice, expected once, whatever the case")
		} else {
			seen[lower] = true
		}
		from := v.source[s.Source]
		faults := v.report.Errors()
		switch {
		case from == nil:
			v.fail(ruleManifest, at+"/source", "got source "+quote(s.Source)+", which the manifest does not list")
		case taken[s.Source]:
			v.fail(ruleManifest, at+"/source", "got source "+quote(s.Source)+" on a second stream, expected one stream a source")
		case from.Agent != s.Agent:
			v.fail(ruleManifest, at+"/agent", "got agent "+quote(s.Agent)+", expected its source's "+quote(from.Agent))
		}
		taken[s.Source] = true
		if v.report.Errors() == faults {
			v.streamOfAgent(s, at)
		}
		v.doubtful[s.ID] = v.report.Errors() > faults
	}
	return nil
}

func (v *validation) streamOfAgent(s *bundle.StreamInfo, at string) {
	a := v.agents[s.Agent]
	if a == nil {
		if !v.named(s.Agent) {
			v.fail(ruleRegistry, at+"/agent", "got agent "+quote(s.Agent)+", expected one of the manifest's registry")
		}
		return
	}
	v.namesOf(s, a, at)
	for _, index := range s.Evidence {
		if index >= a.evidence {
			v.fail(ruleManifest, at+"/evidence", "got index "+number(index)+", expected one below "+number(a.evidence))
		}
	}
}

// named says whether the manifest names an entry, whose bytes may be faulty.
func (v *validation) named(name string) bool {
	for i := range v.m.Registry {
		if v.m.Registry[i].Agent == name {
			return true
		}
	}
	return false
}

func (v *validation) blobList() {
	for i := range v.m.Blobs {
		if v.blobs.index[v.m.Blobs[i].SHA256] != i {
			v.fail(ruleManifest, "/blobs/"+number(int64(i)), "got blob "+quote(v.m.Blobs[i].SHA256)+" twice, expected once")
		}
	}
}

// unassigned marks the blobs that the manifest's own _meta names.
func (v *validation) unassigned() {
	if v.m.Meta == nil {
		return
	}
	doc, err := jsonscan.Scan(v.m.Meta, nil, jsonscan.Options{})
	if err != nil {
		return
	}
	for i := range doc.Nodes {
		if string(doc.Name(i)) != "blob" {
			continue
		}
		sha := doc.Text(i)
		if doc.Kind(i) == jsonscan.Object {
			sha = doc.Text(doc.Find(i, "sha256"))
		}
		if v.blobs.use(sha) == nil {
			v.fail(ruleBlobMissing, "/_meta", "got blob "+quote(sha)+", which the manifest does not list")
		}
	}
}
