package jsonscan

// Compact appends a scanned document without the white space around its tokens; every token stays as spelled.
func Compact(dst []byte, d Doc) []byte {
	raw, start := d.Raw, 0 // of the run that is not appended yet
	for pos := 0; pos < len(raw); {
		switch raw[pos] {
		case '"':
			pos, _ = scanText(raw, pos+1)
		case ' ', '\t', '\n', '\r':
			dst = append(dst, raw[start:pos]...)
			pos++
			start = pos
		default:
			pos++
		}
	}
	return append(dst, raw[start:]...)
}
