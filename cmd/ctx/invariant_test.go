package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/laws"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/stage"
	"github.com/session-trace/ctx/registry"
)

// judged converts a folder and validates the bundle: the validator must find no error, and its report must be the one
// that the conversion wrote.
func judged(t *testing.T, root string, change func(*converter.Options)) *record.Report {
	t.Helper()
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	o := converter.Options{Sources: []string{root}, Out: filepath.Join(memory(t), "bundle"), Registry: reg, NewCheck: stage.New}
	if change != nil {
		change(&o)
	}
	if _, err := converter.Convert(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(o.Out)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close() //nolint:errcheck // read only
	report, faults := laws.Sound(t.Context(), b)
	for _, f := range faults {
		t.Error(f)
	}
	return report
}

// memory is a folder for many small files: in memory where there is such a place.
func memory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ctx-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("scratch folder: %v", err)
		}
	})
	return dir
}

// TestBundlesAreSound validates what every fixture, and the shared data where it stands beside, becomes.
func TestBundlesAreSound(t *testing.T) {
	roots, err := filepath.Glob("../../fixtures/*/*/native")
	if err != nil || len(roots) < 40 {
		t.Fatalf("got %d fixtures (%v), want at least 40", len(roots), err)
	}
	for _, shared := range []string{"../../../shared/realdata", "../../../shared/captures"} {
		if _, err := os.Stat(shared); err != nil {
			t.Logf("%s is not there, left out", shared)
			continue
		}
		roots = append(roots, shared)
	}
	for _, root := range roots {
		name := filepath.Base(root)
		if name == "native" {
			name = filepath.Base(filepath.Dir(root))
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain := judged(t, root, nil)
			packed := judged(t, root, func(o *converter.Options) { o.Compress = bundle.Zstd })
			if d := cmp.Diff(string(record.AppendReport(nil, plain)), string(record.AppendReport(nil, packed))); d != "" {
				t.Errorf("report (-plain +compressed):\n%s", d)
			}
		})
	}
}

// TestObserved repeats what the entry's fourth evidence observed.
func TestObserved(t *testing.T) {
	root := "../../../shared/captures/cli-1.16.0-two-headless/home/.openhands/conversations"
	if _, err := os.Stat(root); err != nil {
		t.Skipf("%s is not there", root)
	}
	report := judged(t, root, nil)
	want := `"streams":2,"records":`
	got := string(record.AppendEvidence(nil, report))
	if !strings.Contains(got, want) || report.Items != 56 || report.Errors() != 0 || report.Notices() != 2 || report.Gaps != 0 || report.UnidentifiedSources != 0 {
		t.Errorf("got %s, %d items, want 2 streams, 56 items, 0 errors, 2 notices, 0 gaps, 0 unidentified sources", got, report.Items)
	}
}
