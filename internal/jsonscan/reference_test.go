package jsonscan

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// reference is the slow oracle: a recursive decoder over characters, written apart from the scanner.
type reference struct {
	text  []byte
	pos   int
	doc   Doc
	depth int
}

// refer decodes a document that has to be UTF-8; ok is false for anything but one value.
func refer(raw []byte) (doc Doc, value any, ok bool) {
	r := reference{text: raw}
	r.doc = Doc{Raw: raw, FirstDuplicate: -1, FirstSurrogate: -1, FirstUnsafe: -1}
	defer func() {
		if p := recover(); p != nil {
			if p != errReference {
				panic(p)
			}
			ok = false
		}
	}()
	r.check(utf8.Valid(raw))
	r.blank()
	value = r.value(0, 0)
	r.blank()
	r.check(r.pos == len(raw))
	return r.doc, value, true
}

const errReference = "no document"

func (r *reference) check(ok bool) {
	if !ok {
		panic(errReference)
	}
}

func (r *reference) rest() []byte { return r.text[r.pos:] }

func (r *reference) take(token string) bool {
	if bytes.HasPrefix(r.rest(), []byte(token)) {
		r.pos += len(token)
		return true
	}
	return false
}

func (r *reference) blank() {
	for r.pos < len(r.text) && strings.ContainsRune(" \t\r\n", rune(r.text[r.pos])) {
		if strings.ContainsRune("\r\n", rune(r.text[r.pos])) {
			r.doc.Flags |= LineBreak
		}
		r.pos++
	}
}

func (r *reference) value(keyStart, keyEnd int) any {
	i := len(r.doc.Nodes)
	r.doc.Nodes = append(r.doc.Nodes, Node{Start: uint32(r.pos), KeyStart: uint32(keyStart), KeyEnd: uint32(keyEnd)})
	v := r.any(i)
	r.doc.Nodes[i].End, r.doc.Nodes[i].Next = uint32(r.pos), uint32(len(r.doc.Nodes))
	return v
}

func (r *reference) any(i int) any {
	switch {
	case r.take("true"):
		return true
	case r.take("false"):
		return false
	case r.take("null"):
		return nil
	case r.take("NaN"), r.take("Infinity"), r.take("-Infinity"):
		r.doc.Flags |= NonFiniteToken
		return nil
	case r.take(`"`):
		return r.decoded(i)
	case r.take("["):
		return r.array()
	case r.take("{"):
		return r.object()
	}
	return r.number(i)
}

func (r *reference) down() { r.depth++; r.doc.Depth = max(r.doc.Depth, r.depth) }

func (r *reference) array() any {
	r.down()
	list := []any{}
	for r.blank(); !r.take("]"); {
		if len(list) > 0 {
			r.check(r.take(","))
			r.blank()
		}
		list = append(list, r.value(0, 0))
		r.blank()
	}
	r.depth--
	return list
}

func (r *reference) object() any {
	r.down()
	object, seen := map[string]any{}, map[string]bool{}
	first := true
	for r.blank(); !r.take("}"); first = false {
		if !first {
			r.check(r.take(","))
			r.blank()
		}
		r.check(r.take(`"`))
		keyStart, next := r.pos, len(r.doc.Nodes)
		units := r.units(next)
		keyEnd := r.pos - 1
		if strings.ContainsRune(string(r.text[keyStart:keyEnd]), '\\') {
			r.doc.Flags |= EscapedKey
		}
		key := strings.Trim(strconv.Quote(string(utf16Bytes(units))), `"`)
		if seen[key] {
			r.doc.Flags |= DuplicateKey
			if r.doc.FirstDuplicate < 0 || next < r.doc.FirstDuplicate {
				r.doc.FirstDuplicate = next
			}
		}
		seen[key] = true
		r.blank()
		r.check(r.take(":"))
		r.blank()
		object[string(utf16.Decode(units))] = r.value(keyStart, keyEnd)
		r.blank()
	}
	r.depth--
	return object
}

func utf16Bytes(units []uint16) (out []byte) {
	for _, u := range units {
		out = append(out, byte(u>>8), byte(u))
	}
	return out
}

func (r *reference) decoded(i int) string { return string(utf16.Decode(r.units(i))) }

// units decodes a string after its opening quote to UTF-16, where lone surrogates come by themselves.
func (r *reference) units(i int) []uint16 {
	var units []uint16
	for !r.take(`"`) {
		c, n := utf8.DecodeRune(r.rest())
		r.check(n > 0 && c >= 0x20)
		r.pos += n
		if c != '\\' {
			units = utf16.AppendRune(units, c)
			continue
		}
		units = append(units, r.escape())
	}
	for k := 0; k < len(units); k++ {
		if k+1 < len(units) && utf16.DecodeRune(rune(units[k]), rune(units[k+1])) != utf8.RuneError {
			k++
		} else if utf16.IsSurrogate(rune(units[k])) {
			if r.doc.FirstSurrogate < 0 {
				r.doc.FirstSurrogate = i
			}
			r.doc.Flags |= LoneSurrogate
		}
	}
	return units
}

func (r *reference) escape() uint16 {
	for escape, c := range map[string]uint16{`"`: '"', `\`: '\\', `/`: '/', `b`: 8, `f`: 12, `n`: 10, `r`: 13, `t`: 9} {
		if r.take(escape) {
			return c
		}
	}
	r.check(r.take("u") && len(r.rest()) >= 4)
	u, err := strconv.ParseUint(string(r.rest()[:4]), 16, 16)
	r.check(err == nil)
	r.pos += 4
	return uint16(u)
}

func (r *reference) number(i int) any {
	end := r.pos
	for end < len(r.text) && strings.ContainsRune("+-.0123456789eE", rune(r.text[end])) {
		end++
	}
	literal := string(r.text[r.pos:end])
	r.check(json.Valid([]byte(literal)))
	r.pos = end
	if !referSafe(literal) {
		r.doc.Flags |= UnsafeNumber
		if r.doc.FirstUnsafe < 0 {
			r.doc.FirstUnsafe = i
		}
	}
	return json.Number(literal)
}

// referSafe is SafeNumber by the letter, over exact fractions.
func referSafe(literal string) bool {
	if !strings.ContainsAny(literal, ".eE") {
		v, _ := new(big.Int).SetString(literal, 10)
		return v.CmpAbs(big.NewInt(maxSafe)) <= 0
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(literal), "e")
	if !strings.ContainsAny(mantissa, "123456789") {
		return true
	}
	if e, err := strconv.Atoi(exponent); exponent != "" && (err != nil || max(e, -e) > 20_000) {
		return false // the mantissa of a test is not long enough to bring it back
	}
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return false
	}
	exact, _ := new(big.Rat).SetString(literal)
	shortest, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	return exact.Cmp(shortest) == 0
}
