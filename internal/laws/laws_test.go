package laws_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/laws"
	"github.com/session-trace/ctx/registry"
)

// copied is a fixture's folder and the bundle of it, both to be spoiled.
func copied(t *testing.T, fixture string, how bundle.Compression) (folder, out string) {
	t.Helper()
	dir := t.TempDir()
	folder, out = filepath.Join(dir, "in"), filepath.Join(dir, "out")
	if err := os.CopyFS(folder, os.DirFS(filepath.Join("..", "..", "fixtures", "openhands", fixture, "native"))); err != nil {
		t.Fatal(err)
	}
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := converter.Convert(t.Context(), converter.Options{Sources: []string{folder}, Out: out, Registry: reg, Compress: how}); err != nil {
		t.Fatal(err)
	}
	return folder, out
}

func open(t *testing.T, out string) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() }) //nolint:errcheck // read only
	return b
}

// matching is the first file of a folder that a pattern names.
func matching(t *testing.T, folder, pattern string) string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(list) == 0 {
		t.Fatalf("%s: got %v, %v, want a file", pattern, list, err)
	}
	return list[0]
}

func edit(t *testing.T, name string, change func(raw string) string) {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(change(string(raw))), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestWhole changes a folder or its bundle behind each other's back: the laws tell.
func TestWhole(t *testing.T) {
	event := "*/events/event-00001-*"
	tests := []struct {
		want    []string
		name    string
		fixture string
		do      func(t *testing.T, folder, out string)
	}{
		{nil, "nothing", "basic", func(*testing.T, string, string) {}},
		{[]string{"bytes", "digest"}, "another byte", "basic", func(t *testing.T, folder, _ string) {
			edit(t, matching(t, folder, event), func(raw string) string { return strings.Replace(raw, "e", "f", 1) })
		}},
		{[]string{"digest", "files"}, "a file less", "basic", func(t *testing.T, folder, _ string) {
			if err := os.Remove(matching(t, folder, event)); err != nil {
				t.Fatal(err)
			}
		}},
		{[]string{"accounted"}, "a file more", "basic", func(t *testing.T, folder, _ string) {
			edit(t, matching(t, folder, event), func(raw string) string {
				if err := os.WriteFile(filepath.Join(folder, "more"), nil, 0o644); err != nil {
					t.Fatal(err)
				}
				return raw
			})
		}},
		{[]string{"usage"}, "a row of usage less", "basic", func(t *testing.T, _, out string) {
			edit(t, matching(t, out, "streams/*"), func(raw string) string {
				return strings.Replace(raw, `"usageCoverage":{"responses":2,"withUsage":2`, `"usageCoverage":{"responses":2,"withUsage":1`, 1)
			})
		}},
		{[]string{"counts", "ordinals"}, "a gap less", "gap", func(t *testing.T, _, out string) {
			edit(t, matching(t, out, "streams/*"), func(raw string) string {
				at := strings.Index(raw, `{"type":"gap"`)
				return raw[:at] + raw[at+strings.Index(raw[at:], "\n")+1:]
			})
		}},
		{[]string{"counts"}, "a record id twice", "basic", func(t *testing.T, _, out string) {
			edit(t, matching(t, out, "streams/*"), func(raw string) string {
				lines := strings.SplitAfter(raw, "\n")
				_, first, _ := strings.Cut(lines[1], `"id":`)
				_, second, _ := strings.Cut(lines[2], `"id":`)
				lines[2] = strings.Replace(lines[2], second[:38], first[:38], 1)
				return strings.Join(lines, "")
			})
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			folder, out := copied(t, tt.fixture, bundle.None)
			tt.do(t, folder, out)
			got := laws.Whole(folder, open(t, out))
			if d := cmp.Diff(tt.want, got.Laws()); d != "" {
				t.Errorf("laws (-want +got):\n%s%v", d, got)
			}
		})
	}
}

func TestOthers(t *testing.T) {
	folder, out := copied(t, "basic", bundle.None)
	other, packed := copied(t, "basic", bundle.Zstd)
	far, farOut := copied(t, "gap", bundle.Zstd)
	tests := []struct {
		want []string
		name string
		got  laws.Faults
	}{
		{nil, "the same bytes", laws.SameBytes("same", folder, other)},
		{[]string{"same"}, "other bytes", laws.SameBytes("same", folder, far)},
		{nil, "compressed", laws.Packed(open(t, out), open(t, packed))},
		{[]string{"packed"}, "compressed, of another folder", laws.Packed(open(t, out), open(t, farOut))},
		{nil, "restored", laws.Restored(t.Context(), folder, filepath.Join(t.TempDir(), "made"), open(t, out))},
		{[]string{"restore", "verify"}, "restored, of another folder", laws.Restored(t.Context(), far, filepath.Join(t.TempDir(), "made"), open(t, out))},
		{nil, "free of a text that is nowhere", laws.Free(out, []string{"NOWHERE-AT-ALL"})},
		{[]string{"secrets"}, "free of a text that is there", laws.Free(out, []string{"instructions"})},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, tt.got.Laws()); d != "" {
			t.Errorf("%s: laws (-want +got):\n%s%v", tt.name, d, tt.got)
		}
	}
}

// TestUnsound changes a bundle: the validator's errors are faults.
func TestUnsound(t *testing.T) {
	_, out := copied(t, "basic", bundle.None)
	edit(t, matching(t, out, "streams/*"), func(raw string) string { return strings.Replace(raw, `"role":"user"`, `"role":"used"`, 1) })
	report, got := laws.Sound(t.Context(), open(t, out))
	if d := cmp.Diff([]string{"report", "sound"}, got.Laws()); d != "" || report.Errors() == 0 {
		t.Errorf("laws (-want +got):\n%s%v", d, got)
	}
}

func TestFree(t *testing.T) {
	const secret = "FAKE0value1of2letters"
	escaped := func(format string) string {
		var b strings.Builder
		for _, r := range secret {
			b.WriteString(strings.Replace(format, "%", "00"+string("0123456789abcdef"[r>>4])+string("0123456789abcdef"[r&15]), 1))
		}
		return b.String()
	}
	for _, text := range []string{
		secret, "x" + secret + "y", escaped(`\u%`), escaped(`\\u%`), escaped(`\\\\u%`), `FAKE\u0030value1of2letters`, `\u,0x\u00zz` + escaped(`\u%`),
		base64.StdEncoding.EncodeToString([]byte("a" + secret + "b")), base64.StdEncoding.EncodeToString([]byte("ab" + secret + "b")), base64.StdEncoding.EncodeToString([]byte("abc" + secret)),
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := laws.Free(dir, []string{secret}); len(got) == 0 {
			t.Errorf("%s: got nothing, want the secret found", text)
		}
		if got := laws.Free(dir, []string{"FAKE0value1of3letters"}); len(got) > 0 {
			t.Errorf("%s: got %v, want nothing of another secret", text, got)
		}
	}
}

// TestDisk follows links inside a folder and says of others why not.
func TestDisk(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a", "f"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	links := map[string]string{
		"in": "a/f", "a/b/up": "../f", "a/b/far": "../../a/./b//../f", "folder": "a", "out": "../x", "root": "/", "none": "nothing", "self": "self", "below": "a/f/x", "through": "folder/f",
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	text := laws.File{Data: "text"}
	want := map[string]laws.File{
		"a/f": text, "in": text, "a/b/up": text, "a/b/far": text, "through": text, "out": {Reason: "symlink-outside"}, "root": {Reason: "symlink-outside"},
		"none": {Reason: "unreadable"}, "self": {Reason: "unreadable"}, "below": {Reason: "unreadable"},
	}
	got, err := laws.Disk(dir)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("files, %v (-want +got):\n%s", err, d)
	}
}
