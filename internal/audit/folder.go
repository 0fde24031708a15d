package audit

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/session-trace/ctx/formats"
)

// maxDeep bounds how deep folders are followed.
const maxDeep = 200

// Folder looks at every file below a folder, as it stands, before anything is left out by a conversion. Links are not
// followed; what is not looked at is listed.
func Folder(ctx context.Context, root *formats.Root, d *Detector, o Options) (*Result, error) {
	w := &walker{ctx: ctx, root: root, d: d, o: o}
	if err := w.folder(".", 0); err != nil {
		return nil, err
	}
	res, err := run(ctx, w.list, o.Jobs)
	if err != nil {
		return nil, err
	}
	res.Skipped = append(w.skipped, res.Skipped...)
	return res, nil
}

type walker struct {
	ctx     context.Context //nolint:containedctx // it lives as long as one call of Folder
	root    *formats.Root
	d       *Detector
	o       Options
	list    []work
	skipped []Skipped
}

func (w *walker) skip(p, reason string) { w.skipped = append(w.skipped, Skipped{w.d.Hide(p), reason}) }

func (w *walker) folder(dir string, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	names, err := w.root.List(dir)
	if err != nil && dir == "." {
		return err
	}
	if err != nil || depth > maxDeep {
		w.skip(dir, "unreadable")
		return nil
	}
	for _, n := range names {
		p := path.Join(dir, n.Name)
		switch {
		case w.o.Skip != nil && w.o.Skip(p):
			w.skip(p, "not-opened")
		case n.Kind == formats.KindFolder:
			if err := w.folder(p, depth+1); err != nil {
				return err
			}
		case n.Kind == formats.KindFile:
			w.list = append(w.list, func(part *part) error { return w.file(part, p) })
		default:
			w.skip(p, n.Kind.String())
		}
	}
	return nil
}

// file looks at one file. One that cannot be read is listed, and does not keep the others from being looked at.
func (w *walker) file(p *part, name string) error {
	folder, err := w.root.Folder(path.Dir(name))
	if err != nil {
		return fmt.Errorf("folder of %q: %w", name, err)
	}
	defer folder.Close() //nolint:errcheck // it is only read
	f, err := folder.Open(path.Base(name))
	if err != nil {
		reason := "unreadable"
		if errors.Is(err, formats.ErrOdd) {
			reason = formats.KindOdd.String()
		}
		p.Skipped = append(p.Skipped, Skipped{w.d.Hide(name), reason})
		return nil
	}
	defer f.Close() //nolint:errcheck // it is only read
	if err := w.d.reader(p, f, name); err != nil {
		p.Skipped = append(p.Skipped, Skipped{w.d.Hide(name), "unreadable"})
	}
	if w.o.Progress != nil {
		w.o.Progress(1)
	}
	return nil
}
