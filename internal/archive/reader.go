package archive

import (
	"context"
	"errors"
	"io"
)

// interruptible ends with its context.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}

// ended notes that its reader came to an end, which a tar that is whole never meets: its own end mark comes before.
type ended struct {
	r   io.Reader
	hit bool
}

func (e *ended) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.hit = e.hit || n == 0 && errors.Is(err, io.EOF)
	return n, err
}

// Awaited is a reader whose bytes may never come, such as standard input.
type Awaited struct {
	ctx  context.Context
	come chan piece
	free chan []byte
	now  piece
}

type piece struct {
	raw  []byte // not given out yet
	all  []byte // the buffer of raw
	fail error
}

// Await reads r in a goroutine of its own, so that the end of the context ends the wait too. A read that is on its way
// then is left to itself.
func Await(ctx context.Context, r io.Reader) *Awaited {
	a := &Awaited{ctx: ctx, come: make(chan piece), free: make(chan []byte, 2)}
	for range cap(a.free) {
		a.free <- make([]byte, copyStep)
	}
	go a.run(r)
	return a
}

func (a *Awaited) run(r io.Reader) {
	for {
		select {
		case <-a.ctx.Done():
			return
		case buf := <-a.free:
			n, err := r.Read(buf)
			select {
			case a.come <- piece{buf[:n], buf, err}:
			case <-a.ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}
}

// Read implements io.Reader.
func (a *Awaited) Read(p []byte) (int, error) {
	for len(a.now.raw) == 0 {
		if a.now.fail != nil {
			return 0, a.now.fail
		}
		if a.now.all != nil {
			a.free <- a.now.all
		}
		select {
		case a.now = <-a.come:
		case <-a.ctx.Done():
			a.now = piece{fail: a.ctx.Err()}
		}
	}
	n := copy(p, a.now.raw)
	a.now.raw = a.now.raw[n:]
	return n, nil
}
