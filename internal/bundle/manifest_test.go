package bundle

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/schemas"
)

// filled is a manifest with every member.
func filled() *Manifest {
	m := manifest("a-1", "a-long")
	m.Format, m.Version = Format, Version
	for i := range m.Streams {
		s := &m.Streams[i]
		s.File, s.Compression, s.Records, s.SHA256, s.Bytes = streamPath(s.ID, Zstd), "zstd", 3, sha([]byte(s.ID)), 9
	}
	m.Blobs = []BlobInfo{{sha([]byte("entry")), 5, "application/json", "none"}}
	m.Meta = []byte(`{"org.example/unassigned":[{"source":"s1","fact":"x","native":1.50}]}`)
	m.RootSHA256 = RootSHA256(m.Streams, m.Blobs)
	return m
}

func TestManifestRoundTrip(t *testing.T) {
	want := filled()
	raw := want.AppendJSON(nil)
	got, err := ReadManifest(raw)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if again := got.AppendJSON(nil); string(again) != string(raw) {
		t.Errorf("want %s, got %s", raw, again)
	}
}

func TestManifestText(t *testing.T) {
	m := &Manifest{Format: Format, Version: Version, Selection: []byte(`{"policy":"all"}`), Streams: []StreamInfo{{ID: "a"}}}
	want := `{"format":"ctx-bundle","version":1,"converter":{"name":"","version":""},"registry":[],"sources":[],"streams":[` +
		`{"id":"a","sessionId":"","agent":"","source":"","file":"","compression":"","records":0,"items":0,"types":{},"gaps":0,` +
		`"sha256":"","bytes":0,"losses":{},"evidence":[]}],"blobs":[],"unidentifiedSources":[],"selection":{"policy":"all"},"rootSha256":""}` + "\n"
	if d := cmp.Diff(want, string(m.AppendJSON(nil))); d != "" {
		t.Error(d)
	}
}

func TestManifestFitsItsSchema(t *testing.T) {
	set, err := schemas.Compile()
	if err != nil {
		t.Fatal(err)
	}
	problems, err := set.Check("manifest", filled().AppendJSON(nil))
	if err != nil || len(problems) != 0 {
		t.Errorf("want no problems, got %v, %v", problems, err)
	}
}

func TestReadManifestRefuses(t *testing.T) {
	good := string(filled().AppendJSON(nil))
	for _, tt := range []struct{ pointer, old, replacement string }{
		{"/version", `"version":1,`, `"version":2,`},
		{"/version", `"version":1,`, `"version":1.0,`},
		{"/version", `"version":1,`, `"version":"1",`},
		{"/extra", `"version":1,`, `"version":1,"extra":0,`},
		{"/version", `"version":1,`, `"version":1,"version":1,`},
		{"/streams/0/id", `"id":"a-1",`, `"id":"a-1","\u0069d":"b",`},
		{"", `"rootSha256"`, `"_meta"`},
		{"", `"version":1,`, ``},
		{"/converter", `{"name":"ctx","version":"1"}`, `[]`},
		{"/converter", `{"name":"ctx","version":"1"}`, `{"name":"ctx"}`},
		{"/converter/a~1b~0", `{"name":"ctx",`, `{"a/b~":1,"name":"ctx",`},
		{"/registry/0/agent", `[{"agent":"org.example"`, `[{"agent":1`},
		{"/sources/0/positions", `["transcript"]`, `"transcript"`},
		{"/sources/0/positions/0", `["transcript"]`, `[null]`},
		{"/sources/0/files", `"files":3`, `"files":-3`},
		{"/streams/1", `{"id":"a-long"`, `0,{"id":"a-long"`},
		{"/streams/0/types/message", `"message":1`, `"message":1e0`},
		{"/streams/0/losses/lineage/first", `"first":"x"`, `"first":null`},
		{"/streams/0/evidence/1", `[0,4]`, `[0,"4"]`},
		{"/streams/0/bytes", `"bytes":9,`, `"bytes":9007199254740992,`},
		{"/blobs/0/size", `"mediaType":"application/json"`, `"size":0,"mediaType":"application/json"`},
		{"/unidentifiedSources/0/reason", `"reason":"ambiguous"`, `"reason":{}`},
		{"/selection", `{"policy":"all"}`, `"all"`},
	} {
		bad := strings.Replace(good, tt.old, tt.replacement, 1)
		if bad == good {
			t.Fatalf("%s is not in the manifest", tt.old)
		}
		_, err := ReadManifest([]byte(bad))
		var fault *ManifestError
		if !errors.As(err, &fault) {
			t.Errorf("%s: want a *ManifestError, got %v", tt.replacement, err)
			continue
		}
		if tt.old != `"rootSha256"` && fault.Pointer != tt.pointer {
			t.Errorf("%s: want pointer %q, got %q: %s", tt.replacement, tt.pointer, fault.Pointer, fault.Problem)
		}
	}
	for _, raw := range []string{"", "{", "[]", "null", `{"format":1}`, `{"format":"ctx"}`, `{"version":1}`, good + "{}", strings.Repeat("[", 1_000_000)} {
		if _, err := ReadManifest([]byte(raw)); !errors.Is(err, ErrNotBundle) {
			t.Errorf("%.20s: want ErrNotBundle, got %v", raw, err)
		}
	}
}

// FuzzReadManifest holds that what is read is written so that it reads the same.
func FuzzReadManifest(f *testing.F) {
	good := string(filled().AppendJSON(nil))
	f.Add(good)
	f.Add(strings.Replace(good, `"id"`, `"\u0069d"`, 1))
	f.Add(strings.Replace(good, `sess`, `\ud800`, 1))
	f.Add(strings.Replace(good, `,`, " ,\n", -1))
	f.Fuzz(func(t *testing.T, raw string) {
		m, err := ReadManifest([]byte(raw))
		if err != nil {
			return
		}
		again, err := ReadManifest(m.AppendJSON(nil))
		if err != nil {
			t.Fatalf("written again it is refused: %v", err)
		}
		if d := cmp.Diff(m, again); d != "" {
			t.Error(d)
		}
	})
}

func TestRootSHA256(t *testing.T) {
	one, two, three := strings.Repeat("1", 64), strings.Repeat("2", 64), strings.Repeat("3", 64)
	want := sha([]byte(two + " 5 blobs/" + two + "\n" + three + " 7 streams/a-1.jsonl\n" + one + " 0 streams/a.jsonl\n"))
	streams := []StreamInfo{{File: "streams/a.jsonl.zst", SHA256: one}, {File: "streams/a-1.jsonl", SHA256: three, Bytes: 7}}
	if got := RootSHA256(streams, []BlobInfo{{SHA256: two, Bytes: 5, Compression: "zstd"}}); got != want {
		t.Errorf("want %s, got %s", want, got)
	}
	if got := RootSHA256(nil, nil); got != sha(nil) {
		t.Errorf("want the hash of nothing, got %s", got)
	}
}
