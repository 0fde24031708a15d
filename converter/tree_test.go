package converter

import (
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/record"
)

// parents spells the parents of the primary records in order: "id:parent", "-" for none, "!" for none with the loss lineage.
func parents(list []rec) string {
	var parts []string
	for i := range list {
		r := &list[i]
		if r.Position.Family != record.Transcript || !r.hasNative() || r.Type == "gap" {
			continue
		}
		p := dash(r.Parent)
		if r.lost("lineage") {
			if p += "!"; r.Parent == "" {
				p = "!"
			}
		}
		parts = append(parts, r.ID+":"+p)
	}
	return strings.Join(parts, " ")
}

func bad(id string) event { return event{id: id}.bytes("{") }

func TestParents(t *testing.T) {
	tests := []struct {
		name, want, notices string
		events              []event
	}{
		{"one line", "a:- b:a c:b", "", []event{user("a"), answer("b", "r"), user("c")}},
		{"explicit", "a:- b:a c:a", "", []event{user("a"), user("b").parent("a"), user("c").parent("a")}},
		{"a second root", "a:- b:- c:b", "", []event{user("a"), user("b").parent("__root__"), user("c")}},
		{"an empty or null parent is none", "a:- b:a c:b", "", []event{user("a"), user("b").parent(""), user("c").with(`"parent_id":null`)}},
		{"forward", "a:b b:-", "", []event{user("a").parent("b"), user("b").parent("__root__")}},
		{"through a hook", "a:- h:a b:a", "", []event{user("a"), hook("h"), user("b")}},
		{"through a state update", "a:- s:a b:a", "", []event{user("a"), update("s").parent("a"), user("b").parent("s")}},
		{"through several", "a:- p:a s:a h:a b:a", "", []event{user("a"), pause("p"), update("s"), hook("h"), user("b")}},
		{"only audit events above", "h:- b:-", "", []event{hook("h"), user("b")}},
		{"below a compaction", "a:- c:a b:c", "", []event{user("a"), condense("c", nil), user("b")}},
		{"after a gap", "a:- b:! c:b", "", []event{user("a"), user("b").ordinal(2), user("c")}},
		{"explicit over a gap", "a:- b:a", "", []event{user("a"), user("b").ordinal(2).parent("a")}},
		{"the first is missing", "a:! b:a", "", []event{user("a").ordinal(1), user("b")}},
		{"after an unreadable one", "a:- b:!", "", []event{user("a"), bad("x"), user("b")}},
		{"after a twin", "a:- b:a c:a d:!", "", []event{user("a"), user("b"), user("c").ordinal(1), user("d")}},
		{"twins at the beginning", "a:- b:- c:!", "", []event{user("a"), user("b").ordinal(0), user("c")}},
		{"after a good and an unreadable twin", "a:- b:a d:!", "", []event{user("a"), user("b"), bad("x").ordinal(1), user("d")}},
		{"unknown", "a:- b:! c:b", "parent-missing 1", []event{user("a"), user("b").parent("zz"), user("c")}},
		{"of an unreadable file", "a:- b:!", "", []event{user("a"), bad("x"), user("b").parent("x")}},
		{"itself", "a:! b:a", "parent-cycle 1", []event{user("a").parent("a"), user("b")}},
		{"in a circle, with a tail", "a:! b:! c:! d:c e:d", "parent-cycle 3", []event{
			user("a").parent("c"), user("b").parent("a"), user("c").parent("b"), user("d").parent("c"), user("e"),
		}},
		{"two circles", "a:! b:! c:! d:! e:d", "parent-cycle 4", []event{
			user("a").parent("b"), user("b").parent("a"), user("c").parent("d"), user("d").parent("c"), user("e"),
		}},
		{"the tail first", "e:c a:! b:! c:!", "parent-cycle 3", []event{
			user("e").parent("c"), user("a").parent("c"), user("b").parent("a"), user("c").parent("b"),
		}},
		{"below audit events in a circle", "p:! q:! b:!", "parent-cycle 2", []event{pause("p").parent("q"), pause("q").parent("p"), user("b").parent("p")}},
		{"below an audit event after a gap", "a:- p:! b:!", "", []event{user("a"), pause("p").ordinal(2), user("b")}},
		{"an id twice", "a:- b:a b~2:b c:!", "id-duplicate 1", []event{user("a"), user("b"), user("b"), user("c").parent("b")}},
		{
			"an id thrice, twice at one ordinal", "a:- b:a b~2:b b~4:!", "id-duplicate 2",
			[]event{user("a"), user("b"), user("b"), user("b").ordinal(4)},
		},
		{"an id of our own", "state~0:- x#y~1:state~0 usage:z~2:x#y~1", "", []event{user("state"), user("x#y"), user("usage:z")}},
		{"the body's id", "n:- b:n", "id-differs-from-name 1", []event{user("n").bytes(user("m").text(0)), user("b").parent("m")}},
		{
			"the name's id before the body's", "n:- m:- b:m", "id-differs-from-name 1",
			[]event{user("n").bytes(user("m").text(0)), user("m").parent("__root__"), user("b").parent("m")},
		},
		{
			"a body's id twice", "n:- o:n b:!", "id-differs-from-name 2",
			[]event{user("n").bytes(user("m").text(0)), user("o").bytes(user("m").text(1)), user("b").parent("m")},
		},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := convertMade(t, reg, nil, conv(t, "", tt.events))
			list := m.only(t)
			byID(t, list)
			if got := parents(list); got != tt.want {
				t.Errorf("got parents %s, want %s", got, tt.want)
			}
			if got := some(m.notices); got != tt.notices {
				t.Errorf("got notices %q, want %q", got, tt.notices)
			}
		})
	}
}

// TestItemSharesParent holds that all records of one item have its parent, but for a response and a summary.
func TestItemSharesParent(t *testing.T) {
	rich := action("b", "k", "r").with(`"reasoning_content":"why"`)
	rich.members = strings.Replace(rich.members, `"thought":[]`, `"thought":[{"type":"text","text":"so"}]`, 1)
	m := convertMade(t, loadRegistry(t), nil, conv(t, "", []event{user("a"), rich, condense("c", nil, `"summary":"s"`, `"summary_offset":0`)}))
	want := "session:- a:- inference:r:- b#reasoning:a b#thought:a b:a inference:resp-c:- c:b c-summary:c end:-"
	var parts []string
	for _, r := range m.only(t) {
		parts = append(parts, r.ID+":"+dash(r.Parent))
	}
	if got := strings.Join(parts, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHead(t *testing.T) {
	log := []event{user("a"), answer("b", "r").parent("a"), user("c").parent("b")}
	hole := []event{log[0], log[1], log[2].ordinal(4)}
	torn := []event{log[0], log[1], log[2], bad("x")}
	twice := []event{log[0], log[1], user("b").parent("a")}
	tests := []struct {
		name, want, notices string // head, native head, ids of gaps, losses lineage
		state               string
		events              []event
	}{
		{"not stated", "- -", "", "", log},
		{"null", "- -", "", `"leaf_event_id":null`, log},
		{"the last item", "c -", "", `"leaf_event_id":"c"`, log},
		{"above the last", "b -", "head-lags 1", `"leaf_event_id":"b"`, log},
		{"on another branch", "b -", "", `"leaf_event_id":"b"`, []event{log[0], log[1], user("c").parent("a")}},
		{"behind it only artifacts", "b -", "", `"leaf_event_id":"b"`, []event{log[0], log[1], update("s").parent("b")}},
		{"an empty branch", "- -", "", `"leaf_event_id":null,"head_is_empty":true`, log},
		{"nowhere", "- zz gap:3-3", "", `"leaf_event_id":"zz"`, log},
		{"nowhere, of an empty log", "- zz gap:0-0", "", `"leaf_event_id":"zz"`, nil},
		{"nowhere, beside a gap", "- zz gap:2-3", "", `"leaf_event_id":"zz"`, hole},
		{"nowhere, beside a torn tail", "- zz", "", `"leaf_event_id":"zz"`, torn},
		{"the torn tail", "- x", "", `"leaf_event_id":"x"`, torn},
		{"an id twice", "- b lineage", "id-duplicate 1", `"leaf_event_id":"b"`, twice},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			members := []string{}
			if tt.state != "" {
				members = append(members, tt.state)
			}
			m := convertMade(t, reg, nil, conv(t, state(members...), tt.events))
			end := last(m.only(t))
			got := dash(end.Head) + " " + dash(end.HeadNativeID)
			for _, r := range m.only(t) {
				if r.Type == "gap" {
					got += " " + r.ID
				}
			}
			if end.lost("lineage") {
				got += " lineage"
			}
			if got != tt.want || some(m.notices, "head-lags", "id-duplicate", "head-missing") != tt.notices {
				t.Errorf("got %s, notices %q, want %s, %q", got, some(m.notices), tt.want, tt.notices)
			}
		})
	}
}
