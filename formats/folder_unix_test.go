//go:build unix

package formats

import (
	"errors"
	"net"
	"os"
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
	if err := syscall.Mkfifo(filepath.Join(dir, "fed"), 0o644); err != nil {
		t.Fatal(err)
	}
	feeder, err := os.OpenFile(filepath.Join(dir, "fed"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer feeder.Close()
	feeder.WriteString("{}")
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
		for _, name := range []string{"fifo", "fed", "socket", "link"} {
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
	if err != nil || len(names) != 4 || names[0].Kind != KindOdd || names[3].Kind != KindOdd {
		t.Errorf("want odd fed and socket, got %v, %v", names, err)
	}
}
