package validator

import "time"

// isTime says whether text is an ISO 8601 date and time in the extended form: date, T, hours and minutes, maybe seconds
// with a fraction, and maybe a zone. The conversion has the same grammar; schemas/testdata/times.txt holds both to it.
func isTime(text string) bool {
	rest, ok := date(text)
	if !ok || rest == "" || rest[0] != 'T' {
		return false
	}
	rest, ok = clock(rest[1:])
	return ok && zone(rest)
}

// two cuts two digits with a value in a range off text.
func two(text string, low, high int) (n int, rest string, ok bool) {
	if len(text) < 2 || text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9' {
		return 0, text, false
	}
	n = 10*int(text[0]-'0') + int(text[1]-'0')
	return n, text[2:], n >= low && n <= high
}

// after is two behind a mark.
func after(mark byte, text string, low, high int) (n int, rest string, ok bool) {
	if text == "" || text[0] != mark {
		return 0, text, false
	}
	return two(text[1:], low, high)
}

// date cuts YYYY-MM-DD.
func date(text string) (rest string, ok bool) {
	century, rest, ok := two(text, 0, 99)
	if !ok {
		return rest, false
	}
	year, rest, ok := two(rest, 0, 99)
	if !ok {
		return rest, false
	}
	month, rest, ok := after('-', rest, 1, 12)
	if !ok {
		return rest, false
	}
	last := time.Date(100*century+year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	_, rest, ok = after('-', rest, 1, last)
	return rest, ok
}

// clock cuts hours and minutes, and maybe seconds and a fraction.
func clock(text string) (rest string, ok bool) {
	if _, text, ok = two(text, 0, 23); !ok {
		return text, false
	}
	if _, text, ok = after(':', text, 0, 59); !ok {
		return text, false
	}
	if text == "" || text[0] != ':' {
		return text, true
	}
	if _, text, ok = after(':', text, 0, 60); !ok {
		return text, false
	}
	return fraction(text), true
}

// fraction cuts a fraction of a second; a mark without digits stays.
func fraction(text string) string {
	if text == "" || text[0] != '.' && text[0] != ',' {
		return text
	}
	n := 1
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	if n == 1 {
		return text
	}
	return text[n:]
}

// zone says whether text is no zone at all, Z, or an offset.
func zone(text string) bool {
	if text == "" || text == "Z" {
		return true
	}
	if text[0] != '+' && text[0] != '-' {
		return false
	}
	_, rest, ok := two(text[1:], 0, 23)
	if !ok || rest == "" {
		return ok
	}
	if rest[0] == ':' {
		rest = rest[1:]
	}
	_, rest, ok = two(rest, 0, 59)
	return ok && rest == ""
}
