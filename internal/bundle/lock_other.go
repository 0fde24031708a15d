//go:build !unix || solaris || illumos || aix

package bundle

import "os"

// lockFolder marks nothing: folders cannot be locked here.
func lockFolder(string) *os.File { return nil }

func lockShared(*os.File) bool { return true }

func locked(string) bool { return false }

func claimFolder(string) (*os.File, bool) { return nil, true }

func ours(os.FileInfo) bool { return true }

// alive says whether a process of that number exists.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}
