package redact_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/audit"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/redact"
	"github.com/session-trace/ctx/internal/stage"
	"github.com/session-trace/ctx/registry"
	"github.com/session-trace/ctx/validator"
)

const (
	fixtures = "../../fixtures/openhands"
	// a made-up token, put together so that no scanner takes this file for a leak
	token = "ghp_" + "Zq7Rw2Lx9Tn4Vb6Ks1Jd8Hf3Gm5Pc0Yt" + "Xe2Q"
)

// convert converts a folder and opens the bundle.
func convert(t testing.TB, source string, how bundle.Compression) *bundle.Bundle {
	t.Helper()
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "bundle")
	_, err = converter.Convert(t.Context(), converter.Options{
		Sources: []string{source}, Out: out, Registry: reg, Compress: how, Jobs: 1,
		NewCheck: stage.New,
	})
	if err != nil {
		t.Fatal(err)
	}
	return open(t, out)
}

func open(t testing.TB, path string) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() }) //nolint:errcheck // it is only read
	return b
}

func detector(t testing.TB) *audit.Detector {
	t.Helper()
	d, err := audit.NewDetector()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// run redacts a bundle and opens the new one, which must be valid.
func run(t testing.TB, b *bundle.Bundle, o redact.Options) (*bundle.Bundle, string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "redacted")
	if _, err := redact.Bundle(t.Context(), b, out, detector(t), o); err != nil {
		t.Fatal(err)
	}
	n := open(t, out)
	sound(t, n)
	return n, out
}

func sound(t testing.TB, b *bundle.Bundle) {
	t.Helper()
	report, err := validator.Validate(t.Context(), b, validator.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings.Sorted() {
		if f.Severity == record.ErrorSeverity {
			t.Errorf("not valid: %s %s:%d %s %s: %s", f.Rule, f.Stream, f.Line, f.Record, f.Pointer, f.Message)
		}
	}
}

// text gives all lines and blobs of a bundle, uncompressed, with the manifest and the report.
func text(t testing.TB, b *bundle.Bundle) string {
	t.Helper()
	var all strings.Builder
	all.Write(b.RawManifest())
	report, err := b.Report()
	if err != nil {
		t.Fatal(err)
	}
	all.Write(report)
	m := b.Manifest()
	for _, s := range m.Streams {
		if err := b.Lines(s, 1<<30, func(_ int, line []byte, _ bool) error {
			all.Write(line)
			return all.WriteByte('\n')
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, info := range m.Blobs {
		raw, err := b.Blob(info.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(raw)
	}
	return all.String()
}

// forms are the ways in which a value must not be found.
func forms(value string) map[string]string {
	units, percent := "", ""
	for _, c := range []byte(value) {
		units += fmt.Sprintf(`\u%04x`, c)
		percent += fmt.Sprintf("%%%02X", c)
	}
	list := map[string]string{
		"raw": value, "escaped": units, "escaped twice": strings.ReplaceAll(units, `\`, `\\`), "percent": percent,
		"percent lower": strings.ToLower(percent), "query": url.QueryEscape(value), "reversed case units": strings.ToUpper(units),
	}
	for before := range 3 {
		code := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("=", before) + value + "="))
		list[fmt.Sprintf("base64 at %d", before)] = code[4 : len(code)-8]
	}
	return list
}

func absent(t testing.TB, b *bundle.Bundle, path, value string) {
	t.Helper()
	all := text(t, b)
	for name, form := range forms(value) {
		if i := strings.Index(all, form); i >= 0 {
			t.Errorf("got the value %s: …%.200s", name, strings.ReplaceAll(all[max(0, i-120):], form, "<<HERE>>"))
		}
	}
	_ = filepath.WalkDir(path, func(p string, _ fs.DirEntry, _ error) error {
		if strings.Contains(p, value) {
			t.Errorf("got the value in a name: %s", p)
		}
		return nil
	})
}

// copyTree copies a folder; change sees each file.
func copyTree(t testing.TB, from string, change func(name string, raw []byte) []byte) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		raw, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), change(rel, raw), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// everywhere puts a text in front of each string that is long enough to be a text, ids aside.
func everywhere(what string) func(string, []byte) []byte {
	ids := regexp.MustCompile(`^"[0-9a-f-]{20,}`)
	return func(name string, raw []byte) []byte {
		d, err := jsonscan.Scan(raw, nil, jsonscan.Options{NonFinite: true})
		if err != nil {
			return append([]byte(what+" "), raw...)
		}
		var out bytes.Buffer
		pos := 0
		for n := range d.Nodes {
			if d.Kind(n) != jsonscan.String || len(d.Value(n)) < 14 || strings.HasSuffix(string(d.Name(n)), "id") || string(d.Name(n)) == "kind" ||
				string(d.Name(n)) == "timestamp" || ids.Match(d.Value(n)) {
				continue
			}
			at := int(d.Nodes[n].Start) + 1
			out.Write(raw[pos:at])
			out.WriteString(what + " ")
			pos = at
		}
		out.Write(raw[pos:])
		return out.Bytes()
	}
}

func cases(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob(fixtures + "/*/native")
	if err != nil || len(list) < 20 {
		t.Fatalf("got %d fixtures (%v), want at least 20", len(list), err)
	}
	return list
}

// A token in each text of each fixture is nowhere in the result, which is valid and says what went.
func TestEverywhere(t *testing.T) {
	for _, dir := range cases(t) {
		t.Run(filepath.Base(filepath.Dir(dir)), func(t *testing.T) {
			for _, how := range []bundle.Compression{bundle.None, bundle.Zstd} {
				b := convert(t, copyTree(t, dir, everywhere(token)), how)
				sound(t, b)
				n, path := run(t, b, redact.Options{Compress: how})
				absent(t, n, path, token)
				m := n.Manifest()
				kept := strings.Contains(text(t, b), token) // not in a state that could not be told from secrets, say
				if kept && m.RootSHA256 == b.Manifest().RootSHA256 || !strings.Contains(string(m.Meta), b.Manifest().RootSHA256) {
					t.Errorf("got root %s and _meta %s, want another root and the old one named", m.RootSHA256, m.Meta)
				}
				res, err := audit.Bundle(t.Context(), n, detector(t), audit.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if res.Counts["github-token"] != 0 {
					t.Errorf("got %v after redaction, want no token", res.Counts)
				}
			}
		})
	}
}

// What has nothing to hide stays as it is.
func TestNothingToDo(t *testing.T) {
	b := convert(t, fixtures+"/basic/native", bundle.None)
	n, _ := run(t, b, redact.Options{})
	if d := cmp.Diff(b.Manifest().RootSHA256, n.Manifest().RootSHA256); d != "" {
		t.Error(d)
	}
}

func TestTokens(t *testing.T) {
	b := convert(t, copyTree(t, fixtures+"/sample/native", everywhere(token)), bundle.None)
	key := []byte("0123456789abcdef")
	one, _ := run(t, b, redact.Options{Key: key, Jobs: 1})
	two, _ := run(t, b, redact.Options{Key: key, Jobs: 4})
	random, _ := run(t, b, redact.Options{})
	if one.Manifest().RootSHA256 != two.Manifest().RootSHA256 {
		t.Error("got other bytes for the same key, want the same")
	}
	if one.Manifest().RootSHA256 == random.Manifest().RootSHA256 {
		t.Error("got the same bytes for another key, want others")
	}
	all := text(t, one)
	i := strings.Index(all, "<redacted:")
	if n, want := strings.Count(all, all[i:i+19]), strings.Count(all, "<redacted:"); n != want || n < 10 {
		t.Errorf("got token %s %d times of %d, want equal tokens for equal values", all[i:i+19], n, want)
	}
}

func TestPathsAndHosts(t *testing.T) {
	const home, host = "/home/marta/code", "build7.corp.internal"
	b := convert(t, copyTree(t, fixtures+"/sample/native", everywhere(home+` C:\\Users\\marta\\x https://`+host+`:8443/x on `+host)), bundle.None)
	n, _ := run(t, b, redact.Options{Rules: []string{redact.RulePaths, redact.RuleHosts}})
	all := text(t, n)
	for _, gone := range []string{"marta", host} {
		if i := strings.Index(all, gone); i >= 0 {
			t.Errorf("got %q in …%.100s", gone, all[max(0, i-50):])
		}
	}
	if !strings.Contains(all, "/home/<redacted:") || !strings.Contains(all, "https://<redacted:") {
		t.Error("got no tokens in their places, want them")
	}
}

func TestUnknownRule(t *testing.T) {
	b := convert(t, fixtures+"/basic/native", bundle.None)
	out := filepath.Join(t.TempDir(), "x")
	if _, err := redact.Bundle(t.Context(), b, out, detector(t), redact.Options{Rules: []string{"sekrets"}}); err == nil {
		t.Error("got no error, want one")
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("got a bundle, want none")
	}
}

// An inline image that holds the token goes as a whole, and its content part with it.
func TestImage(t *testing.T) {
	image := base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n" + token))
	dir := copyTree(t, fixtures+"/image-inline/native", func(name string, raw []byte) []byte {
		if i := bytes.Index(raw, []byte("base64,")); i >= 0 && strings.Contains(name, "events/") {
			end := i + bytes.IndexByte(raw[i:], '"')
			raw = append(append(bytes.Clone(raw[:i+7]), image...), raw[end:]...)
			raw = bytes.Replace(raw, []byte(`"text":"`), []byte(`"text":"`+token+` `), 1)
		}
		return raw
	})
	b := convert(t, dir, bundle.None)
	if !strings.Contains(text(t, b), image) {
		t.Fatal("got no image with the token in the bundle")
	}
	n, path := run(t, b, redact.Options{})
	absent(t, n, path, token)
	if !strings.Contains(text(t, n), `{"type":"image","url":"<redacted:`) {
		t.Error("got no content part with a token as its address, want one")
	}
}
