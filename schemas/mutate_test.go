package schemas

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// mutator changes documents at random places into ones that are nearly sound.
type mutator struct {
	*rand.Rand
	names  []string // of members
	values []any
}

// newMutator draws names and values from all sound documents, and some of its own.
func newMutator(seed uint64, docs []any) *mutator {
	m := &mutator{Rand: rand.New(rand.NewPCG(seed, 7))}
	m.values = []any{
		nil, true, false, "", "a", "é", strings.Repeat("x", 1100), strings.Repeat("é", 600), "ctx/x", "rs.ctx/odd", "a.b/c", "text", "image", "other", "head", "applied", "missing",
		json.Number("0"), json.Number("-1"), json.Number("7"), json.Number("9007199254740991"), json.Number("1.5"), json.Number("1.0"), json.Number("-0"), json.Number("1e2"), json.Number("1E400"),
		[]any{},
		[]any{"a", "a"},
		[]any{json.Number("1"), json.Number("1.0")},
		map[string]any{},
		map[string]any{"record": map[string]any{}},
		map[string]any{"type": "text"},
	}
	for _, doc := range docs {
		m.gather(doc)
	}
	slices.Sort(m.names)
	m.names = append(slices.Compact(m.names), "odd", "", "rs.ctx/odd", "rs.ctx/file", "a.b/c")
	return m
}

func (m *mutator) gather(v any) {
	m.values = append(m.values, v)
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			m.names = append(m.names, name)
			m.gather(v[name])
		}
	case []any:
		for _, element := range v {
			m.gather(element)
		}
	}
}

func (m *mutator) value() any { return m.values[m.IntN(len(m.values))] }

// mutate returns v with one change somewhere below, the original untouched.
func (m *mutator) mutate(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return m.object(maps.Clone(v))
	case []any:
		return m.array(slices.Clone(v))
	default:
		return m.value()
	}
}

func (m *mutator) object(v map[string]any) any {
	names := slices.Sorted(maps.Keys(v))
	switch at := m.IntN(10); {
	case at == 0:
		return m.value()
	case at == 1 || len(names) == 0:
		v[m.names[m.IntN(len(m.names))]] = m.value()
	case at == 2:
		delete(v, names[m.IntN(len(names))])
	case at == 3:
		v[names[m.IntN(len(names))]] = v[names[m.IntN(len(names))]]
	default:
		name := names[m.IntN(len(names))]
		v[name] = m.mutate(v[name])
	}
	return v
}

func (m *mutator) array(v []any) any {
	switch at := m.IntN(8); {
	case at == 0:
		return m.value()
	case at == 1 || len(v) == 0:
		for range 1 + m.IntN(20) {
			v = append(v, m.value())
		}
	case at == 2:
		return v[:len(v)-1]
	case at == 3:
		return append(v, v[m.IntN(len(v))])
	default:
		i := m.IntN(len(v))
		v[i] = m.mutate(v[i])
	}
	return v
}

// spelling is how a document is written down.
type spelling struct {
	*rand.Rand
	odd bool // escapes that nobody needs, white space
}

func (s spelling) write(v any) string {
	switch v := v.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		s.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for i, name := range names {
			names[i] = s.text(name) + s.gap() + ":" + s.write(v[name])
		}
		return "{" + strings.Join(names, ","+s.gap()) + "}"
	case []any:
		elements := make([]string, len(v))
		for i, element := range v {
			elements[i] = s.write(element)
		}
		return "[" + s.gap() + strings.Join(elements, ",") + "]"
	case string:
		return s.text(v)
	case nil:
		return "null"
	default:
		return fmt.Sprint(v)
	}
}

func (s spelling) gap() string {
	if !s.odd {
		return ""
	}
	return []string{"", "", " ", "\n", "\t "}[s.IntN(5)]
}

func (s spelling) text(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case s.odd && s.IntN(8*len(text)) == 0, c < ' ', c == '"', c == '\\':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String() + `"`
}
