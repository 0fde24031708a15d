package main

import (
	"strings"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// memberMutations change what JSON says.
func memberMutations() []mutation {
	return []mutation{
		{"drop a member", func(m *mutator) { m.edit(m.file(), m.dropMember) }},
		{"another value", func(m *mutator) { m.edit(m.file(), func(raw string) string { return m.value(raw, m.oddValue(raw)) }) }},
		{"value of another place", func(m *mutator) {
			from := m.tree[m.file()].data
			m.edit(m.file(), func(raw string) string { return m.value(raw, m.some(from)) })
		}},
		{"known member of another kind", func(m *mutator) {
			m.edit(m.file(), func(raw string) string { return m.known(raw, m.oddValue(raw)) })
		}},
		{"member twice", func(m *mutator) { m.edit(m.file(), m.twice) }},
		{"rename a member", func(m *mutator) { m.edit(m.file(), m.rename) }},
		{"another id", func(m *mutator) {
			from, to := m.text(m.event()), m.text(m.event())
			if from == "" || to == "" {
				return
			}
			only, all := m.file(), m.IntN(4) == 0
			for _, p := range m.tree.files() {
				if (all || p == only) && (m.keep == nil || !m.keep(p)) {
					m.edit(p, func(raw string) string { return strings.ReplaceAll(raw, from, to) })
				}
			}
		}},
		{"parents", func(m *mutator) {
			for range 1 + m.IntN(5) {
				parent := m.parent()
				m.edit(m.event(), func(raw string) string { return m.add(raw, `"parent_id":`+parent) })
			}
		}},
		{"one response id", func(m *mutator) {
			id := one(m, []string{`"r"`, `""`, `"r\u0031"`, `null`, m.text(m.event()) + ""})
			for range 2 + m.IntN(4) {
				m.edit(m.event(), func(raw string) string { return m.add(raw, `"llm_response_id":`+orNull(id)) })
			}
		}},
		{"compaction", func(m *mutator) { m.edit(m.event(), m.condensed) }},
		{"times", func(m *mutator) {
			m.edit(m.event(), func(raw string) string { return m.add(raw, `"timestamp":`+m.time()) })
		}},
		{"deep nesting", func(m *mutator) {
			n := one(m, []int{999, 1000, 1001, 9998, 9999, 10001, 100_000})
			m.edit(m.file(), func(raw string) string { return m.add(raw, `"deep":`+strings.Repeat("[", n)+strings.Repeat("]", n)) })
		}},
		{"long text", func(m *mutator) {
			n := one(m, []int{1 << 10, 50_001, 1<<20 - 100, 1<<20 + 1})
			m.edit(m.file(), func(raw string) string { return m.value(raw, `"`+strings.Repeat("t", n)+`"`) })
		}},
		{"many long texts", func(m *mutator) {
			if m.IntN(4) > 0 {
				return // it takes long
			}
			for range 10 { // more than a session keeps in memory
				m.edit(m.event(), func(raw string) string { return m.add(raw, `"long":"`+strings.Repeat("t", 1<<20-1<<10)+`"`) })
			}
		}},
		{"large state", func(m *mutator) { m.edit(m.state(), m.large) }},
		{"ledger", func(m *mutator) { m.edit(m.state(), m.ledger) }},
		{"head", func(m *mutator) {
			head := one(m, []string{m.parent(), `"nowhere"`, `null`, `""`, `7`})
			m.edit(m.state(), func(raw string) string { return m.add(raw, `"leaf_event_id":`+head) })
		}},
		{"session id", func(m *mutator) {
			id := one(m, []string{`"a/b"`, `".."`, `"."`, `""`, `null`, `7`, `"con"`, `"x\u0000"`, `"ÄÖ"`, `"\ud800"`, `"` + strings.Repeat("s", 300) + `"`, `"A-B-C"`, `"abc"`, `"` + m.folder() + `"`})
			m.edit(m.state(), func(raw string) string { return m.add(raw, `"id":`+id) })
		}},
		{"kind", func(m *mutator) {
			kind := m.kind()
			m.edit(m.event(), func(raw string) string { return m.add(raw, `"kind":`+kind) })
		}},
	}
}

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return s
}

// scanned is a document with its nodes; false for what is none, or has one node alone.
func scanned(raw string) (*jsonscan.Doc, bool) {
	d, err := jsonscan.Scan([]byte(raw), nil, jsonscan.Options{NonFinite: true})
	return &d, err == nil && len(d.Nodes) > 1
}

// value replaces one value of a document.
func (m *mutator) value(raw, with string) string {
	d, ok := scanned(raw)
	if !ok {
		return raw
	}
	n := d.Nodes[1+m.IntN(len(d.Nodes)-1)]
	return raw[:n.Start] + with + raw[n.End:]
}

// some is any value of a document, as it is spelled.
func (m *mutator) some(raw string) string {
	d, ok := scanned(raw)
	if !ok {
		return "null"
	}
	return string(d.Value(m.IntN(len(d.Nodes))))
}

// text is any short string of a document, with its quotes; "" without one.
func (m *mutator) text(p string) string {
	d, ok := scanned(m.tree[p].data)
	if !ok {
		return ""
	}
	var list []string
	for i := range d.Nodes {
		if v := d.Value(i); d.Kind(i) == jsonscan.String && len(v) > 4 && len(v) < 50 {
			list = append(list, string(v))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return one(m, list)
}

// known replaces the value of a member that entries read.
func (m *mutator) known(raw, with string) string {
	name := one(m, []string{
		"kind", "id", "source", "timestamp", "content", "llm_message", "tool_call", "tool_call_id", "action", "action_id", "observation", "thought", "summary_offset", "forgotten_event_ids",
		"llm_response_id", "parent_id", "stats", "usage_to_metrics", "token_usages", "prompt_tokens", "response_id", "costs", "response_latencies", "accumulated_cost", "accumulated_token_usage",
		"agent", "role", "type", "text", "arguments", "name", "key", "value", "leaf_event_id", "thinking_blocks", "tools", "tags", "workspace", "image_urls", "status", "risks",
	})
	d, ok := scanned(raw)
	if !ok {
		return raw
	}
	var list []int
	for i := range d.Nodes {
		if string(d.Name(i)) == name {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return m.add(raw, `"`+name+`":`+with)
	}
	n := d.Nodes[one(m, list)]
	return raw[:n.Start] + with + raw[n.End:]
}

// dropMember takes one member or element out, with a comma beside it.
func (m *mutator) dropMember(raw string) string {
	d, ok := scanned(raw)
	if !ok {
		return raw
	}
	n := d.Nodes[1+m.IntN(len(d.Nodes)-1)]
	from, to := int(n.Start), int(n.End)
	if n.KeyStart > 0 {
		from = int(n.KeyStart) - 1
	}
	if rest := strings.TrimLeft(raw[to:], " \t\r\n"); strings.HasPrefix(rest, ",") {
		return raw[:from] + rest[1:]
	}
	return strings.TrimSuffix(strings.TrimRight(raw[:from], " \t\r\n"), ",") + raw[to:]
}

// twice states one member once more, with the same value or another.
func (m *mutator) twice(raw string) string {
	d, ok := scanned(raw)
	if !ok {
		return raw
	}
	i := 1 + m.IntN(len(d.Nodes)-1)
	n := d.Nodes[i]
	if n.KeyStart == 0 {
		return raw
	}
	value := one(m, []string{string(d.Value(i)), m.oddValue(raw)})
	return raw[:n.KeyStart-1] + `"` + string(d.Name(i)) + `":` + value + "," + raw[n.KeyStart-1:]
}

func (m *mutator) rename(raw string) string {
	d, ok := scanned(raw)
	if !ok {
		return raw
	}
	n := d.Nodes[1+m.IntN(len(d.Nodes)-1)]
	if n.KeyStart == 0 {
		return raw
	}
	name := one(m, []string{"", "x", "~0/1", `\u0069d`, "id", "kind", `\ud800`, "*", "#", ".", "secret_registry", "a\u2028b"})
	return raw[:n.KeyStart] + name + raw[n.KeyEnd:]
}

// add states a member at the end of an object, where it counts more than an equal one before.
func (m *mutator) add(raw, member string) string {
	at := strings.LastIndexByte(raw, '}')
	if at < 0 || !strings.HasPrefix(strings.TrimLeft(raw, "\uFEFF \t\r\n"), "{") {
		return raw
	}
	name, _, _ := strings.Cut(member, ":")
	if n := strings.LastIndex(raw, name+":"); n >= 0 && m.IntN(4) > 0 { // in place of the one that is there
		if d, ok := scanned(raw); ok {
			for _, c := range d.Nodes {
				if c.KeyStart > 0 && raw[c.KeyStart-1:c.KeyEnd+1] == name {
					return raw[:c.KeyStart-1] + member + raw[c.End:]
				}
			}
		}
	}
	if strings.TrimSpace(raw[:at]) == "{" {
		return raw[:at] + member + raw[at:]
	}
	return raw[:at] + "," + member + raw[at:]
}
