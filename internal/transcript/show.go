package transcript

import (
	"fmt"
	"io"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// RecordError says that a name stands for no record of a session, or for several.
type RecordError struct {
	Name       string
	Candidates []string // ids that begin with it, at most ten
}

func (e *RecordError) Error() string {
	if len(e.Candidates) == 0 {
		return fmt.Sprintf("%.64q names no record", e.Name)
	}
	return fmt.Sprintf("%.64q names several records", e.Name)
}

// Show writes the transcript of one stream. unreadable is the number of its lines that are no records; each is marked where it
// stands. The error is a *RecordError when Options.At names nothing.
func Show(w io.Writer, b *bundle.Bundle, s bundle.StreamInfo, o Options) (unreadable int, err error) {
	ix, err := readIndex(b, s, o.At)
	if err != nil {
		return 0, err
	}
	if !ix.exact && (ix.found < 0 && o.At != "" || len(ix.candidates) > 1) {
		return 0, &RecordError{o.At, ix.candidates}
	}
	head := Head{Record: ix.info.head, Known: ix.info.head != ""}
	if !head.Known && o.Head != nil {
		head = o.Head()
	}
	ix.branch(head)
	p := &printer{w: w, o: &o, ix: ix, head: head, pages: map[int]*page{}}
	p.plan()
	if err := p.header(); err != nil {
		return 0, err
	}
	if err := p.print(b, s); err != nil {
		return 0, err
	}
	return ix.sum.Unreadable, p.end()
}

// printer makes the second pass.
type printer struct {
	w     io.Writer
	o     *Options
	ix    *index
	head  Head
	steps []step
	next  int // step that is to be written next
	pages map[int]*page
	last  []*section // behind the transcript

	hidden int // items on abandoned branches that are left out
	after  int // items left out behind the last step
}

// step is one item to print, or the number of items left out before the next.
type step struct{ item, omitted int }

// print renders the items in the order of the stream and writes each when all that stands under it has come.
func (p *printer) print(b *bundle.Bundle, s bundle.StreamInfo) error {
	var nodes []jsonscan.Node
	at := 0
	err := b.Lines(s, MaxLine, func(n int, raw []byte, _ bool) error {
		for at < len(p.ix.items) && p.ix.items[at].last < n {
			at++
		}
		if at == len(p.ix.items) {
			return nil
		}
		it := &p.ix.items[at]
		pg := p.pages[p.ix.root(at)]
		if pg == nil && !it.tail || pg != nil && it.aside && p.o.ActiveOnly {
			return nil
		}
		l, err := parseLine(raw, nodes)
		if l != nil {
			nodes = l.Nodes[:0]
		}
		switch {
		case it.tail && err == nil:
			p.tail(l, it)
			return nil
		case it.tail:
			return nil
		case err != nil:
			pg.own = append(pg.own, part{text: p.unreadable(n)})
		default:
			p.record(pg, l, it, n)
		}
		pg.left--
		return p.flush()
	})
	if err != nil {
		return fmt.Errorf("stream %s: %w", s.ID, err)
	}
	return nil
}

// root is the item that another is printed with.
func (ix *index) root(at int) int {
	if under := ix.items[at].under; under >= 0 {
		return under
	}
	return at
}

// record renders one record into the page that it belongs to.
func (p *printer) record(pg *page, l *line, it *item, n int) {
	w := writer{o: p.o}
	if it.under < 0 && n == it.first {
		p.title(&w, l, it)
	}
	w.render(l, it)
	switch text := w.String(); {
	case it.under >= 0:
		pg.answers = append(pg.answers, part{it.callID, text})
	case l.kind == record.ToolCall:
		pg.own = append(pg.own, part{l.id, text})
	default:
		pg.own = append(pg.own, part{l.text("call"), text})
	}
}

// title begins an item: its place, who speaks, its id and time.
func (p *printer) title(w *writer, l *line, it *item) {
	w.WriteByte('\n')
	day, clock := whenOf(l.text("time"))
	label, style := speaker(it)
	number := ""
	if n := l.literal("position", "ordinal"); n != "" {
		number = "#" + n
		if through := l.literal("position", "through"); through != "" {
			number += "–" + through
		}
	}
	w.label(0, piece{Faint, number}, piece{style, w.o.visible(label)}, piece{Faint, p.o.name(it.id)},
		piece{Faint, w.o.visible(strings.TrimSpace(day + " " + clock))},
		w.mark(it.aside, Warning, "off the active branch"),
		w.mark(it.rootless, Warning, "parent unknown"))
}

// speaker names an item by what its primary record is.
func speaker(it *item) (string, Style) {
	switch it.primary {
	case record.Message:
		return it.author, authorStyle(it.author)
	case record.ToolCall, record.Reasoning:
		return "assistant", Agent
	case record.ToolResult:
		return "tool", Other
	case record.Compaction, record.Gap:
		return it.primary.String(), Warning
	case record.Error:
		return "error", Bad
	default:
		return strings.ReplaceAll(it.primary.String(), "_", " "), Other
	}
}

func authorStyle(author string) Style {
	switch author {
	case "user":
		return User
	case "assistant":
		return Agent
	default:
		return Other
	}
}

// whenOf splits a time as spelled into day and clock, without the fraction of the second.
func whenOf(text string) (day, clock string) {
	day, clock, ok := strings.Cut(text, "T")
	if !ok {
		day, clock, _ = strings.Cut(text, " ")
	}
	if at := strings.IndexAny(clock, ".,"); at >= 0 {
		rest := strings.TrimLeft(clock[at+1:], "0123456789")
		clock = clock[:at] + rest
	}
	return day, clock
}
