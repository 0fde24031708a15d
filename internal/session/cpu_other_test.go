//go:build !unix

package session_test

import (
	"testing"
	"time"
)

// spent is a clock where the time of the processor is not to be had.
func spent(testing.TB) time.Duration { return time.Duration(time.Now().UnixNano()) }
