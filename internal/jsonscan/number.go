package jsonscan

import "strconv"

// maxSafe is the largest integer that every reader of JSON keeps.
const maxSafe = 1<<53 - 1

// Digits that a double always keeps, and digits that its shortest form may need.
const (
	sureDigits = 15
	mostDigits = 17
)

// numberForm says how a number is spelled.
type numberForm uint8

const (
	formFraction numberForm = 1 << iota
	formExponent
	formFault // not a number, the fault is at the position returned
)

// number scans the number at pos, or -Infinity.
func (s *scanner) number(pos int) int {
	end, form := scanNumber(s.raw, pos)
	if form&formFault != 0 {
		if end == pos+1 && at(s.raw, end) == 'I' {
			return s.word(end)
		}
		return s.fail(end, Syntax)
	}
	// so short and without exponent it has no more digits than a double keeps
	if (end-pos > sureDigits || form&formExponent != 0) && !safe(s.raw[pos:end], form) {
		if s.flags&UnsafeNumber == 0 {
			s.firstUnsafe = len(s.nodes)
		}
		s.flags |= UnsafeNumber
	}
	return end
}

// scanNumber returns the end of the number at pos and its form.
func scanNumber(raw []byte, pos int) (int, numberForm) {
	var form numberForm
	if at(raw, pos) == '-' {
		pos++
	}
	switch c := at(raw, pos); {
	case c == '0':
		pos++
	case c-'1' <= 8:
		pos = skipDigits(raw, pos+1)
	default:
		return pos, formFault
	}
	if at(raw, pos) == '.' {
		end := skipDigits(raw, pos+1)
		if end == pos+1 {
			return end, formFault
		}
		form, pos = formFraction, end
	}
	if at(raw, pos)|0x20 == 'e' {
		pos++
		if c := at(raw, pos); c == '+' || c == '-' {
			pos++
		}
		end := skipDigits(raw, pos)
		if end == pos {
			return end, formFault
		}
		form, pos = form|formExponent, end
	}
	return pos, form
}

func skipDigits(raw []byte, pos int) int {
	for at(raw, pos)-'0' <= 9 {
		pos++
	}
	return pos
}

// SafeNumber reports whether a reader that holds numbers as doubles keeps the value of a JSON number:
// an integer literal up to 2^53-1 in magnitude, or a literal with fraction or exponent whose nearest double
// is finite and whose shortest decimal form has exactly the same value. Anything but one number is not safe.
func SafeNumber(literal []byte) bool {
	end, form := scanNumber(literal, 0)
	return form&formFault == 0 && end == len(literal) && safe(literal, form)
}

// safe judges a literal of the grammar.
func safe(literal []byte, form numberForm) bool {
	if form == 0 {
		_, ok := safeInteger(literal)
		return ok
	}
	d := parseDecimal(literal)
	switch {
	case d.n == 0:
		return true
	case d.n > mostDigits || d.exp > 309 || d.exp < -323: // longer than any shortest form, infinite, zero
		return false
	case d.n <= sureDigits && d.exp <= 308 && d.exp >= -306: // a normal double keeps it
		return true
	}
	return d.keptByDouble()
}

// safeInteger returns the value of a literal without fraction and exponent when it is safe.
func safeInteger(literal []byte) (int64, bool) {
	digits, sign := literal, int64(1)
	if at(literal, 0) == '-' {
		digits, sign = literal[1:], -1
	}
	if len(digits) > 16 {
		return 0, false
	}
	var v int64
	for _, c := range digits {
		v = v*10 + int64(c-'0')
	}
	return sign * v, v <= maxSafe
}

// decimal is the magnitude 0.d₁d₂…dₙ × 10^exp without zeros at either end.
type decimal struct {
	digits [mostDigits]byte
	n      int // more than mostDigits: longer than digits
	exp    int64
}

// parseDecimal reads a literal of the grammar.
func parseDecimal(literal []byte) decimal {
	var d decimal
	var zeros int // that are significant only if another digit follows
	fraction := false
	for i, c := range literal {
		switch {
		case c == '-':
		case c == '.':
			fraction = true
		case c|0x20 == 'e':
			d.exp += parseExponent(literal[i+1:])
			return d
		default:
			if !fraction && (d.n > 0 || c != '0') {
				d.exp++
			}
			if fraction && d.n == 0 && c == '0' {
				d.exp--
			}
			if c == '0' {
				zeros++
				continue
			}
			d.push(zeros, c)
			zeros = 0
		}
	}
	return d
}

// push appends zeros, unless they lead, and a digit.
func (d *decimal) push(zeros int, c byte) {
	for ; zeros > 0 && d.n > 0 && d.n < mostDigits; zeros-- {
		d.digits[d.n] = '0'
		d.n++
	}
	if d.n < mostDigits {
		d.digits[d.n] = c
	}
	d.n = min(d.n, mostDigits) + 1
}

// parseExponent reads an exponent and stops growing far beyond anything that a literal's digits could bring back.
func parseExponent(text []byte) int64 {
	var v int64
	for _, c := range text {
		if c-'0' <= 9 && v < 1<<40 {
			v = v*10 + int64(c-'0')
		}
	}
	if text[0] == '-' {
		return -v
	}
	return v
}

// keptByDouble reports whether the shortest form of the nearest double has the same value.
func (d *decimal) keptByDouble() bool {
	var buf [mostDigits + 8]byte
	text := append(append(buf[:0], d.digits[:d.n]...), 'e')
	f, err := strconv.ParseFloat(string(strconv.AppendInt(text, d.exp-int64(d.n), 10)), 64)
	if err != nil {
		return false
	}
	var out [32]byte
	kept := parseDecimal(strconv.AppendFloat(out[:0], f, 'e', -1, 64))
	return kept == *d
}
