package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/session-trace/ctx/internal/diff"
)

func (e *env) printDiff(f *diffFlags, pathA, pathB string, r *diff.Result) error {
	if f.output.word == "json" {
		_, err := e.stdout.Write(visibleJSON(append(appendDiff(nil, pathA, pathB, r, f.most), '\n')))
		return err
	}
	if e.quiet {
		return nil
	}
	var b strings.Builder
	word := e.paint().good("the same")
	if r.Different() {
		word = e.paint().bad("not the same")
	}
	fmt.Fprintf(&b, "%s and %s: %s\n  %s\n", visible(pathA), visible(pathB), word, diffCounts(r))
	f.factsText(&b, r)
	for i := range r.Streams[:f.most(len(r.Streams))] {
		f.streamText(&b, &r.Streams[i])
	}
	f.more(&b, "", int64(len(r.Streams)), f.most(len(r.Streams)), "stream")
	_, err := io.WriteString(e.stdout, b.String())
	return err
}

// most is how many of n are listed.
func (f *diffFlags) most(n int) int {
	if f.max == 0 {
		return n
	}
	return min(n, f.max)
}

// more says how many of a list are not listed.
func (f *diffFlags) more(b *strings.Builder, indent string, total int64, listed int, noun string) {
	if n := total - int64(listed); n > 0 {
		fmt.Fprintf(b, "%s… and %s (--max 0 lists all)\n", indent, count(n, "more "+noun))
	}
}

// diffCounts sums a comparison up in one line.
func diffCounts(r *diff.Result) string {
	sum, streams := diffSums(r)
	parts := []string{count(r.Compared, "stream") + " compared, " + count(r.Records, "record")}
	for _, p := range []struct {
		n    int64
		what string
	}{
		{streams[diff.Added], "added"},
		{streams[diff.Removed], "removed"},
		{streams[diff.Changed], "changed"},
	} {
		if p.n > 0 {
			parts = append(parts, count(p.n, "stream")+" "+p.what)
		}
	}
	if n := sum.Added + sum.Removed + sum.Changed + sum.Moved; n > 0 {
		parts = append(parts, "records in them: "+changesText(&sum))
	}
	return strings.Join(parts, "; ")
}

// diffSums adds up the records of the streams that both bundles have, and counts the streams by what became of them.
func diffSums(r *diff.Result) (sum diff.Stream, streams map[diff.Change]int64) {
	streams = map[diff.Change]int64{}
	for i := range r.Streams {
		s := &r.Streams[i]
		streams[s.Change]++
		sum.Added += s.Added
		sum.Removed += s.Removed
		sum.Changed += s.Changed
		sum.Moved += s.Moved
	}
	return sum, streams
}

func changesText(s *diff.Stream) string {
	return fmt.Sprintf("%d added, %d removed, %d changed, %d moved", s.Added, s.Removed, s.Changed, s.Moved)
}

// mark is the sign of a change.
func mark(c diff.Change) string {
	switch c {
	case diff.Added:
		return "+"
	case diff.Removed:
		return "-"
	case diff.Moved:
		return ">"
	default:
		return "~"
	}
}

// factsText lists what differs outside of the streams.
func (f *diffFlags) factsText(b *strings.Builder, r *diff.Result) {
	if len(r.Facts) > 0 {
		b.WriteByte('\n')
	}
	for i := range r.Facts[:f.most(len(r.Facts))] {
		fact := &r.Facts[i]
		line := mark(fact.Change) + " " + fact.Kind
		if fact.Name != "" {
			line += " " + visible(fact.Name)
		}
		if fact.Informs {
			line += " (no difference by itself)"
		}
		b.WriteString(line + "\n")
		if fact.Change == diff.Changed {
			f.placesText(b, "    ", &fact.Places)
		}
	}
	f.more(b, "", int64(len(r.Facts)), f.most(len(r.Facts)), "fact")
}

// streamText lists what differs in one stream.
func (f *diffFlags) streamText(b *strings.Builder, s *diff.Stream) {
	fmt.Fprintf(b, "\n%s stream %s: ", mark(s.Change), visible(s.ID))
	switch s.Change {
	case diff.Added:
		fmt.Fprintf(b, "only in B, %s\n", count(s.RecordsB, "record"))
		return
	case diff.Removed:
		fmt.Fprintf(b, "only in A, %s\n", count(s.RecordsA, "record"))
		return
	}
	fmt.Fprintf(b, "%s, of %d records in A and %d in B\n", changesText(s), s.RecordsA, s.RecordsB)
	if s.Manifest.Total > 0 {
		b.WriteString("  ~ what the manifest says\n")
		f.placesText(b, "      ", &s.Manifest)
	}
	for i := range s.Records {
		r := &s.Records[i]
		fmt.Fprintf(b, "  %s %s\n", mark(r.Change), recordText(r))
		f.placesText(b, "      ", &r.Places)
	}
	f.more(b, "  ", s.Differing(), len(s.Records), "record")
}

// recordText names a record and where it stands.
func recordText(r *diff.Record) string {
	name := "a line that is no record"
	if r.ID != "" || r.Type != "" {
		name = strings.TrimSpace(visible(r.Type) + " " + visible(r.ID))
	}
	switch {
	case r.LineA == 0:
		return fmt.Sprintf("%s (line %d of B)", name, r.LineB)
	case r.LineB == 0:
		return fmt.Sprintf("%s (line %d of A)", name, r.LineA)
	case r.Moved:
		return fmt.Sprintf("%s (moved from line %d to %d)", name, r.LineA, r.LineB)
	case r.LineA == r.LineB:
		return fmt.Sprintf("%s (line %d)", name, r.LineA)
	}
	return fmt.Sprintf("%s (line %d, in B %d)", name, r.LineA, r.LineB)
}

// placesText lists values that differ, one a line.
func (f *diffFlags) placesText(b *strings.Builder, indent string, p *diff.Places) {
	for _, at := range p.List {
		pointer := visible(at.Pointer)
		if pointer == "" {
			pointer = "(the whole)"
		}
		b.WriteString(indent + pointer + ": ")
		switch at.Change {
		case diff.Added:
			b.WriteString("added " + visible(at.New))
		case diff.Removed:
			b.WriteString("removed " + visible(at.Old))
		case diff.Spelling:
			b.WriteString("spelling only: " + visible(at.Old) + " → " + visible(at.New))
		default:
			b.WriteString(visible(at.Old) + " → " + visible(at.New))
		}
		b.WriteByte('\n')
	}
	f.more(b, indent, p.Total, len(p.List), "value")
}
