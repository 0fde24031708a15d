package main

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// mutation is one way to spoil a folder. It does nothing where it finds nothing to spoil.
type mutation struct {
	name string
	do   func(m *mutator)
}

// mutations is every way to spoil a folder. Those of one list are about as likely.
func mutations() []mutation {
	return slices.Concat(byteMutations(), codingMutations(), nameMutations(), memberMutations(), folderMutations(), oddMutations())
}

// mutator spoils one tree.
type mutator struct {
	*rand.Rand
	tree  tree
	bases []base
	keep  func(p string) bool // files that must stay as they are, nil: none
	from  []mutation          // to choose from
	said  []string            // what was done
}

// say notes what was done.
func (m *mutator) say(format string, args ...any) {
	m.said = append(m.said, fmt.Sprintf(format, args...))
}

// spoil does one mutation with randomness of its own, so that leaving out another one changes nothing in it.
func (m *mutator) spoil(seed uint64, step int) {
	m.Rand = m.pick(seed, step)
	one := m.from[m.IntN(len(m.from))]
	before := len(m.said)
	one.do(m)
	for i := before; i < len(m.said); i++ {
		m.said[i] = fmt.Sprintf("%d %s: %s", step, one.name, m.said[i])
	}
}

// pick is the randomness of one mutation.
func (m *mutator) pick(seed uint64, step int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(step)+1))
}

// one is any element of a list.
func one[E any](m *mutator, list []E) E { return list[m.IntN(len(list))] }

// file is any file, events more often than others; "" without any. Kept files are never chosen.
func (m *mutator) file() string {
	var all, special []string
	for _, p := range m.tree.files() {
		if m.keep != nil && m.keep(p) {
			continue
		}
		all = append(all, p)
		if !isEvent(p) {
			special = append(special, p)
		}
	}
	switch {
	case len(all) == 0:
		return ""
	case len(special) > 0 && m.IntN(3) == 0:
		return one(m, special)
	}
	return one(m, all)
}

// event is any event file, "" without one.
func (m *mutator) event() string {
	list := slices.DeleteFunc(m.tree.files(), func(p string) bool { return !isEvent(p) || (m.keep != nil && m.keep(p)) })
	if len(list) == 0 {
		return ""
	}
	return one(m, list)
}

// folder is any folder, "" without one.
func (m *mutator) folder() string {
	if list := m.tree.folders(); len(list) > 0 {
		return one(m, list)
	}
	return ""
}

// conversation is a folder that holds a conversation, "" without one.
func (m *mutator) conversation() string {
	var list []string
	for _, p := range m.tree.files() {
		switch dir := path.Dir(p); {
		case isEvent(p) && path.Base(dir) == "events":
			list = append(list, path.Dir(dir))
		case isEvent(p), path.Base(p) == "base_state.json":
			list = append(list, dir)
		}
	}
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 0 || list[0] == "." {
		return ""
	}
	return one(m, list)
}

// edit replaces a file's bytes.
func (m *mutator) edit(p string, change func(raw string) string) {
	n, ok := m.tree[p]
	if !ok || n.kind != file {
		return
	}
	if raw := change(n.data); raw != n.data && len(raw) < 8<<20 {
		m.tree[p] = node{data: raw}
		m.say("%q", p)
	}
}

func isEvent(p string) bool {
	_, _, _, ok := cutEvent(p)
	return ok
}

// cutEvent takes the path of an event file apart.
func cutEvent(p string) (dir, ordinal, id string, ok bool) {
	dir, name := path.Split(p)
	rest, ok := strings.CutPrefix(name, "event-")
	if !ok {
		return "", "", "", false
	}
	rest, ok = strings.CutSuffix(rest, ".json")
	ordinal, id, cut := strings.Cut(rest, "-")
	return dir, ordinal, id, ok && cut && ordinal != "" && strings.Trim(ordinal, "0123456789") == ""
}
