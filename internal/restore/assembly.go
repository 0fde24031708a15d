package restore

import (
	"fmt"
	"os"

	"github.com/session-trace/ctx/internal/record"
)

// assembly puts the file that holds all items of a source together, piece by piece.
type assembly struct {
	r   *Result
	s   *stream
	t   *target
	dir *string // of the source

	at      string
	w       *os.File // nil before the first piece and after the end
	bytes   int64
	lacking *Lacking // a piece that the bundle does not have
	less    Redacted
}

func (a *assembly) piece(p *piece) error {
	if err := a.open(p); err != nil {
		return fmt.Errorf("record %.64q: %w", p.record, err)
	}
	if p.lacking != "" {
		if a.lacking == nil {
			a.lacking = &Lacking{Path: join(a.s.base, p.spelled), Reason: p.lacking, Bytes: -1}
		}
		return nil
	}
	for _, f := range [...]frame{p.before, {p.inline, p.blob, p.cuts, p.own()}, p.after} {
		if err := a.write(f); err != nil {
			return fmt.Errorf("record %.64q: %w", p.record, err)
		}
		a.less.add(p, f.named)
	}
	return nil
}

// add adds the cuts of one piece to those of its file.
func (r *Redacted) add(p *piece, cuts []record.Redaction) {
	if len(cuts) > 0 && r.Record == "" {
		r.Record = p.record
	}
	r.Cuts = append(r.Cuts, cuts...)
}

func (a *assembly) open(p *piece) error {
	if a.w != nil {
		return nil
	}
	at, err := below(*a.dir, p.path)
	if err != nil {
		return err
	}
	a.at = at
	a.w, err = a.t.create(at)
	return err
}

func (a *assembly) write(f frame) error {
	n := int64(len(f.text))
	var err error
	if f.blob == "" {
		_, err = a.w.Write(f.text)
	} else {
		n, err = copyBlob(a.w, a.s.bundle, f.blob)
	}
	if err != nil {
		return fmt.Errorf("%.200q: %w", a.at, err)
	}
	a.bytes += n
	return nil
}

// end finishes the file; one that lacks a piece is taken away again.
func (a *assembly) end() error {
	err := a.w.Close()
	a.w = nil
	if err != nil {
		return fmt.Errorf("%.200q: %w", a.at, err)
	}
	if a.lacking != nil {
		a.r.Lacking = append(a.r.Lacking, *a.lacking)
		return a.t.root.Remove(a.at)
	}
	if len(a.less.Cuts) > 0 {
		a.less.Path = join(a.s.base, record.SpellPath(a.s.one))
		a.r.Redacted = append(a.r.Redacted, a.less)
	}
	a.r.Files++
	a.r.Bytes += a.bytes
	return nil
}

func (a *assembly) close() {
	if a.w != nil {
		a.w.Close() //nolint:errcheck // the error that led here counts
	}
}
