package schemas

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"testing"
	"unicode/utf8"
)

// expressions is every pattern of the schemas, and some that are not anchored.
func expressions(t testing.TB) []string {
	list := []string{`a`, `^a`, `a$`, `^$`, ``, `ab*c`, `(a|b)+c$`, `^a.c`, `[^a]$`, `x{2,3}`, `^(|a)$`, `(^a|b$)`, `^b|^a$`, `é`, `^[^é]`, `(?s)^.$`, `(?i)^aX$`, `$^`}
	for _, name := range Names() {
		raw, _ := Source(name)
		var doc any
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		each(doc, func(s map[string]any) {
			if text, ok := s["pattern"].(string); ok {
				list = append(list, text)
			}
			patterns, _ := s["patternProperties"].(map[string]any)
			for text := range patterns {
				list = append(list, text)
			}
		})
	}
	return list
}

// TestAutomataAgreeWithRegexp on texts of the letters that the expressions tell apart, and on nearly sound ones.
func TestAutomataAgreeWithRegexp(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	letters := []rune("aabcxrs.ct/09-_~1:TZ+ \nGé\u20ac\U0001f600")
	seeds := []string{
		"", "2026-10-27T09:15:00.123456+02:00", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "/a~1b/0", "rs.ctx/file", "dev.example.agent/odd-thing",
		"streams/a.b.jsonl.zst", "validator-v1.0.0", "s12", "#part", "time-zone", "+02:00",
	}
	skipped := 0
	done := map[string]bool{}
	for _, expression := range expressions(t) {
		if done[expression] {
			continue
		}
		done[expression] = true
		re := regexp.MustCompile(expression)
		a, err := newAutomaton(expression)
		if err != nil {
			skipped++
			continue
		}
		for range 3000 {
			text := []rune(seeds[r.IntN(len(seeds))])
			for range r.IntN(4) {
				at := r.IntN(len(text) + 1)
				letter := letters[r.IntN(len(letters))]
				if r.IntN(2) == 0 || at == len(text) {
					text = append(text[:at], append([]rune{letter}, text[at:]...)...)
				} else {
					text[at] = letter
				}
			}
			if want, got := re.MatchString(string(text)), a.match([]byte(string(text))); want != got {
				t.Fatalf("%q on %q: want %v, got %v", expression, string(text), want, got)
			}
		}
	}
	if want := 2; want != skipped { // those that name é
		t.Errorf("want %d expressions without a table, got %d", want, skipped)
	}
}

func TestNoAutomaton(t *testing.T) {
	for _, expression := range []string{`(`, `\bword`, `(?m)^a`, `(?i)k`, `é`, `\pL`, `[a-é]`, `^(x|y){0,500}(a{500}|b{600})$`} {
		if _, err := newAutomaton(expression); err == nil {
			t.Errorf("%q: got a table, want none", expression)
		}
	}
}

func FuzzAutomaton(f *testing.F) {
	for _, expression := range expressions(f) {
		f.Add(expression, "rs.ctx/file")
	}
	f.Fuzz(func(t *testing.T, expression, text string) {
		if len(expression) > 200 || !utf8.ValidString(text) {
			return
		}
		re, err := regexp.Compile(expression)
		a, none := newAutomaton(expression)
		if err != nil || none != nil {
			return
		}
		if want, got := re.MatchString(text), a.match([]byte(text)); want != got {
			t.Fatalf("%q on %q: want %v, got %v", expression, text, want, got)
		}
	})
}
