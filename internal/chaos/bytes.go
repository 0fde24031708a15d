package main

import (
	"strings"
	"unicode/utf8"
)

// byteMutations spoil bytes without looking at what they mean.
func byteMutations() []mutation {
	return []mutation{
		{"delete a file", func(m *mutator) { p := m.file(); m.tree.remove(p); m.say("%q", p) }},
		{"delete events", func(m *mutator) {
			for range 1 + m.IntN(4) {
				p := m.event()
				m.tree.remove(p)
				m.say("%q", p)
			}
		}},
		{"truncate", func(m *mutator) { m.edit(m.file(), m.cut) }},
		{"truncate the last event", func(m *mutator) {
			last := ""
			for _, p := range m.tree.files() {
				if isEvent(p) && (m.keep == nil || !m.keep(p)) {
					last = p
				}
			}
			m.edit(last, m.cut)
		}},
		{"swap two files", func(m *mutator) {
			p, q := m.file(), m.file()
			if m.tree[p].kind == file && m.tree[q].kind == file && p != "" {
				m.tree[p], m.tree[q] = m.tree[q], m.tree[p]
				m.say("%q and %q", p, q)
			}
		}},
		{"flip bits", func(m *mutator) { m.edit(m.file(), m.flip) }},
		{"put bytes", func(m *mutator) {
			some := []string{"\xff", "\xc3", "\x00", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\"", "\\", "{", "}", "\n", "\r", "\u2028", "\u0085", "\xef\xbb\xbf", ","}
			m.edit(m.file(), func(raw string) string { at := m.IntN(len(raw) + 1); return raw[:at] + one(m, some) + raw[at:] })
		}},
		{"fill with NUL", func(m *mutator) { m.edit(m.file(), m.blank) }},
		{"empty", func(m *mutator) { m.edit(m.file(), func(string) string { return "" }) }},
		{"append", func(m *mutator) {
			some := []string{"\n", "\r\n", " ", "}", "{}", "\x00", "\xff", "null", "\x1a", "//", "\n\n\n"}
			m.edit(m.file(), func(raw string) string { return raw + one(m, some) })
		}},
		{"glue two files", func(m *mutator) {
			q := m.file()
			m.edit(m.file(), func(raw string) string { return raw + m.tree[q].data })
		}},
		{"lines", func(m *mutator) { m.edit(m.file(), m.lines) }},
		{"repeat", func(m *mutator) { m.edit(m.file(), func(raw string) string { return raw + raw }) }},
	}
}

// cut truncates at nothing, at the last byte, within an escape, within a rune, or anywhere.
func (m *mutator) cut(raw string) string {
	at := m.IntN(len(raw) + 1)
	switch m.IntN(5) {
	case 0:
		at = max(len(raw)-1, 0)
	case 1:
		if n := strings.LastIndexByte(raw[:at], '\\'); n >= 0 {
			at = n + 1
		}
	case 2:
		for i := at; i < len(raw); i++ {
			if !utf8.RuneStart(raw[i]) {
				return raw[:i]
			}
		}
	}
	return raw[:at]
}

// lines leaves out, doubles, swaps or cuts off a line, ends one otherwise, or puts something between two.
func (m *mutator) lines(raw string) string {
	list := strings.SplitAfter(raw, "\n")
	i, j := m.IntN(len(list)), m.IntN(len(list))
	switch m.IntN(7) {
	case 0:
		list[i] = ""
	case 1:
		list[i] += list[i]
	case 2:
		list[i], list[j] = list[j], list[i]
	case 3:
		list[i] = m.cut(list[i])
	case 4:
		list[i] = strings.TrimSuffix(list[i], "\n") + one(m, []string{"", "\r\n", " \n", "\n\n", "\u2028\n", "x\n"})
	case 5:
		list[i] += one(m, []string{"\n", " \t\n", "{}\n", "null\n", "text\n", "[]\n", "{\"history\":[]}\n", "--JSON Event--\n"})
	case 6:
		list[i] = strings.ReplaceAll(list[i], "\n", "") + list[j]
	}
	return strings.Join(list, "")
}

func (m *mutator) flip(raw string) string {
	b := []byte(raw)
	for range 1 + m.IntN(4) {
		if len(b) > 0 {
			b[m.IntN(len(b))] ^= 1 << m.IntN(8)
		}
	}
	return string(b)
}

// blank fills a block, mostly one to the end, with zeros, as a disk does after a crash.
func (m *mutator) blank(raw string) string {
	b := []byte(raw)
	if len(b) == 0 {
		return raw
	}
	from, to := m.IntN(len(b)), len(b)
	switch m.IntN(3) {
	case 0:
		from = 0
	case 1:
		to = from + m.IntN(len(b)-from)
	}
	clear(b[from:to])
	return string(b)
}
