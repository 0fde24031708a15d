//go:build !unix

package bundle

const nonBlock = 0
