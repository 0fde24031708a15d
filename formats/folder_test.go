package formats

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree writes files into a new folder and returns it: path → content.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func symlink(t testing.TB, target, at string) {
	t.Helper()
	if err := os.Symlink(target, at); err != nil {
		t.Skip("no symbolic links here:", err)
	}
}

func openRoot(t testing.TB, dir string) *Root {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func openFolder(t testing.TB, r *Root, path string) *Folder {
	t.Helper()
	f, err := r.Folder(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestOpenRefusesWhatIsNoFolder(t *testing.T) {
	dir := tree(t, map[string]string{"file": "x"})
	_, err := Open(filepath.Join(dir, "file"))
	if !errors.Is(err, ErrNotFolder) || !strings.HasSuffix(err.Error(), "it is a file") {
		t.Errorf("want ErrNotFolder that says it is a file, got %v", err)
	}
	if _, err := Open(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("want fs.ErrNotExist, got %v", err)
	}
}

func TestOpenFollowsALinkToTheInput(t *testing.T) {
	dir := tree(t, map[string]string{"in/a.json": "{}"})
	symlink(t, "in", filepath.Join(dir, "link"))
	got, err := openRoot(t, filepath.Join(dir, "link")).Read("a.json", nil, 10)
	if err != nil || string(got) != "{}" {
		t.Errorf("want {}, got %q, %v", got, err)
	}
}

func TestList(t *testing.T) {
	dir := tree(t, map[string]string{"b": "", "a/x": "", "a-": "", "Z": ""})
	symlink(t, "b", filepath.Join(dir, "l"))
	symlink(t, "a", filepath.Join(dir, "to-a"))
	r := openRoot(t, dir)
	want := []Name{{"Z", KindFile}, {"a", KindFolder}, {"a-", KindFile}, {"b", KindFile}, {"l", KindLink}, {"to-a", KindLink}}
	got, err := r.List(".")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, folder := range []string{"to-a", "b"} {
		if _, err := r.List(folder); !errors.Is(err, ErrNotFolder) {
			t.Errorf("List(%s): want ErrNotFolder, got %v", folder, err)
		}
		if _, err := r.Folder(folder); !errors.Is(err, ErrNotFolder) {
			t.Errorf("Folder(%s): want ErrNotFolder, got %v", folder, err)
		}
	}
	for _, folder := range []string{"..", "../x", "/", "a/../.."} {
		if _, err := r.List(folder); err == nil {
			t.Errorf("List(%s) left the root", folder)
		}
	}
}

func TestStat(t *testing.T) {
	dir := tree(t, map[string]string{"a/x": "12345"})
	symlink(t, "a/x", filepath.Join(dir, "l"))
	r := openRoot(t, dir)
	if size, kind, err := r.Stat("a/x"); size != 5 || kind != KindFile || err != nil {
		t.Errorf("want 5 file, got %d %s %v", size, kind, err)
	}
	if _, kind, err := r.Stat("l"); kind != KindLink || err != nil {
		t.Errorf("want link, got %s %v", kind, err)
	}
	if _, _, err := r.Stat("nope"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("want fs.ErrNotExist, got %v", err)
	}
}

func TestReadSizes(t *testing.T) {
	const limit = 1000
	for _, tt := range []struct {
		name         string
		size, buffer int
		tooLarge     bool
		shared       bool // the result lies in the buffer given
	}{
		{"empty, no buffer", 0, 0, false, false},
		{"empty", 0, 64, false, true},
		{"smaller than the buffer", 63, 64, false, true},
		{"exactly the buffer", 64, 64, false, true},
		{"one over the buffer", 65, 64, false, false},
		{"no buffer", 500, 0, false, false},
		{"exactly the limit", limit, 64, false, false},
		{"over the limit", limit + 1, 64, true, false},
		{"over the limit, fits the buffer", limit + 1, 4096, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			content := strings.Repeat("x", tt.size)
			f := openFolder(t, openRoot(t, tree(t, map[string]string{"in/a": content})), "in")
			buf := make([]byte, tt.buffer)
			got, err := f.Read("a", buf, limit)
			var large *TooLargeError
			if errors.As(err, &large) != tt.tooLarge || (err != nil && !tt.tooLarge) {
				t.Fatalf("want too large %t, got %v", tt.tooLarge, err)
			}
			if tt.tooLarge {
				if large.Size != int64(tt.size) || len(got) != 0 || cap(got) < tt.buffer {
					t.Errorf("want size %d and the buffer back, got %d, len %d cap %d", tt.size, large.Size, len(got), cap(got))
				}
				return
			}
			if string(got) != content {
				t.Errorf("want %d bytes, got %d", tt.size, len(got))
			}
			if shared := cap(buf) > 0 && cap(got) > 0 && &got[:1][0] == &buf[:1][0]; shared != tt.shared {
				t.Errorf("want shared %t, got %t", tt.shared, shared)
			}
		})
	}
}

func TestReadRefusesPaths(t *testing.T) {
	dir := tree(t, map[string]string{"in/a": "a", "secret": "s"})
	f := openFolder(t, openRoot(t, dir), "in")
	for _, name := range []string{"", ".", "..", "../secret", "/etc/passwd", "a\x00", "x/../a", strings.Repeat("n", 300)} {
		if got, err := f.Read(name, nil, 100); err == nil {
			t.Errorf("Read(%q) gave %q", name, got)
		}
	}
	if _, err := f.Read("b", nil, 100); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), `"in/b"`) {
		t.Errorf(`want fs.ErrNotExist of "in/b", got %v`, err)
	}
}

func TestLinks(t *testing.T) {
	outside := tree(t, map[string]string{"secret": "s"})
	dir := tree(t, map[string]string{"in/a": "A", "other/b": "B", "deep/er/c": "C"})
	for at, target := range map[string]string{
		"in/same":     "a",
		"in/up":       "../other/b",
		"in/chain":    "up",
		"in/via":      "../folder/er/c",
		"folder":      "deep",
		"in/to-in":    "../other",
		"in/out":      "../../" + filepath.Base(outside) + "/secret",
		"in/round":    "../../" + filepath.Base(dir) + "/in/a",
		"in/absolute": filepath.Join(outside, "secret"),
		"in/inside":   filepath.Join(dir, "in", "a"),
		"in/dangling": "nothing",
		"in/loop":     "loop2",
		"in/loop2":    "loop",
		"in/past":     "a/b",
		"in/self":     "..",
		"in/past-up":  "a/../a",
	} {
		symlink(t, target, filepath.Join(dir, filepath.FromSlash(at)))
	}
	r := openRoot(t, dir)
	f := openFolder(t, r, "in")
	for _, tt := range []struct {
		name, want string
		kind       Kind
		linkErr    error
		readErr    error
	}{
		{"a", "A", KindFile, nil, nil},
		{"same", "A", KindFile, nil, nil},
		{"up", "B", KindFile, nil, nil},
		{"chain", "B", KindFile, nil, nil},
		{"via", "C", KindFile, nil, nil},
		{"to-in", "", KindFolder, nil, ErrOdd},
		{"self", "", KindFolder, nil, ErrOdd},
		{"out", "", KindOdd, ErrOutside, ErrOutside},
		{"round", "", KindOdd, ErrOutside, ErrOutside},
		{"absolute", "", KindOdd, ErrOutside, ErrOutside},
		{"inside", "", KindOdd, ErrOutside, ErrOutside},
		{"dangling", "", KindOdd, fs.ErrNotExist, fs.ErrNotExist},
		{"loop", "", KindOdd, ErrLinks, ErrLinks},
		{"past", "", KindOdd, ErrNotFolder, ErrNotFolder},
		{"past-up", "", KindOdd, ErrNotFolder, ErrNotFolder},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kind, err := r.Link("in/" + tt.name)
			if kind != tt.kind || !errors.Is(err, tt.linkErr) {
				t.Errorf("Link: want %s, %v; got %s, %v", tt.kind, tt.linkErr, kind, err)
			}
			got, err := f.Read(tt.name, nil, 100)
			if string(got) != tt.want || !errors.Is(err, tt.readErr) {
				t.Errorf("Read: want %q, %v; got %q, %v", tt.want, tt.readErr, got, err)
			}
			if got, err = r.Read("in/"+tt.name, nil, 100); string(got) != tt.want || !errors.Is(err, tt.readErr) {
				t.Errorf("Root.Read: want %q, %v; got %q, %v", tt.want, tt.readErr, got, err)
			}
		})
	}
}

func TestFolderNamedLikeAFile(t *testing.T) {
	f := openFolder(t, openRoot(t, tree(t, map[string]string{"event-00000-a.json/x": ""})), ".")
	if _, err := f.Read("event-00000-a.json", make([]byte, 10), 100); !errors.Is(err, ErrOdd) {
		t.Errorf("want ErrOdd, got %v", err)
	}
	if _, _, err := f.Hash("event-00000-a.json"); !errors.Is(err, ErrOdd) {
		t.Errorf("Hash: want ErrOdd, got %v", err)
	}
}

func TestNameThatIsNotUTF8(t *testing.T) {
	const name = "event-00000-\xff\xfe.json"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o644); err != nil {
		t.Skip("the file system refuses such names:", err)
	}
	r := openRoot(t, dir)
	names, err := r.List(".")
	if err != nil || len(names) != 1 || names[0].Name != name {
		t.Fatalf("want %q, got %q, %v", name, names, err)
	}
	if got, err := r.Read(name, nil, 10); string(got) != "{}" || err != nil {
		t.Errorf("want {}, got %q, %v", got, err)
	}
}

func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := tree(t, map[string]string{"a": "x", "b/c": "x"})
	if err := errors.Join(os.Chmod(filepath.Join(dir, "a"), 0), os.Chmod(filepath.Join(dir, "b"), 0)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "b"), 0o755) })
	r := openRoot(t, dir)
	if _, err := r.Read("a", nil, 10); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("want fs.ErrPermission, got %v", err)
	}
	if _, err := r.List("b"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("want fs.ErrPermission, got %v", err)
	}
}

func TestHash(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789"), 50_000)
	dir := tree(t, map[string]string{"a": string(content), "empty": ""})
	symlink(t, "a", filepath.Join(dir, "l"))
	f := openFolder(t, openRoot(t, dir), ".")
	for name, want := range map[string][]byte{"a": content, "l": content, "empty": nil} {
		sha, size, err := f.Hash(name)
		if sha != sha256.Sum256(want) || size != int64(len(want)) || err != nil {
			t.Errorf("%s: got %x, %d, %v", name, sha, size, err)
		}
	}
}

func TestOpenAFile(t *testing.T) {
	dir := tree(t, map[string]string{"log": "a\nb", "folder/x": ""})
	symlink(t, "log", filepath.Join(dir, "link"))
	f := openFolder(t, openRoot(t, dir), ".")
	for _, name := range []string{"log", "link"} {
		r, err := f.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{"a", "b…"}, pieces(t, "", r, "a\nb")); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if err := errors.Join(r.Close(), r.Close()); err != nil {
			t.Error(err)
		}
		if _, err := r.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: want fs.ErrClosed, got %v", name, err)
		}
	}
	for name, want := range map[string]error{"folder": ErrOdd, "gone": fs.ErrNotExist, "../x": errName} {
		if _, err := f.Open(name); !errors.Is(err, want) {
			t.Errorf("%s: want %v, got %v", name, want, err)
		}
	}
}

func TestReadWhileGrowing(t *testing.T) {
	dir := tree(t, map[string]string{"a": strings.Repeat("x", 100)})
	f := openFolder(t, openRoot(t, dir), ".")
	h, err := f.open("a")
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	buf := make([]byte, 100)
	if _, err := h.read(buf); err != nil {
		t.Fatal(err)
	}
	grow(t, filepath.Join(dir, "a"), 5000)
	got, err := readRest(h, buf, 100, 10_000)
	if len(got) != 5100 || err != nil {
		t.Errorf("want 5100 bytes, got %d, %v", len(got), err)
	}
	grow(t, filepath.Join(dir, "a"), 6000)
	var large *TooLargeError
	if _, err = readRest(h, got, 5100, 10_000); !errors.As(err, &large) || large.Size < 10_001 {
		t.Errorf("want a too large file, got %v", err)
	}
}

func grow(t *testing.T, path string, n int) {
	t.Helper()
	w, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.WriteString(strings.Repeat("y", n)); err != nil {
		t.Fatal(err)
	}
}

func TestReadDoesNotAllocate(t *testing.T) {
	f := openFolder(t, openRoot(t, tree(t, map[string]string{"event-00000-3f0c.json": "{}"})), ".")
	if runtime.GOOS != "linux" {
		t.Skip("os.Root allocates")
	}
	buf := make([]byte, 4096)
	got := testing.AllocsPerRun(100, func() {
		if _, err := f.Read("event-00000-3f0c.json", buf, 1<<20); err != nil {
			t.Error(err)
		}
	})
	if got != 0 {
		t.Errorf("want no allocation, got %v", got)
	}
}
