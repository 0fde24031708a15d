//go:build unix

package main

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"
)

// processUsage is what wait4 said about a process that has ended.
func processUsage(p *os.ProcessState) (usage, error) {
	r, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return usage{}, errors.New("the system does not say what a process took")
	}
	unit := int64(1024)
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return usage{CPU: spent(r), RSS: int64(r.Maxrss) * unit, Exit: p.ExitCode()}, nil
}

// ownCPU is what this process took until now.
func ownCPU() (time.Duration, error) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0, err
	}
	return spent(&r), nil
}

func spent(r *syscall.Rusage) time.Duration {
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
