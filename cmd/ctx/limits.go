package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// maxDepth is the deepest nesting that is read as JSON.
const maxDepth = 10_000

// limits bound what a conversion reads; what lies beyond one is a gap that says so.
type limits struct {
	item, bytes byteSize
	depth       int
	items       int64
}

func (l *limits) register(flags *pflag.FlagSet) {
	l.item, l.depth = 64<<20, maxDepth
	flags.Var(&l.item, "max-item", "read no item of more than `SIZE`, such as 64MiB; a larger one is a gap with its size and hash")
	flags.IntVar(&l.depth, "max-depth", l.depth, "read no item as JSON that nests deeper than `LEVELS`")
	flags.Int64Var(&l.items, "max-items", 0, "read no more than `N` items of a conversation, 0 for all")
	flags.Var(&l.bytes, "max-bytes", "read no further item of a conversation after `SIZE`, 0 for all")
}

// byteSize is a number of bytes, given with or without a unit.
type byteSize int64

// units are the units of sizes, longest names first.
var units = [...]struct {
	name   string
	factor int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"B", 1}}

func (s *byteSize) String() string {
	for _, u := range [...]int{2, 1, 0} {
		if n := int64(*s); n > 0 && n%units[u].factor == 0 {
			return strconv.FormatInt(n/units[u].factor, 10) + units[u].name
		}
	}
	return strconv.FormatInt(int64(*s), 10)
}

func (s *byteSize) Set(text string) error {
	factor := int64(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			text, factor = rest, u.factor
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 || n > (1<<62)/factor {
		return fmt.Errorf("want a number of bytes with an optional unit B, KiB, MiB or GiB")
	}
	*s = byteSize(n * factor)
	return nil
}

func (*byteSize) Type() string { return "size" }
