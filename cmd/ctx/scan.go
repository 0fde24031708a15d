package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/audit"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/registry"
)

// scanFlags are the flags of ctx scan.
type scanFlags struct {
	failOn []string
	output *output
}

func newScan(e *env) *cobra.Command {
	f := &scanFlags{output: newOutput("text", "json", "sarif")}
	c := &cobra.Command{
		Use:   "scan BUNDLE|SOURCE…",
		Short: "Look for secrets in what is kept",
		Long: "scan looks for secrets in all that a BUNDLE keeps (streams, blobs, manifest, report), or in every file of a folder\n" +
			"SOURCE before anything is left out. It says where something stands and of what kind it is, never what it is.\n" +
			"Masked and enciphered values are counted and are no findings.",
		Example: "  ctx scan bundle\n" +
			"  ctx scan bundle --output sarif >scan.sarif",
		Args: someArguments("BUNDLE or SOURCE"),
		RunE: func(c *cobra.Command, args []string) error { return e.scan(c.Context(), f, args) },
	}
	c.Flags().StringArrayVar(&f.failOn, "fail-on", nil,
		"exit with 1 on these `WORDS`: none, or any of secret, masked, or rule ids, separated by commas (default secret)")
	c.Flags().Var(f.output, "output", "print the result in this format")
	return c
}

// scanned is the result for one bundle or folder.
type scanned struct {
	path   string
	bundle bool
	*audit.Result
}

func (e *env) scan(ctx context.Context, f *scanFlags, paths []string) error {
	d, err := audit.NewDetector()
	if err != nil {
		return err
	}
	fails, err := scanFailOn(f.failOn, d)
	if err != nil {
		return err
	}
	var done []scanned
	var broken []error
	for _, path := range paths {
		s, err := e.scanOne(ctx, d, path)
		if err != nil {
			broken = append(broken, err)
			if ctx.Err() != nil {
				break
			}
			continue
		}
		done = append(done, s)
	}
	if err := e.printScans(f, d, done, len(paths) > 1); err != nil {
		return err
	}
	if len(broken) > 0 {
		return errors.Join(broken...)
	}
	if slices.ContainsFunc(done, func(s scanned) bool { return fails.hits(s.Result) }) {
		return errFindings
	}
	return nil
}

// scanOne looks at a bundle, or at a folder that is none.
func (e *env) scanOne(ctx context.Context, d *audit.Detector, path string) (scanned, error) {
	bar := e.newProgress("scan", "record")
	defer bar.stop()
	o := audit.Options{Jobs: e.jobs, Progress: bar.records()}
	b, err := bundle.OpenHeld(path)
	if err == nil {
		defer b.Close() //nolint:errcheck // it is only read
		r, err := audit.Bundle(ctx, b, d, o)
		if err != nil {
			return scanned{}, fmt.Errorf("%s: %w", path, err)
		}
		return scanned{path, true, r}, nil
	}
	if !errors.Is(err, bundle.ErrNotBundle) {
		return scanned{}, err
	}
	root, err := formats.Open(path)
	if err != nil {
		return scanned{}, &usageError{message: err.Error(), hint: "want a bundle, or a folder of conversations"}
	}
	defer root.Close() //nolint:errcheck // it is only read
	reg, err := e.load()
	if err != nil {
		return scanned{}, err
	}
	o.Skip = neverOpened(reg)
	r, err := audit.Folder(ctx, root, d, o)
	if err != nil {
		return scanned{}, fmt.Errorf("%s: %w", path, err)
	}
	return scanned{path, false, r}, nil
}

// neverOpened says which paths an entry lists as never opened, wherever its source begins.
func neverOpened(reg *registry.Registry) func(string) bool {
	return func(p string) bool {
		for _, entry := range reg.Entries() {
			for i := range entry.Formats {
				for j := range entry.Formats[i].Never {
					for rest, more := p, true; more; _, rest, more = strings.Cut(rest, "/") {
						if g := &entry.Formats[i].Never[j]; g.Match(rest) || g.Below(rest) {
							return true
						}
					}
				}
			}
		}
		return false
	}
}

// scanFails says what makes a scan exit with 1.
type scanFails struct {
	secret, masked bool
	rules          []string
}

func scanFailOn(values []string, d *audit.Detector) (scanFails, error) {
	var f scanFails
	if len(values) == 0 {
		return scanFails{secret: true}, nil
	}
	words := strings.Split(strings.Join(values, ","), ",")
	for _, w := range words {
		w = strings.TrimSpace(w)
		switch {
		case w == "none" && len(words) > 1:
			return f, &usageError{message: `--fail-on "none" stands alone`, hint: "leave the other words out, or none"}
		case w == "none":
		case w == "secret":
			f.secret = true
		case w == audit.MaskedRule:
			f.masked = true
		case slices.Contains(secretRules(d), w):
			f.rules = append(f.rules, w)
		default:
			return f, &usageError{
				message: "--fail-on does not know " + quote(w),
				hint:    "want none, or any of secret, masked, or a rule id: " + strings.Join(secretRules(d), ", "),
			}
		}
	}
	return f, nil
}

func secretRules(d *audit.Detector) []string {
	var ids []string
	for _, r := range d.Rules() {
		ids = append(ids, r.ID)
	}
	return ids
}

func (f *scanFails) hits(r *audit.Result) bool {
	return f.secret && r.Total() > 0 || f.masked && r.Masked > 0 ||
		slices.ContainsFunc(f.rules, func(rule string) bool { return r.Counts[rule] > 0 })
}

func (e *env) printScans(f *scanFlags, d *audit.Detector, done []scanned, several bool) error {
	var out []byte
	switch f.output.word {
	case "text":
		if e.quiet {
			return nil
		}
		var b strings.Builder
		for i := range done {
			e.scanText(&b, d, &done[i])
		}
		_, err := io.WriteString(e.stdout, b.String())
		return err
	case "sarif":
		out = appendSarif(nil, d, done)
	default:
		out = appendScans(nil, done, several)
	}
	_, err := e.stdout.Write(visibleJSON(out))
	return err
}
