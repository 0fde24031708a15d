package validator

// isTime says whether text is an ISO 8601 date and time: date, time, optional fraction, optional zone.
func isTime(text string) bool {
	rest, ok := digits(text, "dddd-dd-dd", "dddddddd")
	if !ok || rest == "" || rest[0] != 'T' && rest[0] != 't' && rest[0] != ' ' {
		return false
	}
	rest, ok = digits(rest[1:], "dd:dd:dd", "dddddd", "dd:dd", "dddd")
	if !ok {
		return false
	}
	return isZone(fraction(rest))
}

// digits cuts the first of the patterns that text begins with; d stands for a digit.
func digits(text string, patterns ...string) (rest string, ok bool) {
	for _, p := range patterns {
		if begins(text, p) {
			return text[len(p):], true
		}
	}
	return text, false
}

func begins(text, pattern string) bool {
	if len(text) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if digit := text[i] >= '0' && text[i] <= '9'; pattern[i] == 'd' && !digit || pattern[i] != 'd' && text[i] != pattern[i] {
			return false
		}
	}
	return true
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

func isZone(text string) bool {
	if text == "" || text == "Z" || text == "z" {
		return true
	}
	if text[0] != '+' && text[0] != '-' {
		return false
	}
	rest, ok := digits(text[1:], "dd:dd:dd", "dd:dd", "dddd", "dd")
	return ok && fraction(rest) == ""
}
