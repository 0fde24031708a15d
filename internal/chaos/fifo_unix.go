//go:build unix

package main

import (
	"errors"
	"io/fs"
	"syscall"
)

// makeFIFO makes a FIFO, which blocks whoever opens it without care.
func makeFIFO(name string) error {
	if err := syscall.Mkfifo(name, 0o644); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
