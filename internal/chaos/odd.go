package main

import (
	"fmt"
	"path"
	"strings"
)

// oddMutations put something else than a file where files stand.
func oddMutations() []mutation {
	return []mutation{
		{"link", func(m *mutator) {
			p := m.file()
			to := m.target(p)
			if m.IntN(3) == 0 { // the file itself stays, under another name
				m.tree.put("kept/"+path.Base(p), m.tree[p])
				to = up(p) + "kept/" + path.Base(p)
			}
			if p != "" && m.tree.put(p, node{kind: link, data: to}) {
				m.say("%q to %q", p, to)
			}
		}},
		{"link beside", func(m *mutator) {
			p := path.Join(m.folder(), one(m, m.places()))
			if to := m.target(p); to != "" && m.tree.put(p, node{kind: link, data: to}) {
				m.say("%q to %q", p, to)
			}
		}},
		{"FIFO", func(m *mutator) {
			if p := m.file(); p != "" && m.tree.put(p, node{kind: fifo}) {
				m.say("%q", p)
			}
		}},
		{"FIFO beside", func(m *mutator) {
			if p := path.Join(m.folder(), one(m, m.places())); m.tree.put(p, node{kind: fifo}) {
				m.say("%q", p)
			}
		}},
		{"folder in place of a file", func(m *mutator) {
			p := m.file()
			if p == "" {
				return
			}
			m.tree.remove(p)
			m.tree.put(path.Join(p, "inner.txt"), node{data: "inner"})
			m.say("%q", p)
		}},
		{"empty beside good", func(m *mutator) {
			dir, ordinal, _, ok := cutEvent(m.event())
			if p := dir + "event-" + ordinal + "-" + one(m, []string{"0", "zzzz"}) + ".json"; ok && m.tree.put(p, node{}) {
				m.say("%q", p)
			}
		}},
		{"files beside", func(m *mutator) {
			dir := m.folder()
			for range 1 + m.IntN(3) {
				p := path.Join(dir, one(m, m.places()))
				m.tree.put(p, node{data: one(m, []string{"", "{}", "x", "\xff\xfe", "[]", "null", "{\"id\":\"x\"}", strings.Repeat("\x00", 4096)})})
				m.say("%q", p)
			}
		}},
	}
}

// places are names that mean something in a conversation, or nothing.
func (m *mutator) places() []string {
	return []string{
		fmt.Sprintf("event-%05d-l.json", m.IntN(30)), fmt.Sprintf(".event-%05d-l.json.tmp", m.IntN(30)), ".eventlog.lock", ".eventlog-len-3.marker", fmt.Sprintf(".eventlog-len-%d.marker", m.IntN(40)),
		"owner_lease.json", ".owner_lease.lock", "meta.json", "base_state.json", "TASKS.json", "observations", "observations/p.png", "events", "subagents", ".base_state.json.xyz", ".meta.json.x",
		"agent_settings.json", "notes", "l\xff", "l%FF",
	}
}

// target is where a link at a path leads: inside, outside, nowhere, in a circle.
func (m *mutator) target(p string) string {
	to := m.file()
	if m.IntN(6) == 0 {
		to = m.folder()
	}
	return one(m, []string{
		up(p) + to, up(p) + to, up(p) + to, "./" + path.Base(p), path.Base(p), "nothing.json", "..", ".", "/etc/hostname", "/", up(p) + "../outside.json", strings.Repeat("../", 40) + "etc/hostname",
		up(p) + to + "/x", "//", up(p) + "./x/../" + to, up(p) + path.Dir(to) + "//" + path.Base(to),
	})
}

// up leads from the folder of a path to the root.
func up(p string) string { return strings.Repeat("../", strings.Count(p, "/")) }
