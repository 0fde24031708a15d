package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
)

// codingMutations write the same JSON in another way, or nearly the same.
func codingMutations() []mutation {
	return []mutation{
		{"byte order mark", func(m *mutator) { m.edit(m.file(), func(raw string) string { return "\uFEFF" + raw }) }},
		{"UTF-16", func(m *mutator) { m.edit(m.file(), m.wide) }},
		{"Latin 1", func(m *mutator) {
			m.edit(m.file(), func(raw string) string { return strings.Replace(raw, `"`, "\"caf\xe9", 1+m.IntN(4)) })
		}},
		{"pretty-print", func(m *mutator) { m.edit(m.file(), m.pretty) }},
		{"CRLF", func(m *mutator) {
			m.edit(m.file(), func(raw string) string { return strings.ReplaceAll(m.pretty(raw), "\n", "\r\n") })
		}},
		{"one line", func(m *mutator) {
			m.edit(m.file(), func(raw string) string {
				var b bytes.Buffer
				if json.Compact(&b, []byte(raw)) != nil {
					return raw
				}
				return b.String()
			})
		}},
		{"escapes", func(m *mutator) { m.edit(m.file(), m.escape) }},
		{"lone surrogate", func(m *mutator) {
			some := []string{`\ud800`, `\udfff`, `\ud83d`, `\uD83D\ud83d`, `\udc00\ud800`}
			m.edit(m.file(), func(raw string) string { return m.inString(raw, one(m, some)) })
		}},
		{"control characters", func(m *mutator) {
			some := []string{`\u0000`, `\u001b[31m`, `\u202e`, `\u2028`, `\ufffe`, `\n`, `\/`, "\x7f", "\u202e"}
			m.edit(m.file(), func(raw string) string { return m.inString(raw, one(m, some)) })
		}},
		{"wrong escape", func(m *mutator) {
			m.edit(m.file(), func(raw string) string { return m.inString(raw, one(m, []string{`\x41`, `\u12`, `\`, "\t", "\n"})) })
		}},
	}
}

func (m *mutator) wide(raw string) string {
	units := utf16.Encode([]rune(raw))
	var out []byte
	order := one(m, []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian})
	if m.IntN(4) > 0 {
		out = order.AppendUint16(out, 0xfeff)
	}
	for _, u := range units {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

func (m *mutator) pretty(raw string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(raw), "", one(m, []string{"", "  ", "\t"})) != nil {
		return strings.ReplaceAll(raw, ",", ",\n")
	}
	return b.String()
}

// escape spells some letters of strings and names as \u escapes; the value stays the same.
func (m *mutator) escape(raw string) string {
	var b strings.Builder
	inside, skip, every := false, 0, 1+m.IntN(20)
	for i, r := range raw {
		switch {
		case skip > 0:
			skip--
		case inside && r == '\\':
			if skip = 1; strings.HasPrefix(raw[i:], `\u`) {
				skip = 5
			}
		case r == '"':
			inside = !inside
		case inside && (i%every == 0 || r > 126) && r < 0x10000 && r != 0xfffd:
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// inString puts text behind an opening or closing quote, wherever that is.
func (m *mutator) inString(raw, text string) string {
	at := m.IntN(len(raw) + 1)
	n := strings.IndexByte(raw[at:], '"')
	if n < 0 {
		return raw
	}
	return raw[:at+n+1] + text + raw[at+n+1:]
}
