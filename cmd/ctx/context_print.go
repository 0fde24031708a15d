package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/session"
)

// contextPrinter prints views of one session.
type contextPrinter struct {
	ctx context.Context
	e   *env
	w   *bufio.Writer // keeps the first error for its Flush
	s   *session.Session
}

func (p *contextPrinter) view(format string, v *session.View) error {
	switch format {
	case "json":
		if err := p.json(viewHead(p.s, v), "records", v.Records); err != nil {
			return err
		}
		return p.end()
	case "text":
		if p.e.quiet {
			return nil
		}
		fmt.Fprintf(p.w, "%s at %s: %s view, %s, %s\n", visible(p.s.Info().ID), atText(v.At), v.Kind, count(int64(len(v.Records)), "record"), p.basis(v.Basis))
		p.notes(v.Notes)
		return p.lines("  ", v.Records)
	}
	for _, i := range v.Records {
		fmt.Fprintln(p.w, visible(p.s.Record(i).ID))
	}
	return nil
}

func (p *contextPrinter) difference(format string, d *session.Difference) error {
	switch format {
	case "json":
		if err := p.json(differenceHead(p.s, d), "entered", d.Entered); err != nil {
			return err
		}
		if err := p.json(nil, "left", d.Left); err != nil {
			return err
		}
		return p.end()
	case "text":
		if p.e.quiet {
			return nil
		}
		fmt.Fprintf(p.w, "%s from %s to %s: %s view, %d entered, %d left, %s\n", visible(p.s.Info().ID), atText(d.From.At), atText(d.To.At),
			d.To.Kind, len(d.Entered), len(d.Left), p.basis(d.Basis))
		p.notes(d.Notes)
		if err := p.lines("- ", d.Left); err != nil {
			return err
		}
		return p.lines("+ ", d.Entered)
	}
	for _, i := range d.Left {
		fmt.Fprintf(p.w, "- %s\n", visible(p.s.Record(i).ID))
	}
	for _, i := range d.Entered {
		fmt.Fprintf(p.w, "+ %s\n", visible(p.s.Record(i).ID))
	}
	return nil
}

// atText names a point for a reader.
func atText(p session.Point) string {
	if p.Name == "" {
		return "no head"
	}
	return visible(p.Name)
}

func (p *contextPrinter) basis(b session.Basis) string {
	if b == session.Exact {
		return p.e.paint().good(string(b))
	}
	return p.e.paint().bad(string(b))
}

func (p *contextPrinter) notes(list []string) {
	for _, n := range list {
		fmt.Fprintf(p.w, "  note: %s\n", visible(n))
	}
}

// viewHead is the beginning of a view's JSON object, up to its records.
func viewHead(s *session.Session, v *session.View) []byte {
	dst := record.AppendString(record.AppendKey([]byte{'{'}, "session"), s.Info().SessionID)
	dst = appendPoint(record.AppendKey(dst, "at"), v.At)
	dst = record.AppendString(record.AppendKey(dst, "view"), string(v.Kind))
	return appendBasis(dst, v.Basis, v.Notes)
}

func differenceHead(s *session.Session, d *session.Difference) []byte {
	dst := record.AppendString(record.AppendKey([]byte{'{'}, "session"), s.Info().SessionID)
	dst = appendPoint(record.AppendKey(dst, "from"), d.From.At)
	dst = appendPoint(record.AppendKey(dst, "to"), d.To.At)
	dst = record.AppendString(record.AppendKey(dst, "view"), string(d.To.Kind))
	return appendBasis(dst, d.Basis, d.Notes)
}

// appendPoint appends the record that a point was asked for by, null for a session without a head.
func appendPoint(dst []byte, p session.Point) []byte {
	if p.Name == "" {
		return append(dst, "null"...)
	}
	return record.AppendString(dst, p.Name)
}

func appendBasis(dst []byte, b session.Basis, notes []string) []byte {
	dst = record.AppendString(record.AppendKey(dst, "basis"), string(b))
	return record.AppendStrings(record.AppendKey(dst, "notes"), notes)
}

// json writes what stands before, then a member with the whole records.
func (p *contextPrinter) json(head []byte, member string, records []int) error {
	if head == nil {
		head = []byte{','}
	} else {
		head = append(head, ',')
	}
	p.w.Write(visibleJSON(append(record.AppendString(head, member), ':', '[')))
	first := true
	err := p.s.Lines(records, func(_ int, line []byte) error {
		if !first {
			p.w.WriteString(",\n")
		}
		first = false
		if _, err := p.w.Write(visibleJSON(line)); err != nil {
			return err
		}
		return p.ctx.Err()
	})
	p.w.WriteByte(']')
	return err
}

func (p *contextPrinter) end() error {
	_, err := p.w.WriteString("}\n")
	return err
}
