package laws

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// Free holds that no file of a bundle, and no name of one, has a text, as it stands, in JSON escapes, percent-encoded
// or in base64.
func Free(dir string, secrets []string) Faults {
	var f Faults
	if len(secrets) == 0 {
		return f
	}
	files, err := Disk(dir)
	if err != nil {
		f.Add("secrets", "%v", err)
	}
	for _, p := range sortedKeys(files) {
		for _, text := range []string{p, files[p].Data, unescaped(files[p].Data)} {
			for _, secret := range secrets {
				for _, spelled := range Spellings(secret) {
					if at := strings.Index(text, spelled); at >= 0 {
						f.Add("secrets", "%s stands in %s as %s: %q", secret, p, spelled, text[max(at-60, 0):min(at+60, len(text))])
					}
				}
			}
		}
	}
	return f
}

// unescaped is a text with what \u escapes spell in ASCII, at any depth of strings within strings.
func unescaped(text string) string {
	if !strings.Contains(text, `\u00`) {
		return ""
	}
	var b strings.Builder
	for {
		at := strings.Index(text, `\u00`)
		if at < 0 || at+6 > len(text) {
			b.WriteString(text)
			return b.String()
		}
		n, err := strconv.ParseUint(text[at+4:at+6], 16, 8)
		if err != nil { // it is no escape
			b.WriteString(text[:at+4])
			text = text[at+4:]
			continue
		}
		b.WriteString(strings.TrimRight(text[:at], `\`))
		b.WriteByte(byte(n))
		text = text[at+6:]
	}
}

// Spellings are the ways in which a plain ASCII text is looked for.
func Spellings(secret string) []string {
	list := []string{secret}
	var escaped, upper, percent strings.Builder
	for i := range len(secret) {
		fmt.Fprintf(&escaped, `\u%04x`, secret[i])
		fmt.Fprintf(&upper, `\u%04X`, secret[i])
		fmt.Fprintf(&percent, "%%%02X", secret[i])
	}
	list = append(list, escaped.String(), upper.String(), percent.String())
	for shift := range 3 {
		text := Base64(strings.Repeat("x", shift) + secret)
		from, to := (shift*8+5)/6, (shift+len(secret))*8/6
		list = append(list, text[from:to])
	}
	return list
}

// Base64 is the bytes of a text in base64.
func Base64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
