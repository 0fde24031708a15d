package main

import (
	"path"
	"strings"
)

// folderMutations move, copy and nest folders.
func folderMutations() []mutation {
	return []mutation{
		{"delete a folder", func(m *mutator) {
			if p := m.folder(); p != "" && m.IntN(2) == 0 {
				m.tree.remove(p)
				m.say("%q", p)
			}
		}},
		{"rename a folder", func(m *mutator) {
			p := m.folder()
			m.moveFolder(p, path.Join(path.Dir(p), one(m, []string{
				strings.ToUpper(path.Base(p)), "events", "Events", "event_service", "subagents", "observations", "acp", ".trash", "runtime-control", "event-00001-x.json", "base_state.json", "\xff",
				"%FF", "a b", "a\nb", ".hidden", strings.Repeat("f", 200), "con", "streams",
			})))
		}},
		{"copy a conversation", func(m *mutator) {
			p := m.conversation()
			m.copyFolder(p, p+one(m, []string{"-copy", " (1)", "2", "%", "\xff"}))
		}},
		{"nest a conversation", func(m *mutator) {
			m.copyFolder(m.conversation(), path.Join(m.folder(), one(m, []string{"subagents/child", "child", "events/x", "observations/x", "a/b/c", "subagents"})))
		}},
		{"nest one in itself", func(m *mutator) {
			p := m.conversation()
			m.copyFolder(p, path.Join(p, one(m, []string{"subagents/" + path.Base(p), "events/" + path.Base(p), path.Base(p)})))
		}},
		{"another conversation", func(m *mutator) {
			b := one(m, m.bases)
			if b.size > 300_000 {
				return
			}
			m.tree.graft(path.Join(one(m, []string{".", "more", "c1"}), b.name), b.tree)
			m.say("%s", b.path)
		}},
		{"mix two conversations", func(m *mutator) {
			m.tree.graft(m.conversation(), m.tree.below(m.conversation()))
			m.say("one into another")
		}},
		{"out of its folder", func(m *mutator) {
			p := m.conversation()
			m.moveFolder(path.Join(p, "events"), path.Join(p, one(m, []string{"../events", "event_service/events", "x/events"})))
		}},
		{"deep folders", func(m *mutator) {
			m.tree.put(path.Join("deep", strings.Repeat("d/", one(m, []int{20, 199, 200, 201, 300})), "f.txt"), node{data: "deep"})
			m.say("deep")
		}},
		{"folder beside", func(m *mutator) {
			p := path.Join(m.folder(), one(m, []string{
				"event-00001-x.json", "event-00099-y.json", ".eventlog.lock", "owner_lease.json", ".base_state.json.tmp", "meta.json", "base_state.json", "TASKS.json", "events", ".event-00001-x.json.tmp",
				".eventlog-len-9.marker", "observations", "empty", "subagents",
			}))
			ok := m.tree.put(p, node{kind: folder})
			if m.IntN(2) == 0 && ok {
				m.tree.put(path.Join(p, one(m, []string{"inner.txt", "event-00000-i.json", "base_state.json"})), node{data: "{}"})
			}
			m.say("%q", p)
		}},
	}
}

func (m *mutator) moveFolder(from, to string) {
	sub := m.tree.below(from)
	if from == "" || len(sub) == 0 || from == to || strings.HasPrefix(to, "../") {
		return
	}
	m.tree.remove(from)
	m.tree.graft(to, sub)
	m.say("%q to %q", from, to)
}

func (m *mutator) copyFolder(from, to string) {
	sub := m.tree.below(from)
	if from == "" || len(sub) == 0 || len(m.tree) > 2000 {
		return
	}
	m.tree.graft(to, sub)
	m.say("%q to %q", from, to)
}
