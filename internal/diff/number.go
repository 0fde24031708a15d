package diff

import (
	"bytes"
	"strconv"
)

// decimal is the magnitude and sign of a JSON number: digits × 10^exp, without zeros at either end of the digits.
type decimal struct {
	digits   []byte
	exp      int64
	negative bool
}

// sameNumber says whether two JSON numbers have one value, exactly. Of exponents that no computer reads it says no.
func sameNumber(a, b []byte) bool {
	x, known := parseDecimal(a)
	y, both := parseDecimal(b)
	return known && both && x.exp == y.exp && x.negative == y.negative && bytes.Equal(x.digits, y.digits)
}

// parseDecimal reads a literal of the grammar.
func parseDecimal(literal []byte) (d decimal, ok bool) {
	literal, d.negative = bytes.CutPrefix(literal, []byte("-"))
	if at := bytes.IndexAny(literal, "eE"); at >= 0 {
		exp, err := strconv.ParseInt(string(literal[at+1:]), 10, 62)
		if err != nil {
			return d, false
		}
		literal, d.exp = literal[:at], exp
	}
	whole, fraction, _ := bytes.Cut(literal, []byte("."))
	d.exp -= int64(len(fraction))
	digits := bytes.TrimLeft(append(append([]byte(nil), whole...), fraction...), "0")
	d.digits = bytes.TrimRight(digits, "0")
	d.exp += int64(len(digits) - len(d.digits))
	if len(d.digits) == 0 {
		d = decimal{} // 0, -0 and 0e9 are one value
	}
	return d, true
}
