package formats

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Pattern matches names: literal text with fields, each at most once.
//
//	{ordinal:5+}  decimal digits, at least that many
//	{id}          any text but "", up to the last place where the rest fits
//	{count}       decimal digits
//	{any}         any text, maybe ""
//
// No field holds a slash. Text must stand between two fields.
type Pattern struct {
	text  string
	parts []part
}

// part is literal text, then a field (none at the end).
type part struct {
	literal string
	field   field
	digits  int // of an ordinal, at least
}

type field uint8

const (
	noField field = iota
	ordinalField
	idField
	countField
	anyField
)

// MaxOrdinal is the largest ordinal that can stand in a position, 2^53-1.
const MaxOrdinal = 1<<53 - 1

// Match is what the fields of a name hold.
type Match struct {
	Ordinal int64  // -1: no such field, or Huge
	ID      string // part of the name; "": no such field
	Count   int64  // -1: no such field, or Huge
	Huge    bool   // an ordinal or count is above MaxOrdinal
}

// ParsePattern reads a pattern. The error quotes what is wrong.
func ParsePattern(s string) (*Pattern, error) {
	p := &Pattern{text: s}
	for rest := s; rest != ""; {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			at = len(rest)
		}
		next := part{literal: rest[:at]}
		if rest = rest[at:]; rest != "" {
			end := strings.IndexByte(rest, '}')
			if end < 0 {
				return nil, p.fault(rest, errors.New("field is not closed"))
			}
			var err error
			if next.field, next.digits, err = parseField(rest[1:end]); err != nil {
				return nil, p.fault(rest[:end+1], err)
			}
			rest = rest[end+1:]
		}
		p.parts = append(p.parts, next)
	}
	return p, p.check()
}

func (p *Pattern) fault(place string, err error) error {
	return fmt.Errorf("pattern %q: %q: %w", p.text, place, err)
}

func parseField(text string) (field, int, error) {
	switch text {
	case "id":
		return idField, 0, nil
	case "count":
		return countField, 1, nil
	case "any":
		return anyField, 0, nil
	}
	digits, found := strings.CutPrefix(text, "ordinal:")
	digits, plus := strings.CutSuffix(digits, "+")
	n, err := strconv.Atoi(digits)
	if !found || !plus || err != nil || n < 1 || n > 16 || digits != strconv.Itoa(n) {
		return noField, 0, errors.New("got an unknown field, want {ordinal:1+} to {ordinal:16+}, {id}, {count} or {any}")
	}
	return ordinalField, n, nil
}

// check refuses patterns whose matches would be a matter of taste.
func (p *Pattern) check() error {
	if p.text == "" {
		return errors.New("pattern is empty")
	}
	var seen [anyField + 1]bool
	for i, part := range p.parts {
		switch {
		case strings.ContainsAny(part.literal, "}\x00"):
			return p.fault(part.literal, errors.New("text holds a closing brace or NUL"))
		case part.field != noField && seen[part.field]:
			return p.fault(part.literal, errors.New("field stands twice"))
		case i > 0 && part.literal == "":
			return p.fault(p.text, errors.New("two fields without text between"))
		case i > 0 && p.parts[i-1].digits > 0 && isDigit(part.literal[0]):
			return p.fault(part.literal, errors.New("digits after a field of digits"))
		}
		seen[part.field] = true
	}
	return nil
}

// String returns the pattern as it was written.
func (p *Pattern) String() string { return p.text }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
