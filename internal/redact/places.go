package redact

import (
	"bytes"
	"net/netip"
	"regexp"
	"strings"
)

// span is bytes that go, and what they stand for.
type span struct {
	start, end int
	value      string
	rule       string
}

// pattern is one way that something personal is written: what stands after a mark, up to its end.
type pattern struct {
	mark   string
	before func(c byte) bool // of the byte before the mark, 0: it stands first
	after  *regexp.Regexp    // has one group: what goes
	rule   string
}

// patterns are what the rules about paths and hosts look for, in decoded text.
func newPatterns() []pattern {
	const (
		user = `([^/\\\s"'<>:|?*` + "`" + `$(){}\[\],;]{1,64})`
		host = `[A-Za-z0-9_][A-Za-z0-9._-]{0,253}`
	)
	apart := func(c byte) bool { return !strings.ContainsRune("_.~-", rune(c)) && !letter(c) && !digit(c) }
	name := func(c byte) bool { return strings.ContainsRune("_.+-", rune(c)) && c != 0 || letter(c) || digit(c) }
	return []pattern{
		{"/home/", apart, regexp.MustCompile(`\A` + user), RulePaths},
		{"/Users/", apart, regexp.MustCompile(`\A` + user), RulePaths},
		{`Users\`, func(c byte) bool { return c == '\\' || c == '/' }, regexp.MustCompile(`\A\\{0,7}` + user), RulePaths},
		{`Users/`, func(c byte) bool { return c == '\\' || c == ':' }, regexp.MustCompile(`\A/{0,7}` + user), RulePaths},
		{"://", letter, regexp.MustCompile(`\A(?:[^\s/?#"'@]{0,200}@)?(` + host + `|\[[0-9A-Fa-f:.]{2,45}\])`), RuleHosts},
		{"@", name, regexp.MustCompile(`\A((?:[A-Za-z0-9][A-Za-z0-9-]{0,63}\.){1,8}[A-Za-z]{2,24})(?:[^A-Za-z0-9_-]|\z)`), RuleHosts},
		{"@", name, regexp.MustCompile(`\A([A-Za-z0-9][A-Za-z0-9.-]{0,253}):[~/]`), RuleHosts},
		{"HOSTNAME=", apart, regexp.MustCompile(`\A["']?(` + host + `)`), RuleHosts},
		{"hostname:", apart, regexp.MustCompile(`\A[ \t]{0,4}(` + host + `)`), RuleHosts},
	}
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// window bounds, in bytes, what is looked at after a mark.
const window = 512

// find appends what a pattern matches in a text.
func (p *pattern) find(found []span, text []byte) []span {
	mark := []byte(p.mark)
	for from := 0; ; {
		i := bytes.Index(text[from:], mark)
		if i < 0 {
			return found
		}
		i += from
		from = i + len(mark)
		var c byte
		if i > 0 {
			c = text[i-1]
		}
		// after a backslash a letter is an escape, which a deeper layer takes off
		if !p.before(c) || i > 1 && text[i-2] == '\\' && letter(c) {
			continue
		}
		m := p.after.FindSubmatchIndex(text[from:min(len(text), from+window)])
		if m == nil {
			continue
		}
		value := string(text[from+m[2] : from+m[3]])
		if p.rule == RulePaths || tells(value) {
			found = append(found, span{from + m[2], from + m[3], value, p.rule})
		}
	}
}

// tells says whether the name of a host tells something: not those that every machine has, or that stand for examples.
func tells(host string) bool {
	host = strings.ToLower(strings.Trim(host, "[]."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return !ip.IsLoopback() && !ip.IsUnspecified()
	}
	for _, own := range []string{"localhost", "example.com", "example.org", "example.net", "example", "invalid", "test"} {
		if host == own || strings.HasSuffix(host, "."+own) {
			return false
		}
	}
	return true
}

// named says whether the name of a host is told from other text wherever it stands.
func named(host string) bool {
	return len(host) >= 6 && strings.ContainsAny(host, ".-0123456789:") && strings.ContainsFunc(host, func(r rune) bool { return r != '.' && r != '-' })
}
