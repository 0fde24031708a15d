package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// usage is what one process took.
type usage struct {
	CPU  time.Duration // user and system
	RSS  int64         // peak, in bytes
	Exit int
}

const usageForm = "cpu=%d rss=%d exit=%d\n"

// launch runs a program and prints what it took: file for its stdout, program, arguments.
// A process inherits the peak of the one it was forked from, so a small one stands between the runner and what is measured.
func launch(args []string, stdout io.Writer) error {
	if len(args) < 2 {
		return errors.New("want a file for stdout and a program")
	}
	out, err := os.Create(args[0])
	if err != nil {
		return err
	}
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	err = cmd.Run()
	if stopped := (*exec.ExitError)(nil); err != nil && !errors.As(err, &stopped) {
		return err
	}
	u, err := processUsage(cmd.ProcessState)
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, usageForm, int64(u.CPU), u.RSS, u.Exit)
	return err
}

// start runs a program through launch and returns what it took and what it printed.
func start(ctx context.Context, self, scratch string, command []string) (u usage, printed []byte, err error) {
	file := filepath.Join(scratch, "stdout")
	cmd := exec.CommandContext(ctx, self, append([]string{"launch", file}, command...)...)
	cmd.Env = plainEnvironment(os.Environ())
	var said, complaint strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &complaint
	if err := cmd.Run(); err != nil {
		return u, nil, fmt.Errorf("%s: %w: %s", command[0], err, complaint.String())
	}
	var cpu int64
	if _, err := fmt.Sscanf(said.String(), usageForm, &cpu, &u.RSS, &u.Exit); err != nil {
		return u, nil, fmt.Errorf("launch: %w", err)
	}
	u.CPU = time.Duration(cpu)
	if printed, err = os.ReadFile(file); err != nil {
		return u, nil, err
	}
	if u.Exit != 0 {
		return u, printed, fmt.Errorf("%s ended with %d: %s", strings.Join(command, " "), u.Exit, complaint.String())
	}
	return u, printed, nil
}

// plainEnvironment leaves out what would change how a Go program runs.
func plainEnvironment(env []string) []string {
	var plain []string
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG":
		default:
			plain = append(plain, e)
		}
	}
	return plain
}
