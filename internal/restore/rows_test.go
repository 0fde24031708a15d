package restore_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/restore"
)

// rowLine is a row with one event of an id, and no secrets.
func rowLine(id string) string {
	return `{"instance_id":"` + id + `","history":[{"id":"` + id + `","kind":"PauseEvent","timestamp":"2026-01-01T00:00:00","source":"user"}],"metrics":null}` + "\n"
}

// A file of rows has the rows that its bundle has; the others are named.
func TestRowsLacking(t *testing.T) {
	three := rowLine("a") + rowLine("b") + rowLine("c")
	large := strings.Replace(rowLine("b"), `"source"`, `"pad":"`+strings.Repeat("x", 500)+`","source"`, 1)
	for _, tt := range []struct {
		name, text, want string
		lacking          []string
		convert          converter.Options
		o                restore.Options
	}{
		{"all", three, three, nil, converter.Options{}, restore.Options{}},
		{"some converted", three, rowLine("b"), []string{"0-0 absent", "2-2 absent"}, converter.Options{Sessions: []string{"b"}}, restore.Options{}},
		{"the first converted", three, rowLine("a"), []string{"1-2 absent"}, converter.Options{Sessions: []string{"a"}}, restore.Options{}},
		{"some asked for", three, rowLine("a") + rowLine("c"), nil, converter.Options{}, restore.Options{Streams: []string{"openhands-a", "openhands-c"}}},
		{"a large item", rowLine("a") + large + rowLine("c"), rowLine("a") + rowLine("c"), []string{"1-1 too-large"}, converter.Options{MaxItem: 400}, restore.Options{}},
		{"a state that is not kept", rowLine("a") + "text\n" + rowLine("c"), rowLine("a") + rowLine("c"), []string{"1-1 secrets"}, converter.Options{}, restore.Options{}},
		{"a row that is cut off", rowLine("a") + rowLine("b")[:80], rowLine("a"), []string{"1-1 secrets"}, converter.Options{}, restore.Options{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			source := t.TempDir()
			write(t, filepath.Join(source, "output.jsonl"), tt.text)
			tt.convert.Sources = []string{source}
			b, _ := convertWith(t, tt.convert)
			dir := filepath.Join(t.TempDir(), "made")
			r, err := restore.Restore(t.Context(), b, dir, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(map[string]string{"output.jsonl": tt.want}, tree(t, dir)); d != "" {
				t.Errorf("files (-want +got):\n%s", d)
			}
			if r.Files != 1 || r.Bytes != int64(len(tt.want)) {
				t.Errorf("got %d files of %d bytes, want 1 of %d", r.Files, r.Bytes, len(tt.want))
			}
			v, err := restore.Verify(t.Context(), b, []string{source}, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			for name, list := range map[string][]restore.Lacking{"restore": r.Lacking, "verify": v.Lacking} {
				var got []string
				for _, l := range list {
					if l.Path != "output.jsonl" {
						t.Errorf("%s: got path %q", name, l.Path)
					}
					got = append(got, fmt.Sprintf("%d-%d %s", l.Row, l.Through, l.Reason))
				}
				if d := cmp.Diff(tt.lacking, got); d != "" {
					t.Errorf("%s: lacking (-want +got):\n%s", name, d)
				}
			}
			for _, d := range v.Differences {
				if d.Kind != restore.Unkept || !strings.Contains(tt.name, "large") {
					t.Errorf("got difference %v", d)
				}
			}
		})
	}
}

// Whatever a manifest says of rows, nothing is written twice, nothing runs for long, and a difference is named.
func TestHostileRows(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(m *bundle.Manifest)
		err  error
	}{
		{"rows without end", func(m *bundle.Manifest) {
			for i := range m.Sources {
				m.Sources[i].Rows = 1<<53 - 1
			}
		}, nil},
		{"a row beyond the last", func(m *bundle.Manifest) { m.Sources[2].Row = 1<<53 - 1 }, restore.ErrPlace},
		{"the same row twice", func(m *bundle.Manifest) { m.Sources[2].Row = 1 }, restore.ErrPlace},
		{"rows backwards", func(m *bundle.Manifest) { m.Sources[0].Row, m.Sources[2].Row = 2, 0 }, restore.ErrPlace},
		{"no rows", func(m *bundle.Manifest) {
			for i := range m.Sources {
				m.Sources[i].Row, m.Sources[i].Rows = 0, 0
			}
		}, restore.ErrPlace},
		{"another number of rows", func(m *bundle.Manifest) { m.Sources[1].Rows = 1 }, restore.ErrPlace},
	} {
		t.Run(tt.name, func(t *testing.T) {
			source := t.TempDir()
			write(t, filepath.Join(source, "output.jsonl"), rowLine("a")+rowLine("b")+rowLine("c"))
			_, path := convert(t, bundle.None, source)
			remanifest(t, path, tt.edit)
			b := open(t, path)
			if _, err := restore.Restore(t.Context(), b, filepath.Join(t.TempDir(), "made"), restore.Options{}); !errors.Is(err, tt.err) || (tt.err == nil && err != nil) {
				t.Errorf("got %v, want %v", err, tt.err)
			}
			v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(v.Differences) == 0 {
				t.Error("got no difference, want some")
			}
		})
	}
}

// remanifest changes the manifest of a bundle.
func remanifest(t *testing.T, dir string, change func(m *bundle.Manifest)) {
	t.Helper()
	edit(t, filepath.Join(dir, "manifest.json"), func(raw []byte) []byte {
		m, err := bundle.ReadManifest(raw)
		if err != nil {
			t.Fatal(err)
		}
		change(m)
		return m.AppendJSON(nil)
	})
}
