package transcript

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/record"
)

// plan chooses the items to print, and counts the lines that each page waits for.
func (p *printer) plan() {
	var roots []int
	for i := range p.ix.items {
		it := &p.ix.items[i]
		if it.tail || it.under >= 0 {
			continue
		}
		if it.aside && p.o.ActiveOnly {
			p.hidden++
			continue
		}
		roots = append(roots, i)
	}
	done := 0
	for _, r := range ranges(len(roots), p.o.First, p.o.Last, p.asked(roots)) {
		for n := r.from; n < r.to; n++ {
			p.steps = append(p.steps, step{roots[n], n - done})
			p.pages[roots[n]] = &page{}
			done = n + 1
		}
	}
	p.after = len(roots) - done
	for i := range p.ix.items {
		it := &p.ix.items[i]
		if pg := p.pages[p.ix.root(i)]; pg != nil && !(it.aside && p.o.ActiveOnly) {
			pg.left += it.last - it.first + 1
		}
	}
}

// asked is the place among the roots of the item that Options.At names, -1 when none is asked for.
func (p *printer) asked(roots []int) int {
	if p.ix.found < 0 {
		return -1
	}
	want := p.ix.root(p.ix.found)
	for n, i := range roots {
		if i >= want {
			return n
		}
	}
	return len(roots)
}

// span is a run of items, from one up to but not including another.
type span struct{ from, to int }

// ranges is what of n items is printed: the first and the last so many, or those from one on and up to one; at is -1 without.
func ranges(n, first, last, at int) []span {
	low, high := span{0, n}, span{n, n}
	switch {
	case at < 0 && first > 0 && last > 0:
		low, high = span{0, first}, span{n - last, n}
	case at < 0 && first > 0:
		low = span{0, first}
	case at < 0 && last > 0:
		low = span{n - last, n}
	case at >= 0 && last > 0:
		low = span{at + 1 - last, at + max(first, 1)}
	case at >= 0 && first > 0:
		low = span{at, at + first}
	case at >= 0:
		low = span{at, n}
	}
	low = span{max(low.from, 0), min(low.to, n)}
	high = span{max(high.from, low.to), high.to}
	return []span{low, high}
}

// flush writes the pages that are complete and next.
func (p *printer) flush() error {
	for p.next < len(p.steps) {
		s := p.steps[p.next]
		pg := p.pages[s.item]
		if pg.left > 0 {
			return nil
		}
		if err := p.write(p.omission(s.omitted) + pg.String()); err != nil {
			return err
		}
		delete(p.pages, s.item)
		p.next++
	}
	return nil
}

func (p *printer) write(text string) error {
	_, err := io.WriteString(p.w, text)
	return err
}

// omission says how many items are not printed here.
func (p *printer) omission(n int) string {
	if n == 0 {
		return ""
	}
	return "\n" + p.o.paint(Faint, "… "+count(n, "item")) + "\n"
}

// unreadable stands for a line that is no record.
func (p *printer) unreadable(n int) string {
	return "\n" + p.o.paint(Bad, "line "+strconv.Itoa(n)+" of the stream is no record") + "\n"
}

// header writes what the session is.
func (p *printer) header() error {
	w := writer{o: p.o}
	sum, f := &p.ix.sum, &p.ix.info
	w.label(0, piece{Strong, "session " + p.o.visible(OneLine(sum.Session))})
	branches := ""
	if sum.Branches > 1 || !sum.BranchesExact {
		branches = strconv.Itoa(sum.Branches)
		if !sum.BranchesExact {
			branches += ", as far as is known"
		}
	}
	if p.hidden > 0 {
		branches = strings.TrimPrefix(branches+", "+count(p.hidden, "item")+" off the active one not shown (--branch all)", ", ")
	}
	for _, row := range [...]struct{ name, text string }{
		{"agent", strings.TrimSuffix(sum.Agent+", "+f.format, ", ")},
		{"title", sum.Title},
		{"workspace", f.workspace},
		{"status", sum.Status},
		{"models", strings.Join(f.models, ", ")},
		{"clock", f.clock},
		{"branches", branches},
		{"head", p.head.Note},
	} {
		if row.text != "" {
			w.label(2, piece{Faint, fmt.Sprintf("%-9s", row.name)}, piece{Plain, p.o.visible(OneLine(row.text))})
		}
	}
	return p.write(w.String())
}

// section is one block behind the transcript.
type section struct {
	kind record.Type
	text writer
}

// tail renders a record behind the transcript.
func (p *printer) tail(l *line, it *item) {
	if l.kind == record.SessionInfo {
		return
	}
	if n := len(p.last); n == 0 || p.last[n-1].kind != l.kind {
		p.last = append(p.last, &section{kind: l.kind, text: writer{o: p.o}})
	}
	p.last[len(p.last)-1].text.render(l, it)
}

// end writes what stands behind the transcript.
func (p *printer) end() error {
	var b strings.Builder
	b.WriteString(p.omission(p.after))
	for _, s := range p.last {
		title := "attachments"
		if s.kind == record.UsageSummary {
			title = "usage"
			if p.ix.info.coverage != "" {
				s.text.fields(bodyIndent, Faint, p.ix.info.coverage)
			}
		}
		b.WriteString("\n" + p.o.paint(Strong, title) + "\n" + s.text.String())
	}
	return p.write(b.String())
}
