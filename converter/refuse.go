package converter

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
)

// refuse checks how the conversion was asked for, before anything is read.
func (r *run) refuse() error {
	for _, src := range r.o.Sources {
		if bundle.IsBundle(src) {
			return &UsageError{Message: fmt.Sprintf("%s: got a ctx bundle, want a folder that holds conversations", quote(src)), Hint: "ctx validate checks a bundle"}
		}
		if r.o.DryRun {
			continue
		}
		in, out := resolved(src), resolved(r.o.Out)
		if within(out, in) {
			return &UsageError{Message: fmt.Sprintf("got the output inside the input %s", quote(src)), Hint: "write the bundle to a folder outside of it"}
		}
		if within(in, out) {
			return &UsageError{Message: fmt.Sprintf("got the input %s inside the output", quote(src)), Hint: "write the bundle to a folder of its own"}
		}
	}
	for _, t := range []string{r.o.Since, r.o.Until} {
		if t == "" {
			continue
		}
		if _, _, ok := parseBound(t); !ok {
			return &UsageError{Message: fmt.Sprintf("got %s, want a date or a date and time (ISO 8601)", quote(t)), Hint: "such as 2026-11-30 or 2026-11-30T16:00:00"}
		}
	}
	return nil
}

// refusal turns the reasons why a bundle cannot begin into usage errors.
func refusal(err error, out string) error {
	switch {
	case errors.Is(err, bundle.ErrExists) && !bundle.IsBundle(out):
		return &UsageError{Message: fmt.Sprintf("%s exists already, and is no ctx bundle", quote(out)), Hint: "choose another place"}
	case errors.Is(err, bundle.ErrExists):
		return &UsageError{Message: fmt.Sprintf("%s exists already", quote(out)), Hint: "--force replaces a ctx bundle, --update brings it up to date"}
	case errors.Is(err, bundle.ErrNotBundle):
		return &UsageError{Message: fmt.Sprintf("%s is no ctx bundle, not replaced", quote(out)), Hint: "choose another place"}
	default:
		return &UsageError{Message: err.Error(), Hint: "the output must lie in a folder that can be written"}
	}
}

// resolved is an absolute path with its links followed as far as it exists.
func resolved(p string) string {
	abs, err := filepath.Abs(p)
	if err != nil {
		return filepath.Clean(p)
	}
	rest := ""
	for dir := abs; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return abs
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// within says whether p is dir or lies below it.
func within(p, dir string) bool {
	rel, err := filepath.Rel(dir, p)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
