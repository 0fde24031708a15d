package redact_test

import (
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
)

// learnt plants the value of a session's registry in strings of all its files, and converts: nothing of it is left.
func learnt(t *testing.T, dirs []string, file uint16, n uint8, place uint16, before string) {
	t.Helper()
	count := 0
	dir := copyTree(t, dirs[int(file)%len(dirs)], func(name string, raw []byte) []byte {
		if !strings.HasSuffix(name, ".json") || len(raw) == 0 || raw[0] != '{' || raw[len(raw)-1] != '}' {
			return raw
		}
		at := place/5*5 + 1 // strings only: names of members stay
		if count++; count%2 == 0 || strings.HasSuffix(name, "base_state.json") {
			raw = plant(raw, at, before, form(n%8, before), "id", "name", "timestamp", "type", "source", "role", "model", "ids")
		}
		if strings.HasSuffix(name, "base_state.json") && len(raw) > 2 {
			raw = []byte(`{"secret_registry":{"secret_sources":{"A":{"value":"` + token + `","kind":"StaticSecret"}}},` + string(raw[1:]))
		}
		return raw
	})
	b := convert(t, dir, bundle.None)
	all := text(t, b)
	for name, form := range forms(token) {
		if i := strings.Index(all, form); i >= 0 {
			t.Errorf("got the value %s: …%.300s", name, strings.ReplaceAll(all[max(0, i-160):], form, "<<HERE>>"))
		}
	}
}

// stated are fixtures whose every session has a state that can be learnt from.
func stated(t testing.TB) []string {
	t.Helper()
	var list []string
	for _, dir := range cases(t) {
		for _, name := range []string{"basic", "hooks", "tree", "fork", "parallel-calls", "usage-two-buckets", "agent-error"} {
			if strings.Contains(dir, "/"+name+"/") {
				list = append(list, dir)
			}
		}
	}
	return list
}

func TestLearnt(t *testing.T) {
	dirs := stated(t)
	befores := []string{"", "x", "a ", "key=", "\"\\", "é", "\n\t", "https://h/?q="}
	seed := uint32(7)
	for range 120 {
		seed = seed*1664525 + 1013904223
		learnt(t, dirs, uint16(seed>>16), uint8(seed>>9), uint16(seed>>5), befores[seed>>29])
		if t.Failed() {
			t.Fatalf("at seed %d", seed)
		}
	}
}

// FuzzLearnt plants the value of a registry in any string that is no id, in any spelling.
func FuzzLearnt(f *testing.F) {
	for n := range uint8(8) {
		f.Add(uint16(n), n, uint16(n)*11, "a b")
	}
	dirs := stated(f)
	f.Fuzz(func(t *testing.T, file uint16, n uint8, place uint16, before string) {
		if len(before) > 100 {
			t.Skip("long texts teach nothing new")
		}
		learnt(t, dirs, file, n, place, before)
	})
}
