package registry

import (
	"fmt"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// base is an entry without records, to be completed by tests.
const base = `{"name":"org.acme","aliases":["acme"],
	"formats":[{"id":"f","detect":{"items":true},"layouts":[{"name":"l","items":"e","key":"."}],
		"streams":[{"family":"transcript","reader":"json-directory","boundary":"document","name":"{ordinal:1+}.json"}]}],
	"session":{"id":[{"folder":"key"}],"time":"at"},
	"tree":{"id":{"body":"id"},"parent":"up"},
	"parts":{"text":{"when":{"type":"text"},"text":"text"},"image":{"when":{"type":"image"},"urls":"urls"}},
	"conditions":{"isX":{"x":true}}`

const vendor = `{"when":{},"emit":[{"type":"vendor","members":{"name":{"first":["kind",{"const":""}]}}}]}`

// acme is base with projections, before the one for all other items.
func acme(projections ...string) []byte {
	return []byte(base + `,"records":[` + strings.Join(append(projections, vendor), ",") + `]}`)
}

// mapperOf loads an entry and compiles its projections.
func mapperOf(t testing.TB, raw []byte) *Mapper {
	t.Helper()
	e, err := entry.Load(raw)
	if err != nil {
		t.Fatalf("%s\n%v", raw, err)
	}
	m, err := newMapper(e)
	if err != nil {
		t.Fatalf("%s\n%v", raw, err)
	}
	return m
}

func scan(t testing.TB, raw string) *jsonscan.Doc {
	t.Helper()
	d, err := jsonscan.Scan([]byte(raw), nil, jsonscan.Options{NonFinite: true})
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return &d
}

// known are the native ids of a test.
type known map[string]string

func (k known) Ref(native []byte, want record.Type) (string, RefState) {
	id, ok := k[string(native)]
	switch {
	case id == "?":
		return "", RefAmbiguous
	case !ok || (want != 0 && want != record.ToolCall && strings.HasPrefix(id, "call")):
		return "", RefUnknown
	default:
		return id, RefFound
	}
}

// mapped maps one document as the item "i".
func mapped(t testing.TB, m *Mapper, doc string, f entry.SessionFacts, refs Refs) *Out {
	t.Helper()
	d := scan(t, doc)
	out := &Out{}
	m.Map(&Item{Doc: d, ID: "i", Projection: m.Match(d, f), Facts: f, Refs: refs}, out)
	return out
}

// lines writes records one a line: type, id, members in order, losses.
func lines(out *Out) []string {
	var list []string
	for i := range out.Records {
		r := &out.Records[i]
		var b strings.Builder
		fmt.Fprintf(&b, "%s %s", r.Type, r.ID)
		for k, name := range record.Members(r.Type) {
			if v := r.At(k); v != nil {
				fmt.Fprintf(&b, " %s=%s", name, v)
			}
		}
		for _, code := range r.Losses {
			b.WriteString(" -" + code)
		}
		list = append(list, b.String())
	}
	return list
}
