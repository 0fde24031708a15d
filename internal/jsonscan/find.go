package jsonscan

import "iter"

// container returns the nodes from i+1 below end that are inside the object or array i.
func (d *Doc) container(i int) (end int, ok bool) {
	if k := d.Kind(i); k != Object && k != Array {
		return 0, false
	}
	return int(d.Nodes[i].Next), true
}

// Children yields the members or elements of node i in order; nothing for a scalar.
func (d *Doc) Children(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		end, _ := d.container(i)
		for c := i + 1; c < end; c = int(d.Nodes[c].Next) {
			if !yield(c) {
				return
			}
		}
	}
}

// Len returns the number of members or elements of node i, 0 for a scalar.
func (d *Doc) Len(i int) int {
	n := 0
	end, _ := d.container(i)
	for c := i + 1; c < end; c = int(d.Nodes[c].Next) {
		n++
	}
	return n
}

// Elem returns the n-th member or element of node i, from 0, or -1.
func (d *Doc) Elem(i, n int) int {
	end, _ := d.container(i)
	for c := i + 1; n >= 0 && c < end; c = int(d.Nodes[c].Next) {
		if n == 0 {
			return c
		}
		n--
	}
	return -1
}

// Find returns the member of object i whose unescaped name is name, or -1. Of several it is the
// last, as in the writers' own reader. A lone surrogate in a name counts as U+FFFD.
func (d *Doc) Find(i int, name string) int {
	if d.Kind(i) != Object {
		return -1
	}
	found, end := -1, int(d.Nodes[i].Next)
	for c := i + 1; c < end; {
		n := &d.Nodes[c]
		if d.named(n, name) {
			if found = c; d.Flags&(DuplicateKey|LoneSurrogate) == 0 {
				return c
			}
		}
		c = int(n.Next)
	}
	return found
}

func (d *Doc) named(n *Node, name string) bool {
	raw := d.Raw[n.KeyStart:n.KeyEnd]
	if d.Flags&EscapedKey != 0 {
		return equalText(raw, name)
	}
	return string(raw) == name
}
