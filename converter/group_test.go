package converter

import (
	"strings"
	"testing"
)

// responses spells the responses of primary records: "id:response", "-" for none; then the responses in order of their records.
func responses(list []rec) string {
	var parts, own []string
	for i := range list {
		r := &list[i]
		switch {
		case r.Type == "inference":
			p := r.ID
			if r.Purpose != "" {
				p += "(" + r.Purpose + ")"
			}
			own = append(own, p)
		case r.Position.Family == "transcript" && r.hasNative() && r.Type != "gap":
			parts = append(parts, r.ID+":"+dash(strings.TrimPrefix(r.Inference, "inference:")))
		}
	}
	return strings.Join(append(parts, own...), " ")
}

func TestGroups(t *testing.T) {
	named := func(id, response string, calls ...string) event {
		e := answer(id, response)
		list := `"tool_calls":[`
		for i, c := range calls {
			if i > 0 {
				list += ","
			}
			list += `{"id":"` + c + `"}`
		}
		e.members = strings.Replace(e.members, `"role":"assistant"`, `"role":"assistant",`+list+"]", 1)
		return e
	}
	bare := func(id, key string) event {
		e := action(id, key, "X")
		e.members = strings.Replace(e.members, `,"llm_response_id":"X"`, "", 1)
		return e
	}
	tests := []struct {
		name, want, notices, state string
		events                     []event
	}{
		{"one each", "u:- a:r b:s inference:r inference:s", "", "", []event{user("u"), answer("a", "r"), answer("b", "s")}},
		{"a batch", "a:r b:r c:- inference:r", "", "", []event{action("a", "k", "r"), action("b", "l", "r"), observed("c", "a", "k")}},
		{"a batch with an error between", "a:r e:- b:r inference:r", "", "", []event{action("a", "k", "r"), agentError("e", "z"), action("b", "l", "r")}},
		{
			"a batch with a result and a hook between", "a:r o:- h:- b:r inference:r", "", "",
			[]event{action("a", "k", "r"), observed("o", "a", "k"), hook("h"), action("b", "l", "r")},
		},
		{"a batch over a gap", "a:r b:r inference:r", "", "", []event{action("a", "k", "r"), action("b", "l", "r").ordinal(3)}},
		{"split by a user message", "a:- u:- b:-", "response-id-repeated 1", "", []event{action("a", "k", "r"), user("u"), action("b", "l", "r")}},
		{
			"split by the environment", "a:- u:- b:-", "response-id-repeated 1", "",
			[]event{action("a", "k", "r"), said("environment", "user", "u"), action("b", "l", "r")},
		},
		{"an agent's message splits nothing", "a:r u:- b:r inference:r", "", "", []event{action("a", "k", "r"), said("agent", "assistant", "u"), action("b", "l", "r")}},
		{"a user message before and after", "u:- a:r b:r v:- inference:r", "", "", []event{user("u"), action("a", "k", "r"), action("b", "l", "r"), user("v")}},
		{"one inside another", "a:- b:s c:- inference:s", "response-id-repeated 1", "", []event{action("a", "k", "r"), action("b", "l", "s"), action("c", "m", "r")}},
		{
			"two interleaved", "a:- b:- c:- d:-", "response-id-repeated 2", "",
			[]event{action("a", "k", "r"), action("b", "l", "s"), action("c", "m", "r"), action("d", "n", "s")},
		},
		{"no id", "a:- b:-", "", "", []event{answer("a", ""), action("b", "k", "")}},
		{"no member by its kind", "o:- a:r inference:r", "", "", []event{observed("o", "x", "k").with(`"llm_response_id":"r"`), answer("a", "r")}},
		{"a compaction's own", "c:resp-c inference:resp-c(condensation)", "", "", []event{condense("c", nil)}},
		{"joined by its call", "m:r a:r inference:r", "", "", []event{named("m", "r", "k", "l"), bare("a", "k")}},
		{"joined before the message", "a:r m:r inference:r", "", "", []event{bare("a", "k"), named("m", "r", "k")}},
		{"a call that two messages name", "m:r n:s a:- inference:r inference:s", "", "", []event{named("m", "r", "k"), named("n", "s", "k"), bare("a", "k")}},
		{"a call that nobody names", "m:r a:- inference:r", "", "", []event{named("m", "r", "k"), bare("a", "z")}},
		{"an own id before the call", "m:r a:s inference:r inference:s", "", "", []event{named("m", "r", "k"), action("a", "k", "s")}},
		{"an ACP agent", "a:- u:- b:-", "", `{"id":"c1","agent":{"kind":"ACPAgent"}}`, []event{answer("a", "r"), user("u"), answer("b", "r")}},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := convertMade(t, reg, nil, conv(t, tt.state, tt.events))
			list := m.only(t)
			byID(t, list)
			if got := responses(list); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if got := some(m.notices, "response-id-repeated"); got != tt.notices {
				t.Errorf("got notices %q, want %q", got, tt.notices)
			}
		})
	}
}

// TestInferencePlace holds where the record of a response stands: before its first member, once, with its position.
func TestInferencePlace(t *testing.T) {
	m := convertMade(t, loadRegistry(t), nil, conv(t, "", []event{user("u"), action("a", "k", "r").ordinal(3), action("b", "l", "r")}))
	list := m.only(t)
	for i := range list {
		if list[i].ID != "inference:r" {
			continue
		}
		r, next := &list[i], &list[i+1]
		if next.ID != "a" || *r.Position.Ordinal != 3 || r.Position.ID != "a" || r.Time != next.Time || r.Parent != "" || r.hasNative() {
			t.Errorf("got %+v before %s, want it before a, at its position and time, without parent and native", r, next.ID)
		}
		return
	}
	t.Error("got no inference")
}
