//go:build race

package main

// rounds is how often a test that kills processes does so at the least. With the race detector each takes many times as long.
const rounds = 1
