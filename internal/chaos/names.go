package main

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// nameMutations call files and folders otherwise.
func nameMutations() []mutation {
	return []mutation{
		{"another ordinal", func(m *mutator) {
			dir, ordinal, id, ok := cutEvent(m.event())
			if ok {
				m.move(dir+"event-"+ordinal+"-"+id+".json", fmt.Sprintf("%sevent-%05d-%s.json", dir, m.ordinal(ordinal), id))
			}
		}},
		{"swap ordinals", func(m *mutator) {
			p, q := m.event(), m.event()
			dir, a, id, ok := cutEvent(p)
			into, b, other, also := cutEvent(q)
			if !ok || !also || p == q || a == b {
				return
			}
			x, y := m.tree[p], m.tree[q]
			m.tree.remove(p)
			m.tree.remove(q)
			m.tree.put(dir+"event-"+b+"-"+id+".json", x)
			m.tree.put(into+"event-"+a+"-"+other+".json", y)
			m.say("%q and %q", p, q)
		}},
		{"another padding", func(m *mutator) {
			dir, ordinal, id, ok := cutEvent(m.event())
			if ok {
				text := one(m, []string{"0" + ordinal, "000000000000000000" + ordinal, strings.TrimLeft(ordinal, "0"), "0000" + strings.TrimLeft(ordinal, "0")})
				m.move(dir+"event-"+ordinal+"-"+id+".json", dir+"event-"+text+"-"+id+".json")
			}
		}},
		{"another id in the name", func(m *mutator) {
			dir, ordinal, id, ok := cutEvent(m.event())
			if ok {
				m.move(dir+"event-"+ordinal+"-"+id+".json", dir+"event-"+ordinal+"-"+m.id(ordinal, id)+".json")
			}
		}},
		{"odd name", func(m *mutator) {
			p := m.file()
			dir, name := path.Split(p)
			m.move(p, dir+m.oddName(name))
		}},
		{"leftover of a write", func(m *mutator) {
			p := m.file()
			dir, name := path.Split(p)
			m.move(p, dir+"."+name+one(m, []string{".tmp", ".tmp.123", ".a1b2c3", ".", ".\xff", ".%FF"}))
		}},
		{"known name", func(m *mutator) {
			p := m.file()
			names := []string{
				"base_state.json", "meta.json", "TASKS.json", "observations/o.png", "observations/\xff%.txt", "observations/%FF%25.txt", "observations/sub/o.png", "events/.eventlog.lock",
				"owner_lease.json", ".owner_lease.lock", "owner_lease.tmp", "agent_settings.json", "acp/x", ".trash/x.json", "runtime-data/a/b", "events/notes.txt",
				".base_state.json.1.tmp", ".meta.json.tmp", "metadata.json", "agent_state.pkl", "events/0.json",
			}
			dir := path.Dir(p)
			if path.Base(dir) == "events" {
				dir = path.Dir(dir)
			}
			m.move(p, path.Join(dir, one(m, names)))
		}},
		{"length marker", func(m *mutator) {
			p := m.event()
			dir, ordinal, _, ok := cutEvent(p)
			if !ok {
				return
			}
			n := m.ordinal(ordinal)
			at := fmt.Sprintf("%s.eventlog-len-%d.marker", dir, n)
			m.tree.put(at, node{data: one(m, []string{"", "", "7", "{}", "\xff"})})
			m.say("%q", at)
		}},
	}
}

// move gives a file another path, or puts a copy there.
func (m *mutator) move(from, to string) {
	n, ok := m.tree[from]
	if !ok || from == to || !m.tree.put(to, n) {
		return
	}
	copied := m.IntN(2) == 0
	if !copied {
		m.tree.remove(from)
	}
	m.say("%q to %q, copied %v", from, to, copied)
}

// ordinal is another ordinal: near, the same, small, or huge.
func (m *mutator) ordinal(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		n = 3
	}
	switch m.IntN(6) {
	case 0:
		return n
	case 1:
		return uint64(m.IntN(12))
	case 2:
		return n + uint64(m.IntN(5))
	case 3:
		return one(m, []uint64{99_999, 100_000, 1 << 31, 1<<53 - 1, 1 << 53, 1<<63 - 1, 1<<64 - 1, 1_000_003})
	case 4:
		return n + uint64(m.IntN(2000))
	}
	return max(n, 2) - 1
}

// id is another id for a name: odd, of another item, or one that records of ours bear.
func (m *mutator) id(ordinal, id string) string {
	_, _, other, _ := cutEvent(m.event())
	n := strings.TrimLeft(ordinal, "0")
	return one(m, []string{
		"state", "session", "end", "usage:agent", "gap:1-1", "gap:" + n + ":" + id, "file:meta.json", "item:" + n, id + "#thought", id + "~" + n, other + "~" + n, id + "-summary",
		other + "-summary", other, other, "ß\xff%", "%FF", "\xff", "%25", "x\ny", "\u202e", strings.ToUpper(id), strings.Repeat("i", 200), " ", "__root__", "inference:r", "\"", `\`, "~", "#",
	})
}

// oddName is another name for a file, mostly none of an item.
func (m *mutator) oddName(name string) string {
	return one(m, []string{
		strings.ToUpper(name), strings.TrimSuffix(name, ".json"), name + "~", name + ".bak", "\xff" + name, name + "\xff", "event-.json", "event--x.json", "event-00001-.json", "event-00001.json",
		"event-+0001-x.json", "event-00001-x.JSON", "event-0x001-x.json", "event-٠٠٠٠١-x.json", "event-99999999999999999999-x.json", "event-junk.json", "-", "con", "a\nb", "%", "%FF", "\x01",
		strings.Repeat("n", 240), "events", "base_state.json", "event-00001-a/../b.json", ".hidden", "manifest.json",
	})
}
