// Package main measures ctx against simple programs that do the same work, and says whether the gates hold.
//
// It makes seeded corpora in a temporary folder, runs every variant as a process of its own, and prints ratios: never a time.
// The process runs itself for the simple variants, under the names in workers.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is 0 when every gate holds or is too noisy to judge, 1 when one does not, 2 when the measurement did not work.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		if work, ok := workers()[args[0]]; ok {
			return report(work(args[1:], stdout), stderr)
		}
	}
	o, err := parseOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return report(err, stderr)
	}
	result, err := measure(o)
	if err != nil {
		return report(err, stderr)
	}
	if _, err := stdout.Write(result.render(o.json)); err != nil {
		return report(err, stderr)
	}
	if result.verdict() == fail {
		return 1
	}
	return 0
}

func report(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, "bench:", err)
	return 2
}

// options is what a run measures.
type options struct {
	quick, full bool
	json        bool
	seed        uint64
	only        []string // names of variants; empty: all
	log         io.Writer
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{log: stderr}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.BoolVar(&o.quick, "quick", false, "set S only, without the memory of 100,000 events")
	f.BoolVar(&o.full, "full", false, "rounds over the sets of 100,000 events too")
	f.BoolVar(&o.json, "json", false, "print JSON alone")
	f.Uint64Var(&o.seed, "seed", 1, "seed of corpora and of the order of variants")
	only := f.String("only", "", "variants to run, comma separated: "+strings.Join(variantNames(), ", "))
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 || o.quick && o.full {
		return nil, errors.New("want no arguments and at most one of -quick and -full")
	}
	if *only == "" {
		return o, nil
	}
	o.only = strings.Split(*only, ",")
	for _, name := range o.only {
		if _, err := findVariant(name); err != nil {
			return nil, err
		}
	}
	return o, nil
}
