package main

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/session-trace/ctx/converter"
)

// progress draws one bar on stderr while a command works. A nil *progress draws nothing.
type progress struct {
	bars  *mpb.Progress
	bar   *mpb.Bar
	noun  string // what items counts
	items atomic.Int64
	bytes atomic.Int64
}

// newProgress starts a bar, unless stderr is no terminal or talk is unwanted.
func (e *env) newProgress(title, noun string) *progress {
	if e.quiet || !e.talks {
		return nil
	}
	return startProgress(e.stderr, title, noun)
}

func startProgress(w io.Writer, title, noun string, options ...mpb.ContainerOption) *progress {
	p := &progress{noun: noun, bars: mpb.New(append([]mpb.ContainerOption{mpb.WithOutput(w), mpb.WithWidth(40)}, options...)...)}
	p.bar = p.bars.AddBar(0,
		mpb.PrependDecorators(decor.Name(title)),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return p.text() })),
	)
	return p
}

func (p *progress) text() string {
	text := " " + count(p.items.Load(), p.noun)
	if n := p.bytes.Load(); n > 0 {
		text += ", " + size(n)
	}
	return text
}

// converted shows how far a conversion is.
func (p *progress) converted(c converter.Progress) {
	p.items.Store(c.Items)
	p.bytes.Store(c.Bytes)
	// mpb takes a bar that reached its total for finished: keep one ahead until stop
	p.bar.SetTotal(c.Sources+1, false)
	p.bar.SetCurrent(c.SourcesDone)
}

// records returns what adds records that were checked since the last call, nil when nothing is drawn.
func (p *progress) records() func(int64) {
	if p == nil {
		return nil
	}
	return func(n int64) {
		p.items.Add(n)
	}
}

// stop removes the bar.
func (p *progress) stop() {
	if p == nil {
		return
	}
	p.bar.Abort(true)
	p.bars.Wait()
}

// size is a number of bytes for people.
func size(n int64) string {
	const step = 1024
	if n < step {
		return count(n, "byte")
	}
	value, units := float64(n)/step, []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	for len(units) > 1 && value >= step {
		value, units = value/step, units[1:]
	}
	return fmt.Sprintf("%.1f %s", value, units[0])
}
