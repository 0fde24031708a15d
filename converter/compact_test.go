package converter

import (
	"strings"
	"testing"
)

// compactions spells every applied compaction: what it forgets, the extent, the boundary, whether its summary is in
// context, and its losses.
func compactions(list []rec) []string {
	var all []string
	context := map[string]bool{}
	for i := range list {
		context[list[i].ID] = list[i].Context == nil || *list[i].Context
	}
	for i := range list {
		r := &list[i]
		if r.Type != "compaction" || r.Phase != "applied" {
			continue
		}
		p := []string{r.ID + " [" + strings.Join(r.Forgotten, " ") + "]"}
		if r.Forgotten == nil {
			p[0] = r.ID + " -"
		}
		if r.ForgottenUnknown != nil {
			p = append(p, "?["+strings.Join(r.ForgottenUnknown, " ")+"]")
		}
		p = append(p, r.Extent)
		switch {
		case r.Boundary == nil:
		case r.Boundary.AtStart:
			p = append(p, "start")
		default:
			p = append(p, "after "+r.Boundary.After)
		}
		if r.Summary != "" && !context[r.Summary] {
			p = append(p, "apart")
		}
		all = append(all, strings.Join(append(p, r.Losses...), " "))
	}
	return all
}

func TestCompactions(t *testing.T) {
	const text = `"summary":"x"`
	at := func(n string) string { return `"summary_offset":` + n }
	log := []event{system("s"), user("u"), action("a", "k", "r"), observed("o", "a", "k")}
	strange := event{id: "a"}.bytes(strings.Replace(log[2].text(2), `"id":"a"`, `"id":"body-a"`, 1))
	after := func(more ...event) []event { return append(append([]event{}, log...), more...) }
	tests := []struct {
		name   string
		want   []string
		events []event
	}{
		{"behind the first", []string{"c [a o] exact after s"}, after(condense("c", []string{"a", "o"}, text, at("1")))},
		{"at the start", []string{"c [a o] exact start"}, after(condense("c", []string{"a", "o"}, text, at("0")))},
		{"counted after forgetting", []string{"c [s u] exact after o"}, after(condense("c", []string{"s", "u"}, text, at("2")))},
		{"at the end", []string{"c [a] exact after o"}, after(condense("c", []string{"a"}, text, at("3")))},
		{"beyond the end", []string{"c [a o] exact after u"}, after(condense("c", []string{"a", "o"}, text, at("99")))},
		{"beyond the end of nothing", []string{"c [s u a o] exact start"}, after(condense("c", []string{"s", "u", "a", "o"}, text, at("99")))},
		{"forgets nothing", []string{"c [] exact after u"}, after(condense("c", nil, text, at("2")))},
		{"says nothing of it", []string{"c - exact after u"}, after(ev("Condensation", "c", `"llm_response_id":"q"`, text, at("2")))},
		{"each once, in the order given", []string{"c [o a] exact after s"}, after(condense("c", []string{"o", "a", "o", "a"}, text, at("1")))},
		{"an empty summary is one", []string{"c [a] exact after s"}, after(condense("c", []string{"a"}, `"summary":""`, at("1")))},
		{"without an offset", []string{"c [a o] exact apart"}, after(condense("c", []string{"a", "o"}, text))},
		{"without a summary", []string{"c [a o] exact"}, after(condense("c", []string{"a", "o"}, at("1")))},
		{"with neither", []string{"c [a o] exact"}, after(condense("c", []string{"a", "o"}))},
		{"unknown id", []string{"c [a] ?[zz] unknown context-boundary"}, after(condense("c", []string{"a", "zz"}, text, at("1")))},
		{"unknown id, without summary", []string{"c [] ?[zz] unknown context-boundary"}, after(condense("c", []string{"zz"}))},
		{
			"after a summary",
			[]string{"c [a o] exact after s", "d [u] exact after c-summary"},
			after(condense("c", []string{"a", "o"}, text, at("1")), user("v"), condense("d", []string{"u"}, text, at("2"))),
		},
		{
			"names an earlier summary",
			[]string{"c [a o] exact after s", "d [c-summary u] exact after s"},
			after(condense("c", []string{"a", "o"}, text, at("1")), user("v"), condense("d", []string{"c-summary", "u"}, text, at("1"))),
		},
		{
			"names an earlier summary that was not inserted",
			[]string{"c [a o] exact apart", "d [c-summary] exact after u"},
			after(condense("c", []string{"a", "o"}, text), condense("d", []string{"c-summary"}, text, at("2"))),
		},
		{
			"an uninserted summary does not count",
			[]string{"c [a o] exact apart", "d [] exact after u"},
			after(condense("c", []string{"a", "o"}, text), user("v"), condense("d", nil, text, at("2"))),
		},
		{
			"names an item by its name and by its body",
			[]string{"c [a o] exact after u"},
			append([]event{log[0], log[1], strange, log[3]}, condense("c", []string{"a", "body-a", "o"}, text, at("2"))),
		},
		{
			"names a summary that is none",
			[]string{"c [] exact", "d [] ?[c-summary] unknown context-boundary"},
			after(condense("c", nil), condense("d", []string{"c-summary"}, text, at("1"))),
		},
		{"names its own summary", []string{"c [] ?[c-summary] unknown context-boundary"}, after(condense("c", []string{"c-summary"}, text, at("1")))},
		{
			"names a later summary",
			[]string{"c [] ?[d-summary] unknown context-boundary", "d [] exact context-boundary"},
			after(condense("c", []string{"d-summary"}, text, at("1")), condense("d", nil, text, at("1"))),
		},
		{
			"after an unknown extent",
			[]string{"c [] ?[zz] unknown context-boundary", "d [a] exact context-boundary", "e [] exact context-boundary"},
			after(condense("c", []string{"zz"}, text, at("1")), condense("d", []string{"a"}, text, at("1")), condense("e", nil, text, at("0"))),
		},
		{"on a branch", []string{"c [a v] exact after w"}, []event{
			user("u"), user("v").parent("u"), user("a").parent("u"), user("w").parent("u"), condense("c", []string{"a", "v"}, text, at("5")).parent("w"),
		}},
		{"each branch its own", []string{"c [] exact after u", "d [] exact after u"}, []event{
			user("u"), condense("c", nil, text, at("1")).parent("u"), condense("d", nil, text, at("1")).parent("u"),
		}},
		{"two below one", []string{"c [] exact after u", "d [c-summary] exact after u", "e [u] exact after c-summary"}, []event{
			user("u"), condense("c", nil, text, at("1")), condense("d", []string{"c-summary"}, text, at("1")).parent("c"), condense("e", []string{"u"}, text, at("1")).parent("c"),
		}},
		{"the second stands before the first", []string{"d [] exact after c-summary", "c [] exact after u"}, []event{
			user("u"), condense("d", nil, text, at("2")).parent("c"), condense("c", nil, text, at("1")).parent("u"),
		}},
		{"below a gap", []string{"c [] exact context-boundary"}, append(after(), user("v").ordinal(6), condense("c", nil, text, at("1")))},
		{"right behind a gap", []string{"c [] exact lineage context-boundary"}, append(after(), condense("c", nil, text, at("1")).ordinal(6))},
		{"below an audit event after a gap", []string{"c [] exact lineage context-boundary"}, append(after(), pause("p").ordinal(6), condense("c", nil, text, at("1")))},
		{"a gap on another branch", []string{"c [] exact after s"}, append(after(), user("v").ordinal(6), condense("c", nil, text, at("1")).parent("o"))},
		{"below an unknown kind", []string{"c [] exact after s"}, after(ev("NewEvent", "n", `"x":1`), condense("c", nil, text, at("1")))},
		{"audit events do not count", []string{"c [] exact after v"}, after(hook("h"), user("v"), condense("c", nil, text, at("5")))},
		{"an id twice", []string{"c [] ?[v] unknown lineage context-boundary"}, after(user("v"), user("v"), condense("c", []string{"v"}, text, at("1")))},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := convertMade(t, reg, nil, conv(t, "", tt.events))
			list := m.only(t)
			byID(t, list)
			if got, want := strings.Join(sortedLosses(compactions(list)), "\n"), strings.Join(sortedLosses(tt.want), "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// sortedLosses makes the order of the two losses that a compaction can have not matter.
func sortedLosses(list []string) []string {
	for i := range list {
		list[i] = strings.Replace(list[i], "context-boundary lineage", "lineage context-boundary", 1)
	}
	return list
}

func TestSummary(t *testing.T) {
	m := convertMade(t, loadRegistry(t), nil, conv(t, "", []event{user("u"), condense("c", []string{"u"}, `"summary":"a\ud83db"`, `"summary_offset":0`)}))
	r := byID(t, m.only(t))["c-summary"]
	if r == nil || r.Type != "message" || r.Role != "user" || r.Origin != "summary" || r.Parent != "c" || r.Inference != "inference:resp-c" ||
		string(r.Content) != "[{\"type\":\"text\",\"text\":\"a\uFFFDb\"}]" || *r.Position.Ordinal != 1 || r.hasNative() {
		t.Errorf("got summary %+v", r)
	}
	if got := some(m.notices, "text-surrogate"); got != "text-surrogate 1" {
		t.Errorf("got notices %q, want text-surrogate 1", got)
	}
}
