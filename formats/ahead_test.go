package formats

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"time"
)

// aheadFolder has files of all sizes, and names that cannot be read.
func aheadFolder(t *testing.T) (*Folder, []ItemRef, map[string]string) {
	files := map[string]string{}
	for i := range 300 {
		size := i * 7
		if i%50 == 49 {
			size = 20_000
		}
		files[fmt.Sprintf("event-%05d-a.json", i)] = strings.Repeat(string(rune('a'+i%26)), size)
	}
	files["event-00300-folder.json/x"] = ""
	r := openRoot(t, tree(t, files))
	names, err := r.List(".")
	if err != nil {
		t.Fatal(err)
	}
	items := Directory(names, patterns(t)).Items
	return openFolder(t, r, "."), append(items, ItemRef{Ordinal: 301, Name: "event-00301-gone.json"}), files
}

func TestReadAhead(t *testing.T) {
	f, items, files := aheadFolder(t)
	for _, o := range []AheadOptions{
		{Limit: 1 << 20},
		{Limit: 1 << 20, Files: 1},
		{Limit: 1 << 20, Files: 7, Bytes: 4096, Waiting: 1},
		{Limit: 1 << 20, Bytes: 1},
		{Limit: 10_000, Bytes: 8192, Waiting: 5},
	} {
		t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) {
			o.Buffers = new(Buffers)
			for range 3 { // again, from the same buffers
				checkAhead(t, f, items, files, o)
			}
		})
	}
}

func checkAhead(t *testing.T, f *Folder, items []ItemRef, files map[string]string, o AheadOptions) {
	t.Helper()
	a := ReadAhead(context.Background(), f, items, o)
	defer a.Close()
	next := 0
	for {
		b, ok := a.Next()
		if !ok {
			break
		}
		if b.First != next || len(b.Contents) == 0 || (o.Files > 0 && len(b.Contents) > o.Files) {
			t.Fatalf("want a batch from %d, got %d files from %d", next, len(b.Contents), b.First)
		}
		for i, c := range b.Contents {
			checkContent(t, items[next+i], c, files, o.Limit)
		}
		next += len(b.Contents)
		b.Release()
	}
	if next != len(items) {
		t.Errorf("want %d items, got %d", len(items), next)
	}
}

func checkContent(t *testing.T, item ItemRef, c Content, files map[string]string, limit int64) {
	t.Helper()
	want, ok := files[item.Name]
	var large *TooLargeError
	switch {
	case item.Kind == KindFolder:
		if !errors.Is(c.Err, ErrOdd) {
			t.Errorf("%s: want ErrOdd, got %v", item.Name, c.Err)
		}
	case !ok:
		if !errors.Is(c.Err, fs.ErrNotExist) {
			t.Errorf("%s: want fs.ErrNotExist, got %v", item.Name, c.Err)
		}
	case int64(len(want)) > limit:
		if !errors.As(c.Err, &large) || large.Size != int64(len(want)) {
			t.Errorf("%s: want too large, got %v", item.Name, c.Err)
		}
	case c.Err != nil || string(c.Raw) != want:
		t.Errorf("%s: want %d bytes, got %d, %v", item.Name, len(want), len(c.Raw), c.Err)
	}
}

func TestReadAheadEnds(t *testing.T) {
	f, items, _ := aheadFolder(t)
	o := AheadOptions{Limit: 1 << 20, Files: 2, Waiting: 2}
	before := runtime.NumGoroutine()

	ctx, cancel := context.WithCancel(context.Background())
	cancelled := ReadAhead(ctx, f, items, o)
	if _, ok := cancelled.Next(); !ok {
		t.Fatal("want a batch")
	}
	cancel()
	taken := 0
	for {
		b, ok := cancelled.Next()
		if !ok {
			break
		}
		taken += len(b.Contents)
		b.Release()
	}
	if taken > 8 {
		t.Errorf("want at most what was waiting after the cancel, got %d items", taken)
	}

	closed := ReadAhead(context.Background(), f, items, o)
	closed.Close()
	closed.Close()
	if _, ok := closed.Next(); ok {
		t.Error("want nothing after Close")
	}
	ReadAhead(context.Background(), f, nil, o).Close()

	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("want %d goroutines, got %d", before, runtime.NumGoroutine())
}
