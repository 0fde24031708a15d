package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/session-trace/ctx/formats"
)

const (
	chunkItems = 256
	blockBytes = 256 << 10
	itemLimit  = 64 << 20
	eventName  = "event-{ordinal:5+}-{id}.json"
)

// chunk is a run of files of one conversation on its way from a reader to the writer.
type chunk struct {
	conversation string
	folder       *sharedFolder
	names        []string
	lines        []byte // what was read, each file ended by a newline
	err          error
	read         chan struct{} // closed when lines and err are set
}

// sharedFolder closes a folder when its last chunk was read.
type sharedFolder struct {
	*formats.Folder
	open atomic.Int64
}

func (f *sharedFolder) release() {
	if f.open.Add(-1) == 0 {
		f.Close()
	}
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
	var (
		free  = make(chan []byte, 2*jobs+3)
		work  = make(chan *chunk)
		order = make(chan *chunk, 2*jobs+3)
		wg    sync.WaitGroup
	)
	for range 2*jobs + 3 {
		free <- make([]byte, 0, 1<<20)
	}
	for range jobs {
		wg.Go(func() {
			var buf []byte
			for c := range work {
				buf = c.fill(buf)
				close(c.read)
			}
		})
	}
	listed := make(chan error, 1)
	go func() {
		defer close(order)
		defer close(work)
		listed <- chunks(root, func(c *chunk) {
			c.lines, c.read = <-free, make(chan struct{})
			order <- c
			work <- c
		})
	}()
	d, err := writeInOrder(out, order, free)
	wg.Wait()
	if lerr := <-listed; lerr != nil {
		return d, lerr
	}
	return d, err
}

// chunks lists all conversations and yields their files in order.
func chunks(root *formats.Root, yield func(*chunk)) error {
	pattern, err := formats.ParsePattern(eventName)
	if err != nil {
		return err
	}
	conversations, err := root.List(".")
	if err != nil {
		return err
	}
	for _, c := range conversations {
		names, err := root.List(c.Name + "/events")
		if err != nil {
			return err
		}
		items := formats.Directory(names, formats.Patterns{Item: pattern}).Items
		if err := yieldFolder(root, c.Name, c.Name+"/events", itemNames(items), yield); err != nil {
			return err
		}
		if err := yieldFolder(root, c.Name, c.Name, []string{"base_state.json"}, yield); err != nil {
			return err
		}
	}
	return nil
}

func itemNames(items []formats.ItemRef) []string {
	names := make([]string, len(items))
	for i, it := range items {
		names[i] = it.Name
	}
	return names
}

func yieldFolder(root *formats.Root, conversation, path string, names []string, yield func(*chunk)) error {
	folder, err := root.Folder(path)
	if err != nil {
		return err
	}
	shared := &sharedFolder{Folder: folder}
	shared.open.Store(1)
	defer shared.release()
	for len(names) > 0 {
		n := min(len(names), chunkItems)
		shared.open.Add(1)
		yield(&chunk{conversation: conversation, folder: shared, names: names[:n]})
		names = names[n:]
	}
	return nil
}

// fill reads the chunk's files through buf, which it returns for the next one.
func (c *chunk) fill(buf []byte) []byte {
	defer c.folder.release()
	if buf == nil {
		buf = make([]byte, 0, 128<<10)
	}
	for _, name := range c.names {
		data, err := c.folder.Read(name, buf, itemLimit)
		if err != nil {
			c.err = err
			return buf
		}
		buf = data
		c.lines = append(append(c.lines, data...), '\n')
	}
	return buf
}

// writeInOrder writes the chunks as they were listed, in blocks.
func writeInOrder(out string, order <-chan *chunk, free chan<- []byte) (d done, err error) {
	var file *os.File
	current := ""
	for c := range order {
		<-c.read
		if err == nil {
			err = c.err
		}
		if err == nil && c.conversation != current {
			current = c.conversation
			file, err = nextFile(file, filepath.Join(out, current+".jsonl"))
		}
		for block := c.lines; err == nil && len(block) > 0; {
			n := min(len(block), blockBytes)
			_, err = file.Write(block[:n])
			block = block[n:]
		}
		d.Items += int64(len(c.names))
		d.Bytes += int64(len(c.lines) - len(c.names))
		free <- c.lines[:0]
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
