package diff

import (
	"context"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// batch is how many bytes of A's lines are held at once. Records that moved would make both streams be read from the
// beginning for each of them.
const batch = 16 << 20

// details reads the lines of what is listed again, and compares those that changed.
func (p *pair) details(ctx context.Context, x, y *index, list []wanted, limit int) ([]Record, error) {
	ca, cb := &cursor{bundle: p.a, info: p.sa}, &cursor{bundle: p.b, info: p.sb}
	defer ca.close()
	defer cb.close()
	out := make([]Record, 0, min(len(list), 1024))
	for len(list) > 0 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		lines, err := ahead(ca, x, list)
		if err != nil {
			return nil, on("A", err)
		}
		records, err := p.beside(cb, y, list[:len(lines)], lines, limit)
		if err != nil {
			return nil, on("B", err)
		}
		out, list = append(out, records...), list[len(lines):]
	}
	return out, nil
}

// ahead reads A's lines of the first entries of a list; nil for those that A does not have.
func ahead(c *cursor, x *index, list []wanted) ([][]byte, error) {
	var lines [][]byte
	for held := 0; len(lines) < len(list) && held < batch; {
		w := list[len(lines)]
		var line []byte
		if w.a >= 0 {
			var err error
			if line, err = c.line(x, w.a); err != nil {
				return nil, err
			}
		}
		held += len(line) + 256
		lines = append(lines, line)
	}
	return lines, nil
}

// beside reads B's lines in B's order and holds them against those of A.
func (p *pair) beside(c *cursor, y *index, list []wanted, lines [][]byte, limit int) ([]Record, error) {
	order := make([]int, len(list))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(k, n int) int { return int(list[k].b) - int(list[n].b) })
	records := make([]Record, len(list))
	for _, k := range order {
		w := list[k]
		var line []byte
		if w.change == Added || w.change == Changed {
			var err error
			if line, err = c.line(y, w.b); err != nil {
				return nil, err
			}
		}
		records[k] = p.detail(w, lines[k], line, limit)
		lines[k] = nil
	}
	return records, nil
}

// detail says what there is to say about one record; the line of B is nil where it is not needed.
func (p *pair) detail(w wanted, a, b []byte, limit int) Record {
	r := Record{Change: w.change, Moved: w.moved, LineA: int(w.a) + 1, LineB: int(w.b) + 1}
	x, errA := jsonscan.Scan(a, nil, jsonscan.Options{MaxDepth: maxDepth})
	doc, err := &x, errA
	if w.change == Added || w.change == Changed {
		y, errB := jsonscan.Scan(b, nil, jsonscan.Options{MaxDepth: maxDepth})
		if w.change == Changed {
			c := comparison{a: &x, b: &y, limit: limit}
			if ownSource(&x, errA, p.sa.Source) >= 0 && ownSource(&y, errB, p.sb.Source) >= 0 {
				c.skip = []string{"source"}
			}
			r.Places = c.whole(errA == nil && errB == nil)
		}
		doc, err = &y, errB
	}
	if id, ok := idOf(doc, err); ok {
		r.ID, r.Type = id, doc.Text(doc.Find(0, "type"))
	}
	return r
}
