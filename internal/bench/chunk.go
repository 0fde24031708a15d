package main

import (
	"sync/atomic"

	"github.com/session-trace/ctx/formats"
)

const (
	chunkItems = 256
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

// fill reads the chunk's files through buf, which it returns for the next one.
func (c *chunk) fill(buf []byte) []byte {
	defer c.folder.release()
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
