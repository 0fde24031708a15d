//go:build unix

package formats

import (
	"errors"
	"net"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestOddFiles would block for ever on a FIFO opened like a file.
func TestOddFiles(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644); err != nil {
		t.Skip("no FIFO here:", err)
	}
	// the name of a socket must be short: make it from inside
	t.Chdir(dir)
	socket, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	symlink(t, "fifo", filepath.Join(dir, "link"))

	r := openRoot(t, dir)
	f := openFolder(t, r, ".")
	done := make(chan bool)
	go func() {
		defer close(done)
		for _, name := range []string{"fifo", "socket", "link"} {
			if _, err := f.Read(name, make([]byte, 100), 1000); !errors.Is(err, ErrOdd) {
				t.Errorf("Read(%s): want ErrOdd, got %v", name, err)
			}
			if _, _, err := f.Hash(name); !errors.Is(err, ErrOdd) {
				t.Errorf("Hash(%s): want ErrOdd, got %v", name, err)
			}
			if _, err := r.List(name); !errors.Is(err, ErrNotFolder) {
				t.Errorf("List(%s): want ErrNotFolder, got %v", name, err)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("a read blocks")
	}
	names, err := r.List(".")
	if err != nil || len(names) != 3 || names[0].Kind != KindOdd || names[2].Kind != KindOdd {
		t.Errorf("want odd fifo and socket, got %v, %v", names, err)
	}
}
