package formats

import (
	"context"
	"sync"
)

// AheadOptions bounds a read-ahead. Zero values stand for 256 files and 1 MiB
// a batch, and two batches waiting.
type AheadOptions struct {
	Limit   int64 // bytes of one file; more is a *TooLargeError
	Files   int   // of a batch, at most
	Bytes   int   // of a batch, at most, unless its last file is larger
	Waiting int   // batches that are read and not yet taken
	Buffers *Buffers
}

// Buffers lends the memory of batches to many read-aheads. The zero value is
// ready; several goroutines may use it.
type Buffers struct {
	pool sync.Pool // *Batch
}

// Content is one file of a batch: its bytes, or why there are none (as
// Folder.Read says it; a folder or odd file is ErrOdd).
type Content struct {
	Raw []byte // valid until the batch is released
	Err error
}

// Batch is a run of items that were read one after the other.
type Batch struct {
	First    int // index of Contents[0] among all items
	Contents []Content

	memory []byte
	from   *Buffers
}

// Release gives the memory back; nothing of the batch may be used afterwards.
func (b *Batch) Release() {
	if from := b.from; from != nil {
		b.from = nil
		from.pool.Put(b)
	}
}

// Ahead reads files in order in a goroutine of its own, while batches that
// are ready are worked on.
type Ahead struct {
	ready  chan *Batch
	cancel context.CancelFunc
}

// spare is the room that a batch must have left to begin another file: what
// does not fit costs memory of its own.
const spare = 64 << 10

// ReadAhead starts reading the items of a folder. The goroutine ends when all
// is read, when ctx is done, or with Close, which must be called before the
// folder is closed. Items must not change meanwhile.
func ReadAhead(ctx context.Context, f *Folder, items []ItemRef, o AheadOptions) *Ahead {
	o = o.filled()
	ctx, cancel := context.WithCancel(ctx)
	// the batch being read counts as one that waits
	a := &Ahead{ready: make(chan *Batch, o.Waiting-1), cancel: cancel}
	go a.run(ctx, f, items, o)
	return a
}

func (o AheadOptions) filled() AheadOptions {
	if o.Files <= 0 {
		o.Files = 256
	}
	if o.Bytes <= 0 {
		o.Bytes = 1 << 20
	}
	if o.Waiting <= 0 {
		o.Waiting = 2
	}
	if o.Buffers == nil {
		o.Buffers = new(Buffers)
	}
	return o
}

func (a *Ahead) run(ctx context.Context, f *Folder, items []ItemRef, o AheadOptions) {
	defer a.cancel() // frees what ctx holds
	defer close(a.ready)
	for next := 0; next < len(items); {
		b := o.Buffers.take(o)
		b.fill(ctx, f, items, next, o)
		if ctx.Err() != nil {
			b.Release()
			return
		}
		next += len(b.Contents)
		select {
		case a.ready <- b:
		case <-ctx.Done():
			b.Release()
			return
		}
	}
}

// Next returns the next batch, which the caller releases; false when all are
// taken, or reading was cancelled. In the latter case items are missing, and
// ctx says why.
func (a *Ahead) Next() (*Batch, bool) {
	b, ok := <-a.ready
	return b, ok
}

// Close ends the reading and waits for it. It may be called at any time, and
// again.
func (a *Ahead) Close() {
	a.cancel()
	for b := range a.ready {
		b.Release()
	}
}

func (s *Buffers) take(o AheadOptions) *Batch {
	b, ok := s.pool.Get().(*Batch)
	if !ok || cap(b.memory) < o.Bytes {
		b = &Batch{memory: make([]byte, 0, o.Bytes)}
	}
	b.from = s
	clear(b.Contents)
	b.Contents = b.Contents[:0]
	return b
}

// fill reads items into the batch until it is full. A file that does not fit
// lies in memory of its own and ends the batch.
func (b *Batch) fill(ctx context.Context, f *Folder, items []ItemRef, first int, o AheadOptions) {
	b.First = first
	room := b.memory[:0:cap(b.memory)]
	for _, item := range items[first:min(first+o.Files, len(items))] {
		if ctx.Err() != nil {
			return
		}
		if item.Kind == KindFolder || item.Kind == KindOdd {
			b.Contents = append(b.Contents, Content{Err: f.fault(item.Name, ErrOdd)})
			continue
		}
		raw, err := f.Read(item.Name, room, o.Limit)
		if err != nil {
			b.Contents = append(b.Contents, Content{Err: err})
			continue
		}
		b.Contents = append(b.Contents, Content{Raw: raw[:len(raw):len(raw)]})
		if cap(raw) > cap(room) {
			return
		}
		if room = room[len(raw):len(raw):cap(room)]; cap(room) < min(spare, o.Bytes/2) {
			return
		}
	}
}
