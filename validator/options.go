package validator

import (
	"runtime"
	"sync"

	"github.com/session-trace/ctx/internal/entry"
)

// Options says how to validate. The zero value is ready to use.
type Options struct {
	Registry map[string]*entry.Entry // entries that count in place of the bundle's own, by agent
	// EntryOf is the registry entry of an agent, nil for none: a stream that stands alone has none of its own.
	EntryOf  func(agent string) []byte
	MaxLine  int64               // longest line that is looked at, in bytes; 0: 128 MiB
	Jobs     int                 // goroutines that check lines; 0: one a processor
	Findings int                 // findings listed for one rule, 0: 100, negative: all, which are at most 1,048,576 a stream
	Progress func(records int64) // called with the number of records done so far, never twice at once; nil: none
}

const defaultMaxLine = 128 << 20

func (o Options) maxLine() int64 {
	if o.MaxLine > 0 {
		return o.MaxLine
	}
	return defaultMaxLine
}

func (o Options) jobs() int {
	if o.Jobs > 0 {
		return o.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// counter is a Progress that may be told from several goroutines; nil without one.
func (o Options) counter() func(int64) {
	if o.Progress == nil {
		return nil
	}
	var mu sync.Mutex
	var total int64
	return func(n int64) {
		mu.Lock()
		defer mu.Unlock()
		total += n
		o.Progress(total)
	}
}
