//go:build !race

package main

// rounds is how often a test that kills processes does so at the least.
const rounds = 3

// scripts is nil: all of them.
func scripts() []string { return nil }
