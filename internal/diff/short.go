package diff

import "unicode/utf8"

// Bytes of a value that are shown: most in all, with an ellipsis where something was left out, and those that stand before
// the first difference.
const (
	most  = 64
	early = 20
	dots  = "…"
)

// short cuts two values to where they begin to differ.
func short(a, b []byte) (string, string) {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	if same < most/2 {
		same = 0 // the beginning shows it
	}
	start := max(0, same-early)
	return window(a, start), window(b, start)
}

// window is what is shown of a value from a byte on, whole characters only.
func window(v []byte, start int) string {
	if len(v) <= most && start == 0 {
		return string(v)
	}
	for start > 0 && start < len(v) && !utf8.RuneStart(v[start]) {
		start--
	}
	start = min(start, len(v))
	room, lead := most, ""
	if start > 0 {
		lead = dots
		room -= len(dots)
	}
	if len(v)-start <= room {
		return lead + string(v[start:])
	}
	end := start + room - len(dots)
	for back := end; back > start && back > end-utf8.UTFMax; back-- {
		if utf8.RuneStart(v[back]) {
			end = back
			break
		}
	}
	return lead + string(v[start:end]) + dots
}
