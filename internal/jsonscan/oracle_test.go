package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// seeds are the documents from which fuzzing and mutation start.
var seeds = []string{
	``, ` `, `0`, `-0`, `null`, `"x"`, `{}`, `[]`, "\ufeff{}", "{\"a\":\"\x80\"}", "\"\xed\xa0\x80\"", "[\"\xf0\x9f\x98\x80\"]",
	`{"a":1,"b":[true,false,null,"x",{"c":-1.5e+3}],"d":{}}`,
	`{"a":1,"\u0061":2,"b":{"a":1},"a":3}`,
	`{"\ud800":1,"\uD800":2,"\ud83d\ude00":3,"😀":4,"\udfff\ud800":5}`,
	`["\ud83d\ud83d\ude00","\ude00\ud83d","\\ud800","\"\\\/\b\f\n\r\t","\u00e9é€😀"]`,
	`[0e400,1e400,1e-400,1.0,0.1000000000000000055511151231257827,9007199254740993,-9007199254740991,1758812345.1234567,5e-324]`,
	"{\n  \"a\" : [ 1 ,\r\n 2 ]\t,\n  \"b\" : \"long enough for the word loop, and then some\"\n}\n",
	`[NaN,Infinity,-Infinity]`, `{"a":"b`, `[[[[[[[[]]]]]]]]`, `[1,]`, `{"a":1,}`, `{"a" 1}`, `nul`, `01`, `1.`, `-`, `1e`, `"\u12"`,
	`{"k0":0,"k1":0,"k2":0,"k3":0,"k4":0,"k5":0,"k6":0,"k7":0,"k8":0,"k9":0,"ka":0,"kb":0,"kc":0,"kd":0,"ke":0,"kf":0,"kg":0,"kh":0,"ki":0,"kj":0,"kk":0,"kl":0,"km":0,"kn":0,"ko":0,"kp":0,"k0":1}`,
	`{"id":"5f1c","timestamp":"2026-01-02T03:04:05.678901","source":"agent","thought":[{"type":"text","text":"Let me look.\n\n` + "```" + `go\nfunc f() {}\n"}],"tool_call_id":"toolu_01","usage":{"cost":0.0012345,"n":12}}`,
}

// checkOracles compares a scan of raw with every oracle there is. Documents stay small: it is slow.
func checkOracles(t *testing.T, raw []byte) {
	t.Helper()
	before := bytes.Clone(raw)
	got, err := Scan(raw, nil, Options{NonFinite: true})
	if !bytes.Equal(before, raw) {
		t.Fatalf("%q: Scan changed its input", before)
	}
	checkVerdicts(t, raw, got, err)
	want, value, ok := refer(raw)
	if ok != (err == nil) {
		t.Fatalf("%q: got error %v, the reference says %v", raw, err, ok)
	}
	checkStrict(t, raw)
	if !ok {
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%q: differs from the reference:\n%s", raw, d)
	}
	if got.Flags&NonFiniteToken == 0 {
		checkSpans(t, &got, value)
	}
	checkTree(t, &got)
}

// checkVerdicts compares the two modes and the error's place.
func checkVerdicts(t *testing.T, raw []byte, full Doc, fullErr error) {
	t.Helper()
	bare, err := Scan(raw, make([]Node, 1), Options{NonFinite: true, NoTape: true})
	want := Doc{Raw: raw, Flags: full.Flags, Depth: full.Depth, FirstDuplicate: -1, FirstSurrogate: -1, FirstUnsafe: -1, Nodes: []Node{}}
	bare.Nodes = append([]Node{}, bare.Nodes...)
	if d := cmp.Diff(want, bare) + cmp.Diff(fullErr, err); d != "" {
		t.Fatalf("%q: without a tape:\n%s", raw, d)
	}
}

// checkStrict compares what is valid, and where it stops being so, with encoding/json and jsontext.
func checkStrict(t *testing.T, raw []byte) {
	t.Helper()
	d, err := Scan(raw, nil, Options{})
	if want := json.Valid(raw) && utf8.Valid(raw); (err == nil) != want {
		t.Fatalf("%q: got error %v, encoding/json says %v", raw, err, want)
	}
	if want := jsontext.Value(raw).IsValid(); (err == nil && d.Flags&(DuplicateKey|LoneSurrogate) == 0) != want {
		t.Fatalf("%q: got flags %b, error %v, jsontext says %v", raw, d.Flags, err, want)
	}
	if want := jsontext.Value(raw).IsValid(jsontext.AllowDuplicateNames(true)); (err == nil && d.Flags&LoneSurrogate == 0) != want {
		t.Fatalf("%q: got flags %b, error %v, jsontext with duplicates says %v", raw, d.Flags, err, want)
	}
	var syntax *json.SyntaxError
	var got *Error
	if !errors.As(err, &got) || got.Reason == UTF8 || got.Reason == Empty || !errors.As(json.Unmarshal(raw, new(any)), &syntax) {
		return
	}
	offset := int(syntax.Offset)
	if got.Offset < len(raw) {
		offset-- // it counts the bad byte
	}
	if got.Offset != offset {
		t.Fatalf("%q: got %v, encoding/json says %d: %v", raw, got, offset, syntax)
	}
}

// checkSpans reads the span of every node with encoding/json.
func checkSpans(t *testing.T, d *Doc, value any) {
	t.Helper()
	values := map[int]any{0: value}
	for i := range d.Nodes {
		var got any
		decoder := json.NewDecoder(bytes.NewReader(d.Value(i)))
		decoder.UseNumber()
		if err := decoder.Decode(&got); err != nil {
			t.Fatalf("%q: node %d %q: %v", d.Raw, i, d.Value(i), err)
		}
		want, ok := values[i]
		if !ok {
			continue // a duplicate that the reference has overwritten
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: node %d: %s", d.Raw, i, diff)
		}
		if text, isText := want.(string); isText && (d.Text(i) != text || !d.Equal(i, text) || d.Equal(i, text+"x")) {
			t.Fatalf("%q: text of node %d: got %q, want %q", d.Raw, i, d.Text(i), text)
		}
		for c := range d.Children(i) {
			switch in := want.(type) {
			case []any:
				values[c] = in[d.index(i, c)]
			case map[string]any:
				name, _ := AppendUnescape(nil, d.Name(c))
				if d.Find(i, string(name)) == c {
					values[c] = in[string(name)]
				}
			}
		}
	}
}

func (d *Doc) index(i, child int) int {
	n := 0
	for c := range d.Children(i) {
		if c == child {
			return n
		}
		n++
	}
	return -1
}

// checkTree checks what holds for the tape of any document.
func checkTree(t *testing.T, d *Doc) {
	t.Helper()
	for i := range d.Nodes {
		for n := range d.Len(i) {
			if c := d.Elem(i, n); d.index(i, c) != n {
				t.Fatalf("%q: element %d of node %d is node %d", d.Raw, n, i, c)
			}
		}
		if d.Flags&(DuplicateKey|LoneSurrogate) == 0 && d.At(d.Pointer(i)) != i {
			t.Fatalf("%q: node %d has pointer %q, which is node %d", d.Raw, i, d.Pointer(i), d.At(d.Pointer(i)))
		}
	}
	var want bytes.Buffer
	compact := Compact(nil, *d)
	if d.Flags&NonFiniteToken != 0 {
		return
	}
	if err := json.Compact(&want, d.Raw); err != nil || want.String() != string(compact) {
		t.Fatalf("%q: compact is %q, want %q, %v", d.Raw, compact, want.Bytes(), err)
	}
	clean, changed := AppendClean(nil, d.Raw)
	again, err := Scan(clean, nil, Options{})
	if err != nil || again.Flags&LoneSurrogate != 0 || changed != (d.Flags&LoneSurrogate != 0) {
		t.Fatalf("%q: cleaned to %q: %v", d.Raw, clean, err)
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 4096 {
			return
		}
		checkOracles(t, raw)
	})
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{
		"0", "-0", "0e400", "1e400", "1.0", "9007199254740993", "0.30000000000000004", "5e-324", "4.9e-324",
		"1.7976931348623157e308", "2.2250738585072011e-308", "123456789012345678e-3", "1E+05", "100000.00000e-5",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		if len(literal) > 1000 {
			return
		}
		_, _, ok := refer([]byte(literal))
		number := ok && literal != "" && strings.Contains("-0123456789", literal[:1]) && strings.Contains("0123456789", literal[len(literal)-1:])
		if got, want := SafeNumber([]byte(literal)), number && referSafe(literal); got != want {
			t.Errorf("SafeNumber(%q) = %v, want %v", literal, got, want)
		}
	})
}

// TestMutations feeds the oracles with what a careless writer or a torn file would leave.
func TestMutations(t *testing.T) {
	rounds := 20_000
	if testing.Short() {
		rounds = 2_000
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		raw := []byte(seeds[random.IntN(len(seeds))])
		for range 1 + random.IntN(4) {
			raw = mutate(random, raw)
		}
		checkOracles(t, raw)
	}
}

var fragments = []string{
	`"`, `\`, `{`, `}`, `[`, `]`, `,`, `:`, `0`, `-`, `.`, `e`, ` `, "\n", "\r", "\t", "\x00", "\x1f", "\x7f", "\x80", "\xc3", "\xe2\x82\xac", "\xff",
	`\u`, `\ud83d`, `\ude00`, `\ud83d\ude00`, `\u0061`, `a`, `"a":1,`, `"\u0061":2,`, `null`, `true`, `NaN`, `Infinity`, `9007199254740993`, `1e400`, `[]`, `{}`, `""`,
}

func mutate(random *rand.Rand, raw []byte) []byte {
	from := random.IntN(len(raw) + 1)
	to := min(len(raw), from+random.IntN(4))
	fragment := fragments[random.IntN(len(fragments))]
	switch random.IntN(5) {
	case 0: // torn
		return raw[:from]
	case 1: // lost
		return append(raw[:from:from], raw[to:]...)
	case 2: // overwritten
		return append(append(raw[:from:from], fragment...), raw[to:]...)
	case 3: // repeated
		return append(raw[:to:to], raw[from:]...)
	}
	return append(append(raw[:from:from], fragment...), raw[from:]...)
}

func TestRandomNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	digits := func(n int) string {
		out := make([]byte, n)
		for i := range out {
			out[i] = "0000123456789999"[random.IntN(16)]
		}
		return string(out)
	}
	kept := 0
	for range 100_000 {
		literal := digits(1 + random.IntN(20))
		if literal = strings.TrimLeft(literal, "0"); literal == "" {
			literal = "0"
		}
		if random.IntN(2) == 0 {
			literal += "." + digits(1+random.IntN(20))
		}
		if random.IntN(2) == 0 {
			literal += "e" + []string{"", "+", "-"}[random.IntN(3)] + digits(1+random.IntN(3))
		}
		got, want := SafeNumber([]byte(literal)), referSafe(literal)
		if got != want {
			t.Fatalf("SafeNumber(%s) = %v, want %v", literal, got, want)
		}
		if got {
			kept++
		}
	}
	if kept < 10_000 || kept > 90_000 {
		t.Errorf("%d of 100000 literals are safe: the test says little", kept)
	}
}

// realFiles returns each JSON file that real agents wrote, by path, where such files are at hand.
func realFiles(tb testing.TB) map[string][]byte {
	tb.Helper()
	files := map[string][]byte{}
	for _, dir := range []string{"realdata", "captures"} {
		root := filepath.Join("..", "..", "..", "shared", dir)
		if _, err := os.Stat(root); err != nil {
			continue
		}
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(path) != ".json" {
				return err
			}
			files[path], err = os.ReadFile(path)
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return files
}

func TestRealFiles(t *testing.T) {
	files := realFiles(t)
	if len(files) == 0 {
		t.Skip("no real conversations at hand")
	}
	n := 0
	for _, path := range slices.Sorted(maps.Keys(files)) {
		raw := files[path]
		if n++; n%16 == 0 && len(raw) < 64<<10 {
			t.Run(path, func(t *testing.T) { checkOracles(t, raw) }) // slow
		}
		checkStrict(t, raw)
	}
}
