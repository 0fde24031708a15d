package restore_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/restore"
)

const (
	secretive = "980b572642c743e6937d7c23c047fcc0"
	event0    = "/events/event-00000-"
)

// named lists differences as kind and path.
func named(v *restore.Verdict) []string {
	var list []string
	for _, d := range v.Differences {
		list = append(list, d.Kind+" "+d.Path)
	}
	return list
}

// first is the first file below a folder whose path holds a text, relative to the folder.
func first(t *testing.T, folder, part string) string {
	t.Helper()
	var found []string
	for path := range tree(t, folder) {
		if strings.Contains("/"+path, part) {
			found = append(found, path)
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s holds no %s", folder, part)
	}
	return slices.Min(found)
}

func edit(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(raw), 0o644); err != nil {
		t.Fatal(err)
	}
}

func flip(raw []byte) []byte {
	raw[len(raw)/2] ^= 1
	return raw
}

func swap(old, put string) func([]byte) []byte {
	return func(raw []byte) []byte { return bytes.Replace(raw, []byte(old), []byte(put), 1) }
}

// A change of the source is named, each kind of file and of change.
func TestSourceChanged(t *testing.T) {
	tests := []struct {
		name, fixture string
		change        func(t *testing.T, at func(part string) string)
		want          func(at func(part string) string) []string
	}{
		{
			"a byte of an item", "basic",
			func(t *testing.T, at func(string) string) { edit(t, at(event0), flip) },
			func(at func(string) string) []string { return []string{"changed " + at(event0)} },
		},
		{
			"an item longer", "basic",
			func(t *testing.T, at func(string) string) {
				edit(t, at(event0), func(raw []byte) []byte { return append(raw, ' ') })
			},
			func(at func(string) string) []string { return []string{"changed " + at(event0)} },
		},
		{
			"an item gone", "basic",
			func(t *testing.T, at func(string) string) {
				if err := os.Remove(at(event0)); err != nil {
					t.Fatal(err)
				}
			},
			func(at func(string) string) []string { return []string{"missing " + at(event0)} },
		},
		{
			"a blob's file", "whitespace-json",
			func(t *testing.T, at func(string) string) { edit(t, at(event0), flip) },
			func(at func(string) string) []string { return []string{"changed " + at(event0)} },
		},
		{
			"an item more", "basic",
			func(t *testing.T, at func(string) string) {
				write(t, filepath.Dir(at(event0))+"/event-00099-x.json", "{}")
			},
			func(at func(string) string) []string {
				return []string{"added " + filepath.Dir(at(event0)) + "/event-00099-x.json"}
			},
		},
		{
			"a file of no source more", "basic",
			func(t *testing.T, at func(string) string) { write(t, filepath.Dir(at(event0))+"/notes.txt", "x") },
			func(at func(string) string) []string {
				return []string{"added " + filepath.Dir(at(event0)) + "/notes.txt"}
			},
		},
		{
			"a lock more", "basic",
			func(t *testing.T, at func(string) string) { write(t, filepath.Dir(at(event0))+"/.eventlog.lock", "") },
			func(at func(string) string) []string { return nil },
		},
		{
			"beside a redaction", "secrets",
			func(t *testing.T, at func(string) string) {
				edit(t, at(secretive+"/base_state.json"), swap(`"agent"`, `"Agent"`))
			},
			func(at func(string) string) []string {
				return []string{"changed " + at(secretive+"/base_state.json")}
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source := copyOf(t, fixture(tt.fixture))
			b, _ := convert(t, bundle.Zstd, source)
			paths := map[string]string{}
			at := func(part string) string {
				if paths[part] == "" {
					paths[part] = filepath.Join(source, first(t, source, part))
				}
				return paths[part]
			}
			tt.change(t, at)
			var want []string
			for _, w := range tt.want(at) {
				want = append(want, strings.Replace(w, source+"/", "", 1))
			}
			v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, named(v)); d != "" {
				t.Errorf("differences (-want +got):\n%s\n%v", d, v.Differences)
			}
		})
	}
}

// What changes within a secret that was cut out shows in the hash over the source.
func TestSecretChanged(t *testing.T) {
	source := copyOf(t, fixture("secrets"))
	b, _ := convert(t, bundle.None, source)
	path := filepath.Join(source, secretive, "base_state.json")
	edit(t, path, func(raw []byte) []byte {
		at := bytes.Index(raw, []byte(`"api_key"`))
		at += bytes.Index(raw[at:], []byte(`:`))
		at += bytes.IndexByte(raw[at:], '"') + 3
		raw[at] ^= 1
		return raw
	})
	v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"unlike " + secretive}, named(v)); d != "" {
		t.Errorf("differences (-want +got):\n%s", d)
	}
}

// A conversation that the bundle does not have is named, unless the bundle is a selection.
func TestSourceAdded(t *testing.T) {
	source := copyOf(t, fixture("sample"))
	names, err := os.ReadDir(source)
	if err != nil {
		t.Fatal(err)
	}
	one := names[0].Name()
	b, _ := convertWith(t, converter.Options{Sources: []string{source}, Sessions: []string{one}})
	v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string(nil), named(v)); d != "" {
		t.Errorf("differences of a selection (-want +got):\n%s", d)
	}
	all, _ := convert(t, bundle.None, source)
	write(t, filepath.Join(source, "more", "events", "event-00000-a.json"), "{}")
	if v, err = restore.Verify(t.Context(), all, []string{source}, restore.Options{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"added more/events/event-00000-a.json"}, named(v)); d != "" {
		t.Errorf("differences (-want +got):\n%s", d)
	}
	if err := os.RemoveAll(filepath.Join(source, one)); err != nil {
		t.Fatal(err)
	}
	if v, err = restore.Verify(t.Context(), b, []string{source}, restore.Options{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"missing " + one}, named(v)); d != "" {
		t.Errorf("differences (-want +got):\n%s", d)
	}
}

// With several folders, paths begin with their names, made unique.
func TestSeveralSources(t *testing.T) {
	a, b := copyOf(t, fixture("basic")), copyOf(t, fixture("tree"))
	made, _ := convert(t, bundle.None, a, b)
	v, err := restore.Verify(t.Context(), made, []string{a, b}, restore.Options{})
	if err != nil || len(v.Differences) > 0 || v.Streams != 2 {
		t.Fatalf("got %v, %v of %d streams", err, named(v), v.Streams)
	}
	dir := filepath.Join(t.TempDir(), "made")
	if _, err := restore.Restore(t.Context(), made, dir, restore.Options{}); err != nil {
		t.Fatal(err)
	}
	if v, err = restore.Verify(t.Context(), made, []string{b, a}, restore.Options{}); err != nil || len(v.Differences) == 0 {
		t.Errorf("got %v and no difference in the other order", err)
	}
	for _, part := range []string{"copy/", "copy-2/"} {
		if got := first(t, dir, part); !strings.HasPrefix(got, part) {
			t.Errorf("got %s, want it below %s", got, part)
		}
	}
}

// Names made unique are none of another folder.
func TestSourceNames(t *testing.T) {
	root := t.TempDir()
	var sources []string
	for _, name := range []string{"a/x", "b/x", "c/x-2"} {
		sources = append(sources, filepath.Join(root, filepath.FromSlash(name)))
	}
	for i, name := range []string{"basic", "tree", "reject"} {
		if err := os.CopyFS(sources[i], os.DirFS(fixture(name))); err != nil {
			t.Fatal(err)
		}
	}
	made, _ := convert(t, bundle.None, sources...)
	v, err := restore.Verify(t.Context(), made, sources, restore.Options{})
	if err != nil || len(v.Differences) > 0 || v.Streams != 3 {
		t.Errorf("got %v, %v of %d streams", err, named(v), v.Streams)
	}
	dir := filepath.Join(t.TempDir(), "made")
	if _, err := restore.Restore(t.Context(), made, dir, restore.Options{}); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"x", "x-3", "x-2"} {
		want, err := filepath.Glob(filepath.Join(sources[i], "*"))
		if err != nil || len(want) != 1 {
			t.Fatalf("got %v, %v, want one conversation", want, err)
		}
		if part := name + "/" + filepath.Base(want[0]) + "/"; !strings.HasPrefix(first(t, dir, part), part) {
			t.Errorf("got nothing below %s", part)
		}
	}
}

// A damaged bundle is named by verify and refused by restore.
func TestBundleDamaged(t *testing.T) {
	stream := func(b *bundle.Bundle) string { return b.Manifest().Streams[0].File }
	blob := func(t *testing.T, path string) string {
		list, err := filepath.Glob(filepath.Join(path, "blobs", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			if raw, err := os.ReadFile(p); err == nil && !bytes.Contains(raw, []byte(`"namespace"`)) {
				return p
			}
		}
		t.Fatal("no blob")
		return ""
	}
	tests := []struct {
		name, want string
		change     func(t *testing.T, path string, b *bundle.Bundle)
	}{
		{"a byte of a stream", "damaged", func(t *testing.T, path string, b *bundle.Bundle) {
			edit(t, filepath.Join(path, stream(b)), swap(`"timestamp":"2`, `"timestamp":"3`))
		}},
		{"a stream cut short", "damaged", func(t *testing.T, path string, b *bundle.Bundle) {
			edit(t, filepath.Join(path, stream(b)), func(raw []byte) []byte { return raw[:len(raw)/2] })
		}},
		{"a stream gone", "damaged", func(t *testing.T, path string, b *bundle.Bundle) {
			if err := os.Remove(filepath.Join(path, stream(b))); err != nil {
				t.Fatal(err)
			}
		}},
		{"a line gone", "damaged", func(t *testing.T, path string, b *bundle.Bundle) {
			edit(t, filepath.Join(path, stream(b)), func(raw []byte) []byte {
				lines := bytes.SplitAfter(raw, []byte("\n"))
				return bytes.Join(slices.Delete(lines, 2, 3), nil)
			})
		}},
		{"a blob gone", "damaged", func(t *testing.T, path string, _ *bundle.Bundle) {
			if err := os.Remove(blob(t, path)); err != nil {
				t.Fatal(err)
			}
		}},
		{"a byte of a blob", "damaged", func(t *testing.T, path string, _ *bundle.Bundle) { edit(t, blob(t, path), flip) }},
		{"a blob longer", "damaged", func(t *testing.T, path string, _ *bundle.Bundle) {
			edit(t, blob(t, path), func(raw []byte) []byte { return append(raw, ' ') })
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source := fixture("whitespace-json")
			b, path := convert(t, bundle.None, source)
			tt.change(t, path, b)
			v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(v.Differences, func(d restore.Difference) bool { return d.Kind == tt.want }) {
				t.Errorf("got %v, want one that is %s", v.Differences, tt.want)
			}
			dir := filepath.Join(t.TempDir(), "made")
			if _, err := restore.Restore(t.Context(), b, dir, restore.Options{}); err == nil {
				t.Error("restore took it")
			}
			if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) > 0 {
				t.Errorf("restore left %v", left)
			}
		})
	}
}
