package converter_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
)

// counted is what a fixture's README says of one source: counts that were worked out from the native files by hand,
// before there was a converter.
type counted struct {
	items, records int64
	types          string
	losses         string
	notices        string
	gaps           string
	offset         string
}

var readmeLine = regexp.MustCompile(`^(\S+): items (\d+), records (\d+) \(([^)]*)\); losses: ([^;]*); notices: ([^;]*); gaps: (.*?)\.(?: Clock offset ([^ ]*)\.)?$`)

// TestReadmes holds the bundle of every fixture against the counts in its README.
func TestReadmes(t *testing.T) {
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := filepath.Glob("../fixtures/*/*/README")
	if err != nil || len(cases) < 40 {
		t.Fatalf("got %d READMEs (%v), want at least 40", len(cases), err)
	}
	lines := 0
	for _, file := range cases {
		folder := filepath.Dir(file)
		want := readReadme(t, file)
		lines += len(want)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			if d := gocmp.Diff(want, countBundle(t, reg, filepath.Join(folder, "native")), gocmp.AllowUnexported(counted{})); d != "" {
				t.Errorf("counts (-README +bundle):\n%s", d)
			}
		})
	}
	if lines < 45 {
		t.Errorf("got %d lines of counts, want at least 45", lines)
	}
}

func readReadme(t *testing.T, file string) map[string]counted {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]counted{}
	for line := range strings.SplitSeq(string(raw), "\n") {
		m := readmeLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		c := counted{types: sorted(m[4]), losses: m[5], notices: m[6], gaps: m[7], offset: m[8]}
		fmt.Sscan(m[2], &c.items)   //nolint:errcheck // the pattern holds digits
		fmt.Sscan(m[3], &c.records) //nolint:errcheck // the pattern holds digits
		want[m[1]] = c
	}
	return want
}

// countBundle converts a folder and counts what came out, by source path.
func countBundle(t *testing.T, reg *registry.Registry, native string) map[string]counted {
	t.Helper()
	out := filepath.Join(t.TempDir(), "bundle")
	result, err := converter.Convert(context.Background(), converter.Options{
		Sources: []string{native}, Out: out, Registry: reg, NewCheck: converter.NewStage,
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close() //nolint:errcheck // read only
	notices := map[string]map[string]int64{}
	for _, f := range result.Report.Findings.Sorted() {
		if f.Severity == record.ErrorSeverity {
			t.Errorf("got an error: %+v", f)
		}
		if notices[f.Stream] == nil {
			notices[f.Stream] = map[string]int64{}
		}
		notices[f.Stream][f.Rule] += f.Count
	}
	got := map[string]counted{}
	for _, s := range b.Manifest().Streams {
		got[sourcePath(b.Manifest(), s.Source)] = countStream(t, b, s, notices[s.ID])
	}
	return got
}

func sourcePath(m *bundle.Manifest, id string) string {
	for _, s := range m.Sources {
		if s.ID == id {
			if s.Rows > 0 {
				return fmt.Sprintf("%s#%d", s.Path, s.Row)
			}
			return s.Path
		}
	}
	return ""
}

func countStream(t *testing.T, b *bundle.Bundle, s bundle.StreamInfo, notices map[string]int64) counted {
	t.Helper()
	c := counted{items: s.Items, records: s.Records, notices: list(notices), gaps: "none"}
	var types, gaps []string
	for _, typ := range record.Types() {
		if n := s.Types[typ.String()]; n > 0 {
			types = append(types, fmt.Sprintf("%s %d", typ, n))
		}
	}
	losses := map[string]int64{}
	for code, l := range s.Losses {
		losses[code] = l.Count
	}
	err := b.Lines(s, 64<<20, func(_ int, line []byte, _ bool) error {
		var r struct {
			Type, ID string
			Clock    struct{ Offset string }
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		if r.Type == "gap" {
			id := r.ID
			if parts := strings.SplitN(id, ":", 3); len(parts) == 3 {
				id = "gap:" + parts[1] + ":<id>"
			}
			gaps = append(gaps, id)
		}
		c.offset = cmp.Or(r.Clock.Offset, c.offset)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(gaps) > 0 {
		c.gaps = strings.Join(gaps, ", ")
	}
	c.types, c.losses = sorted(strings.Join(types, ", ")), list(losses)
	return c
}

// sorted puts the parts of a list in order.
func sorted(text string) string {
	parts := strings.Split(text, ", ")
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// list spells counts as the READMEs do.
func list(counts map[string]int64) string {
	var parts []string
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", code, counts[code]))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
