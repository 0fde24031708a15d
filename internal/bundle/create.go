package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// WriterOptions says how a bundle is written.
type WriterOptions struct {
	Compress Compression
	Force    bool    // replace a ctx bundle that stands there, and nothing else
	Workers  int     // compressions at once; 0: GOMAXPROCS
	Left     []*Left // what was claimed of earlier runs, which Create then does not remove
}

// Writer writes one bundle into a temporary folder beside its place. Nothing
// is seen there before Commit. Its methods, Commit and Abort aside, may be
// used by several goroutines at once.
type Writer struct {
	path, temp string
	lock       *os.File // held as long as the temporary folder is at work; nil where there is none
	notes      *os.File // the journal, nil before the first note
	o          WriterOptions
	encoder    *zstd.Encoder // nil without compression
	blocks     sync.Pool     // *[]byte, see block

	mu      sync.Mutex
	ended   bool
	failed  error // first failure to write a blob or a stream
	made    int   // streams begun, for their temporary names
	open    int   // streams neither named nor aborted
	streams map[string]StreamDigest
	folded  map[string]bool // stream ids in lower case
	blobs   map[[32]byte]*blobEntry
}

// Create begins a bundle. ErrExists: something stands at path and Force is not
// set; ErrNotBundle: Force is set but it is no ctx bundle; fs.ErrNotExist: the
// folder that path lies in is missing. What dead processes have left of the
// same bundle is put right first.
func Create(path string, o WriterOptions) (*Writer, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := checkParent(path); err != nil {
		return nil, err
	}
	if err := recoverSwap(path); err != nil {
		return nil, err
	}
	if err := checkTarget(path, o.Force); err != nil {
		return nil, err
	}
	if err := removeDead(path, o.Left); err != nil {
		return nil, err
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	w := &Writer{
		path: path, temp: tempPath(path, os.Getpid()), o: o,
		streams: map[string]StreamDigest{}, folded: map[string]bool{}, blobs: map[[32]byte]*blobEntry{},
	}
	if o.Compress == Zstd {
		if w.encoder, err = newEncoder(o.Workers); err != nil {
			return nil, err
		}
	}
	if err := w.makeFolders(); err != nil {
		return nil, err
	}
	return w, nil
}

func newEncoder(workers int) (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(workers), zstd.WithWindowSize(frameSize))
}

func (w *Writer) makeFolders() error {
	if err := os.Mkdir(w.temp, 0o755); err != nil {
		return pathError(w.temp, err)
	}
	w.lock = lockFolder(w.temp)
	for _, name := range []string{streamFolder, blobFolder} {
		if err := os.Mkdir(filepath.Join(w.temp, name), 0o755); err != nil {
			return errors.Join(pathError(w.temp, err), w.Abort())
		}
	}
	return nil
}

func checkParent(path string) error {
	parent := filepath.Dir(path)
	info, err := os.Stat(parent)
	switch {
	case err != nil:
		return fmt.Errorf("folder of the bundle: %w", pathError(parent, err))
	case !info.IsDir():
		return fmt.Errorf("folder of the bundle: %q: not a folder", parent)
	case parent == path:
		return fmt.Errorf("%q: %w", path, ErrExists)
	}
	return nil
}

// checkTarget says whether a bundle may be put at path.
func checkTarget(path string, force bool) error {
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return pathError(path, err)
	case !force:
		return fmt.Errorf("%q: %w", path, ErrExists)
	}
	return isBundle(path)
}

// isBundle is nil for a folder, no link, whose manifest has our format.
func isBundle(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return pathError(path, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%q: %w: not a folder", path, ErrNotBundle)
	}
	b, err := Open(path)
	if err == nil {
		return b.Close()
	}
	if fault := (*ManifestError)(nil); errors.As(err, &fault) {
		return nil // ours, if faulty
	}
	return err
}

const tempInfix = ".ctx-tmp-"

// tempPath is the folder in which a process writes the bundle.
func tempPath(path string, pid int) string {
	dir, name := filepath.Split(path)
	return filepath.Join(dir, "."+name+tempInfix+strconv.Itoa(pid))
}

// leftOf reads the name of a temporary folder or file of the bundle of that
// name. kept: it is a replaced bundle that was still in use.
func leftOf(bundle, name string) (pid int, kept, ok bool) {
	number, ok := strings.CutPrefix(name, "."+bundle+tempInfix)
	if !ok {
		return 0, false, false
	}
	number, count, kept := strings.Cut(number, "-")
	pid, ok = positive(number)
	if kept && ok {
		_, ok = positive(count)
	}
	return pid, kept, ok
}

// positive reads a number above 0 as we write it.
func positive(digits string) (int, bool) {
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0 && strconv.Itoa(n) == digits
}

// Mend puts right what dead processes have left of the bundle, or of the file
// written with ReplaceFile, at path: an interrupted replacement is finished or
// undone, what is temporary is removed. Create and ReplaceFile do it
// themselves.
func Mend(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := recoverSwap(path); err != nil {
		return err
	}
	return removeDead(path, nil)
}

// removeDead removes the temporary folders and files of this bundle that no
// living process works in, and the replaced bundles that nobody reads any more,
// but nothing that was claimed.
func removeDead(path string, claimed []*Left) error {
	return eachLeft(path, func(temp string, pid int, kept bool) error {
		if slices.ContainsFunc(claimed, func(l *Left) bool { return l.path == temp }) {
			return nil
		}
		return removeLeft(temp, pid, kept)
	})
}

// eachLeft calls for each temporary folder or file of this bundle, in the order
// of their names.
func eachLeft(path string, do func(temp string, pid int, kept bool) error) error {
	parent := filepath.Dir(path)
	f, err := os.Open(parent)
	if err != nil {
		return pathError(parent, err)
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return pathError(parent, err)
	}
	slices.Sort(names)
	for _, name := range names {
		pid, kept, ok := leftOf(filepath.Base(path), name)
		if !ok {
			continue
		}
		if err := do(filepath.Join(parent, name), pid, kept); err != nil {
			return err
		}
	}
	return nil
}

func removeLeft(temp string, pid int, kept bool) error {
	info, err := os.Lstat(temp)
	if err != nil || !(info.IsDir() || info.Mode().IsRegular()) {
		return nil
	}
	// our own number may be that of a process that died in another container
	own := pid == os.Getpid()
	if (!kept && !own && alive(pid)) || locked(temp) {
		if own && !kept {
			return fmt.Errorf("%q: another writer of this process is at work there", temp)
		}
		return nil
	}
	if err := os.RemoveAll(temp); err != nil {
		return fmt.Errorf("remove what a dead process left: %w", err)
	}
	return nil
}
