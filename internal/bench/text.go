package main

import (
	"math"
	"math/rand/v2"
	"strings"
)

// prose makes text of a small vocabulary: sentences, code and terminal output with the byte mix of real sessions
// (line breaks, tabs, quotes, escapes, some characters outside ASCII), none of it copied from one.
type prose struct{ rng *rand.Rand }

const vocabulary = `amber anchor apple arrow autumn badge barrel basket beacon birch blanket bottle branch bridge bucket
button cabin candle canvas carpet castle cedar chapel cherry circle clover cobalt copper corner cotton cradle crystal
current dahlia daisy delta desert dragon eagle ember engine fabric falcon feather fennel fiddle filter flint forest
fossil fountain garden garlic ginger glacier granite gravel hammer harbor hazel helmet heron hollow honey island ivory
jacket jasmine juniper kettle ladder lagoon lantern laurel lemon lilac linen lizard magnet maple marble meadow mirror
morning mosaic mountain nectar needle nickel oak ocean olive orange orchid otter paddle paper parcel pebble pepper
pillow pine planet plum pocket pollen pond poplar prairie prism pumpkin quarry quartz rabbit raven ribbon river rocket
rope saddle saffron salmon sand satin shadow shell silver sketch slate smoke spiral spruce starling stone storm summer
tablet thistle thunder timber tulip tunnel turtle valley velvet violet walnut water willow window winter wren yarrow
naïve café → 山 川 été`

func words() []string { return strings.Fields(vocabulary) }

func (p *prose) pick(list []string) string { return list[p.rng.IntN(len(list))] }

// chance is true in about percent of 100 calls.
func (p *prose) chance(percent int) bool { return p.rng.IntN(100) < percent }

// size draws a length in bytes around median with a long tail, at most limit.
func (p *prose) size(median, limit int) int {
	n := float64(median) * math.Exp(p.rng.NormFloat64())
	return min(max(int(n), 8), limit)
}

// sentences appends about n bytes of running text.
func (p *prose) sentences(dst []byte, list []string, n int) []byte {
	for end := len(dst) + n; len(dst) < end; {
		for k := 4 + p.rng.IntN(10); k > 0; k-- {
			dst = append(append(dst, p.pick(list)...), ' ')
		}
		dst = append(dst[:len(dst)-1], '.', ' ')
		if p.chance(20) {
			dst = append(dst, '\n')
		}
	}
	return dst
}

// code appends about n bytes of lines that look like a program.
func (p *prose) code(dst []byte, list []string, n int) []byte {
	for end := len(dst) + n; len(dst) < end; {
		for k := p.rng.IntN(3); k > 0; k-- {
			dst = append(dst, "    "...)
		}
		a, b := p.pick(list), p.pick(list)
		switch p.rng.IntN(5) {
		case 0:
			dst = append(append(append(append(dst, "def "...), a...), "(self, "...), b+"):"...)
		case 1:
			dst = append(append(append(append(dst, a...), " = {\""...), b...), "\": [1, 2, 0.5]}"...)
		case 2:
			dst = append(append(append(append(dst, "if "...), a...), " != \""...), b+"\\n\":"...)
		case 3:
			dst = append(append(append(append(dst, "# "...), a...), ' '), b...)
		default:
			dst = append(append(append(append(dst, "return "...), a...), "."...), b+"()"...)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// output appends about n bytes of terminal output.
func (p *prose) output(dst []byte, list []string, n int) []byte {
	dst = append(dst, "\x1b[?2004l\r"...)
	for end := len(dst) + n; len(dst) < end; {
		dst = append(append(append(dst, p.pick(list)...), '/'), p.pick(list)...)
		switch p.rng.IntN(4) {
		case 0:
			dst = append(append(dst, ".py::test_"...), p.pick(list)...)
			dst = append(dst, " \x1b[32mPASSED\x1b[0m\t"...)
		case 1:
			dst = append(dst, ".txt:"...)
			dst = appendPadded(dst, uint64(p.rng.IntN(900)), 3)
			dst = append(append(append(dst, ": \""...), p.pick(list)...), '"')
		default:
			for k := p.rng.IntN(9); k >= 0; k-- {
				dst = append(append(dst, ' '), p.pick(list)...)
			}
		}
		dst = append(dst, '\n')
	}
	return append(dst, "\x1b[?2004h"...)
}

// appendPadded appends n in decimal with at least width digits.
func appendPadded(dst []byte, n uint64, width int) []byte {
	var digits [20]byte
	i := len(digits)
	for ; n > 0 || width > 0; width-- {
		i--
		digits[i] = byte('0' + n%10)
		n /= 10
	}
	return append(dst, digits[i:]...)
}
