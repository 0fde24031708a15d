package validator

import (
	"context"
	"sync"
)

// readShared checks a large stream with several goroutines: one cuts blocks, workers check them, and the caller's takes
// them in, in order.
func (s *streamState) readShared(ctx context.Context, c *cutter, workers int, newCheck func() *lineCheck) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	count := workers + 2
	free, work, order := make(chan *block, count), make(chan *block, count), make(chan *block, count)
	for range count {
		free <- &block{done: make(chan struct{}, 1)}
	}
	var group sync.WaitGroup
	defer group.Wait() // after cancel: a worker may be at a block that nobody waits for
	for range workers {
		group.Go(func() {
			check := newCheck()
			for b := range work {
				b.check(check)
				b.done <- struct{}{}
			}
		})
	}
	var ended error
	group.Go(func() {
		defer close(work)
		defer close(order)
		ended = cutAll(ctx, c, free, work, order)
	})
	for b := range order {
		<-b.done
		if s.lost > maxLost { // what was cut meanwhile is let go
			continue
		}
		if s.take(b); s.lost > maxLost {
			cancel()
		}
		free <- b
	}
	if s.lost > maxLost {
		return errLost
	}
	return ended // written before order was closed
}

// cutAll gives blocks to the workers and, in the same order, to who takes them in.
func cutAll(ctx context.Context, c *cutter, free <-chan *block, work, order chan<- *block) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b := <-free:
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.next(b); err != nil {
				return err
			}
			work <- b
			order <- b
		}
	}
}
