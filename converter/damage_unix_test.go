//go:build unix

package converter

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// strays spells the files of no source: "folder reason files", in order.
func strays(m *made) []string {
	list := []string{}
	for _, u := range m.result.Unidentified {
		list = append(list, fmt.Sprintf("%s %s %d", u.Path, u.Reason, u.Files))
	}
	slices.Sort(list)
	return list
}

// TestOddItems puts something else than a file where the second of three events stands.
func TestOddItems(t *testing.T) {
	outside := filepath.Join(scratch(t), "outside.json")
	put(t, outside, user("FAKE-OUTSIDE").text(1))
	text := user("x").text(1)
	tests := []struct {
		name  string
		want  string // the record at the place: an item, or the reason of a gap
		loose []string
		files int64 // of the source
		odd   int64 // notices odd-file
		make  func(t *testing.T, root, at string)
	}{
		{"a link inside", "x", []string{"kept no-entry-matches 1"}, 3, 0, func(t *testing.T, root, at string) {
			put(t, filepath.Join(root, "kept", "x.json"), text)
			link(t, "../../kept/x.json", at)
		}},
		{"a link out", "unreadable", []string{"c1/events symlink-outside 1"}, 2, 1, func(t *testing.T, root, at string) {
			link(t, "../../../"+filepath.Base(filepath.Dir(outside))+"/outside.json", at)
		}},
		{"an absolute link inside", "unreadable", []string{"c1/events symlink-outside 1", "kept no-entry-matches 1"}, 2, 1, func(t *testing.T, root, at string) {
			put(t, filepath.Join(root, "kept", "x.json"), text)
			link(t, filepath.Join(root, "kept", "x.json"), at)
		}},
		{"an absolute link out", "unreadable", []string{"c1/events symlink-outside 1"}, 2, 1, func(t *testing.T, root, at string) { link(t, outside, at) }},
		{"a link to itself", "unreadable", []string{"c1/events unreadable 1"}, 2, 1, func(t *testing.T, root, at string) { link(t, filepath.Base(at), at) }},
		{"a link to nothing", "unreadable", []string{"c1/events unreadable 1"}, 2, 1, func(t *testing.T, root, at string) { link(t, "nothing.json", at) }},
		{"a link to a folder", "unreadable", []string{}, 2, 1, func(t *testing.T, root, at string) { link(t, "..", at) }},
		{"a folder", "unreadable", []string{}, 2, 1, func(t *testing.T, root, at string) { must(t, os.Mkdir(at, 0o755)) }},
		{
			"a folder with a file", "unreadable",
			[]string{"c1/events/event-00001-x.json no-entry-matches 1"},
			2, 1,
			func(t *testing.T, root, at string) { put(t, filepath.Join(at, "inner.txt"), "x") },
		},
		{"a FIFO", "unreadable", []string{}, 2, 1, func(t *testing.T, root, at string) { must(t, syscall.Mkfifo(at, 0o644)) }},
		{"a link to a FIFO", "unreadable", []string{}, 2, 2, func(t *testing.T, root, at string) {
			must(t, syscall.Mkfifo(filepath.Join(root, "fifo"), 0o644))
			link(t, "../../fifo", at)
		}},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := conv(t, "", []event{user("a"), user("b").ordinal(2).parent("a")})
			tt.make(t, root, filepath.Join(root, "c1", "events", "event-00001-x.json"))
			m := convertMade(t, reg, nil, root)
			list := m.only(t)
			got := ""
			for i := range list {
				if r := &list[i]; r.Position.Ordinal != nil && *r.Position.Ordinal == 1 {
					got = r.ID
					if r.Type == "gap" {
						got = r.Reason
					}
				}
			}
			if got != tt.want || m.result.Sources[0].Files != tt.files || m.notices["odd-file"] != tt.odd {
				t.Errorf("got %q, %d files, notices %q, want %q, %d, odd-file %d", got, m.result.Sources[0].Files, some(m.notices), tt.want, tt.files, tt.odd)
			}
			if d := cmp.Diff(tt.loose, strays(m)); d != "" {
				t.Errorf("files of no source (-want +got):\n%s", d)
			}
			if strings.Contains(allText(t, m), "FAKE-OUTSIDE") {
				t.Error("got bytes of a file outside of the input")
			}
		})
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	must(t, os.Symlink(to, at))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestOddPlaces puts odd files where states, attachments and whole conversations stand.
func TestOddPlaces(t *testing.T) {
	tests := []struct {
		name    string
		streams int
		loose   []string
		odd     int64
		make    func(t *testing.T, root string)
	}{
		{"a FIFO for a state", 1, []string{}, 1, func(t *testing.T, root string) {
			must(t, syscall.Mkfifo(filepath.Join(root, "c1", "base_state.json"), 0o644))
		}},
		{"a FIFO for an attachment", 1, []string{}, 1, func(t *testing.T, root string) {
			must(t, syscall.Mkfifo(filepath.Join(root, "c1", "meta.json"), 0o644))
		}},
		{"a FIFO beside", 1, []string{}, 1, func(t *testing.T, root string) { must(t, syscall.Mkfifo(filepath.Join(root, "fifo"), 0o644)) }},
		{"a link to a conversation", 1, []string{}, 1, func(t *testing.T, root string) { link(t, "c1", filepath.Join(root, "c2")) }},
		{"a link in a circle", 1, []string{}, 1, func(t *testing.T, root string) { link(t, "..", filepath.Join(root, "c1", "up")) }},
		{"a link out to a folder", 1, []string{". symlink-outside 1"}, 0, func(t *testing.T, root string) { link(t, "/", filepath.Join(root, "all")) }},
		{"a link out for an attachment", 1, []string{"c1 symlink-outside 1"}, 0, func(t *testing.T, root string) { link(t, "/etc/hostname", filepath.Join(root, "c1", "meta.json")) }},
		{"links for items' folder", 1, []string{}, 1, func(t *testing.T, root string) {
			put(t, filepath.Join(root, "c2", "base_state.json"), `{"id":"c2","agent":{}}`)
			link(t, "../c1/events", filepath.Join(root, "c2", "events"))
			must(t, os.RemoveAll(filepath.Join(root, "c1", "none")))
		}},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := conv(t, "", []event{user("a")})
			tt.make(t, root)
			m := convertMade(t, reg, nil, root)
			want := tt.streams
			if tt.name == "links for items' folder" {
				want = 2
			}
			if len(m.streams) != want || m.notices["odd-file"] != tt.odd {
				t.Errorf("got %d streams, notices %q, want %d, odd-file %d", len(m.streams), some(m.notices), want, tt.odd)
			}
			if d := cmp.Diff(tt.loose, strays(m)); d != "" {
				t.Errorf("files of no source (-want +got):\n%s", d)
			}
		})
	}
}

// TestOddTail puts what is no file at the end, where no gap can stand: it is named, and no bytes are invented.
func TestOddTail(t *testing.T) {
	root := conv(t, "", []event{user("a")})
	must(t, syscall.Mkfifo(filepath.Join(root, "c1", "events", "event-00001-x.json"), 0o644))
	m := convertMade(t, loadRegistry(t), nil, root)
	end := last(m.only(t))
	if got, want := string(end.Meta["rs.ctx/uncommitted"]), `[{"path":"events/event-00001-x.json"}]`; got != want || m.notices["odd-file"] != 1 || m.result.Sources[0].Files != 1 {
		t.Errorf("got %s, notices %q, %d files, want %s, odd-file 1, 1 file", got, some(m.notices), m.result.Sources[0].Files, want)
	}
	root = conv(t, "", []event{user("a"), user("x").with(`"pad":"` + strings.Repeat("x", 5000) + `"`)})
	m = convertMade(t, loadRegistry(t), func(o *Options) { o.MaxItem = 4096 }, root)
	if got := string(last(m.only(t)).Meta["rs.ctx/uncommitted"]); !strings.HasPrefix(got, `[{"path":"events/event-00001-x.json","bytes":5`) || strings.Contains(got, "blob") {
		t.Errorf("a tail over the limit: got %s, want its path and size", got)
	}
}

func TestForbidden(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	root := conv(t, "", []event{user("a"), user("x"), user("b")})
	shut := filepath.Join(root, "shut")
	put(t, filepath.Join(shut, "f"), "x")
	for _, p := range []string{shut, filepath.Join(root, "c1", "events", "event-00001-x.json")} {
		must(t, os.Chmod(p, 0))
		t.Cleanup(func() { os.Chmod(p, 0o755) }) //nolint:errcheck // only for the removal
	}
	m := convertMade(t, loadRegistry(t), nil, root)
	if gap := byID(t, m.only(t))["gap:1:x"]; gap == nil || gap.Reason != "unreadable" {
		t.Errorf("got gap %+v, want unreadable", gap)
	}
	if d := cmp.Diff([]string{"c1/events unreadable 1", "shut unreadable 0"}, strays(m)); d != "" {
		t.Errorf("files of no source (-want +got):\n%s", d)
	}
}
