package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestUnpack(t *testing.T) {
	outside := private(t)
	var top []made
	for _, m := range bundleEntries() {
		m.name = "./" + strings.TrimPrefix(m.name, "b/")
		top = append(top, m)
	}
	further := append(bundleEntries(),
		made{name: "b/notes.txt", text: "not kept"}, made{name: "b/streams/deep/x", text: "not kept"}, made{name: "b/empty/"}, made{name: "b/"},
		made{kind: tar.TypeXGlobalHeader, pax: map[string]string{"comment": "c"}}, made{name: "b/blobs/ü", text: "kept"})
	sound := []string{"blobs/", "blobs/0a", "manifest.json", "report.json", "streams/", "streams/x.jsonl"}
	tests := []struct {
		want []string
		name string
		raw  []byte
	}{
		{sound, "one folder", tarOf(t, bundleEntries()...)},
		{sound, "at the top", tarOf(t, top...)},
		{sound, "gzip", zipped(t, tarOf(t, top...))},
		{sound, "zstd", zstdOf(t, tarOf(t, top...))},
		{sound, "filled up", append(tarOf(t, top...), make([]byte, 100_000)...)},
		{
			[]string{"blobs/", "blobs/0a", "blobs/ü", "empty/", "manifest.json", "notes.txt", "report.json", "streams/", "streams/deep/", "streams/deep/x", "streams/x.jsonl"},
			"other files", tarOf(t, further...),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Unpack(context.Background(), iotest.OneByteReader(bytes.NewReader(tt.raw)), Limits{})
			must(t, err)
			if d := cmp.Diff(tt.want, names(t, f.Path())); d != "" {
				t.Errorf("files (-want +got):\n%s", d)
			}
			for name, want := range map[string]string{"blobs/0a": "blob", "streams/x.jsonl": "line\n"} {
				got, err := os.ReadFile(filepath.Join(f.Path(), name))
				if must(t, err); string(got) != want {
					t.Errorf("%s: want %q, got %q", name, want, got)
				}
			}
			for _, name := range names(t, f.Path()) {
				info, err := os.Lstat(filepath.Join(f.Path(), name))
				if must(t, err); info.Mode().Perm()&0o077 != 0 || info.Mode()&os.ModeSetuid != 0 {
					t.Errorf("%s: got mode %v, want it for the owner alone", name, info.Mode())
				}
				if strings.Contains(name, "notes") && info.Size() > 0 {
					t.Errorf("%s: got %d bytes, want none: no bundle has such a file", name, info.Size())
				}
			}
			must(t, f.Remove())
			if d := cmp.Diff([]string{"a/", "a/b/", "a/b/tmp/"}, names(t, outside)); d != "" {
				t.Errorf("left over (-want +got):\n%s", d)
			}
		})
	}
}

// Hostile tars end with an error that names the place, and leave nothing behind, nowhere.
func TestHostileTars(t *testing.T) {
	outside := private(t)
	with := func(list ...made) []byte { return tarOf(t, append(bundleEntries(), list...)...) }
	whole := with()
	tests := []struct {
		want string // in the error
		name string
		raw  []byte
	}{
		{`entry 7 ("../x"): got a name that leads out of the bundle`, "up", with(made{name: "../x", text: "x"})},
		{`entry 7 ("b/../../x"): got a name that leads out`, "up in the middle", with(made{name: "b/../../x"})},
		{`entry 7 ("b/streams/.."): got a name that leads out`, "up at the end", with(made{name: "b/streams/.."})},
		{`entry 7 ("../"): got a name that leads out`, "a folder up", with(made{name: "../"})},
		{`entry 7 ("/etc/x"): got an absolute name`, "absolute", with(made{name: "/etc/x"})},
		{`entry 7 ("."): got a name that leads out`, "a file as the folder", with(made{name: "."})},
		{`got a symbolic link, want files and folders alone`, "symbolic link", with(made{name: "b/blobs/l", kind: tar.TypeSymlink, link: "/etc/passwd"})},
		{`got a symbolic link`, "link and through it", with(made{name: "b/l", kind: tar.TypeSymlink, link: "../.."}, made{name: "b/l/x", text: "x"})},
		{`got a hard link`, "hard link", with(made{name: "b/blobs/l", kind: tar.TypeLink, link: "b/manifest.json"})},
		{`got a device`, "device", with(made{name: "b/d", kind: tar.TypeBlock})},
		{`got a device`, "character device", with(made{name: "b/d", kind: tar.TypeChar})},
		{`got a FIFO`, "FIFO", with(made{name: "b/streams/x", kind: tar.TypeFifo})},
		{`got a thing of type '7'`, "odd type", with(made{name: "b/streams/x", kind: tar.TypeCont})},
		{`entry 7 ("b/manifest.json"): got a name that stood before`, "doubled", with(made{name: "b/manifest.json", text: "{}"})},
		{`entry 7 ("./b//manifest.json"): got a name that stood before`, "doubled otherwise", with(made{name: "./b//manifest.json"})},
		{`got "b/manifest.json" as a file and as a folder`, "file as folder", with(made{name: "b/manifest.json/x"})},
		{`got "b/manifest.json" as a file and as a folder`, "file is folder", with(made{name: "b/manifest.json/"})},
		{`got a name that stood before`, "folder as file", with(made{name: "b/blobs", text: "x"})},
		{`got a name with a part of 256 bytes`, "long part", with(made{name: "b/" + strings.Repeat("x", 256)})},
		{`got a name of 5001 bytes`, "long name", with(made{name: strings.Repeat("b/", 2500) + "x"})},
		{`got a name of 33 parts`, "deep", with(made{name: strings.Repeat("b/", 32) + "x"})},
		{`entry 1 ("b/streams/x"): got more than 17179869184 bytes to unpack`, "huge", tarOf(t, made{name: "b/streams/x", size: 1 << 60, text: "x"})},
		{`got a tar that was cut off`, "huge and not kept", tarOf(t, made{name: "b/notes", size: 1 << 60, text: "x"})},
		{`got a tar that was cut off in the middle of it`, "cut in a file", whole[:512*3+2]},
		{`got a tar that was cut off after 2 entries`, "cut in a header", whole[:512*2+100]},
		{`got a tar without its end mark: it was cut off`, "cut between files", whole[:512*4]},
		{`got a tar without its end mark`, "cut in the end mark", whole[:len(whole)-512]},
		{`got bytes after the end of the tar`, "two tars", append(bytes.Clone(whole), whole...)},
		{`not a tar: got no entry`, "nothing", nil},
		{`not a tar`, "short", []byte("{}")},
		{`not a tar`, "text", bytes.Repeat([]byte("text\n"), 1000)},
		{`not a tar`, "a stream", bytes.Repeat([]byte(`{"type":"message"}`+"\n"), 1000)},
		{`holds no bundle`, "no file", tarOf(t)},
		{`holds no bundle: got no manifest.json`, "no manifest", tarOf(t, made{name: "b/report.json"})},
		{`holds no bundle`, "two folders", with(made{name: "c/manifest.json"})},
		{`holds no bundle`, "manifest as folder", tarOf(t, made{name: "manifest.json/"})},
		{`gzip`, "gzip header alone", []byte("\x1f\x8b\x08")},
		{`gzip: invalid`, "no gzip", []byte("\x1f\x8bxxxxxxxxxxxxxxxxxxxxxxxxxx")},
		{`not a tar`, "cut gzip", zipped(t, whole)[:40]},
		{`magic`, "no zstd", []byte("\x50\x2a\x4d\x18\x01\x00\x00\x00xyyyyyyy")},
		{`not a tar`, "cut zstd", zstdOf(t, whole)[:60]},
		{`after the end of the tar: unexpected EOF`, "cut at the checksum", zipped(t, whole)[:len(zipped(t, whole))-4]},
		{`over 200 times as many`, "bomb in a kept file", bomb(t, tarOf(t, made{name: "b/streams/x", size: 8 << 30}), 0, 1<<30)},
		{`over 200 times as many`, "bomb in another file", bomb(t, tarOf(t, made{name: "b/notes", size: 8 << 30}), 0, 1<<30)},
		{`over 200 times as many`, "bomb behind the end", bomb(t, whole, 0, 1<<30)},
		{`got a sparse file`, "sparse", block("b/streams/s", tar.TypeGNUSparse, "")},
		{`got a sparse file`, "sparse otherwise", append(block("pax", tar.TypeXHeader, "22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n"), block("b/streams/s", tar.TypeReg, "0\n"+strings.Repeat("\x00", 510))...)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := unpack(t, tt.raw, Limits{})
			if err == nil {
				f.Remove()
				t.Fatalf("want error %q, got none", tt.want)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("want error %q, got %q", tt.want, err)
			}
			if d := cmp.Diff([]string{"a/", "a/b/", "a/b/tmp/"}, names(t, outside)); d != "" {
				t.Errorf("left over (-want +got):\n%s", d)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	private(t)
	raw := tarOf(t, bundleEntries()...)
	for _, tt := range []struct {
		want   string // of the error, "" none
		limits Limits
	}{
		{"", Limits{Bytes: 13, Entries: 7}},
		{`entry 6 ("b/streams/x.jsonl"): got more than 12 bytes to unpack`, Limits{Bytes: 12}},
		{`entry 6 ("b/streams/x.jsonl"): got more than 6 files and folders`, Limits{Entries: 6}},
	} {
		f, err := unpack(t, raw, tt.limits)
		if err == nil {
			must(t, f.Remove())
		}
		bound, isBound := errors.AsType[*BoundError](err)
		if got := ""; err != nil && (err.Error() != tt.want || !isBound || bound == nil) || err == nil && tt.want != got {
			t.Errorf("%+v: want error %q, got %v", tt.limits, tt.want, err)
		}
	}
}

// An interrupt ends the unpacking, also while it waits for bytes that do not come, and leaves nothing behind.
func TestInterrupted(t *testing.T) {
	outside := private(t)
	raw := tarOf(t, bundleEntries()...)
	ctx, cancel := context.WithCancel(context.Background())
	never, w := io.Pipe()
	defer w.Close()
	go func() {
		w.Write(raw[:2000]) //nolint:errcheck // it is read by who waits for more
		cancel()
	}()
	if _, err := Unpack(ctx, Await(ctx, never), Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("want the end of the context, got %v", err)
	}
	if _, err := Unpack(ctx, bytes.NewReader(raw), Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("want the end of the context, got %v", err)
	}
	if d := cmp.Diff([]string{"a/", "a/b/", "a/b/tmp/"}, names(t, outside)); d != "" {
		t.Errorf("left over (-want +got):\n%s", d)
	}
}

func TestNoRoom(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	t.Setenv("TMP", filepath.Join(t.TempDir(), "missing"))
	if _, err := unpack(t, tarOf(t, bundleEntries()...), Limits{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("want a missing folder, got %v", err)
	}
}
