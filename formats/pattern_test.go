package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func pattern(t testing.TB, text string) *Pattern {
	t.Helper()
	p, err := ParsePattern(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	eventName  = "event-{ordinal:5+}-{id}.json"
	eventTorn  = ".event-{ordinal:5+}-{id}.json.{any}"
	markerName = ".eventlog-len-{count}.marker"
)

func TestMatch(t *testing.T) {
	none := Match{Ordinal: -1, Count: -1}
	event := func(ordinal int64, id string) *Match { return &Match{Ordinal: ordinal, ID: id, Count: -1} }
	for _, tt := range []struct {
		want          *Match // nil: no match
		pattern, name string
	}{
		{event(0, "abc"), eventName, "event-00000-abc.json"},
		{event(12, "a-b.json"), eventName, "event-00012-a-b.json.json"},
		{event(99999, "a"), eventName, "event-99999-a.json"},
		{event(100000, "a"), eventName, "event-100000-a.json"},
		{event(7, "a"), eventName, "event-0000000000000000000000000007-a.json"},
		{event(5, "-"), eventName, "event-00005--.json"},
		{event(5, "\xff"), eventName, "event-00005-\xff.json"},
		{event(900_000_000_000_000_000-899_999_999_999_999_999, "a"), eventName, "event-00001-a.json"},
		{event(MaxOrdinal, "a"), eventName, "event-9007199254740991-a.json"},
		{&Match{Ordinal: -1, ID: "a", Count: -1, Huge: true}, eventName, "event-9007199254740992-a.json"},
		{&Match{Ordinal: -1, ID: "a", Count: -1, Huge: true}, eventName, "event-900000000000000000000000000-a.json"},
		{nil, eventName, "event-0001-a.json"},
		{nil, eventName, "event-00001-.json"},
		{nil, eventName, "event-00001.json"},
		{nil, eventName, "event-00001-a.jso"},
		{nil, eventName, "event-00001-a.json~"},
		{nil, eventName, "event--0001-a.json"},
		{nil, eventName, "event-+00001-a.json"},
		{nil, eventName, "event-٠٠٠٠٠-a.json"},
		{nil, eventName, "event-00001-a/b.json"},
		{nil, eventName, ""},
		{event(3, "a"), eventTorn, ".event-00003-a.json.tmp"},
		{event(3, "a.json.x"), eventTorn, ".event-00003-a.json.x.json.tmp"},
		{event(3, "a"), eventTorn, ".event-00003-a.json."},
		{nil, eventTorn, ".event-00003-a.json"},
		{&Match{Ordinal: -1, Count: 12}, markerName, ".eventlog-len-12.marker"},
		{&Match{Ordinal: -1, Count: -1, Huge: true}, markerName, ".eventlog-len-99999999999999999999.marker"},
		{nil, markerName, ".eventlog-len-.marker"},
		{nil, markerName, ".eventlog-len-1x.marker"},
		{&none, "plain.json", "plain.json"},
		{nil, "plain.json", "plain.jsonx"},
		{nil, "plain.json", "xplain.json"},
		{event(4, ""), "events/{ordinal:1+}.json", "events/4.json"},
		{event(2, "a-1"), "{id}-{ordinal:1+}", "a-1-2"},
		{&Match{Ordinal: -1, ID: "aXb", Count: -1}, "{id}X{any}", "aXbXc"},
		{&Match{Ordinal: 1, ID: "a", Count: -1}, "{id}-{ordinal:1+}.json", "a-1.json"},
		{&Match{Ordinal: 1, ID: "a", Count: -1}, "{id}-{ordinal:1+}-{any}", "a-1-x-y"},
		{&Match{Ordinal: -1, ID: "aa", Count: -1}, "{id}a", "aaa"},
		{nil, "{id}a", "a"},
		{&none, "{any}", ""},
		{&none, "a{any}", "a"},
		{nil, "a{any}", "a/b"},
	} {
		got, ok := pattern(t, tt.pattern).Match(tt.name)
		if ok != (tt.want != nil) {
			t.Errorf("%s, %q: want match %t, got %t", tt.pattern, tt.name, tt.want != nil, ok)
		} else if ok {
			if d := cmp.Diff(*tt.want, got); d != "" {
				t.Errorf("%s, %q: %s", tt.pattern, tt.name, d)
			}
		}
	}
}

func TestParsePatternRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "empty",
		"{":                            "not closed",
		"a}":                           "closing brace",
		"{}":                           "unknown field",
		"{name}":                       "unknown field",
		"{ordinal}":                    "unknown field",
		"{ordinal:5}":                  "unknown field",
		"{ordinal:0+}":                 "unknown field",
		"{ordinal:05+}":                "unknown field",
		"{ordinal:17+}":                "unknown field",
		"{ordinal:-1+}":                "unknown field",
		"{ordinal:99999999999999999+}": "unknown field",
		"{id}{any}":                    "without text",
		"{id}-{id}":                    "stands twice",
		"{ordinal:5+}0.json":           "digits after",
		"{count}0":                     "digits after",
	} {
		if _, err := ParsePattern(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want an error with %q, got %v", text, want, err)
		}
	}
}

func TestRender(t *testing.T) {
	for _, tt := range []struct {
		want    string // "": fails
		pattern string
		ordinal int64
		id      string
	}{
		{"event-00000-abc.json", eventName, 0, "abc"},
		{"event-123456-abc.json", eventName, 123456, "abc"},
		{"event-9007199254740991-\xff.json", eventName, MaxOrdinal, "\xff"},
		{"", eventName, MaxOrdinal + 1, "a"},
		{"", eventName, -1, "a"},
		{"", eventName, 1, ""},
		{"", eventName, 1, "a/b"},
		{"", eventTorn, 1, "a"},
		{"", markerName, -1, ""},
		{"meta.json", "meta.json", -1, ""},
		{"", "meta.json", 1, ""},
		{"", "meta.json", -1, "id"},
	} {
		p := pattern(t, tt.pattern)
		got, ok := p.Render(tt.ordinal, tt.id)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s, %d, %q: want %q, got %q %t", tt.pattern, tt.ordinal, tt.id, tt.want, got, ok)
		}
		if ok && !p.Reproduces(got, tt.ordinal, tt.id) {
			t.Errorf("%q is not reproduced", got)
		}
	}
	p := pattern(t, eventName)
	if p.Reproduces("event-000001-a.json", 1, "a") {
		t.Error("a name with a digit too many is reproduced")
	}
	got := testing.AllocsPerRun(100, func() { p.Reproduces("event-00001-0b9f6f0e-7a53-4d0e.json", 1, "0b9f6f0e-7a53-4d0e") })
	if got != 0 {
		t.Errorf("Reproduces: want no allocation, got %v", got)
	}
	if got := testing.AllocsPerRun(100, func() { p.Match("event-00001-0b9f6f0e-7a53-4d0e.json") }); got != 0 {
		t.Errorf("Match: want no allocation, got %v", got)
	}
}

// FuzzPattern holds Match and Render together: a name that Render builds is
// matched with the same fields, and Reproduces tells the names that it builds.
func FuzzPattern(f *testing.F) {
	for _, text := range []string{eventName, eventTorn, markerName, "{id}-{ordinal:1+}", "{id}X{any}", "x{any}", "{ordinal:1+}"} {
		for _, name := range []string{"event-00001-a.json", ".event-00001-a.json.b", ".eventlog-len-3.marker", "a-1", "aXbXc", "x"} {
			f.Add(text, name, int64(1), "a")
		}
	}
	f.Fuzz(func(t *testing.T, text, name string, ordinal int64, id string) {
		p, err := ParsePattern(text)
		if err != nil || len(text) > 100 || len(name) > 300 {
			return
		}
		if rendered, ok := p.Render(ordinal, id); ok {
			m, matched := p.Match(rendered)
			if !matched || m.Ordinal != ordinal || m.ID != id {
				t.Errorf("%q renders %d, %q as %q, which has %d, %q", text, ordinal, id, rendered, m.Ordinal, m.ID)
			}
		}
		m, ok := p.Match(name)
		if !ok {
			return
		}
		if m.Huge != (m.Huge && m.Ordinal < 0) || m.Ordinal > MaxOrdinal || m.Count > MaxOrdinal || !strings.Contains(name, m.ID) {
			t.Errorf("%q, %q: bad match %+v", text, name, m)
		}
		rendered, ok := p.Render(m.Ordinal, m.ID)
		if got := p.Reproduces(name, m.Ordinal, m.ID); got != (ok && rendered == name) {
			t.Errorf("%q, %q: Render gives %q %t, Reproduces %t", text, name, rendered, ok, got)
		}
	})
}
