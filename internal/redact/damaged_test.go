package redact_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/redact"
)

// A list of redactions of another shape is no reason to stop: the validator says what is wrong with it.
func TestDamagedRedactions(t *testing.T) {
	for _, list := range []string{`[{"kind":"secret"}]`, `[{"pointer":5,"kind":"secret"}]`, `[5,null,[]]`, `{}`, `5`} {
		t.Run(list, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "in")
			if _, err := redact.Bundle(t.Context(), convert(t, fixtures+"/secrets/native", bundle.None), path, detector(t), redact.Options{}); err != nil {
				t.Fatal(err)
			}
			s := open(t, path).Manifest().Streams[0]
			file := filepath.Join(path, s.File)
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			at := bytes.LastIndex(raw, []byte(`"redacted":[`))
			end := at + bytes.IndexByte(raw[at:], ']') + 1
			made := bytes.Join([][]byte{raw[:at], []byte(`"redacted":` + list), raw[end:]}, nil)
			manifest, err := os.ReadFile(filepath.Join(path, "manifest.json"))
			if err != nil {
				t.Fatal(err)
			}
			was := fmt.Sprintf(`"sha256":"%s","bytes":%d`, s.SHA256, s.Bytes)
			is := fmt.Sprintf(`"sha256":"%x","bytes":%d`, sha256.Sum256(made), len(made))
			if at < 0 || !bytes.Contains(manifest, []byte(was)) {
				t.Fatal("got no list, or a stream that the manifest does not state")
			}
			write(t, file, made)
			write(t, filepath.Join(path, "manifest.json"), bytes.Replace(manifest, []byte(was), []byte(is), 1))
			_, err = redact.Bundle(t.Context(), open(t, path), filepath.Join(t.TempDir(), "out"), detector(t), redact.Options{})
			t.Log(err) // a message or none, and no panic
		})
	}
}

func write(t *testing.T, path string, raw []byte) {
	t.Helper()
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		t.Fatal(err)
	}
}
