// Package baseline holds findings that are known and accepted, so that only new ones count.
package baseline

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/schemas"
)

// Entry is findings that are the same wherever their lines moved to and whatever their messages say.
type Entry struct {
	Rule     string
	Severity record.Severity
	Stream   string // stream id, "" when they are about the bundle
	Record   string // record id, "" none
	Pointer  string // "" none
}

// Baseline is how many findings of each kind are accepted. The zero value accepts none.
type Baseline struct {
	count map[Entry]int64
	used  map[Entry]int64
}

const (
	format  = "ctx-baseline"
	version = 1
	// most bounds the number of one entry, which JSON must carry.
	most = 1<<53 - 1
)

// Read reads the bytes of a baseline file. What it holds twice is accepted twice.
func Read(raw []byte) (*Baseline, error) {
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: 100})
	if err != nil {
		return nil, err
	}
	if d.Has(jsonscan.DuplicateKey) {
		return nil, errors.New(quoted(d.Pointer(d.FirstDuplicate)) + ": got a member twice, want it once")
	}
	set, err := schemas.Compile()
	if err != nil {
		return nil, fmt.Errorf("schemas: %w", err)
	}
	if !set.Accept("baseline", &d) {
		problems, err := set.Check("baseline", raw)
		if err != nil {
			return nil, err
		}
		if len(problems) > 0 {
			return nil, errors.New(quoted(problems[0].Pointer) + ": " + problems[0].Message)
		}
	}
	b := &Baseline{}
	for n := range d.Children(d.Find(0, "findings")) {
		text := func(name string) string { return d.Text(d.Find(n, name)) }
		count, _ := d.Int(d.Find(n, "count"))
		b.add(Entry{text("rule"), record.Severity(text("severity")), text("stream"), text("record"), text("pointer")}, count)
	}
	return b, nil
}

// quoted names a place in the file; the whole of it has no name.
func quoted(pointer string) string {
	if pointer == "" {
		return "the file"
	}
	return fmt.Sprintf("%.200q", pointer)
}

func (b *Baseline) add(e Entry, n int64) {
	if b.count == nil {
		b.count = map[Entry]int64{}
	}
	b.count[e] = min(most, b.count[e]+min(n, most))
}

func entryOf(f *record.Finding) Entry {
	return Entry{f.Rule, f.Severity, f.Stream, f.Record, f.Pointer}
}

// Add takes all findings that are listed into the baseline, and returns how many there are beyond those.
func (b *Baseline) Add(fs *record.Findings) (left int64) {
	for _, g := range fs.Groups() {
		for i := range g.List {
			b.add(entryOf(&g.List[i]), g.List[i].Count)
		}
		left += g.Rest()
	}
	return left
}

// Accept takes out of the findings those that are in the baseline, each entry as often as it counts over all calls, and
// returns how many that were.
func (b *Baseline) Accept(fs *record.Findings) int64 {
	if b.used == nil {
		b.used = map[Entry]int64{}
	}
	return fs.Accept(func(f *record.Finding, n int64) int64 {
		e := entryOf(f)
		n = min(n, b.count[e]-b.used[e])
		if n > 0 {
			b.used[e] += n
		}
		return n
	})
}

// Stale are the entries of which nothing was found, sorted.
func (b *Baseline) Stale() []Entry {
	var list []Entry
	for e := range b.count {
		if b.used[e] == 0 {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, compare)
	return list
}

func compare(x, y Entry) int {
	return cmp.Or(
		cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Severity, y.Severity), cmp.Compare(x.Stream, y.Stream),
		cmp.Compare(x.Record, y.Record), cmp.Compare(x.Pointer, y.Pointer),
	)
}

// Append appends the baseline as JSON, sorted, an entry a line.
func (b *Baseline) Append(dst []byte) []byte {
	list := make([]Entry, 0, len(b.count))
	for e := range b.count {
		list = append(list, e)
	}
	slices.SortFunc(list, compare)
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "format"), format)
	dst = record.AppendInt(record.AppendKey(dst, "version"), version)
	dst = append(record.AppendKey(dst, "findings"), '[')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = b.appendEntry(append(dst, '\n'), e)
	}
	return append(dst, "\n]}\n"...)
}

func (b *Baseline) appendEntry(dst []byte, e Entry) []byte {
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "rule"), e.Rule)
	dst = record.AppendString(record.AppendKey(dst, "severity"), string(e.Severity))
	for _, m := range [...][2]string{{"stream", e.Stream}, {"record", e.Record}, {"pointer", e.Pointer}} {
		if m[1] != "" {
			dst = record.AppendString(record.AppendKey(dst, m[0]), m[1])
		}
	}
	return append(record.AppendInt(record.AppendKey(dst, "count"), b.count[e]), '}')
}
