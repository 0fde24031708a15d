package restore

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/session-trace/ctx/internal/record"
)

// assembly puts the file that holds all items of a source together, piece by piece, or that of several sources of which
// each is a row.
type assembly struct {
	r   *Result
	t   *target
	s   *stream
	dir string // of the source

	at   string
	w    *os.File // nil before the first piece and after the end
	next int64    // the row to come
	rows int64    // 0: the file is one source
	base string   // path of the file as the bundle spells it
	kept int64    // its bytes so far, but for the row at work
	less Redacted

	bytes   int64    // of the source
	lacking *Lacking // a part of it that the bundle does not have
	cut     Redacted
}

// begin takes up a source: the next row of the file, or a file of its own.
func (a *assembly) begin(s *stream) error {
	if a.rows > 0 && (s.source.Rows != a.rows || s.source.Path != a.base) {
		if err := a.finish(); err != nil {
			return err
		}
	}
	if a.rows == 0 {
		*a = assembly{r: a.r, t: a.t, base: s.source.Path, rows: s.source.Rows}
	}
	a.s = s
	if a.rows > 0 && s.source.Row >= a.rows {
		return fmt.Errorf("path %.64q: %w: got row %d of %d", a.base, ErrPlace, s.source.Row, a.rows)
	}
	return a.absent(s.source.Row)
}

// absent names the rows before a number that have no stream, unless others were asked for.
func (a *assembly) absent(row int64) error {
	if a.rows > 0 && row < a.next {
		return fmt.Errorf("path %.64q: %w: row %d comes behind row %d", a.base, ErrPlace, row, a.next-1)
	}
	if row = min(row, a.rows); a.next < row && !a.s.some {
		a.r.Lacking = append(a.r.Lacking, absent(a.base, a.next, row, a.rows))
	}
	a.next = row + 1
	return nil
}

// absent are the rows of a file, from one up to another, that no stream is made of.
func absent(path string, from, to, rows int64) Lacking {
	return Lacking{Path: path, Row: from, Through: to - 1, Rows: rows, Reason: ReasonAbsent, Bytes: -1}
}

func (a *assembly) head(e *envelope) error {
	if err := a.open(e.path); err != nil {
		return fmt.Errorf("record %.64q: %w", e.record, err)
	}
	if e.lacking != "" {
		l := e.missing(a.s.base)
		a.lacking = &l
		return nil
	}
	a.cut.add(e.record, e.cuts)
	return a.write(frame{text: e.head()})
}

func (a *assembly) piece(p *piece) error {
	if err := a.open(p.path); err != nil {
		return fmt.Errorf("record %.64q: %w", p.record, err)
	}
	if p.before.lacks || p.after.lacks {
		p.lacking = ReasonTooLarge
	}
	if p.lacking != "" && (a.lacking == nil || a.lacking.Reason == ReasonSecrets) { // a limit can be raised
		a.lacking = &Lacking{Path: join(a.s.base, p.spelled), Reason: p.lacking, Bytes: -1}
	}
	if a.lacking != nil {
		return nil
	}
	for _, f := range [...]frame{p.before, p.content(), p.after} {
		if err := a.write(f); err != nil {
			return fmt.Errorf("record %.64q: %w", p.record, err)
		}
		a.cut.add(p.record, f.named)
	}
	return nil
}

// add adds the cuts of one part to those of its file.
func (r *Redacted) add(record string, cuts []record.Redaction) {
	if len(cuts) > 0 && r.Record == "" {
		r.Record = record
	}
	r.Cuts = append(r.Cuts, cuts...)
}

func (a *assembly) open(file string) error {
	if a.w != nil {
		return nil
	}
	at, err := below(a.dir, file)
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

// end ends a source. What lacks a part is taken away again.
func (a *assembly) end() error {
	if e := a.s.envelope; e != nil && a.lacking == nil {
		if err := a.write(frame{text: e.tail()}); err != nil {
			return err
		}
	}
	if a.lacking != nil {
		a.lacking.row(a.s.source)
		a.r.Lacking = append(a.r.Lacking, *a.lacking)
		if err := a.takeBack(); err != nil {
			return fmt.Errorf("%.200q: %w", a.at, cause(err))
		}
	} else {
		a.kept += a.bytes
		a.less.add(a.cut.Record, a.cut.Cuts)
	}
	lacking := a.lacking != nil
	a.bytes, a.lacking, a.cut = 0, nil, Redacted{}
	switch {
	case a.rows == 0:
		return a.close(!lacking)
	case a.next >= a.rows:
		return a.finish()
	default:
		return nil
	}
}

// takeBack shortens the file to what it was before the source.
func (a *assembly) takeBack() error {
	if err := a.w.Truncate(a.kept); err != nil {
		return err
	}
	_, err := a.w.Seek(a.kept, io.SeekStart)
	return err
}

// finish ends a file of rows.
func (a *assembly) finish() error {
	if a.rows == 0 {
		return nil
	}
	err := a.absent(a.rows)
	if a.w != nil {
		err = errors.Join(err, a.close(a.kept > 0))
	}
	a.rows = 0
	return err
}

// close closes the file; one of which nothing is there is taken away.
func (a *assembly) close(whole bool) error {
	err := a.w.Close()
	a.w = nil
	if err != nil {
		return fmt.Errorf("%.200q: %w", a.at, err)
	}
	if !whole {
		return a.t.root.Remove(a.at)
	}
	if len(a.less.Cuts) > 0 {
		a.less.Path = join(a.s.base, record.SpellPath(a.s.one))
		a.r.Redacted = append(a.r.Redacted, a.less)
	}
	a.r.Files++
	a.r.Bytes += a.kept
	return nil
}

// abort lets go of the file after an error.
func (a *assembly) abort() {
	if a.w != nil {
		a.w.Close() //nolint:errcheck // the error that led here counts
		a.w = nil
	}
}
