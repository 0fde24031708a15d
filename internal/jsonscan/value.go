package jsonscan

// inner returns the bytes between the quotes of a string node.
func (d *Doc) inner(i int) ([]byte, bool) {
	if d.Kind(i) != String {
		return nil, false
	}
	n := d.Nodes[i]
	return d.Raw[n.Start+1 : n.End-1], true
}

// AppendText appends the unescaped text of string node i, lone surrogates as U+FFFD; nothing for other nodes.
func (d *Doc) AppendText(dst []byte, i int) []byte {
	raw, _ := d.inner(i)
	dst, _ = AppendUnescape(dst, raw)
	return dst
}

// Text returns the unescaped text of string node i, lone surrogates as U+FFFD; "" for other nodes.
func (d *Doc) Text(i int) string { return string(d.AppendText(nil, i)) }

// Equal reports whether node i is a string whose unescaped text is text. It allocates nothing.
func (d *Doc) Equal(i int, text string) bool {
	raw, ok := d.inner(i)
	return ok && equalText(raw, text)
}

// Int returns the value of number node i when it is an integer literal, without fraction and
// exponent, of magnitude 2^53-1 at most.
func (d *Doc) Int(i int) (int64, bool) {
	if d.Kind(i) != Number {
		return 0, false
	}
	literal := d.Value(i)
	if _, form := scanNumber(literal, 0); form != 0 {
		return 0, false
	}
	v, ok := safeInteger(literal)
	if !ok {
		return 0, false
	}
	return v, true
}
