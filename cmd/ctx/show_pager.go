package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// paged lets print write to the pager when stdout is a terminal, else to stdout.
func (e *env) paged(ctx context.Context, never bool, print func(io.Writer) error) error {
	words := pagerWords(os.LookupEnv)
	if never || !e.terminal || len(words) == 0 {
		return print(e.stdout)
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return print(e.stdout)
	}
	pager := exec.Command(path, words[1:]...)
	pager.Stdout, pager.Stderr = os.Stdout, os.Stderr
	pager.Env = pagerEnv(os.Environ())
	return pipe(ctx, pager, print)
}

// pipe runs the pager and writes to it. A reader who leaves early is no error; an interruption is the pager's to take, so
// it is waited for in any case.
func pipe(ctx context.Context, pager *exec.Cmd, print func(io.Writer) error) error {
	in, err := pager.StdinPipe()
	if err != nil {
		return err
	}
	if err := pager.Start(); err != nil {
		return err
	}
	w := bufio.NewWriterSize(in, 1<<16)
	err = print(w)
	if err == nil {
		err = w.Flush()
	}
	_ = in.Close()
	_ = pager.Wait()
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) {
		err = nil
	}
	if err == nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return err
}

// pagerWords is the command of $PAGER, its arguments split at spaces; none when it is empty or cat. Without the variable it
// is less.
func pagerWords(lookup func(string) (string, bool)) []string {
	command, ok := lookup("PAGER")
	if !ok {
		return []string{"less"}
	}
	words := strings.Fields(command)
	if len(words) == 1 && words[0] == "cat" {
		return nil
	}
	return words
}

// pagerEnv adds what less needs to pass colours and to leave short texts on the screen, unless the user has decided.
func pagerEnv(env []string) []string {
	for _, v := range env {
		if strings.HasPrefix(v, "LESS=") {
			return env
		}
	}
	return append(env, "LESS=FRX")
}
