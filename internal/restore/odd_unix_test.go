//go:build unix

package restore_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/restore"
)

// What a bundle lacks is listed with its reason, and all else comes back.
func TestLacking(t *testing.T) {
	source := filepath.Join(t.TempDir(), "in")
	at := filepath.Join(source, session)
	events := filepath.Join(at, "events")
	large := `{"a":"` + strings.Repeat("x", 5000) + `"}`
	write(t, filepath.Join(at, "base_state.json"), `{"torn`)
	write(t, filepath.Join(at, "TASKS.json"), "[]")
	write(t, filepath.Join(events, "event-00000-a.json"), `{"kind":"PauseEvent","id":"a"}`)
	write(t, filepath.Join(events, "event-00001-large.json"), large)
	write(t, filepath.Join(events, "event-00002-folder.json", "inner"), "x")
	write(t, filepath.Join(events, "event-00007-z.json"), large)
	write(t, filepath.Join(events, ".event-00008-y.json.tmp"), "")
	if err := syscall.Mkfifo(filepath.Join(events, "event-00003-fifo.json"), 0o644); err != nil {
		t.Skip(err)
	}
	for name, aim := range map[string]string{
		"event-00004-in.json": "../TASKS.json", "event-00005-out.json": "../../../x", "event-00006-gone.json": "gone", ".eventlog-len-8.marker": "gone",
	} {
		if err := os.Symlink(aim, filepath.Join(events, name)); err != nil {
			t.Fatal(err)
		}
	}
	b, _ := convertWith(t, converter.Options{Sources: []string{source}, MaxItem: 4096})
	dir := filepath.Join(t.TempDir(), "made")
	r, err := restore.Restore(t.Context(), b, dir, restore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var lacks []string
	for _, l := range r.Lacking {
		lacks = append(lacks, l.Reason+" "+strings.TrimPrefix(l.Path, session+"/"))
	}
	want := []string{
		"too-large events/event-00001-large.json", "unreadable events/event-00002-folder.json", "unreadable events/event-00003-fifo.json",
		"unreadable events/event-00005-out.json", "unreadable events/event-00006-gone.json",
		"secrets base_state.json", "too-large events/event-00007-z.json",
	}
	if d := cmp.Diff(want, lacks); d != "" {
		t.Errorf("lacking (-want +got):\n%s", d)
	}
	made := map[string]string{
		session + "/TASKS.json": "[]", session + "/events/event-00000-a.json": `{"kind":"PauseEvent","id":"a"}`,
		session + "/events/event-00004-in.json": "[]", session + "/events/.event-00008-y.json.tmp": "",
	}
	if d := cmp.Diff(made, tree(t, dir)); d != "" {
		t.Errorf("made (-want +got):\n%s", d)
	}
	v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	unkept := []string{"unkept " + session + "/events/event-00001-large.json", "unkept " + session + "/events/event-00007-z.json"}
	if d := cmp.Diff(unkept, named(v)); d != "" {
		t.Errorf("differences (-want +got):\n%s\n%v", d, v.Differences)
	}
	edit(t, filepath.Join(at, "base_state.json"), func(raw []byte) []byte { return append(raw, ' ') })
	if v, err = restore.Verify(t.Context(), b, []string{source}, restore.Options{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(append([]string{"unlike " + session}, unkept...), named(v)); d != "" {
		t.Errorf("differences after a change of what was not kept (-want +got):\n%s\n%v", d, v.Differences)
	}
	edit(t, filepath.Join(events, "event-00007-z.json"), func(raw []byte) []byte { return append(raw, ' ') })
	if v, err = restore.Verify(t.Context(), b, []string{source}, restore.Options{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(append(unkept, "changed "+session+"/events/event-00007-z.json"), named(v)); d != "" {
		t.Errorf("differences after a change (-want +got):\n%s\n%v", d, v.Differences)
	}
}
