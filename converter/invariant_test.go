package converter

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/laws"
	"github.com/session-trace/ctx/registry"
)

// inputs are all input folders that the repository and, where it stands beside it, the shared data have.
func inputs(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../fixtures/*/*/native")
	if err != nil || len(list) < 40 {
		t.Fatalf("got %d fixtures (%v), want at least 40", len(list), err)
	}
	for _, shared := range []string{"../../shared/realdata", "../../shared/captures"} {
		if _, err := os.Stat(shared); err != nil {
			t.Logf("%s is not there, left out", shared)
			continue
		}
		list = append(list, shared)
	}
	return list
}

// onDisk is the regular files below a folder.
func onDisk(t testing.TB, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(filepath.Join(root, p))
		files[p] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// checkWhole holds a conversion against the files on disk.
func checkWhole(t testing.TB, root string, m *made) {
	t.Helper()
	b, err := bundle.Open(m.out)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close() //nolint:errcheck // read only
	for _, f := range laws.Whole(root, b) {
		t.Error(f)
	}
}

// TestWhole holds every input against its bundle.
func TestWhole(t *testing.T) {
	reg := loadRegistry(t)
	for _, root := range inputs(t) {
		t.Run(caseName(root), func(t *testing.T) {
			t.Parallel()
			m := convertMade(t, reg, nil, root)
			if list := m.failures(); list != nil {
				t.Errorf("got failures %v", list)
			}
			checkWhole(t, root, m)
			abs, err := filepath.Abs(root)
			if err != nil {
				t.Fatal(err)
			}
			if text := allText(t, m); strings.Contains(text, abs) || strings.Contains(text, m.out) {
				t.Error("got an absolute path of this machine in the bundle")
			}
		})
	}
}

func caseName(root string) string {
	if filepath.Base(root) == "native" {
		return filepath.Base(filepath.Dir(root))
	}
	return filepath.Base(root)
}

// whole is every file of a bundle as it lies on disk.
func whole(t testing.TB, out string) string {
	t.Helper()
	files := onDisk(t, out)
	var b strings.Builder
	for _, p := range sortedKeys(files) {
		fmt.Fprintf(&b, "%s\n%s\n", p, files[p])
	}
	return b.String()
}

// TestSameBytes converts every input in many ways: the bundles must not differ in a single byte. It changes the time
// zone and the working folder of the process, and so must run alone.
func TestSameBytes(t *testing.T) {
	reg := loadRegistry(t)
	zone := time.Local
	defer func() { time.Local = zone }()
	for _, root := range inputs(t) {
		t.Run(caseName(root), func(t *testing.T) {
			want := sameBytes(t, reg, root, func(o *Options) { o.Jobs = 1 })
			ways := []struct {
				name string
				root func(t *testing.T) string
			}{
				{"eight jobs, an absolute path", absolute(root)},
				{"a copy, made in another order, at other times", func(t *testing.T) string { return copied(t, root) }},
				{"another working folder and time zone", func(t *testing.T) string {
					abs := absolute(root)(t)
					t.Chdir(filepath.Dir(abs))
					time.Local = time.FixedZone("far", 13*3600)
					return filepath.Base(abs)
				}},
			}
			for _, way := range ways {
				t.Run(way.name, func(t *testing.T) {
					if got := sameBytes(t, reg, way.root(t), func(o *Options) { o.Jobs = 8 }); got != want {
						t.Errorf("got another bundle: first difference %s", laws.Difference(want, got))
					}
				})
			}
		})
	}
}

func absolute(root string) func(t *testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		abs, err := filepath.Abs(root)
		if err != nil {
			t.Fatal(err)
		}
		return abs
	}
}

func sameBytes(t testing.TB, reg *registry.Registry, root string, change func(*Options)) string {
	t.Helper()
	o := Options{Sources: []string{root}, Out: filepath.Join(scratch(t), "bundle"), Registry: reg}
	change(&o)
	if _, err := Convert(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return whole(t, o.Out)
}

// copied copies a tree, last names first, with other times and modes, under another name.
func copied(t testing.TB, root string) string {
	t.Helper()
	to := filepath.Join(scratch(t), "elsewhere")
	files := onDisk(t, root)
	names := sortedKeys(files)
	slices.Reverse(names)
	then := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for _, p := range names {
		full := filepath.Join(to, filepath.FromSlash(p))
		put(t, full, files[p])
		if err := os.Chtimes(full, then, then); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(full, 0o400); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// TestCompressed holds that compression changes neither a line nor a blob, and of the manifest only what says so.
func TestCompressed(t *testing.T) {
	reg := loadRegistry(t)
	for _, root := range inputs(t) {
		t.Run(caseName(root), func(t *testing.T) {
			t.Parallel()
			plain := convertMade(t, reg, nil, root)
			packed := convertMade(t, reg, func(o *Options) { o.Compress = bundle.Zstd }, root)
			for id, want := range rawStreams(t, plain.out) {
				if rawStreams(t, packed.out)[id] != want {
					t.Errorf("stream %s differs", id)
				}
			}
			manifest := packed.files["manifest.json"]
			for _, p := range [][2]string{{`.jsonl.zst"`, `.jsonl"`}, {`"compression":"zstd"`, `"compression":"none"`}} {
				manifest = strings.ReplaceAll(manifest, p[0], p[1])
			}
			packed.files["manifest.json"] = manifest
			for _, name := range sortedKeys(plain.files) {
				if !bytes.Equal([]byte(plain.files[name]), []byte(packed.files[name])) {
					t.Errorf("%s differs: %s", name, laws.Difference(plain.files[name], packed.files[name]))
				}
			}
			if len(plain.files) != len(packed.files) {
				t.Errorf("got %d files, want %d", len(packed.files), len(plain.files))
			}
		})
	}
}
