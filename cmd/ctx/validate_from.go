package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/session-trace/ctx/internal/archive"
)

const (
	maxList = 16 << 20 // bytes of a list of bundles
	maxPath = 4096     // bytes of one of its lines
)

// inputFlags say what ctx validate reads.
type inputFlags struct {
	from     string
	unpacked byteSize
}

func newInputFlags() inputFlags { return inputFlags{unpacked: archive.DefaultBytes} }

func (f *inputFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.from, "from", "", "check the bundles that `FILE` lists too, one path a line; - is standard input")
	flags.Var(&f.unpacked, "max-unpacked", "unpack no more than `SIZE` of a tar, 0 for all")
}

// arguments wants something to check, and standard input for one thing alone.
func (f *validateFlags) arguments(c *cobra.Command, args []string) error {
	if c.Flags().Changed("from") && f.from == "" {
		return &usageError{message: "--from got no path", hint: "want a file that lists bundles, or - for standard input"}
	}
	if f.from == "" {
		if err := someArguments("BUNDLE")(c, args); err != nil {
			return &usageError{message: err.Error(), hint: "or --from FILE, a list of them; see " + c.CommandPath() + " --help"}
		}
	}
	fromInput := 0
	for _, a := range append(slices.Clone(args), f.from) {
		if a == standard {
			fromInput++
		}
	}
	if fromInput > 1 {
		return &usageError{message: "- stands for standard input more than once", hint: "it can be read once: as one bundle, or as the list of --from"}
	}
	return nil
}

// input is a bundle to check.
type input struct {
	path string
	from string // the list that names it, "" an argument
	line int    // of that list
}

// fault adds the place that asked for a bundle to an error about it.
func (in input) fault(err error) error {
	if in.from == "" {
		return err
	}
	named := fmt.Errorf("%s: %w", lineOf(in.from, in.line), err)
	if hint := hintOf(err); hint != "" {
		return &usageError{message: named.Error(), hint: hint}
	}
	return named
}

func lineOf(list string, line int) string { return list + ":" + strconv.Itoa(line) }

// inputs are the bundles of the arguments, then those of --from.
func (e *env) inputs(ctx context.Context, f *validateFlags, args []string) ([]input, error) {
	list := make([]input, len(args))
	for i, path := range args {
		list[i].path = path
	}
	if f.from == "" {
		return list, nil
	}
	r, err := e.openList(ctx, f.from)
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // it was only read
	listed, err := readList(r, f.from)
	if err == nil && len(listed) == 0 {
		err = &usageError{message: f.from + ": got a list without a path, want one a line"}
	}
	return append(list, listed...), err
}

func (e *env) openList(ctx context.Context, path string) (io.ReadCloser, error) {
	if path != standard {
		return archive.Open(path)
	}
	if e.stdin == nil {
		return nil, &usageError{message: "--from - reads standard input, got none"}
	}
	return io.NopCloser(archive.Await(ctx, e.stdin)), nil
}

// readList reads paths, one a line, whole: only the line end, with or without a carriage return, is no part of it. Lines of
// nothing but white space are skipped, and no character makes a line a comment.
func readList(r io.Reader, name string) ([]input, error) {
	var list []input
	bounded := &io.LimitedReader{R: r, N: maxList + 1}
	lines := bufio.NewReaderSize(bounded, maxPath+2)
	for n := 1; ; n++ {
		line, err := lines.ReadSlice('\n')
		if bounded.N == 0 {
			return nil, &usageError{message: fmt.Sprintf("%s: got a list of more than %d bytes", lineOf(name, n), maxList), hint: "check it in parts"}
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("%s: %w", lineOf(name, n), err)
		}
		path := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if problem := pathProblem(path); problem != "" {
			return nil, &usageError{message: lineOf(name, n) + ": " + problem, hint: "want one path a line"}
		}
		if len(bytes.TrimSpace(path)) > 0 {
			list = append(list, input{path: string(path), from: name, line: n})
		}
		if errors.Is(err, io.EOF) {
			return list, nil
		}
	}
}

func pathProblem(path []byte) string {
	switch {
	case len(path) > maxPath:
		return fmt.Sprintf("got a path of more than %d bytes", maxPath)
	case bytes.IndexByte(path, 0) >= 0:
		return "got a NUL byte, which no path has"
	case string(path) == standard:
		return "got -, which is standard input on the command line alone; ./- is a file of that name"
	default:
		return ""
	}
}
