package redact_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/audit"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/redact"
)

// form spells a token one of the ways that text can be spelled in the text of a session.
func form(n uint8, before string) string {
	units, percent := "", ""
	for _, c := range []byte(token) {
		units += fmt.Sprintf(`\u%04x`, c)
		percent += fmt.Sprintf("%%%02x", c)
	}
	return [...]string{
		token,
		units,
		strings.ReplaceAll(units, `\`, `\\`),
		percent,
		url.QueryEscape(percent),
		base64.StdEncoding.EncodeToString([]byte(before + token)),
		base64.RawURLEncoding.EncodeToString([]byte(before + token + before)),
		`{\"a\":\"` + token + `\"}`,
		base64.StdEncoding.EncodeToString([]byte(before + percent)),
	}[int(n)%9]
}

// plant puts text into one string or name of a document, in the raw spelling of JSON; not where a name ends like one of skip.
func plant(raw []byte, place uint16, before, text string, skip ...string) []byte {
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{NonFinite: true})
	if err != nil {
		at := int(place) % (len(raw) + 1)
		return append(append(append([]byte(nil), raw[:at]...), text...), raw[at:]...)
	}
	var places []int
	for n := range d.Nodes {
		if d.Kind(n) == jsonscan.String && string(d.Name(n)) != "kind" &&
			!slices.ContainsFunc(skip, func(end string) bool { return strings.HasSuffix(string(d.Name(n)), end) }) {
			places = append(places, int(d.Nodes[n].Start)+1)
		}
		if d.Kind(n) == jsonscan.Object && d.Len(n) > 0 && place%5 == 0 {
			places = append(places, -int(d.Nodes[n].Start)-1)
		}
	}
	if len(places) == 0 {
		return raw
	}
	quoted := record.AppendString(nil, before)
	inner := string(quoted[1:len(quoted)-1]) + text
	at := places[int(place)%len(places)]
	if at < 0 {
		at, inner = -at, `"`+inner+`":1,`
	}
	return []byte(string(raw[:at]) + inner + string(raw[at:]))
}

// FuzzRedact plants a token in any place and spelling, and once more where an audit finds it: nothing of it is left.
func FuzzRedact(f *testing.F) {
	for n := range uint8(9) {
		f.Add(uint16(n)*7, n, uint16(n)*3, "a b")
		f.Add(uint16(n)*5+1, n, uint16(n)*5, `\n"`)
	}
	dirs := cases(f)
	d, err := audit.NewDetector()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, file uint16, n uint8, place uint16, before string) {
		if len(before) > 100 {
			t.Skip("long texts teach nothing new")
		}
		if !planted(t, d, dirs, file, n, place, before) {
			t.Skip("the audit finds no token")
		}
	})
}

// Many places and spellings, the same each time.
func TestPlanted(t *testing.T) {
	dirs, d := cases(t), detector(t)
	befores := []string{"", "x", "a ", "key=", "\"\\", "é", "\n\t", "https://h/?q="}
	found := 0
	const tries = 120
	seed := uint32(1)
	for range tries {
		seed = seed*1664525 + 1013904223
		if planted(t, d, dirs, uint16(seed>>16), uint8(seed>>9), uint16(seed>>5), befores[seed>>29]) {
			found++
		}
		if t.Failed() {
			t.Fatalf("at seed %d", seed)
		}
	}
	if found < tries/3 {
		t.Errorf("got %d of %d tries in which the audit finds the token, want at least a third", found, tries)
	}
}

// planted does one try, and says whether the audit found the token in the bundle.
func planted(t *testing.T, d *audit.Detector, dirs []string, file uint16, n uint8, place uint16, before string) bool {
	t.Helper()
	count := 0
	dir := copyTree(t, dirs[int(file)%len(dirs)], func(name string, raw []byte) []byte {
		if count++; count%(int(file/64)%5+2) == 0 && strings.HasSuffix(name, ".json") {
			raw = plant(raw, place, before, form(n, before))
		}
		if strings.Contains(name, "event-00001") {
			raw = plant(raw, place/3*5+1, "", " "+token+" ")
		}
		return raw
	})
	b := convert(t, dir, bundle.None)
	if res, err := audit.Bundle(t.Context(), b, d, audit.Options{Jobs: 1}); err != nil || res.Counts["github-token"] == 0 {
		return false
	}
	// the bundle before may be not valid for a key in its state; the new one is
	out, path := run(t, b, redact.Options{Jobs: 1})
	absent(t, out, path, token)
	return true
}
