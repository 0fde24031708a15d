package entry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const wantObject = ", want one JSON object"

// faultsOf loads a document that is wrong.
func faultsOf(t *testing.T, raw []byte) Faults {
	t.Helper()
	e, err := Load(raw)
	var faults Faults
	if e != nil || !errors.As(err, &faults) {
		t.Fatalf("got %v, want faults and no entry", err)
	}
	return faults
}

// Each row names the places of its faults, and a part of the message of the first.
func TestLoadFaults(t *testing.T) {
	format := func(members string) string {
		return `{"name":"a.b","aliases":[],"formats":[{"id":"f",` + members + `}]}`
	}
	tests := []struct {
		want    []string
		message string
		doc     string
	}{
		{[]string{""}, wantObject, ``},
		{[]string{""}, wantObject, `{"name":"a.b"`},
		{[]string{""}, wantObject, `{} {}`},
		{[]string{""}, wantObject, "\xff"},
		{[]string{""}, wantObject, strings.Repeat("[", 300) + strings.Repeat("]", 300)},
		{[]string{""}, "got array, want object", `[]`},
		{[]string{"/name"}, "got a member twice, want it once", `{"name":"a.b","name":"a.c","aliases":[],"formats":[]}`},
		{[]string{"/a~1b/c"}, "got a member twice, want it once", `{"a/b":{"c":1,"c":2}}`},

		// the schema
		{[]string{"", "", ""}, "", `{}`},
		{[]string{"/name"}, "", `{"name":"nodots","aliases":[],"formats":[]}`},
		{[]string{"/colour"}, "want none by that name", string(least(`"colour":1`))},
		{[]string{"/formats/0/layouts/0/key"}, "", format(`"layouts":[{"name":"l","items":"e","key":"x"}]`)},
		{[]string{"/conditions/c/kind"}, "", string(least(`"conditions":{"c":{"kind":null}}`))},
		{[]string{"/conditions/c/kind/matches"}, "", string(least(`"conditions":{"c":{"kind":{"matches":"x"}}}`))},
		{[]string{"/conditions/c/kind/absent"}, "", string(least(`"conditions":{"c":{"kind":{"absent":false}}}`))},
		{[]string{"/pairs/0"}, "", string(least(`"pairs":[{"calls":{},"key":"k"}]`))},

		// paths
		{[]string{"/tree/parent"}, "empty part", string(least(`"tree":{"parent":"a..b"}`))},
		{[]string{"/session/time"}, "unknown fact", string(least(`"session":{"id":[{"folder":"key"}],"time":"$now"}`))},
		{[]string{"/session/id/0/snapshot"}, "empty part", string(least(`"session":{"id":[{"snapshot":"a."}]}`))},
		{[]string{"/session/id/0/path"}, "empty part", string(least(`"session":{"id":[{"attachment":"m","path":".a"}]}`))},
		{[]string{"/pairs/0/results/0/by/1/key"}, "empty part", string(least(
			`"pairs":[{"calls":{},"key":"k","results":[{"when":{},"by":[{"id":"a"},{"key":"b..c"}]}]}]`))},
		{[]string{"/usage/ledger/first/1"}, "empty part", string(least(`"usage":{"ledger":{"first":["a","."]}}`))},
		{[]string{"/usage/fields/inputTokens"}, "empty part", string(least(`"usage":{"ledger":"a","fields":{"inputTokens":"."}}`))},
		{[]string{"/secrets/omit/0/paths/1"}, "empty part", string(least(`"secrets":{"omit":[{"in":"transcript","paths":["a","b."]}]}`))},
		{[]string{"/secrets/sets/s/0"}, "empty part", string(least(
			`"secrets":{"sets":{"s":["."]},"omit":[{"in":"transcript","set":"s"}]}`))},
		{[]string{"/formats/0/detect/has/0"}, "empty part", format(`"detect":{"file":"f","has":["."]},"layouts":[{"name":"l","items":"e","key":"."}]`)},
		{[]string{"/groups/calls"}, "inside a path", string(least(`"groups":{"key":"k","calls":"a.$value"}`))},
		{[]string{"/context/compaction/offset"}, "empty part", string(least(`"context":{"compaction":{"when":{},"offset":"."}}`))},
		{[]string{"/parts/image/urls"}, "empty part", string(least(`"parts":{"image":{"when":{},"urls":"."}}`))},

		// conditions
		{[]string{"/conditions/c/a..b"}, "empty part", string(least(`"conditions":{"c":{"a..b":1}}`))},
		{[]string{"/conditions/c/$when"}, "unknown fact", string(least(`"conditions":{"c":{"$when":1}}`))},
		{[]string{"/conditions/c/$seen"}, `want "later" or "first"`, string(least(`"conditions":{"c":{"$seen":"twice"}}`))},
		{[]string{"/conditions/c/$child"}, "want true or false", string(least(`"conditions":{"c":{"$child":"yes"}}`))},
		{[]string{"/conditions/c/k/longer"}, "want a number of characters", string(least(`"conditions":{"c":{"k":{"longer":9007199254740991}}}`))},
		{[]string{"/conditions/c/any/1/use"}, `got an unknown condition "d"`, string(least(`"conditions":{"c":{"any":[{},{"use":"d"}]}}`))},
		{[]string{"/conditions/c"}, "got a condition that uses itself", string(least(`"conditions":{"c":{"use":"c"}}`))},
		{[]string{"/conditions/c", "/conditions/d", "/conditions/e"}, "got a condition that uses itself", string(least(
			`"conditions":{"c":{"any":[{"any":[{"use":"d"}]}]},"d":{"use":"e"},"e":{"x":1,"use":"c"},"fine":{"x":1}}`))},
		{[]string{"/conditions/above", "/conditions/c"}, "above a circle", string(least(`"conditions":{"above":{"use":"c"},"c":{"use":"c"}}`))},
		{[]string{"/tree/head/none/use"}, "unknown condition", string(least(`"tree":{"head":{"none":{"use":"no"}}}`))},
		{[]string{"/groups/purpose/0/when/use"}, "unknown condition", string(least(`"groups":{"key":"k","purpose":[{"when":{"use":"no"},"is":"x"}]}`))},

		// names and places
		{[]string{"/formats/0"}, "got a format that is detected without layouts", format(`"detect":{"items":true}`)},
		{[]string{"/formats/0/layouts/0/files"}, "got files that are sources where each item has a file of its own", format(
			`"layouts":[{"name":"l","files":["*.log"],"key":"."}],"streams":[{"family":"transcript","reader":"json-directory","boundary":"document"}]`)},
		{[]string{"/formats/0/layouts/0"}, "got a folder of items", format(oneFile(`{"name":"l","items":".","key":"."}`, ""))},
		{[]string{"/formats/0/layouts/0/key"}, "got a file's name or item as key of a folder", format(oneFile(`{"name":"l","items":"e","key":"file"}`, ""))},
		{[]string{"/formats/0/layouts/0/key"}, "got a file's name or item as key of a folder", format(oneFile(`{"name":"l","items":"e","key":"item"}`, ""))},
		{[]string{"/formats/0/layouts/0/rows"}, "got rows without json-elements", format(oneFile(`{"name":"l","files":["e"],"rows":true,"key":"file"}`, ""))},
		{[]string{"/formats/0/layouts/0"}, "got a folder whose state stands around its items", format(around(`{"name":"l","items":"e","key":"."}`, `["a"]`))},
		{[]string{"/formats/0/streams"}, "got json-around without an object", format(around(`{"name":"l","files":["e"],"key":"file"}`, `["a","."]`))},
		{[]string{"/formats/0/streams"}, "got json-around without an object", format(strings.TrimSuffix(
			oneFile(`{"name":"l","files":["e"],"key":"file"}`, ""), "]") + `,{"family":"current-state","reader":"json-around","boundary":"document"}]`)},
		{[]string{"/formats/0/layouts/0/snapshot"}, "got a snapshot beside a file", format(oneFile(`{"name":"l","files":["e"],"snapshot":"s","key":"file"}`, ""))},
		{[]string{"/formats/0/layouts/0/files/0"}, "malformed pattern", format(oneFile(`{"name":"l","files":["["],"key":"file"}`, ""))},
		{[]string{"/formats/0/detect"}, "got no condition on the first item", format(
			`"detect":{"any":[{"items":true},{"first":{"k":1}}]},` + oneFile(`{"name":"l","items":"e","key":"."}`, ""))},
		{[]string{"/formats/0/streams"}, "got a mark without json-marked", format(oneFile(`{"name":"l","items":"e","key":"."}`, `,"mark":"m"`))},
		{[]string{"/formats/0/streams"}, "got a mark that could be a part of JSON", format(strings.Replace(
			oneFile(`{"name":"l","items":"e","key":"."}`, `,"mark":"[m]"`), "json-lines", "json-marked", 1))},
		{[]string{"/formats/0/streams"}, "got arrays without json-elements", format(oneFile(`{"name":"l","items":"e","key":"."}`, `,"arrays":["a"]`))},
		{[]string{"/formats/0/streams"}, "got arrays without json-elements", format(strings.Replace(
			oneFile(`{"name":"l","items":"e","key":"."}`, ""), "json-lines", "json-elements", 1))},
		{[]string{"/formats/0/ignore/1"}, "malformed pattern", format(`"ignore":["a","["]`)},
		{[]string{"/formats/0/evidence/0"}, "got an index without an evidence item", format(`"evidence":[0]`)},
		{[]string{"/formats/0/layouts/0/evidence/0"}, "without an evidence item", format(`"layouts":[{"name":"l","items":"e","key":".","evidence":[3]}]`)},
		{[]string{"/formats/0/layouts/0/items"}, "outside the source's folder", format(`"layouts":[{"name":"l","items":"../e","key":"."}]`)},
		{[]string{"/formats/0/layouts/0/items"}, "outside the source's folder", format(`"layouts":[{"name":"l","items":"..","key":"."}]`)},
		{[]string{"/formats/0/layouts/0/snapshot"}, "outside the source's folder", format(`"layouts":[{"name":"l","items":"e","snapshot":"/etc/s","key":"."}]`)},
		{[]string{"/formats/0/detect/any/0/file"}, "got a place elsewhere", format(`"qualified":false,"detect":{"any":[{"file":"../x"},{"file":"a/x"}]}`)},
		{[]string{"/formats/0/detect/name"}, "got a place elsewhere", format(`"qualified":false,"detect":{"name":"a/b/{any}"}`)},
		{[]string{"/usage/destination"}, "got a destination that the entry does not list", string(least(`"destinations":{"d":{}},"usage":{"ledger":"a","destination":"x"}`))},
		{[]string{"/snapshot/meta/destination"}, "got a destination that the entry does not list", string(least(`"snapshot":{"meta":{"destination":"x"}}`))},
		{[]string{"/secrets/omit/0/set"}, "got an unknown set", string(least(`"secrets":{"omit":[{"in":"transcript","set":"s"}]}`))},
		{[]string{"/context/compaction/summaryId"}, "want text around {id}", string(least(`"context":{"compaction":{"when":{},"summaryId":"x"}}`))},
		{[]string{"/context/compaction/summaryId"}, "want text around {id}", string(least(`"context":{"compaction":{"when":{},"summaryId":"{id}"}}`))},
	}
	for _, tt := range tests {
		t.Run(tt.doc[:min(len(tt.doc), 60)], func(t *testing.T) {
			faults := faultsOf(t, []byte(tt.doc))
			var got []string
			for _, f := range faults {
				got = append(got, f.Pointer)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("places (-want +got):\n%s\n%s", d, faults)
			}
			if !strings.Contains(faults[0].Message, tt.message) {
				t.Errorf("message: got %q, want one with %q", faults[0].Message, tt.message)
			}
		})
	}
}

// oneFile is a layout, and the stream of a format of files that hold many items.
func oneFile(layout, more string) string {
	return `"layouts":[` + layout + `],"streams":[{"family":"transcript","reader":"json-lines","boundary":"line"` + more + `}]`
}

// around is a format of files in which the state stands around the array of items.
func around(layout, arrays string) string {
	return `"layouts":[` + layout + `],"streams":[{"family":"transcript","reader":"json-elements","boundary":"document","arrays":` + arrays +
		`},{"family":"current-state","reader":"json-around","boundary":"document"}]`
}

// All faults are found at once, those of the schema and those of meaning, each at its place.
func TestLoadAllFaults(t *testing.T) {
	want := `/conditions/a: got a condition that uses itself, want one that does not
/formats/0/ignore/0: got a malformed pattern, want one of path.Match with ** for folders
/namespace/colour: got member "colour", want none by that name
/pairs/0/key: got an empty part, want a name between the dots
/tree/missing: got "maybe", want one of "none", "previous"
/tree/parent: got an empty part, want a name between the dots`
	_, err := Load([]byte(`{"name":"a.b","aliases":[],"namespace":{"rule":"none","colour":1},"formats":[{"id":"f","ignore":["["]}],
		"conditions":{"a":{"use":"a"}},"tree":{"missing":"maybe","parent":"a..b"},"pairs":[{"calls":{},"key":".","results":[{"when":{},"by":[{"id":"x"}]}]}]}`))
	if err == nil {
		t.Fatal("got no error, want faults")
	}
	if d := cmp.Diff(want, err.Error()); d != "" {
		t.Errorf("faults (-want +got):\n%s", d)
	}
}

func TestLoadLimits(t *testing.T) {
	deep := strings.Repeat(`{"any":[`, 90) + `{}` + strings.Repeat(`]}`, 90)
	if _, err := Load(least(`"conditions":{"c":` + deep + `}`)); err != nil {
		t.Errorf("nested 180 levels: got %v, want an entry", err)
	}
	var chain strings.Builder
	chain.WriteString(`"conditions":{"c":{"x":1}`)
	for i := range 300 {
		chain.WriteString(`,"c` + strings.Repeat("x", i+1) + `":{"use":"c` + strings.Repeat("x", i) + `"}`)
	}
	if _, err := Load(least(chain.String() + "}")); err != nil {
		t.Errorf("a chain of 300 conditions: got %v, want an entry", err)
	}
	if n := len(faultsOf(t, least(`"secrets":{"learnFrom":["."`+strings.Repeat(`,"."`, 200_000)+`]}`))); n != 1000 {
		t.Errorf("got %d faults, want 1000", n)
	}
	for tests, want := range map[int]bool{maxTests: true, maxTests + 1: false} {
		_, err := Load(least(`"conditions":{"c":{` + members(tests) + `}}`))
		if (err == nil) != want {
			t.Errorf("a condition of %d tests: got %v, want it taken: %v", tests, err, want)
		}
	}
	long := strings.Repeat("x", 200)
	faults := faultsOf(t, least(`"conditions":{"c":{"use":"`+long+`"}}`))
	if len(faults[0].Message) > 160 || strings.Contains(faults[0].Message, long) {
		t.Errorf("got a message of %d bytes, want the name cut", len(faults[0].Message))
	}
}

// members are that many tests of a condition.
func members(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"m%d":1`, i)
	}
	return strings.Join(list, ",")
}

// What an entry leaves out means what the page of entries says.
func TestLoadDefaults(t *testing.T) {
	e, err := Load(least(""))
	if err != nil {
		t.Fatal(err)
	}
	if e.Version != "0" || e.Alias() != "b" || e.Records != -1 || e.Converts() || e.Destination("x") != "a.b/x" {
		t.Errorf("got version %q, alias %q, records %d, converts %v, want 0, b, -1, false", e.Version, e.Alias(), e.Records, e.Converts())
	}
	if e.Context.Kind.String() != "kind" || e.Tree.Stated || e.Groups.Stated || e.Usage.Stated || e.Parts.Stated {
		t.Error("got a block that the entry leaves out")
	}
	if got := (&Entry{Name: "a.b"}).Alias(); got != "a.b" {
		t.Errorf("alias: got %q, want the name", got)
	}
}

func TestLoadBlocks(t *testing.T) {
	e, err := Load([]byte(`{"name":"a.b","aliases":["b"],"version":"7","destinations":{"z":{},"m":{}},"evidence":[{"label":"x"},{"label":"y"}],
		"formats":[{"id":"f","evidence":[1],"detect":{"all":[{"items":true},{"not":{"file":"d/x","has":["a"]}},{"name":"e/{any}.json"}]},
			"layouts":[{"name":"l","under":"u","items":".","snapshot":"s.json","key":"..","evidence":[0,1]}],
			"streams":[{"family":"transcript","reader":"json-directory","boundary":"document","name":"{ordinal:4+}.json","length":"n-{count}"}]}],
		"context":{"by":"type","kinds":["k"],"compaction":{"when":{},"summaryId":"s-{id}-t","beyond":"end"}},
		"secrets":{"sets":{"s":["c"]},"omit":[{"in":"m.json","at":"b","set":"s"}],"masked":["***",{"prefix":"gA"}],"learnFrom":["l.#"],"userInfo":["u"],"always":["z"]},
		"pairs":[{"calls":{},"key":"k","repeat":"update","results":[{"when":{},"by":[{"id":"i"},{"key":"j"}]}]}],
		"records":[{"when":{},"emit":[{"type":"vendor"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	f := &e.Formats[0]
	want := []any{"7", true, []string{"m", "z"}, 2, "l", "u", "s.json", true, []int{0, 1}, "{ordinal:4+}.json", "n-{count}", "d/x", "e", "{any}.json"}
	k := f.Detect.All
	y := f.Layouts[0]
	got := []any{
		e.Version, e.Converts(), e.Destinations, e.Evidence, y.Name, y.Under, y.Snapshot, y.ParentKey, y.Evidence, f.Items.Name, f.Items.Length,
		k[1].Not.File, k[2].Folder, k[2].Name,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("format (-want +got):\n%s", d)
	}
	c := e.Context.Compaction
	o := e.Secrets.Omit[0]
	p := e.Pairs[0]
	want = []any{"type", "s-", "-t", true, In("m.json"), true, "c", []string{"***"}, []string{"gA"}, "l.#", "u", []string{"z"}, true, true, "i", false, "j"}
	got = []any{
		e.Context.Kind.String(), c.SummaryIDBefore, c.SummaryIDAfter, c.BeyondIsEnd, o.In, o.HasAt, o.Paths[0].String(), e.Secrets.Masked, e.Secrets.Prefixes,
		e.Secrets.Learn[0].String(), e.Secrets.UserInfo[0].String(), e.Secrets.Always,
		p.Update, p.Results[0].By[0].ByID, p.Results[0].By[0].Path.String(), p.Results[0].By[1].ByID, p.Results[0].By[1].Path.String(),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("blocks (-want +got):\n%s", d)
	}
}

func TestLoadTree(t *testing.T) {
	tests := []struct {
		want []any // stated, missing means previous, has head, root
		tree string
	}{
		{[]any{true, true, true, "R"}, `{"missing":"previous","head":{"is":"leaf"},"root":"R"}`},
		{[]any{true, false, false, ""}, `{"missing":"none"}`},
		{[]any{true, false, false, ""}, `{}`},
		{[]any{true, false, false, ""}, `{"head":{"none":{"empty":true}}}`},
	}
	for _, tt := range tests {
		e, err := Load(least(`"tree":` + tt.tree))
		if err != nil {
			t.Fatal(err)
		}
		got := []any{e.Tree.Stated, e.Tree.MissingPrevious, e.Tree.HasHead, e.Tree.Root}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.tree, d)
		}
	}
}

func TestConverts(t *testing.T) {
	const records = `"records":[{"when":{},"emit":[{"type":"vendor"}]}]`
	const layouts = `"layouts":[{"name":"l","items":"e","key":"."}]`
	tests := []struct {
		want bool
		doc  string
	}{
		{true, `[{"id":"f","detect":{"items":true},` + layouts + `}],` + records},
		{false, `[{"id":"f","detect":{"items":true},` + layouts + `}]`},
		{false, `[{"id":"f","qualified":false,"detect":{"items":true}}],` + records},
		{false, `[{"id":"f"}],` + records},
	}
	for _, tt := range tests {
		e, err := Load([]byte(`{"name":"a.b","aliases":[],"formats":` + tt.doc + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if e.Converts() != tt.want {
			t.Errorf("%s: got %v, want %v", tt.doc, e.Converts(), tt.want)
		}
	}
}

// seed is the entry that the module began with; it must load unchanged.
func seed(t testing.TB) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.FromSlash("../../../shared/reference/openhands-registry-entry.json"))
	if err != nil {
		t.Skipf("no shared data: %v", err)
	}
	return raw
}

func TestLoadSeed(t *testing.T) {
	e, err := Load(seed(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []any{"dev.all-hands.openhands", "openhands", 4, 2, []string{"accumulatedMetrics", "metrics", "state"}, false}
	got := []any{e.Name, e.Alias(), e.Evidence, len(e.Formats), e.Destinations, e.Converts()}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("seed (-want +got):\n%s", d)
	}
}

// FuzzLoad holds that no document makes Load panic, and that an entry or faults come out of it, never both.
func FuzzLoad(f *testing.F) {
	shipped, err := os.ReadFile(filepath.FromSlash("../../registry/entries/openhands.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(shipped)
	f.Add(least(`"conditions":{"a":{"use":"b","x.#":[1,true]},"b":{"any":[{"$seen":"later"},{"t":{"longer":1}}]}}`))
	f.Add(least(`"secrets":{"sets":{"s":["**.a"]},"omit":[{"in":"x","set":"s","at":"q"}],"masked":[{"prefix":"p"}]}`))
	f.Add([]byte(`{"name":1,"formats":[{"detect":[],"layouts":{"a":{}},"streams":[{}]}],"conditions":{"a":{"b":{}}},"pairs":[[]],"usage":{"ledger":{"first":3}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := Load(raw)
		var faults Faults
		if (e == nil) == (err == nil) || err != nil && (!errors.As(err, &faults) || len(faults) == 0) {
			t.Errorf("got entry %v with error %v, want one of them", e != nil, err)
		}
	})
}
