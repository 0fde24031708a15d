//go:build race

package main

import "path/filepath"

// rounds is how often a test that kills processes does so at the least. With the race detector each takes many times as long.
const rounds = 1

// scripts are those that run many things at once; the others say the same with the race detector as without.
func scripts() []string {
	return []string{
		filepath.Join("testdata", "script", "sample.txtar"),
		filepath.Join("testdata", "script", "same-bytes.txtar"),
		filepath.Join("testdata", "script", "reports.txtar"),
	}
}
