// Package main spoils native conversations at random, thousands of times, and holds laws over what ctx makes of them.
//
// Each run has a seed, which alone says what is done: the run of that seed can be done again by itself. What does not hold
// is printed with the fewest mutations that show it, and the spoiled folder is kept.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"time"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// maxPeak is the most memory that a process may take: conversations here are small.
const maxPeak = 1 << 30

// run is 0 when every law held, 1 when one did not, 2 when the runs could not be done.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(args) > 2 && args[0] == "work" {
		return report(work(ctx, args[1:], stdout, stderr), stderr)
	}
	o, err := parseOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return report(err, stderr)
	}
	f := &fleet{options: o}
	if f.self, err = os.Executable(); err != nil {
		return report(err, stderr)
	}
	if err := f.run(ctx); err != nil {
		return report(err, stderr)
	}
	fmt.Fprintf(stdout, "%d runs from seed %d, %d with faults, at most %d MiB of memory\n", f.done, o.seed, len(f.bad), f.peak>>20)
	if len(f.bad) > 0 || f.peak > maxPeak {
		return 1
	}
	return 0
}

// work is what a process of the fleet does: the number of its first run, the step to the next, and flags.
func work(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	from, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return err
	}
	every, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil || every == 0 {
		return fmt.Errorf("step %q: want a number", args[1])
	}
	o, err := parseOptions(args[2:], stderr)
	if err != nil {
		return err
	}
	w, err := newWorker(o, stdout, stderr)
	if err != nil {
		return err
	}
	return w.work(ctx, from, every)
}

func report(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, "chaos:", err)
	return 2
}

// options say what is run.
type options struct {
	runs, seed   uint64
	corpus, keep string
	jobs         int
	deadline     time.Duration
	log          io.Writer
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{log: stderr}
	f := flag.NewFlagSet("chaos", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Uint64Var(&o.runs, "runs", 2000, "number of runs")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the first run; the others have those after it")
	f.StringVar(&o.corpus, "corpus", "fixtures", "folder with native conversations to begin with")
	f.StringVar(&o.keep, "keep", "out/chaos", "folder for what was converted in runs with faults")
	f.IntVar(&o.jobs, "jobs", runtime.GOMAXPROCS(0), "processes at once")
	f.DurationVar(&o.deadline, "deadline", time.Minute, "a run that takes longer hangs")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("got argument %q, want flags alone", f.Arg(0))
	}
	return o, nil
}

// flags are the options again.
func (o *options) flags() []string {
	return []string{
		"-runs", strconv.FormatUint(o.runs, 10), "-seed", strconv.FormatUint(o.seed, 10), "-corpus", o.corpus, "-keep", o.keep, "-deadline", o.deadline.String(),
	}
}
