package registry

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/entry"
)

// folder writes files below a new folder and returns its path.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			continue
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// named is an entry with a name and a version, and nothing to convert.
func named(name, version string) string {
	return `{"name":"` + name + `","aliases":["` + strings.ReplaceAll(name, ".", "-") + `"],"version":"` + version + `","formats":[]}`
}

func versions(r *Registry) []string {
	var list []string
	for _, e := range r.Entries() {
		list = append(list, e.Name+" "+e.Version)
	}
	return list
}

func TestLoad(t *testing.T) {
	r, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	shipped := "dev.all-hands.openhands 1.0.0"
	if d := cmp.Diff([]string{shipped}, versions(r)); d != "" {
		t.Errorf("shipped (-want +got):\n%s", d)
	}
	first := folder(t, map[string]string{"z.json": named("org.z", "1"), "a.json": named("org.a", "1"), "notes.txt": "{", "sub/x.json": "{"})
	second := folder(t, map[string]string{"any name.json": named("org.z", "2")})
	third := folder(t, map[string]string{"o.json": named("dev.all-hands.openhands", "9")})
	tests := []struct{ want, dirs []string }{
		{[]string{shipped, "org.a 1", "org.z 1"}, []string{first}},
		{[]string{shipped, "org.a 1", "org.z 2"}, []string{first, second}},
		{[]string{shipped, "org.a 1", "org.z 1"}, []string{second, first}},
		{[]string{"dev.all-hands.openhands 9", "org.z 2"}, []string{second, third}},
	}
	for _, tt := range tests {
		r, err := Load(tt.dirs)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, versions(r)); d != "" {
			t.Errorf("entries (-want +got):\n%s", d)
		}
	}
}

func TestEntry(t *testing.T) {
	r, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"openhands", "dev.all-hands.openhands"} {
		e, err := r.Entry(name)
		if err != nil || e.Name != "dev.all-hands.openhands" || r.Mapper(e) == nil {
			t.Errorf("%s: got %v, want the entry and its mapper", name, err)
		}
	}
	if _, err := r.Entry("OpenHands"); !errors.Is(err, entry.ErrNoEntry) || !strings.Contains(err.Error(), `"OpenHands"`) {
		t.Errorf("got %v, want ErrNoEntry with the name", err)
	}
}

// All faults of all files of all folders are said at once, each with its file and place.
func TestLoadFaults(t *testing.T) {
	first := folder(t, map[string]string{
		"a.json": `{"name":"org.a","aliases":[],"formats":[],"tree":{"parent":"a..b"},"pairs":1}`,
		"b.json": `{"name":"org.b"`,
		"c.json": named("org.c", "1"),
		"d.json": string(acme(`{"when":{"k":"x"},"emit":[{"type":"gap"},{"type":"message","id":"#m","members":{"role":{"const":"cat"}}}]}`)),
		"e.json": strings.Replace(named("org.e", "1"), `"formats":[]`, `"formats":[{"id":"f","qualified":false,"detect":{"name":"{x}"}}]`, 1),
	})
	second, none := folder(t, map[string]string{"f.json": ""}), folder(t, nil)
	missing := filepath.Join(none, "missing")
	_, err := Load([]string{first, second, none, missing})
	if err == nil {
		t.Fatal("got no error, want faults")
	}
	want := []string{
		first + "/a.json: /pairs: ",
		first + "/a.json: /tree/parent: got an empty part",
		first + "/b.json: /: ",
		first + "/d.json: /records/0/emit/0/type: got a type that the session makes itself",
		first + "/d.json: /records/0/emit/1/members/role/const: got a word",
		first + "/e.json: /formats/0/detect/name: ",
		second + "/f.json: /: ",
		none + ": no entry (*.json) in the registry folder",
		missing + ": got no folder that can be read, want one: ",
	}
	got := strings.Split(err.Error(), "\n")
	if len(got) != len(want) {
		t.Fatalf("got %d faults, want %d:\n%v", len(got), len(want), err)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("fault %d: got %q, want %q…", i, got[i], want[i])
		}
	}
}

func TestLoadClashes(t *testing.T) {
	same := folder(t, map[string]string{"a.json": named("org.a", "1"), "b.json": named("org.a", "2"), "c.json": named("org.c", "1")})
	alias := folder(t, map[string]string{"x.json": strings.Replace(named("org.x", "1"), "org-x", "openhands", 1), "y.json": strings.Replace(named("org.y", "1"), "org-y", "org.x", 1)})
	tests := []struct{ want, dir string }{
		{same + `/b.json: /name: got "org.a", which a.json bears too, want one file for each entry`, same},
		{`got "openhands" as a name of dev.all-hands.openhands and of org.x, want it for one entry` + "\n" +
			`got "org.x" as a name of org.x and of org.y, want it for one entry`, alias},
	}
	for _, tt := range tests {
		if _, err := Load([]string{tt.dir}); err == nil || err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
}

func TestLoadBounds(t *testing.T) {
	large := folder(t, map[string]string{"large.json": strings.Repeat(" ", maxEntry+1)})
	if _, err := Load([]string{large}); err == nil || !strings.Contains(err.Error(), "want a file of at most 4194304") {
		t.Errorf("large: got %v, want a fault", err)
	}
	odd := folder(t, map[string]string{"folder.json/": ""})
	if err := os.MkdirAll(filepath.Join(odd, "folder.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Load([]string{odd}); err == nil || !strings.Contains(err.Error(), "folder.json: got a folder") {
		t.Errorf("odd: got %v, want a fault", err)
	}
}
