package converter

import (
	"strings"
	"testing"
)

// pairs spells what each result answers: "id:call", "id:?key" for a call that is not known, "id:-" for neither.
func pairs(list []rec) string {
	var parts []string
	for i := range list {
		r := &list[i]
		if r.Type != "tool_result" {
			continue
		}
		to := dash(r.Call)
		if r.NativeCallID != "" {
			to = "?" + r.NativeCallID
		}
		if r.lost("lineage") {
			to += "!"
		}
		parts = append(parts, r.ID+":"+to)
	}
	return strings.Join(parts, " ")
}

func TestPairs(t *testing.T) {
	reject := func(id, call, key string) event {
		return ev("UserRejectObservation", id, `"source":"environment","tool_name":"n","tool_call_id":"`+key+`","action_id":"`+call+`","rejection_reason":"no"`)
	}
	acp := func(id, key, status string) event {
		return ev("ACPToolCallEvent", id, `"source":"agent","tool_call_id":"`+key+`","title":"t","status":"`+status+`"`)
	}
	tests := []struct {
		name, want, notices string
		events              []event
	}{
		{"by id", "o:a", "", []event{action("a", "k", "r"), observed("o", "a", "k")}},
		{"by id, in call order", "o:a p:b", "", []event{action("a", "k", "r"), action("b", "l", "r"), observed("o", "a", "k"), observed("p", "b", "l")}},
		{"by id, whatever the key", "o:a", "", []event{action("a", "k", "r"), observed("o", "a", "other")}},
		{"by key where the id is unknown", "o:a", "", []event{action("a", "k", "r"), observed("o", "zz", "k")}},
		{"by key where the id is no call", "o:a", "", []event{user("u"), action("a", "k", "r"), observed("o", "u", "k")}},
		{"by key alone", "e:a", "", []event{action("a", "k", "r"), agentError("e", "k")}},
		{"rejected", "x:b y:a", "", []event{action("a", "k", "r"), action("b", "l", "r"), reject("x", "b", "l"), reject("y", "a", "k")}},
		{"two links, two calls", "o:a", "link-conflict 1", []event{action("a", "k", "r"), action("b", "l", "r"), observed("o", "a", "l")}},
		{"a key of several, one of them the id's", "o:a", "", []event{action("a", "k", "r"), action("b", "k", "s"), observed("o", "a", "k")}},
		{"one key, turn after turn", "e:a f:b", "", []event{action("a", "k", "r"), agentError("e", "k"), action("b", "k", "s"), agentError("f", "k")}},
		{"the nearest unanswered", "e:b f:a", "", []event{action("a", "k", "r"), action("b", "k", "r"), agentError("e", "k"), agentError("f", "k")}},
		{"answered by id, then by key", "o:b e:a", "", []event{action("a", "k", "r"), action("b", "k", "r"), observed("o", "b", "k"), agentError("e", "k")}},
		{"answered by id under another key", "o:b e:a", "", []event{action("a", "k", "r"), action("b", "k", "r"), observed("o", "b", "z"), agentError("e", "k")}},
		{"answered before it is called", "o:b e:a", "", []event{action("a", "k", "r"), observed("o", "b", "z"), action("b", "k", "r"), agentError("e", "k")}},
		{"a second result", "e:a f:a", "", []event{action("a", "k", "r"), agentError("e", "k"), agentError("f", "k")}},
		{"a second result, the nearest answered", "e:b f:a g:b", "", []event{
			action("a", "k", "r"), action("b", "k", "r"), agentError("e", "k"), agentError("f", "k"), agentError("g", "k"),
		}},
		{"before its call, by id", "o:a", "", []event{observed("o", "a", "k"), action("a", "k", "r")}},
		{"before its call, by key", "e:a", "", []event{agentError("e", "k"), action("a", "k", "r")}},
		{"off the branch", "o:a", "result-off-branch 1", []event{user("u"), action("a", "k", "r").parent("u"), observed("o", "a", "k").parent("u")}},
		{"off the branch, by key", "e:a", "result-off-branch 1", []event{user("u"), action("a", "k", "r").parent("u"), agentError("e", "k").parent("u")}},
		{"the branch before the nearest", "e:a", "", []event{
			user("u"), action("a", "k", "r").parent("u"), action("b", "k", "s").parent("u"), agentError("e", "k").parent("a"),
		}},
		{"answered on the branch before unanswered elsewhere", "e:a f:a", "", []event{
			user("u"), action("a", "k", "r").parent("u"), action("b", "k", "s").parent("u"), agentError("e", "k").parent("a"), agentError("f", "k").parent("e"),
		}},
		{"unknown branch", "o:a!", "", []event{user("u"), action("a", "k", "r"), observed("o", "a", "k").ordinal(5)}},
		{"no call", "e:?k", "", []event{user("u"), agentError("e", "k")}},
		{"neither link", "o:-", "", []event{action("a", "k", "r"), observed("o", "", "")}},
		{"an id of two calls", "o:?k!", "id-duplicate 1", []event{action("a", "k", "r"), action("a", "l", "r"), observed("o", "a", "k")}},
		{"a call that could not run", "e:a", "", []event{
			ev("ActionEvent", "a", `"tool_name":"n","tool_call_id":"k","llm_response_id":"r","thought":[]`), agentError("e", "k"),
		}},
		{"ACP, one update after another", "c:a", "", []event{acp("a", "k", "pending"), acp("b", "k", "in_progress"), acp("c", "k", "completed")}},
		{"ACP, done at once", "a#result:a", "", []event{acp("a", "k", "failed")}},
		{"ACP, two calls", "c:b d:a", "", []event{acp("a", "k", "pending"), acp("b", "l", "pending"), acp("c", "l", "failed"), acp("d", "k", "completed")}},
		{"ACP and others share no keys", "e:?k", "", []event{acp("a", "k", "pending"), agentError("e", "k")}},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := convertMade(t, reg, nil, conv(t, "", tt.events))
			list := m.only(t)
			byID(t, list)
			if got := pairs(list); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if got := some(m.notices, "link-conflict", "result-off-branch", "id-duplicate", "parent-missing"); got != tt.notices {
				t.Errorf("got notices %q, want %q", got, tt.notices)
			}
		})
	}
}
