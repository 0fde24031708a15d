package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/session-trace/ctx/formats"
)

const blockBytes = 256 << 10

// belt carries chunks to readers and, in the order of their listing, to one writer.
type belt struct {
	work  chan *chunk
	order chan *chunk
	free  chan []byte // a fixed number of buffers bounds what is in flight
}

func newBelt(jobs int) *belt {
	n := 2*jobs + 3
	b := &belt{make(chan *chunk), make(chan *chunk, n), make(chan []byte, n)}
	for range n {
		b.free <- make([]byte, 0, 1<<20)
	}
	return b
}

// copyFiles is the floor of a conversion: the reader of ctx, an ordered writer, and nothing between them.
// Each conversation becomes one file of its events and its state in out.
func copyFiles(source, out string, jobs int) (done, error) {
	root, err := formats.Open(source)
	if err != nil {
		return done{}, err
	}
	defer root.Close()
	if err := os.Mkdir(out, 0o755); err != nil {
		return done{}, err
	}
	b := newBelt(jobs)
	var readers sync.WaitGroup
	for range jobs {
		readers.Go(b.read)
	}
	listed := make(chan error, 1)
	go func() { listed <- b.list(root) }()
	d, err := b.write(out)
	readers.Wait()
	if listErr := <-listed; listErr != nil {
		return d, listErr
	}
	return d, err
}

// list puts all chunks of a source on the belt and ends it.
func (b *belt) list(root *formats.Root) error {
	defer close(b.order)
	defer close(b.work)
	return chunks(root, func(c *chunk) {
		// the buffer is taken here, in order: the chunk that the writer waits for always has one
		c.lines, c.read = <-b.free, make(chan struct{})
		b.order <- c
		b.work <- c
	})
}

// read fills chunks until the belt ends.
func (b *belt) read() {
	buf := make([]byte, 0, 128<<10)
	for c := range b.work {
		buf = c.fill(buf)
		close(c.read)
	}
}

// write writes the chunks as they were listed, in blocks. After an error it goes on without writing, so that the belt ends.
func (b *belt) write(out string) (d done, err error) {
	var file *os.File
	current := ""
	for c := range b.order {
		<-c.read
		if err == nil {
			err = c.err
		}
		if err == nil && c.conversation != current {
			current = c.conversation
			file, err = nextFile(file, filepath.Join(out, current+".jsonl"))
		}
		if err == nil {
			err = writeBlocks(file, c.lines)
		}
		d.Items += int64(len(c.names))
		d.Bytes += int64(len(c.lines) - len(c.names))
		b.free <- c.lines[:0]
	}
	if file != nil && err == nil {
		err = file.Close()
	}
	if err != nil {
		return d, fmt.Errorf("copy: %w", err)
	}
	return d, nil
}

func nextFile(last *os.File, path string) (*os.File, error) {
	if last != nil {
		if err := last.Close(); err != nil {
			return nil, err
		}
	}
	return os.Create(path)
}

func writeBlocks(file *os.File, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), blockBytes)
		if _, err := file.Write(data[:n]); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}
