package converter

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/session-trace/ctx/internal/bundle"
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

// ignoredNames are files that the entry leaves out by name.
func ignoredName(p string) bool {
	switch path.Base(p) {
	case ".eventlog.lock", "owner_lease.json", "owner_lease.tmp", ".owner_lease.lock":
		return true
	}
	return false
}

// coverage gathers, for one source, how each of its files is in the bundle.
type fileCover struct {
	t     testing.TB
	m     *made
	src   bundle.SourceInfo
	files map[string]string // below the source, by path
	paths map[string]bool   // those that some record accounts for

	one      string // the file that holds all items, "" where each has its own
	built    strings.Builder
	redacted bool // something was cut out of it
	lacking  bool // an item of it is not in the bundle
}

// piece adds an item to the file that holds all of them.
func (c *fileCover) piece(r *rec, kept *string) {
	var list []struct {
		Place, Text string
		Blob        *struct{ SHA256 string }
		Redacted    []any
	}
	if raw := r.Meta["rs.ctx/serialization"]; raw != nil {
		if err := json.Unmarshal(raw, &list); err != nil {
			c.t.Errorf("%s: %s: %v", c.src.Path, r.ID, err)
		}
	}
	around := map[string]string{"before": "", "after": "\n"}
	if c.src.Layout == "export" {
		around["after"] = ","
	}
	for _, f := range list {
		around[f.Place] = f.Text
		if f.Blob != nil {
			around[f.Place] = c.m.files["blobs/"+f.Blob.SHA256]
		}
		c.redacted = c.redacted || len(f.Redacted) > 0
	}
	c.redacted = c.redacted || len(r.Native.Redacted) > 0
	if kept == nil {
		c.lacking = true
		return
	}
	c.built.WriteString(around["before"] + *kept + around["after"])
}

// claim accounts for a file. kept is the bytes in the bundle; nil where it is declared that they are not there.
func (c *fileCover) claim(p string, kept *string, redacted bool) {
	c.t.Helper()
	raw, ok := c.files[p]
	switch {
	case !ok:
		c.t.Errorf("%s: got a record of file %q, which is not there", c.src.Path, p)
	case c.paths[p]:
		c.t.Errorf("%s: got file %q twice", c.src.Path, p)
	case kept != nil && !redacted && *kept != raw:
		c.t.Errorf("%s: file %q is %d bytes, got %d others", c.src.Path, p, len(raw), len(*kept))
	case kept != nil && redacted && *kept == raw:
		c.t.Errorf("%s: file %q is said to be redacted and is whole", c.src.Path, p)
	}
	c.paths[p] = true
}

// record accounts for the file of one record.
func (c *fileCover) record(r *rec) {
	var kept *string
	switch n := &r.Native; {
	case n.Record != nil:
		text := string(n.Record)
		kept = &text
	case n.Blob != nil:
		text, ok := c.m.files["blobs/"+n.Blob.SHA256]
		if !ok {
			c.t.Errorf("%s: blob of %s is not there", c.src.Path, r.ID)
		}
		kept = &text
	case n.Meta != "":
		text := string(r.Meta[n.Meta])
		kept = &text
	}
	p := r.Position.Path
	switch {
	case r.Type == "gap" && r.Reason == "missing":
		return
	case r.Type == "gap":
		p = r.Path
	case !r.hasNative() && r.Type != "attachment":
		return
	}
	switch {
	case c.one != "" && r.Position.Family == "transcript":
		c.piece(r, kept)
		return
	case p == "" && r.Position.Ordinal != nil && c.src.Layout == "cloud":
		p = fmt.Sprintf("event_%06d_%s.json", *r.Position.Ordinal, r.Position.ID)
	case p == "" && r.Position.Ordinal != nil:
		p = fmt.Sprintf("event-%05d-%s.json", *r.Position.Ordinal, r.Position.ID)
		if c.src.Layout != "flat" {
			p = "events/" + p
		}
	}
	c.claim(p, kept, len(r.Native.Redacted) > 0)
}

// tail accounts for what the last record alone lists.
func (c *fileCover) tail(r *rec) {
	for _, name := range []string{"file", "uncommitted", "unfinished"} {
		var list []struct {
			Path     string
			Bytes    int64
			Blob     *struct{ SHA256 string }
			Redacted []any
		}
		if raw := r.Meta["rs.ctx/"+name]; raw != nil {
			if err := json.Unmarshal(raw, &list); err != nil {
				c.t.Errorf("%s: %s: %v", c.src.Path, name, err)
			}
		}
		for _, f := range list {
			var kept *string
			if f.Blob != nil {
				text := c.m.files["blobs/"+f.Blob.SHA256]
				kept = &text
			}
			if f.Path == c.one {
				c.redacted = c.redacted || len(f.Redacted) > 0
				if kept == nil {
					c.lacking = true
				} else {
					c.built.WriteString(*kept)
				}
				continue
			}
			if int64(len(c.files[f.Path])) != f.Bytes {
				c.t.Errorf("%s: %s states %d bytes of %s, want %d", c.src.Path, name, f.Bytes, f.Path, len(c.files[f.Path]))
			}
			c.claim(f.Path, kept, len(f.Redacted) > 0)
		}
	}
	if c.one != "" {
		built := c.built.String()
		if c.lacking {
			c.claim(c.one, nil, false)
		} else {
			c.claim(c.one, &built, c.redacted)
		}
	}
	for _, p := range []string{"base_state.json", "meta.json"} {
		if _, there := c.files[p]; there && !c.paths[p] && r.lost("native-unreadable") && r.lost("secret-omitted") {
			c.paths[p] = true // not kept, since secrets could not be told
		}
	}
}

// digest is the source's hash as the format defines it.
func (c *fileCover) digest() (files, size int64, sha string) {
	sum := sha256.New()
	for _, p := range sortedKeys(c.paths) {
		one := sha256.Sum256([]byte(c.files[p]))
		fmt.Fprintf(sum, "%x %d %s\n", one, len(c.files[p]), p)
		files, size = files+1, size+int64(len(c.files[p]))
	}
	return files, size, hex.EncodeToString(sum.Sum(nil))
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// checkWhole holds a conversion against the files on disk: every file is accounted for, every byte is kept or declared,
// every ordinal has its record, and the manifest counts what is there.
func checkWhole(t testing.TB, root string, m *made) {
	t.Helper()
	files := onDisk(t, root)
	b, err := bundle.Open(m.out)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close() //nolint:errcheck // read only
	manifest := b.Manifest()
	taken, names := map[string]bool{}, sortedKeys(files)
	for i, s := range manifest.Streams {
		src := manifest.Sources[i]
		if src.ID != s.Source {
			t.Fatalf("stream %d is of source %s, want %s", i, s.Source, src.ID)
		}
		c := &fileCover{t: t, m: m, src: src, files: below(files, names, src.Path), paths: map[string]bool{}}
		folder := src.Path
		switch src.Layout {
		case "event-lines":
			c.one = "events.jsonl"
		case "cli-json", "export":
			folder, c.one = path.Split(src.Path)
			c.files = map[string]string{c.one: files[src.Path]}
		}
		list := m.streams[i]
		for n := range list {
			c.record(&list[n])
		}
		c.tail(last(list))
		for p := range c.paths {
			taken[path.Join(folder, p)] = true
		}
		if n, size, sha := c.digest(); n != src.Files || size != src.Bytes || sha != src.SHA256 {
			t.Errorf("source %s: got %d files, %d bytes, %s, want %d, %d, %s", src.Path, src.Files, src.Bytes, src.SHA256, n, size, sha)
		}
		checkOrdinals(t, src.Path, list)
		checkCounts(t, s, list)
		byID(t, list)
	}
	checkLoose(t, files, taken, manifest.Unidentified)
}

// below is the files below a folder; names are the paths of all files, in order.
func below(files map[string]string, names []string, folder string) map[string]string {
	if folder == "." {
		return files
	}
	sub := map[string]string{}
	from, _ := slices.BinarySearch(names, folder+"/")
	for _, p := range names[from:] {
		rest, ok := strings.CutPrefix(p, folder+"/")
		if !ok {
			break
		}
		sub[rest] = files[p]
	}
	return sub
}

// checkLoose holds that files of sources + unidentified + ignored = files on disk, folder by folder.
func checkLoose(t testing.TB, files map[string]string, taken map[string]bool, listed []bundle.Unidentified) {
	t.Helper()
	left := map[string][2]int64{}
	for p, raw := range files {
		if !taken[p] && !ignoredName(p) {
			n := left[path.Dir(p)]
			left[path.Dir(p)] = [2]int64{n[0] + 1, n[1] + int64(len(raw))}
		}
	}
	for _, u := range listed {
		n := left[u.Path]
		left[u.Path] = [2]int64{n[0] - u.Files, n[1] - u.Bytes}
	}
	for _, folder := range sortedKeys(left) {
		if n := left[folder]; n != [2]int64{} {
			t.Errorf("folder %s: %d files of %d bytes are not accounted for", folder, n[0], n[1])
		}
	}
}

// checkOrdinals holds that every ordinal from 0 to the last has a record with native bytes, lies in a gap, or is the tail.
func checkOrdinals(t testing.TB, source string, list []rec) {
	t.Helper()
	have := map[int64]bool{}
	highest := int64(-1)
	for i := range list {
		r := &list[i]
		if r.Position.Ordinal == nil {
			continue
		}
		from := *r.Position.Ordinal
		to := from
		if r.Position.Through != nil {
			to = *r.Position.Through
		}
		highest = max(highest, to)
		if r.hasNative() || r.Type == "gap" {
			for o := from; o <= min(to, from+1000); o++ {
				have[o] = true
			}
			have[to] = true
		}
	}
	for o := range min(highest, 5000) {
		if !have[o] && !inGap(list, o) {
			t.Errorf("%s: ordinal %d has no record with native bytes and no gap", source, o)
		}
	}
}

func inGap(list []rec, o int64) bool {
	return slices.ContainsFunc(list, func(r rec) bool {
		return r.Type == "gap" && r.Position.Through != nil && *r.Position.Ordinal <= o && o <= *r.Position.Through
	})
}

func checkCounts(t testing.TB, s bundle.StreamInfo, list []rec) {
	t.Helper()
	types, losses := map[string]int64{}, map[string]bundle.Loss{}
	var gaps, items int64
	for i := range list {
		r := &list[i]
		types[r.Type]++
		if r.Type == "gap" {
			gaps++
		} else if r.hasNative() && r.Position.Family == "transcript" {
			items++
		}
		for _, code := range r.Losses {
			l := losses[code]
			losses[code] = bundle.Loss{Count: l.Count + 1, First: cmp.Or(l.First, r.ID)}
		}
	}
	if s.Records != int64(len(list)) || s.Gaps != gaps || s.Items != items || fmt.Sprint(types) != fmt.Sprint(s.Types) ||
		(len(losses) > 0 && fmt.Sprint(losses) != fmt.Sprint(s.Losses)) {
		t.Errorf("stream %s: manifest counts %d records, %d items, %d gaps, %v, %v, want %d, %d, %d, %v, %v",
			s.ID, s.Records, s.Items, s.Gaps, s.Types, s.Losses, len(list), items, gaps, types, losses)
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
						t.Errorf("got another bundle: first difference %s", difference(want, got))
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

// difference is where two texts begin to differ.
func difference(want, got string) string {
	n := 0
	for n < len(want) && n < len(got) && want[n] == got[n] {
		n++
	}
	from := max(0, n-60)
	return fmt.Sprintf("at %d: %q, want %q", n, got[from:min(len(got), n+60)], want[from:min(len(want), n+60)])
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
					t.Errorf("%s differs: %s", name, difference(plain.files[name], packed.files[name]))
				}
			}
			if len(plain.files) != len(packed.files) {
				t.Errorf("got %d files, want %d", len(packed.files), len(plain.files))
			}
		})
	}
}
