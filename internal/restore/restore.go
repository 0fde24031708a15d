package restore

import (
	"context"
	"fmt"

	"github.com/session-trace/ctx/internal/bundle"
)

// Result is what was made again.
type Result struct {
	Streams      int
	Files, Bytes int64      // written
	Redacted     []Redacted // written without what was cut out, in the bundle's order
	Lacking      []Lacking  // not written, in the bundle's order
}

// Restore writes the source files of a bundle below dir, a path of the operating system: nothing must stand there but
// an empty folder (ErrTarget). A path that leads elsewhere, or a second file in one place, is ErrPlace; a bundle that is
// not what its manifest states is ErrDamaged. With an error nothing is left at dir, unless it is a *PartialError.
func Restore(ctx context.Context, b *bundle.Bundle, dir string, o Options) (*Result, error) {
	list, err := streams(b, &o)
	if err != nil {
		return nil, err
	}
	t, err := newTarget(dir)
	if err != nil {
		return nil, err
	}
	r := &Result{}
	a := &assembly{r: r, t: t}
	for _, s := range list {
		if err = r.stream(ctx, s, t, a, &o); err != nil {
			break
		}
	}
	if err == nil {
		err = a.finish()
	}
	if err != nil {
		a.abort()
		t.abort()
		return nil, err
	}
	return r, t.publish()
}

// stream writes the files of one stream.
func (r *Result) stream(ctx context.Context, s *stream, t *target, a *assembly, o *Options) error {
	if err := a.begin(s); err != nil {
		return err
	}
	var dir string
	s.dir = func(path string) error {
		dir, a.dir = path, path
		if dir == "." {
			return nil
		}
		return checkPath(dir)
	}
	s.file = func(f *file) error {
		defer o.advance()
		if f.lacking != "" {
			r.Lacking = append(r.Lacking, f.missing(s.base))
			return nil
		}
		at, err := below(dir, f.path)
		if err != nil {
			return fmt.Errorf("record %.64q: %w", f.record, err)
		}
		if err := r.write(s.bundle, t, at, f); err != nil {
			return fmt.Errorf("record %.64q: %w", f.record, err)
		}
		if len(f.cuts) > 0 {
			r.Redacted = append(r.Redacted, Redacted{join(s.base, f.spelled), f.record, f.cuts})
		}
		return nil
	}
	s.head, s.piece, s.end = a.head, a.piece, a.end
	defer s.release()
	r.Streams++
	return s.read(ctx)
}

// missing is a file that the bundle lacks, as it is listed.
func (f *file) missing(source string) Lacking {
	return Lacking{Path: join(source, f.spelled), Reason: f.lacking, Bytes: f.size, SHA256: f.sha}
}

func (r *Result) write(b *bundle.Bundle, t *target, at string, f *file) error {
	w, err := t.create(at)
	if err != nil {
		return err
	}
	n := int64(len(f.inline))
	if f.blob == "" {
		_, err = w.Write(f.inline)
	} else {
		n, err = copyBlob(w, b, f.blob)
	}
	if err := firstOf(err, w.Close()); err != nil {
		return fmt.Errorf("%.200q: %w", at, err)
	}
	r.Files++
	r.Bytes += n
	return nil
}

// firstOf is the first of two errors that is one.
func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
