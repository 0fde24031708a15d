package audit

import (
	"embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/jsonscan"
)

//go:embed rules.json
var rulesFile embed.FS

// Rule is one kind of secret.
type Rule struct {
	ID, Title string

	starts  []string // one of these begins what the rule is about; lower case when fold is set
	fold    bool     // case does not matter
	then    *regexp.Regexp
	inside  bool    // may begin within a word
	weak    bool    // the value alone says nothing: it is not looked for elsewhere
	digits  bool    // the value has a digit and a letter
	pair    bool    // the value is base64 of a name and a password with a colon between
	entropy float64 // of the value, at least, in bits a character
	window  int     // bytes looked at from the start on
}

// members is the rule about members whose name says that a secret stands there.
type members struct {
	names   map[string]bool // in lower case
	ends    []string
	least   int
	entropy float64
}

// table is rules.json.
type table struct {
	rules                 []Rule // the last one is that of members
	members               members
	equal, prefixes       []string
	placeholder, beginsAs []string
}

// defaultWindow bounds, in bytes, how far a rule looks from where it starts.
const defaultWindow = 4096

// readTable reads rules.json. An error is a fault of the file, which is part of the program.
func readTable() (*table, error) {
	f, err := rulesFile.Open("rules.json")
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it is in memory
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	raw := make([]byte, info.Size())
	if _, err := f.Read(raw); err != nil {
		return nil, err
	}
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil {
		return nil, err
	}
	return tableOf(&d)
}

func tableOf(d *jsonscan.Doc) (*table, error) {
	t := &table{
		equal: texts(d, "/masked/equal"), prefixes: texts(d, "/masked/prefixes"),
		placeholder: texts(d, "/placeholders/holds"), beginsAs: texts(d, "/placeholders/begins"),
	}
	for n := range d.Children(d.At("/rules")) {
		r, err := ruleOf(d, n)
		if err != nil {
			return nil, fmt.Errorf("rules.json: rule %q: %w", r.ID, err)
		}
		t.rules = append(t.rules, r)
	}
	at := d.At("/members")
	t.members = members{names: map[string]bool{}, ends: texts(d, "/members/ends"), entropy: float(d, at, "entropy")}
	for _, name := range texts(d, "/members/names") {
		t.members.names[name] = true
	}
	least, _ := d.Int(d.Find(at, "least"))
	t.members.least = int(least)
	t.rules = append(t.rules, Rule{ID: text(d, at, "id"), Title: text(d, at, "title")})
	return t, nil
}

func ruleOf(d *jsonscan.Doc, n int) (Rule, error) {
	r := Rule{
		ID: text(d, n, "id"), Title: text(d, n, "title"), starts: texts(d, d.Pointer(n)+"/starts"),
		fold: flag(d, n, "fold"), inside: flag(d, n, "inside"), weak: flag(d, n, "weak"), digits: flag(d, n, "digits"),
		pair: flag(d, n, "pair"), entropy: float(d, n, "entropy"), window: defaultWindow,
	}
	if w, ok := d.Int(d.Find(n, "window")); ok {
		r.window = int(w)
	}
	if r.ID == "" || len(r.starts) == 0 || slices.ContainsFunc(r.starts, func(s string) bool { return len(s) < minStart }) {
		return r, errors.New("want an id, and starts of at least three bytes")
	}
	mode := ""
	if r.fold {
		mode = "(?i)"
	}
	var err error
	r.then, err = regexp.Compile(`\A` + mode + `(?:` + text(d, n, "then") + `)`)
	return r, err
}

func text(d *jsonscan.Doc, at int, name string) string { return d.Text(d.Find(at, name)) }

func flag(d *jsonscan.Doc, at int, name string) bool {
	return d.Kind(d.Find(at, name)) == jsonscan.True
}

func float(d *jsonscan.Doc, at int, name string) float64 {
	v, err := strconv.ParseFloat(string(d.Value(d.Find(at, name))), 64)
	if err != nil {
		return 0
	}
	return v
}

func texts(d *jsonscan.Doc, pointer string) []string {
	var list []string
	for n := range d.Children(d.At(pointer)) {
		list = append(list, d.Text(n))
	}
	return list
}

// masked says whether a text stands for a secret that was left out or enciphered.
func (t *table) masked(value string) bool {
	return slices.Contains(t.equal, value) ||
		slices.ContainsFunc(t.prefixes, func(p string) bool { return strings.HasPrefix(value, p) })
}

// standsIn says whether a text is a variable, a template or an example rather than a secret.
func (t *table) standsIn(value string) bool {
	lower := strings.ToLower(value)
	return slices.ContainsFunc(t.placeholder, func(p string) bool { return strings.Contains(lower, p) }) ||
		slices.ContainsFunc(t.beginsAs, func(p string) bool { return strings.HasPrefix(lower, p) })
}
