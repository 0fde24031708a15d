package audit

import (
	"math"
	"strings"
)

// entropy is the Shannon entropy of a text, in bits a byte.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	var bits float64
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// mixed says whether a text has a digit and a letter.
func mixed(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ContainsFunc(s, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' })
}

// strong says whether a value is told from other text wherever it stands.
func strong(s string) bool { return len(s) >= 12 && entropy(s) >= 2.8 && mixed(s) }
