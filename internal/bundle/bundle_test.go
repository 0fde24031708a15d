package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample is what the tests put into a bundle: stream id → lines.
func sample() map[string][]string {
	long := make([]string, 40_000) // some blocks of either size
	for i := range long {
		long[i] = fmt.Sprintf(`{"type":"message","id":"%d","text":%q}`, i, strings.Repeat("word ", i%40))
	}
	return map[string][]string{"a-1": {`{"id":"session"}`, `{"id":"end"}`}, "a-long": long}
}

func manifest(ids ...string) *Manifest {
	m := &Manifest{
		Converter: Converter{"ctx", "1"},
		Registry:  []RegistryEntry{{"org.example", "0", sha([]byte("entry"))}},
		Sources: []SourceInfo{{
			ID: "s1", Agent: "org.example", Format: "f", Layout: "l", Path: ".", Files: 3, Bytes: 10,
			SHA256: sha(nil), Positions: []string{"transcript"},
		}},
		Streams: []StreamInfo{}, Unidentified: []Unidentified{{"x\ty", "ambiguous", 1, 0}},
		Selection: []byte(`{"policy":"all"}`),
	}
	for _, id := range ids {
		m.Streams = append(m.Streams, StreamInfo{
			ID: id, SessionID: "sess\"ion", Agent: "org.example", Source: "s1", Items: 1,
			Types: map[string]int64{"session_info": 2, "message": 1}, Losses: map[string]Loss{"lineage": {1, "x"}}, Evidence: []int64{0, 4},
		})
	}
	return m
}

func sha(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func create(t testing.TB, path string, o WriterOptions) *Writer {
	t.Helper()
	w, err := Create(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Abort() })
	return w
}

func addStream(t testing.TB, w *Writer, id string, lines []string) StreamDigest {
	t.Helper()
	s, err := w.Stream()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if err := s.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	digest, err := s.Close()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Name(id); err != nil {
		t.Fatal(err)
	}
	return digest
}

// write makes a whole bundle of the sample.
func write(t testing.TB, path string, o WriterOptions) {
	t.Helper()
	w := create(t, path, o)
	for _, id := range []string{"a-long", "a-1"} {
		addStream(t, w, id, sample()[id])
	}
	for _, blob := range []string{"entry", strings.Repeat("blob ", 1000), ""} {
		if _, err := w.Blob([]byte(blob), "application/json"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(manifest("a-1", "a-long"), []byte("{}\n")); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, path string) *Bundle {
	t.Helper()
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func TestRoundTrip(t *testing.T) {
	for _, how := range []Compression{None, Zstd} {
		t.Run(how.String(), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "out")
			write(t, path, WriterOptions{Compress: how})
			b := open(t, path)
			for _, s := range b.Manifest().Streams {
				want := sample()[s.ID]
				var got []string
				err := b.Lines(s, 1<<20, func(n int, line []byte, complete bool) error {
					if got = append(got, string(line)); n != len(got) || !complete {
						t.Fatalf("line %d is numbered %d, complete %t", len(got), n, complete)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Error(d)
				}
				whole := []byte(strings.Join(want, "\n") + "\n")
				if s.SHA256 != sha(whole) || s.Bytes != int64(len(whole)) || s.Records != int64(len(want)) {
					t.Errorf("stream %s: got %d bytes, %d records, %s", s.ID, s.Bytes, s.Records, s.SHA256)
				}
			}
			for _, want := range []string{"entry", strings.Repeat("blob ", 1000), ""} {
				if got, err := b.Blob(sha([]byte(want))); err != nil || string(got) != want {
					t.Errorf("blob: want %d bytes, got %d, %v", len(want), len(got), err)
				}
			}
			if got, err := b.Report(); string(got) != "{}\n" || err != nil {
				t.Errorf("report: got %q, %v", got, err)
			}
			wantFiles := []string{"blobs/" + sha(nil)}
			zst := how.suffix()
			wantFiles = append(wantFiles, "blobs/"+sha([]byte("entry")), "blobs/"+sha([]byte(strings.Repeat("blob ", 1000)))+zst,
				"manifest.json", "report.json", "streams/a-1.jsonl"+zst, "streams/a-long.jsonl"+zst)
			gotFiles, err := b.Files()
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(sortedCopy(wantFiles), gotFiles); d != "" {
				t.Error(d)
			}
			left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"))
			if len(left) != 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

func sortedCopy(list []string) []string {
	m := map[string]bool{}
	for _, s := range list {
		m[s] = true
	}
	return sortedKeys(m)
}

// content of every file below a folder
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSameInputSameBytes(t *testing.T) {
	for _, how := range []Compression{None, Zstd} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "one"), WriterOptions{Compress: how, Workers: 1})
		write(t, filepath.Join(dir, "two"), WriterOptions{Compress: how, Workers: 8})
		if d := cmp.Diff(snapshot(t, filepath.Join(dir, "one")), snapshot(t, filepath.Join(dir, "two"))); d != "" {
			t.Errorf("%s: bundles differ", how)
		}
	}
}

func TestAbortedStreamTakesItsBlobsBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	w := create(t, path, WriterOptions{})
	lost, err := w.Stream()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := w.Stream()
	if err != nil {
		t.Fatal(err)
	}
	for blob, streams := range map[string][]*Stream{"mine": {lost}, "ours": {lost, kept}} {
		for _, s := range streams {
			if _, err := s.Blob([]byte(blob), unknownMedia); err != nil {
				t.Fatal(err)
			}
		}
	}
	lost.Write([]byte("{}"))
	lost.Abort()
	lost.Abort()
	kept.Close()
	if err := kept.Name("a-1"); err != nil {
		t.Fatal(err)
	}
	kept.Abort() // named: stays
	if err := w.Commit(manifest("a-1"), nil); err != nil {
		t.Fatal(err)
	}
	want := []string{"blobs/" + sha([]byte("ours")), "manifest.json", "report.json", "streams/a-1.jsonl"}
	got, err := open(t, path).Files()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestMediaTypeDoesNotDependOnOrder(t *testing.T) {
	for _, order := range [][]string{{"image/png", unknownMedia, "application/json"}, {unknownMedia, "application/json", "image/png"}} {
		w := create(t, filepath.Join(t.TempDir(), "out"), WriterOptions{})
		for _, mediaType := range order {
			if _, err := w.Blob([]byte("x"), mediaType); err != nil {
				t.Fatal(err)
			}
		}
		list, err := w.blobList()
		if err != nil || len(list) != 1 || list[0].MediaType != "application/json" {
			t.Errorf("want one application/json, got %v, %v", list, err)
		}
	}
}

func TestReadersNeedNoMoreThanTheyTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	write(t, path, WriterOptions{Compress: Zstd})
	b := open(t, path)
	s := b.Manifest().Streams[1]
	stop := errors.New("stop")
	err := b.Lines(s, 1<<20, func(n int, _ []byte, _ bool) error {
		if n == 3 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) {
		t.Errorf("want the error of yield, got %v", err)
	}
	r, err := b.Stream(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if n, err := r.Read(make([]byte, 10)); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("read after close: got %d, %v", n, err)
	}
	var long *LongLineError
	if err := b.Lines(s, 50, func(int, []byte, bool) error { return nil }); !errors.As(err, &long) || long.Line != 4 {
		t.Errorf("want line 4 to be too long, got %v", err)
	}
	if !bytes.Contains(b.RawManifest(), []byte(`"sessionId":"sess\"ion"`)) {
		t.Error("manifest does not hold the session id")
	}
}
