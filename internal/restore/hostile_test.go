package restore_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/restore"
)

// Whatever a bundle says, nothing is written outside of the folder, and nothing is left after a refusal.
func TestHostilePaths(t *testing.T) {
	const key, item = "9f5fdd9fb34d4e58b56209a519e1bb64", "events/event-00000-f2eba1be-271b-4fdb-999b-a397ecc52600.json"
	position := regexp.MustCompile(`"position":\{"family":"current-state","path":"[^"]*"\}`)
	at := func(path string) func([]byte) []byte {
		return func(raw []byte) []byte {
			return position.ReplaceAll(raw, []byte(`"position":{"family":"current-state","path":"`+path+`"}`))
		}
	}
	tests := []struct {
		name   string
		stream func([]byte) []byte
		want   error
	}{
		{"up", at("../x"), restore.ErrPlace},
		{"up and down", at("a/../../x"), restore.ErrPlace},
		{"absolute", at("/ctx-hostile"), restore.ErrPlace},
		{"NUL", at(`a\u0000b`), restore.ErrPlace},
		{"itself", at("."), restore.ErrPlace},
		{"an item's", at(item), restore.ErrPlace},
		{"below an item", at(item + "/x"), restore.ErrPlace},
		{"a folder", at("events"), restore.ErrPlace},
		{"no place", swap(`"position":{"family":"current-state","path":"base_state.json"}`, `"position":{"family":"current-state"}`), restore.ErrPlace},
		{"list up", swap(`"path":"events/.eventlog-len-`, `"path":"../../.eventlog-len-`), restore.ErrPlace},
		{"list in bytes", swap(`"path":"events/.eventlog-len-5.marker",`, `"path":"events/.eventlog-len-5.marker","pathBytes":"Li4vLi4veA==",`), restore.ErrPlace},
		{"source in bytes", swap(`"phase":"head"`, `"phase":"head","_meta":{"rs.ctx/file":[{"path":"`+key+`","pathBytes":"Li4vLi4v"}]}`), restore.ErrPlace},
		{"no JSON", swap(`{"type"`, `{"type`), restore.ErrDamaged},
		{"native.meta of nothing", swap(`"native":{"meta":"dev.all-hands.openhands/state"`, `"native":{"meta":"x"`), restore.ErrDamaged},
		{"blob of nothing", swap(`"native":{"record":`, `"native":{"blob":{"sha256":"`+strings.Repeat("0", 64)+`","bytes":1},"record":`), restore.ErrDamaged},
		{"blob elsewhere", swap(`"native":{"record":`, `"native":{"blob":{"sha256":"../../x","bytes":1},"record":`), restore.ErrDamaged},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source := t.TempDir()
			for path, content := range tree(t, filepath.Join(fixture("markers"), key)) {
				write(t, filepath.Join(source, key, path), content)
			}
			b, path := convert(t, bundle.None, source)
			restream(t, path, b.Manifest().Streams[0], tt.stream)
			b = open(t, path)
			work := t.TempDir()
			dir := filepath.Join(work, "a", "made")
			if err := os.Mkdir(filepath.Dir(dir), 0o755); err != nil {
				t.Fatal(err)
			}
			_, err := restore.Restore(t.Context(), b, dir, restore.Options{})
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			for path := range tree(t, work) {
				t.Errorf("%s was left", path)
			}
		})
	}
}

// restream changes a stream, and what the manifest states of it.
func restream(t *testing.T, dir string, s bundle.StreamInfo, change func([]byte) []byte) {
	t.Helper()
	path := filepath.Join(dir, s.File)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	made := change(bytes.Clone(raw))
	if bytes.Equal(raw, made) {
		t.Fatal("the stream was not changed")
	}
	write(t, path, string(made))
	edit(t, filepath.Join(dir, "manifest.json"), func(m []byte) []byte {
		was := fmt.Sprintf(`"sha256":"%s","bytes":%d`, s.SHA256, s.Bytes)
		is := fmt.Sprintf(`"sha256":"%x","bytes":%d`, sha256.Sum256(made), len(made))
		if !bytes.Contains(m, []byte(was)) {
			t.Fatal("the manifest does not state the stream")
		}
		return bytes.Replace(m, []byte(was), []byte(is), 1)
	})
}

// A manifest cannot lead a source elsewhere either.
func TestHostileManifest(t *testing.T) {
	for _, path := range []string{"..", "../x", "/x", "a/../..", "a//b", ""} {
		t.Run(path, func(t *testing.T) {
			_, dir := convert(t, bundle.None, fixture("basic"))
			edit(t, filepath.Join(dir, "manifest.json"), func(raw []byte) []byte {
				return regexp.MustCompile(`"path":"[0-9a-f]{32}"`).ReplaceAll(raw, []byte(`"path":"`+path+`"`))
			})
			to := filepath.Join(t.TempDir(), "a")
			if _, err := restore.Restore(t.Context(), open(t, dir), to, restore.Options{}); !errors.Is(err, restore.ErrPlace) {
				t.Errorf("got %v, want %v", err, restore.ErrPlace)
			}
			v, err := restore.Verify(t.Context(), open(t, dir), []string{fixture("basic")}, restore.Options{})
			if err != nil || len(v.Differences) == 0 {
				t.Errorf("got %v and no difference", err)
			}
		})
	}
}

// Two sources in one folder would overwrite each other.
func TestSameFolder(t *testing.T) {
	_, dir := convert(t, bundle.None, fixture("copied-folder"))
	edit(t, filepath.Join(dir, "manifest.json"), func(raw []byte) []byte {
		list := regexp.MustCompile(`"path":"([^"]*)"`).FindAllStringSubmatch(string(raw), -1)
		if len(list) < 2 {
			t.Fatal("got fewer than two sources")
		}
		return []byte(strings.Replace(string(raw), `"path":"`+list[1][1]+`"`, `"path":"`+list[0][1]+`"`, 1))
	})
	to := filepath.Join(t.TempDir(), "a")
	if _, err := restore.Restore(t.Context(), open(t, dir), to, restore.Options{}); !errors.Is(err, restore.ErrPlace) {
		t.Errorf("got %v, want %v", err, restore.ErrPlace)
	}
}

// Nothing is overwritten: the folder must be new or empty, and no link.
func TestTarget(t *testing.T) {
	b, _ := convert(t, bundle.None, fixture("basic"))
	work := t.TempDir()
	write(t, filepath.Join(work, "full", "x"), "mine")
	write(t, filepath.Join(work, "file"), "mine")
	if err := os.MkdirAll(filepath.Join(work, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(work, "aim"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("aim", filepath.Join(work, "link")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(work, "dangling")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		want error
		name string
	}{
		{nil, "empty"},
		{nil, "new"},
		{restore.ErrTarget, "new"},
		{restore.ErrTarget, "full"},
		{restore.ErrTarget, "file"},
		{restore.ErrTarget, "link"},
		{restore.ErrTarget, "dangling"},
		{os.ErrNotExist, "no/parent"},
	} {
		r, err := restore.Restore(t.Context(), b, filepath.Join(work, tt.name), restore.Options{})
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		}
		if err == nil && int64(len(tree(t, filepath.Join(work, tt.name)))) != r.Files {
			t.Errorf("%s: got %d files, want %d", tt.name, len(tree(t, filepath.Join(work, tt.name))), r.Files)
		}
	}
	if got := tree(t, filepath.Join(work, "full")); len(got) != 1 || got["x"] != "mine" {
		t.Errorf("got %v in a folder that was full", got)
	}
	if got := tree(t, filepath.Join(work, "aim")); len(got) != 0 {
		t.Errorf("got %v behind a link", got)
	}
}

// An interrupted restore leaves nothing.
func TestInterrupted(t *testing.T) {
	b, _ := convert(t, bundle.None, fixture("basic"))
	for _, made := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		dir := filepath.Join(t.TempDir(), "a")
		if made {
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		_, err := restore.Restore(ctx, b, dir, restore.Options{Progress: func(int64) {
			if n++; n == 2 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
		if got := tree(t, filepath.Dir(dir)); len(got) != 0 {
			t.Errorf("got %v left", got)
		}
		if _, err := os.Stat(dir); (err == nil) != made {
			t.Errorf("folder that was there %v: got %v", made, err)
		}
	}
}

func TestStreams(t *testing.T) {
	b, _ := convert(t, bundle.None, fixture("sample"))
	one := b.Manifest().Streams[0]
	dir := filepath.Join(t.TempDir(), "a")
	r, err := restore.Restore(t.Context(), b, dir, restore.Options{Streams: []string{one.ID}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range b.Manifest().Sources {
		_, err := os.Stat(filepath.Join(dir, s.Path))
		if want := s.ID == one.Source; (err == nil) != want {
			t.Errorf("source %s: got %v, want it there %v", s.Path, err, want)
		}
		if s.ID == one.Source && r.Files+int64(len(r.Lacking)) != s.Files {
			t.Errorf("got %d files, want %d", r.Files, s.Files)
		}
	}
}
