package jsonscan

import (
	"bytes"
	"strconv"
	"strings"
)

// Pointer returns the JSON pointer (RFC 6901) of node i, "" for the root and for a node that is not there.
// It walks from the root; a lone surrogate in a name stands as U+FFFD.
func (d *Doc) Pointer(i int) string {
	if _, ok := d.node(i); !ok {
		return ""
	}
	var out []byte
	for parent := 0; parent != i; {
		child, index := parent+1, 0
		for ; int(d.Nodes[child].Next) <= i; child = int(d.Nodes[child].Next) {
			index++
		}
		out = d.appendToken(append(out, '/'), child, index)
		parent = child
	}
	return string(out)
}

func (d *Doc) appendToken(dst []byte, child, index int) []byte {
	if d.Nodes[child].KeyStart == 0 {
		return strconv.AppendInt(dst, int64(index), 10)
	}
	start := len(dst)
	dst, _ = AppendUnescape(dst, d.Name(child))
	if !bytes.ContainsAny(dst[start:], "~/") {
		return dst
	}
	token := string(dst[start:])
	dst = dst[:start]
	for i := range len(token) {
		switch token[i] {
		case '~':
			dst = append(dst, "~0"...)
		case '/':
			dst = append(dst, "~1"...)
		default:
			dst = append(dst, token[i])
		}
	}
	return dst
}

// At returns the node that a JSON pointer names, or -1; of members of one name it is the last.
func (d *Doc) At(pointer string) int {
	i := 0
	if len(d.Nodes) == 0 || pointer != "" && pointer[0] != '/' {
		return -1
	}
	for pointer != "" && i >= 0 {
		var token string
		token, pointer = cutToken(pointer[1:])
		i = d.step(i, token)
	}
	return i
}

// cutToken returns the raw token before the next slash, and the rest from that slash on.
func cutToken(s string) (token, rest string) {
	if k := strings.IndexByte(s, '/'); k >= 0 {
		return s[:k], s[k:]
	}
	return s, ""
}

// step returns the child of node i that a raw token names, or -1.
func (d *Doc) step(i int, token string) int {
	switch d.Kind(i) {
	case Object:
		name, ok := unescapeToken(token)
		if !ok {
			return -1
		}
		return d.Find(i, name)
	case Array:
		n, err := strconv.ParseUint(token, 10, 32)
		if err != nil || token[0] == '0' && len(token) > 1 {
			return -1
		}
		return d.Elem(i, int(n))
	}
	return -1
}

// unescapeToken replaces ~1 and ~0; any other tilde is a fault.
func unescapeToken(token string) (string, bool) {
	if strings.IndexByte(token, '~') < 0 {
		return token, true
	}
	out := make([]byte, 0, len(token))
	for i := 0; i < len(token); i++ {
		switch rest := token[i:]; {
		case rest[0] != '~':
			out = append(out, rest[0])
		case strings.HasPrefix(rest, "~0"):
			out = append(out, '~')
			i++
		case strings.HasPrefix(rest, "~1"):
			out = append(out, '/')
			i++
		default:
			return "", false
		}
	}
	return string(out), true
}
