//go:build unix

package session_test

import (
	"syscall"
	"testing"
	"time"
)

// spent is the processor time of this process so far. Unlike a clock it does not go on while others have the processor.
func spent(t testing.TB) time.Duration {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
