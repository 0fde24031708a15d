package converter

import (
	"testing"
	"unsafe"
)

// A run holds every session until its place among the others is known, tens of thousands of them.
func TestSessionsAreSmall(t *testing.T) {
	if size := unsafe.Sizeof(session{}); size > 3000 {
		t.Errorf("got a session of %d bytes, want at most 3000: what only its work needs stands behind a pointer that release drops", size)
	}
}
