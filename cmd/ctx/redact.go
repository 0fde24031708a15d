package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/internal/audit"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/redact"
)

// redactFlags are the flags of ctx redact.
type redactFlags struct {
	out, keyFile string
	rules        []string
	force        bool
	output       *output
}

func newRedact(e *env) *cobra.Command {
	f := &redactFlags{output: newOutput("text", "json")}
	c := &cobra.Command{
		Use:   "redact BUNDLE -o BUNDLE",
		Short: "Write a bundle again without secrets, home paths or host names",
		Long: "redact writes a new bundle of the same structure in which tokens stand instead of what the rules find, in native bytes\n" +
			"and in all that was made from them. Equal values get equal tokens. What went is listed in `redacted` of each record\n" +
			"and declared as the loss secret-omitted; the manifest names the bundle it was made from.",
		Example: "  ctx redact bundle -o clean\n" +
			"  ctx redact bundle -o clean --rule secrets,paths,hosts --key-file key",
		Args: exactlyOne("BUNDLE"),
		RunE: func(c *cobra.Command, args []string) error { return e.redact(c.Context(), f, args[0]) },
	}
	flags := c.Flags()
	flags.StringVarP(&f.out, "out", "o", "", "write the new bundle to `PATH` (required)")
	flags.StringSliceVar(&f.rules, "rule", nil,
		"take out what these `NAMES` find: secrets (all rules of ctx scan), a rule id of ctx scan, paths, hosts (default secrets)")
	flags.StringVar(&f.keyFile, "key-file", "", "make tokens with the bytes of `FILE`, so that they are the same each time; else with a random key")
	flags.BoolVar(&f.force, "force", false, "replace a bundle that stands at PATH")
	flags.Var(f.output, "output", "print the result in this format")
	return c
}

func (e *env) redact(ctx context.Context, f *redactFlags, path string) error {
	if f.out == "" {
		return &usageError{message: "ctx redact needs -o, the path of the new bundle", hint: "ctx redact BUNDLE -o PATH"}
	}
	if inside(f.out, path) || inside(path, f.out) {
		return &usageError{
			message: fmt.Sprintf("the new bundle %s and %s lie in one another", quote(f.out), quote(path)),
			hint:    "write the new bundle elsewhere, and remove the old one when it is no longer needed",
		}
	}
	key, err := readKey(f.keyFile)
	if err != nil {
		return err
	}
	d, err := audit.NewDetector()
	if err != nil {
		return err
	}
	b, err := bundle.OpenHeld(path)
	if err != nil {
		return err
	}
	defer b.Close() //nolint:errcheck // it is only read
	bar := e.newProgress("redact", "record")
	defer bar.stop()
	res, err := redact.Bundle(ctx, b, f.out, d, redact.Options{
		Rules: f.rules, Key: key, Compress: compressionOf(b), Force: f.force, Jobs: e.jobs, Progress: bar.records(),
	})
	switch unknown, ok := errors.AsType[*redact.UnknownRuleError](err); {
	case ok:
		return &usageError{message: "--rule does not know " + quote(unknown.Name), hint: "want " + either(unknown.Known)}
	case errors.Is(err, bundle.ErrExists):
		return &usageError{message: err.Error(), hint: "--force replaces a bundle"}
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	}
	return e.printRedacted(f, path, res)
}

// maxKey bounds a key file, in bytes.
const maxKey = 1 << 20

// readKey reads the bytes of a key file; "" is no key.
func readKey(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--key-file: %w", err)
	}
	defer file.Close() //nolint:errcheck // it is only read
	var buf bytes.Buffer
	if _, err := io.Copy(&buf, io.LimitReader(file, maxKey+1)); err != nil {
		return nil, fmt.Errorf("--key-file: %w", err)
	}
	if n := buf.Len(); n < 16 || n > maxKey {
		return nil, &usageError{
			message: fmt.Sprintf("--key-file: got %s, want 16 bytes to 1 MiB", count(int64(n), "byte")),
			hint:    "head -c 32 /dev/urandom >FILE makes one",
		}
	}
	return buf.Bytes(), nil
}

// compressionOf is the compression of a bundle's streams.
func compressionOf(b *bundle.Bundle) bundle.Compression {
	for _, s := range b.Manifest().Streams {
		if s.Compression == bundle.Zstd.String() {
			return bundle.Zstd
		}
	}
	return bundle.None
}

func (e *env) printRedacted(f *redactFlags, path string, r *redact.Result) error {
	if f.output.word == "json" {
		_, err := e.stdout.Write(visibleJSON(appendRedaction(nil, f, path, r)))
		return err
	}
	if e.quiet {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "wrote %s: %s, %d of them changed, root sha256 %s\n", visible(f.out), count(r.Records, "record"), r.Changed, r.RootSHA256)
	for _, rule := range slices.Sorted(maps.Keys(r.Places)) {
		fmt.Fprintf(&b, "  %s: %s\n", rule, count(r.Places[rule], "place"))
	}
	_, err := io.WriteString(e.stdout, b.String())
	return err
}

func appendRedaction(dst []byte, f *redactFlags, path string, r *redact.Result) []byte {
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "bundle"), f.out)
	dst = record.AppendString(record.AppendKey(dst, "from"), path)
	dst = record.AppendString(record.AppendKey(dst, "rootSha256"), r.RootSHA256)
	dst = record.AppendString(record.AppendKey(dst, "fromRootSha256"), r.From)
	dst = record.AppendStrings(record.AppendKey(dst, "rules"), r.Rules)
	for _, n := range []struct {
		name  string
		value int64
	}{{"streams", r.Streams}, {"records", r.Records}, {"changed", r.Changed}} {
		dst = record.AppendInt(record.AppendKey(dst, n.name), n.value)
	}
	dst = record.AppendLosses(record.AppendKey(dst, "places"), r.Places)
	return append(dst, '}', '\n')
}
