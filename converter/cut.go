package converter

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// cut is one piece of a document that is left out.
type cut struct {
	node       int
	start, end int    // of the bytes replaced; a member: from its key to the end of its value
	put        string // what stands there instead
	member     bool   // an adjoining comma goes too
	kind       string
	pointer    string
}

// located is the outermost cuts with their pointers.
func located(cuts []cut, d *jsonscan.Doc) []cut {
	cuts = outermost(cuts)
	var trail jsonscan.Trail
	for i := range cuts {
		cuts[i].pointer = trail.Pointer(d, cuts[i].node)
	}
	return cuts
}

// outermost sorts the cuts and drops those inside of others.
func outermost(cuts []cut) []cut {
	slices.SortStableFunc(cuts, func(a, b cut) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	kept := cuts[:0]
	end := -1
	for _, c := range cuts {
		if c.start < end {
			continue
		}
		end = c.end
		kept = append(kept, c)
	}
	return kept
}

// apply gives raw without the cuts, and names them. A removed member goes with the next comma, else the one before.
func apply(raw []byte, cuts []cut) ([]byte, []record.Redaction) {
	return applyTo(make([]byte, 0, len(raw)), raw, cuts)
}

// applyTo is apply into out. It may be raw's own memory, before its first byte: text that grows ahead of what is read
// moves to memory of its own.
func applyTo(out, raw []byte, cuts []cut) ([]byte, []record.Redaction) {
	own := cap(out) > 0 && len(raw) > 0 && &out[:1][0] == &raw[0]
	list := make([]record.Redaction, 0, len(cuts))
	pos := 0
	for _, c := range cuts {
		out = append(out, raw[pos:c.start]...)
		pos = c.end
		if c.member {
			if next := skipSpace(raw, pos); next < len(raw) && raw[next] == ',' {
				pos = next + 1
			} else if kept := bytes.TrimRight(out, " \t\r\n"); len(kept) > 0 && kept[len(kept)-1] == ',' {
				out = kept[:len(kept)-1]
			}
		}
		if own && len(out)+len(c.put) > pos {
			out, own = append(make([]byte, 0, len(raw)+len(c.put)), out...), false
		}
		out = append(out, c.put...)
		list = name(list, c)
	}
	return append(out, raw[pos:]...), list
}

// name lists a cut; several in one place are one, secret when one of them is.
func name(list []record.Redaction, c cut) []record.Redaction {
	if n := len(list); n > 0 && list[n-1].Pointer == c.pointer {
		if c.kind == kindSecret {
			list[n-1].Kind = kindSecret
		}
		return list
	}
	return append(list, record.Redaction{Pointer: c.pointer, Kind: c.kind})
}

func skipSpace(raw []byte, pos int) int {
	for pos < len(raw) && (raw[pos] == ' ' || raw[pos] == '\t' || raw[pos] == '\n' || raw[pos] == '\r') {
		pos++
	}
	return pos
}
