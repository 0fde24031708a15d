package usage

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// decimal is an exact decimal number: coefficient × 10^-scale. The zero decimal is 0.
type decimal struct {
	coefficient big.Int
	scale       int // not negative
}

// parseDecimal reads a JSON number that a double holds, which bounds its digits.
func parseDecimal(literal []byte) (decimal, bool) {
	if !jsonscan.SafeNumber(literal) {
		return decimal{}, false
	}
	text, exponent, _ := strings.Cut(strings.ToLower(string(literal)), "e")
	whole, fraction, _ := strings.Cut(text, ".")
	var d decimal
	if _, ok := d.coefficient.SetString(whole+fraction, 10); !ok {
		return decimal{}, false
	}
	if d.coefficient.Sign() == 0 {
		return decimal{}, true // whatever its exponent
	}
	shift, err := strconv.Atoi("0" + strings.TrimLeft(exponent, "+-"))
	if err != nil {
		return decimal{}, false
	}
	if strings.HasPrefix(exponent, "-") {
		shift = -shift
	}
	if d.scale = len(fraction) - shift; d.scale < 0 {
		d.coefficient.Mul(&d.coefficient, ten(-d.scale))
		d.scale = 0
	}
	return d, true
}

func ten(power int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), nil) }

// add adds o to d.
func (d *decimal) add(o *decimal) {
	d.widen(o.scale)
	d.coefficient.Add(&d.coefficient, scaled(o, d.scale))
}

func (d *decimal) widen(scale int) {
	if scale > d.scale {
		d.coefficient.Mul(&d.coefficient, ten(scale-d.scale))
		d.scale = scale
	}
}

func scaled(d *decimal, scale int) *big.Int {
	return new(big.Int).Mul(&d.coefficient, ten(scale-d.scale))
}

// near says whether two numbers differ by no more than adding up doubles explains: a 10^-9th of the greater.
func (d *decimal) near(o *decimal) bool {
	scale := max(d.scale, o.scale)
	a, b := scaled(d, scale), scaled(o, scale)
	off := new(big.Int).Sub(a, b)
	off.Mul(off.Abs(off), ten(9))
	return off.CmpAbs(a) <= 0 || off.CmpAbs(b) <= 0
}

func (d *decimal) zero() bool { return d.coefficient.Sign() == 0 }

// String spells the number in full, without exponent and without zeros at its end.
func (d *decimal) String() string {
	text, negative := strings.CutPrefix(d.coefficient.String(), "-")
	sign := ""
	if negative {
		sign = "-"
	}
	if d.scale == 0 {
		return sign + text
	}
	if missing := d.scale + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	cut := len(text) - d.scale
	return sign + strings.TrimRight(strings.TrimRight(text[:cut]+"."+text[cut:], "0"), ".")
}
