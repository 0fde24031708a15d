package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// fleet does runs in processes of their own, so that neither a crash nor a hang of one ends the others.
type fleet struct {
	*options
	self string

	mu    sync.Mutex
	done  uint64
	bad   []string // what is said of runs with faults
	peak  int64    // of memory, in bytes, over all processes
	fatal error
}

// run does all runs.
func (f *fleet) run(ctx context.Context) error {
	var all sync.WaitGroup
	every := uint64(max(f.jobs, 1))
	for n := range min(every, f.runs) {
		all.Go(func() {
			for from := n; from < f.runs && ctx.Err() == nil; {
				from = f.process(ctx, from, every)
			}
		})
	}
	all.Wait()
	if f.fatal == nil {
		return ctx.Err()
	}
	return f.fatal
}

// process does runs in one process, and returns which comes next: the one after a run that took the process down.
func (f *fleet) process(ctx context.Context, from, every uint64) (next uint64) {
	c := exec.CommandContext(ctx, f.self, append([]string{"work", strconv.FormatUint(from, 10), strconv.FormatUint(every, 10)}, f.flags()...)...)
	var complaint bytes.Buffer
	c.Stderr = &complaint
	lines, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		f.stop(err)
		return f.runs
	}
	at, open := from, false
	in := bufio.NewScanner(lines)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		seed, said, _ := strings.Cut(rest, " ")
		if n, err := strconv.ParseUint(seed, 10, 64); err == nil {
			at, open = n-f.seed, word == wordBegin
		}
		f.note(word, said)
	}
	err = c.Wait()
	f.measure(c.ProcessState)
	switch {
	case err == nil:
		return f.runs
	case !open || ctx.Err() != nil:
		f.stop(fmt.Errorf("%w: %s", err, complaint.String()))
		return f.runs
	}
	f.crash(f.seed+at, err, complaint.String())
	return at + every
}

// note takes one line of a process.
func (f *fleet) note(word, said string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch word {
	case wordSound:
		f.done++
	case wordFault:
		f.done++
		f.fault(strings.ReplaceAll(said, "\x00", "\n"))
	}
	if f.done%1000 == 0 && word != wordBegin {
		fmt.Fprintf(f.log, "%d runs, %d with faults\n", f.done, len(f.bad))
	}
}

// fault prints what is said of a faulty run. The lock is held.
func (f *fleet) fault(said string) {
	f.bad = append(f.bad, said)
	fmt.Fprintln(f.log, said)
}

// crash notes a run that took its process down.
func (f *fleet) crash(seed uint64, err error, complaint string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done++
	f.fault(fmt.Sprintf("seed %d ended its process: %v\n%s", seed, err, complaint))
}

func (f *fleet) stop(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fatal == nil {
		f.fatal = err
	}
}

// measure notes the memory that a process took.
func (f *fleet) measure(p *os.ProcessState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.peak = max(f.peak, peakMemory(p))
}
