package formats

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// listed is a directory entry as the kernel gives it.
func listed(name string, kind byte) []byte {
	e := make([]byte, entryName, entryName+len(name)+8)
	e[entryType] = kind
	e = append(append(e, name...), 0)
	for len(e)%8 != 0 {
		e = append(e, 'x') // padding is not always zero
	}
	binary.NativeEndian.PutUint16(e[entryLength:], uint16(len(e)))
	return e
}

func TestEntries(t *testing.T) {
	dir := tree(t, map[string]string{"in/file": "", "in/folder/x": ""})
	symlink(t, "file", filepath.Join(dir, "in", "link"))
	r := openRoot(t, dir)
	var entries []byte
	for _, e := range [][]byte{
		listed(".", unix.DT_DIR), listed("a", unix.DT_REG), listed("..", unix.DT_DIR), listed("...", unix.DT_LNK), listed("\xff", unix.DT_FIFO),
		listed("file", unix.DT_UNKNOWN), listed("folder", unix.DT_UNKNOWN), listed("gone", unix.DT_UNKNOWN), listed("link", unix.DT_UNKNOWN),
	} {
		entries = append(entries, e...)
	}
	want := []Name{
		{"a", KindFile}, {"...", KindLink}, {"\xff", KindOdd}, {"file", KindFile}, {"folder", KindFolder}, {"link", KindLink},
	}
	got, err := r.appendEntries(nil, entries, "in")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for cut := range entries {
		if _, err := r.appendEntries(nil, entries[:cut], "in"); err != nil {
			t.Errorf("cut after %d bytes: %v", cut, err)
		}
	}
}

// TestListIsComplete needs several system calls.
func TestListIsComplete(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for i := range 3000 {
		want = append(want, fmt.Sprintf("%d-%s", i, strings.Repeat("n", i%200)))
		if err := os.WriteFile(filepath.Join(dir, want[i]), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	names, err := openRoot(t, dir).List(".")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	if len(names) != len(want) {
		t.Fatalf("want %d names, got %d", len(want), len(names))
	}
	for i := range want {
		if names[i] != (Name{want[i], KindFile}) {
			t.Errorf("want %s, got %v", want[i], names[i])
		}
	}
}
