package formats

// readWhole reads one file to its end. A short read on a regular file is its
// end, so only a full or an empty buffer needs a look at what was opened: the
// look costs a fifth of the read.
func readWhole(h handle, buf []byte, limit int64) ([]byte, error) {
	buf = buf[:cap(buf)]
	n, err := h.read(buf)
	if err == nil && n > 0 && n < len(buf) && int64(n) <= limit {
		return buf[:n], nil
	}
	size, regular, statErr := h.stat()
	switch {
	case statErr != nil:
		return buf, statErr
	case !regular:
		return buf, ErrOdd
	case err != nil:
		return buf, err
	case size > limit:
		return buf, &TooLargeError{Size: size}
	case int64(n) == size:
		return buf[:n], nil
	}
	return readRest(h, buf[:n], size, limit)
}

// readRest continues after a first read that was not the whole file: the
// buffer was too small, or the file changes under us.
func readRest(h handle, buf []byte, size, limit int64) ([]byte, error) {
	if int64(cap(buf)) <= size {
		buf = append(make([]byte, 0, size+1), buf...)
	}
	for {
		if int64(len(buf)) > limit {
			return buf, &TooLargeError{Size: max(size, int64(len(buf)))}
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := h.read(buf[len(buf):cap(buf)])
		if err != nil {
			return buf, err
		}
		if n == 0 {
			return buf, nil
		}
		buf = buf[:len(buf)+n]
	}
}

const hashStep = 128 << 10

func copyTo(sum interface{ Write([]byte) (int, error) }, h handle) (int64, error) {
	want, regular, err := h.stat()
	if err != nil {
		return 0, err
	}
	if !regular {
		return 0, ErrOdd
	}
	buf := make([]byte, min(want, hashStep))
	var got int64
	for got < want {
		n, err := h.read(buf[:min(want-got, hashStep)])
		if err != nil {
			return got, err
		}
		if n == 0 {
			break
		}
		sum.Write(buf[:n])
		got += int64(n)
	}
	return got, nil
}
