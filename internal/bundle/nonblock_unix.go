//go:build unix

package bundle

import "golang.org/x/sys/unix"

// nonBlock keeps an open from waiting for a FIFO's other end.
const nonBlock = unix.O_NONBLOCK
