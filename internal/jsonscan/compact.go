package jsonscan

// CompactSize is the number of bytes that Compact appends.
func CompactSize(d Doc) int {
	size := 0
	for pos := 0; pos < len(d.Raw); {
		start := pos
		switch d.Raw[pos] {
		case '"':
			pos, _ = scanText(d.Raw, pos+1)
		case ' ', '\t', '\n', '\r':
			pos++
			start = pos
		default:
			pos++
		}
		size += pos - start
	}
	return size
}

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
