package main

// paint colours words when stdout is a terminal and colour is wanted.
type paint struct{ on bool }

func (p paint) good(s string) string { return p.with("32", s) }
func (p paint) bad(s string) string  { return p.with("31", s) }

func (p paint) with(code, s string) string {
	if !p.on {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
