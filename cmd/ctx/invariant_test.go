package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
	"github.com/session-trace/ctx/validator"
)

// judged converts a folder and validates the bundle: the validator must find no error, and its report must be the one
// that the conversion wrote.
func judged(t *testing.T, root string, change func(*converter.Options)) *record.Report {
	t.Helper()
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	o := converter.Options{Sources: []string{root}, Out: filepath.Join(memory(t), "bundle"), Registry: reg, NewCheck: newSessionCheck}
	if change != nil {
		change(&o)
	}
	if _, err := converter.Convert(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(o.Out)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close() //nolint:errcheck // read only
	report, err := validator.Validate(t.Context(), b, validator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings.Sorted() {
		if f.Severity == record.ErrorSeverity {
			t.Errorf("got an error: %+v", f)
		}
	}
	written, err := b.Report()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(lines(written), lines(record.AppendReport(nil, report))); d != "" {
		t.Errorf("report (-written +validated):\n%s", d)
	}
	return report
}

// lines breaks a report where its findings begin, so that a difference can be read.
func lines(raw []byte) []string {
	return strings.Split(strings.ReplaceAll(string(bytes.TrimSpace(raw)), `{"rule"`, "\n"+`{"rule"`), "\n")
}

// memory is a folder for many small files: in memory where there is such a place.
func memory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ctx-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("scratch folder: %v", err)
		}
	})
	return dir
}

// TestBundlesAreSound validates what every fixture, and the shared data where it stands beside, becomes.
func TestBundlesAreSound(t *testing.T) {
	roots, err := filepath.Glob("../../fixtures/*/*/native")
	if err != nil || len(roots) < 40 {
		t.Fatalf("got %d fixtures (%v), want at least 40", len(roots), err)
	}
	for _, shared := range []string{"../../../shared/realdata", "../../../shared/captures"} {
		if _, err := os.Stat(shared); err != nil {
			t.Logf("%s is not there, left out", shared)
			continue
		}
		roots = append(roots, shared)
	}
	for _, root := range roots {
		name := filepath.Base(root)
		if name == "native" {
			name = filepath.Base(filepath.Dir(root))
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain := judged(t, root, nil)
			packed := judged(t, root, func(o *converter.Options) { o.Compress = bundle.Zstd })
			if d := cmp.Diff(string(record.AppendReport(nil, plain)), string(record.AppendReport(nil, packed))); d != "" {
				t.Errorf("report (-plain +compressed):\n%s", d)
			}
		})
	}
}

// TestObserved repeats what the entry's fourth evidence observed.
func TestObserved(t *testing.T) {
	root := "../../../shared/captures/cli-1.16.0-two-headless/home/.openhands/conversations"
	if _, err := os.Stat(root); err != nil {
		t.Skipf("%s is not there", root)
	}
	report := judged(t, root, nil)
	want := `"streams":2,"records":`
	got := string(record.AppendEvidence(nil, report))
	if !strings.Contains(got, want) || report.Items != 56 || report.Errors() != 0 || report.Notices() != 2 || report.Gaps != 0 || report.UnidentifiedSources != 0 {
		t.Errorf("got %s, %d items, want 2 streams, 56 items, 0 errors, 2 notices, 0 gaps, 0 unidentified sources", got, report.Items)
	}
}

// spoil is one way to damage the files of a conversation, by path.
type spoil func(rnd *rand.Rand, files map[string]string)

func spoils() []spoil {
	return []spoil{
		func(rnd *rand.Rand, files map[string]string) { delete(files, pick(rnd, files)) },
		func(rnd *rand.Rand, files map[string]string) { // cut off
			p := pick(rnd, files)
			files[p] = files[p][:rnd.IntN(len(files[p])+1)]
		},
		func(rnd *rand.Rand, files map[string]string) { // one other byte
			p := pick(rnd, files)
			if raw := []byte(files[p]); len(raw) > 0 {
				raw[rnd.IntN(len(raw))] = byte(rnd.IntN(256))
				files[p] = string(raw)
			}
		},
		func(rnd *rand.Rand, files map[string]string) { // at another ordinal, or at two
			p := pick(rnd, files)
			if dir, name := path.Split(p); strings.HasPrefix(name, "event-") && len(name) > 12 {
				files[fmt.Sprintf("%sevent-%05d%s", dir, rnd.IntN(12), name[11:])] = files[p]
				if rnd.IntN(2) == 0 {
					delete(files, p)
				}
			}
		},
		func(rnd *rand.Rand, files map[string]string) { // an id that other records bear
			p, q := pick(rnd, files), pick(rnd, files)
			other := strings.TrimSuffix(path.Base(q), ".json")
			if dir, name := path.Split(p); strings.HasPrefix(name, "event-") && len(name) > 12 && strings.HasPrefix(other, "event-") && len(other) > 12 {
				odd := []string{"state", "session", "usage:agent", "gap:1-1", "x#thought", other[12:], other[12:] + "~" + name[10:11], other[12:] + "-summary", "ß\xff%"}
				files[dir+name[:12]+odd[rnd.IntN(len(odd))]+".json"] = files[p]
				delete(files, p)
			}
		},
		func(rnd *rand.Rand, files map[string]string) { // one id for another, in one file or in all
			a, b := ids(pick(rnd, files), files), ids(pick(rnd, files), files)
			if len(a) == 0 || len(b) == 0 {
				return
			}
			from, to, all := a[rnd.IntN(len(a))], b[rnd.IntN(len(b))], rnd.IntN(4) == 0
			only := pick(rnd, files)
			for p := range files {
				if all || p == only {
					files[p] = strings.ReplaceAll(files[p], from, to)
				}
			}
		},
		func(rnd *rand.Rand, files map[string]string) { // another parent
			a := ids(pick(rnd, files), files)
			if p := pick(rnd, files); len(a) > 0 && strings.HasPrefix(files[p], "{") && len(files[p]) > 2 {
				files[p] = `{"parent_id":` + append(a, `"__root__"`)[rnd.IntN(len(a)+1)] + `,` + files[p][1:]
			}
		},
		func(rnd *rand.Rand, files map[string]string) { // a value of another kind
			p := pick(rnd, files)
			for _, word := range []string{`"kind"`, `"source"`, `"content"`, `"prompt_tokens"`, `"timestamp"`, `"observation"`, `"summary_offset"`} {
				if rnd.IntN(3) == 0 {
					files[p] = strings.Replace(files[p], word+":", word+`:[7],"x":`, 1)
				}
			}
		},
		func(rnd *rand.Rand, files map[string]string) { // white space, a mark, a second member
			p := pick(rnd, files)
			files[p] = []string{files[p] + "\n", "\uFEFF" + files[p], strings.Replace(files[p], "{", `{"id":"d","id":"e",`, 1), strings.Replace(files[p], "{", `{"n":1e999,`, 1)}[rnd.IntN(4)]
		},
		func(rnd *rand.Rand, files map[string]string) { // more files
			p := pick(rnd, files)
			more := []string{"events/.eventlog-len-9.marker", "events/.event-00003-x.json.tmp", ".base_state.json.a.tmp", "meta.json", "observations/o.png", "events/event-junk.json"}
			files[more[rnd.IntN(len(more))]] = files[p]
		},
	}
}

// pick is any path of the files.
func pick(rnd *rand.Rand, files map[string]string) string {
	paths := make([]string, 0, len(files))
	for p := range files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	if len(paths) == 0 {
		files["events/event-00000-x.json"] = "{}"
		return "events/event-00000-x.json"
	}
	return paths[rnd.IntN(len(paths))]
}

// ids are the quoted texts of a file that look like ids.
func ids(p string, files map[string]string) []string {
	var list []string
	for _, text := range strings.Split(files[p], `"`) {
		if len(text) > 6 && len(text) < 48 && !strings.ContainsAny(text, ` \:{}[],`) {
			list = append(list, `"`+text+`"`)
		}
	}
	return list
}

// conversations are the folders of the fixtures that hold a conversation each, as files by path.
func conversations(t *testing.T) []map[string]string {
	t.Helper()
	var all []map[string]string
	folders, err := filepath.Glob("../../fixtures/openhands/*/native/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			continue
		}
		files := map[string]string{}
		err := fs.WalkDir(os.DirFS(folder), ".", func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			raw, err := os.ReadFile(filepath.Join(folder, p))
			if len(raw) < 100_000 {
				files[p] = string(raw)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(files) > 1 {
			all = append(all, files)
		}
	}
	return all
}

// TestSpoiledBundlesAreSound damages the fixtures' conversations at random, some of them in many ways at once. Whatever is
// wrong in a source, the bundle must be sound: damage is a notice, a gap or a loss.
func TestSpoiledBundlesAreSound(t *testing.T) {
	all := conversations(t)
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 7))
			root := memory(t)
			ways := spoils()
			for n := range 100 {
				files := map[string]string{}
				for p, raw := range all[rnd.IntN(len(all))] {
					files[p] = raw
				}
				for range 1 + rnd.IntN(8) {
					ways[rnd.IntN(len(ways))](rnd, files)
				}
				for p, raw := range files {
					full := filepath.Join(root, fmt.Sprintf("c%03d", n), filepath.FromSlash(p))
					if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(full, []byte(raw), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			if report := judged(t, root, nil); report.Streams < 60 {
				t.Errorf("got %d streams, want most of 100", report.Streams)
			}
		})
	}
}
