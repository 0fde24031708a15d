package laws

import (
	"fmt"

	"github.com/session-trace/ctx/internal/bundle"
)

// SameBytes holds that two folders have the same files with the same bytes.
func SameBytes(law, want, got string) Faults {
	var f Faults
	a, err := Disk(want)
	if err != nil {
		f.Add(law, "%v", err)
	}
	b, err := Disk(got)
	if err != nil {
		f.Add(law, "%v", err)
	}
	for _, p := range sortedKeys(a) {
		if have, ok := b[p]; !ok {
			f.Add(law, "%q is not there", p)
		} else if have != a[p] {
			f.Add(law, "%q differs: %s", p, Difference(a[p].Data, have.Data))
		}
	}
	for _, p := range sortedKeys(b) {
		if _, ok := a[p]; !ok {
			f.Add(law, "%q is one too many", p)
		}
	}
	return f
}

// Difference is where two texts begin to differ.
func Difference(want, got string) string {
	n := 0
	for n < len(want) && n < len(got) && want[n] == got[n] {
		n++
	}
	from := max(0, n-60)
	return fmt.Sprintf("at %d: %q, want %q", n, got[from:min(len(got), n+60)], want[from:min(len(want), n+60)])
}

// Packed holds that a compressed bundle has the streams, blobs and root hash of a plain one.
func Packed(plain, packed *bundle.Bundle) Faults {
	var f Faults
	a, b := plain.Manifest(), packed.Manifest()
	if a.RootSHA256 != b.RootSHA256 || len(a.Streams) != len(b.Streams) || len(a.Blobs) != len(b.Blobs) {
		f.Add("packed", "got root %s of %d streams and %d blobs, want %s, %d, %d",
			b.RootSHA256, len(b.Streams), len(b.Blobs), a.RootSHA256, len(a.Streams), len(a.Blobs))
		return f
	}
	for i, s := range a.Streams {
		if p := b.Streams[i]; p.ID != s.ID || p.SHA256 != s.SHA256 || p.Compression != "zstd" {
			f.Add("packed", "got stream %s %s %s, want %s %s zstd", p.ID, p.SHA256, p.Compression, s.ID, s.SHA256)
		}
	}
	return f
}
