package converter

import "strconv"

// quote quotes a name for a message, cut to 64 bytes.
func quote(s string) string {
	if len(s) > 64 {
		s = s[:61] + "..."
	}
	return strconv.Quote(s)
}
