package validator

// isTime says whether text is an ISO 8601 date and time: date, time, optional fraction, optional zone.
func isTime(text string) bool {
	rest, ok := date(text)
	if !ok || rest == "" || rest[0] != 'T' && rest[0] != 't' && rest[0] != ' ' {
		return false
	}
	rest, ok = clock(rest[1:])
	return ok && zone(rest)
}

// two cuts two digits with a value in a range off text.
func two(text string, low, high int) (rest string, ok bool) {
	if len(text) < 2 || text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9' {
		return text, false
	}
	n := 10*int(text[0]-'0') + int(text[1]-'0')
	return text[2:], n >= low && n <= high
}

func cut(text string, c byte) string {
	if text != "" && text[0] == c {
		return text[1:]
	}
	return text
}

// date cuts YYYY-MM-DD or YYYYMMDD.
func date(text string) (rest string, ok bool) {
	if rest, ok = two(text, 0, 99); !ok {
		return
	}
	if rest, ok = two(rest, 0, 99); !ok {
		return
	}
	if rest, ok = two(cut(rest, '-'), 1, 12); !ok {
		return
	}
	return two(cut(rest, '-'), 1, 31)
}

// clock cuts hours, and maybe minutes, seconds and a fraction.
func clock(text string) (rest string, ok bool) {
	if text, ok = two(text, 0, 24); !ok {
		return text, false
	}
	if rest, ok = two(cut(text, ':'), 0, 59); !ok {
		return text, true
	}
	text = rest
	if rest, ok = two(cut(text, ':'), 0, 60); !ok {
		return text, true
	}
	return fraction(rest), true
}

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

func zone(text string) bool {
	if text == "" || text == "Z" || text == "z" {
		return true
	}
	if text[0] != '+' && text[0] != '-' {
		return false
	}
	rest, ok := two(text[1:], 0, 23)
	if !ok || rest == "" {
		return ok
	}
	rest, ok = two(cut(rest, ':'), 0, 59)
	return ok && rest == ""
}
