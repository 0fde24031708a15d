package laws

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// cover gathers, for one source, how each of its files is in the bundle.
type cover struct {
	*whole
	src   *bundle.SourceInfo
	files map[string]File   // below the source
	paths map[string]string // those that are accounted for, and how the bundle spells them
	one   *pieces           // the file that holds all items, nil where each has its own
}

// claim accounts for a file. kept is its bytes in the bundle, nil where it is declared that they are not there.
func (c *cover) claim(p, spelled string, kept *string, redacted bool) {
	f, ok := c.files[p]
	_, twice := c.paths[p]
	switch {
	case !ok:
		c.Add("files", "%s: got a record of file %q, which is not there", c.src.Path, p)
		return
	case f.Reason != "":
		c.Add("files", "%s: got a record of file %q, which is %s", c.src.Path, p, f.Reason)
	case twice:
		c.Add("files", "%s: got file %q twice", c.src.Path, p)
	case kept != nil && !redacted && *kept != f.Data:
		c.Add("bytes", "%s: file %q is %d bytes, got %d others", c.src.Path, p, len(f.Data), len(*kept))
	case kept != nil && redacted && *kept == f.Data:
		c.Add("bytes", "%s: file %q is said to be redacted and is whole", c.src.Path, p)
	}
	c.paths[p] = spelled
}

// blob is the bytes of a blob; nil when it is not there.
func (c *cover) blob(sha string) *string {
	raw, err := c.b.Blob(sha)
	if err != nil {
		c.Add("bytes", "%s: blob %s: %v", c.src.Path, sha, err)
		return nil
	}
	text := string(raw)
	return &text
}

// record accounts for the file of one record.
func (c *cover) record(r *row) {
	var kept *string
	switch n := &r.Native; {
	case n.Record != nil:
		text := string(n.Record)
		kept = &text
	case n.Blob != nil:
		kept = c.blob(n.Blob.SHA256)
	case n.Meta != "":
		text := string(r.Meta[n.Meta])
		kept = &text
	}
	p := r.Position.Path
	switch {
	case c.one != nil && r.Position.Family == "transcript" && (r.hasNative() || r.Type == "gap" && r.Reason != "missing"):
		c.piece(r, kept)
		return
	case c.one != nil && c.one.around != "" && r.ID == "state" && p == record.SpellPath(c.one.path):
		c.surrounds(r, kept)
		return
	case r.Type == "gap":
		c.gap(r, kept)
		return
	case !r.hasNative():
		if r.Type == "attachment" {
			c.Add("bytes", "%s: got attachment %s without its bytes", c.src.Path, r.ID)
		}
		return
	case p == "" && r.Position.Ordinal != nil:
		p = c.name(*r.Position.Ordinal, r.Position.ID)
	}
	c.claim(r.rawPath(p), p, kept, len(r.Native.Redacted) > 0)
}

// name is the path of an item as the layouts have it.
func (c *cover) name(ordinal int64, id string) string {
	name := fmt.Sprintf("event-%05d-%s.json", ordinal, id)
	switch c.src.Layout {
	case "cloud":
		return fmt.Sprintf("event_%06d_%s.json", ordinal, id)
	case "flat":
		return name
	}
	return "events/" + name
}

// gap accounts for the file of a gap. One that cannot be read is no file of the source.
func (c *cover) gap(r *row, kept *string) {
	p := r.rawPath(r.Path)
	switch r.Reason {
	case "missing":
	case "unreadable":
		if f, ok := c.files[p]; ok && f.Reason == "" {
			c.Add("bytes", "%s: got gap %s for file %q, which can be read", c.src.Path, r.ID, p)
		}
	case "too-large":
		c.claim(p, r.Path, nil, false)
	default:
		if kept == nil {
			c.Add("bytes", "%s: got gap %s (%s) without its bytes", c.src.Path, r.ID, r.Reason)
		}
		c.claim(p, r.Path, kept, len(r.Native.Redacted) > 0)
	}
}

// tail accounts for what the last record alone lists.
func (c *cover) tail(r *row) {
	for _, name := range []string{"file", "uncommitted", "unfinished"} {
		list, err := r.files(name)
		if err != nil {
			c.Add("files", "%s: %v", c.src.Path, err)
		}
		for i := range list {
			c.listed(r, name, &list[i])
		}
	}
	if c.one != nil {
		c.built()
	}
}

func (c *cover) listed(r *row, name string, f *listed) {
	on, ok := c.files[f.raw()]
	switch {
	case c.one != nil && f.raw() == c.one.path && name == "file" && (!r.lost("native-unreadable") || f.SHA256 == "" && !r.lost("secret-omitted")):
		c.Add("bytes", "%s: %s has no bytes of what stands around the items and declares no loss", c.src.Path, name)
	case c.one != nil && f.raw() == c.one.path:
		c.rest(f)
		return
	case f.Bytes == nil:
		if ok && on.Reason == "" && f.PathBytes == nil {
			c.Add("files", "%s: %s lists %q without its size, which can be read", c.src.Path, name, f.Path)
		}
		return
	case *f.Bytes != int64(len(on.Data)):
		c.Add("files", "%s: %s states %d bytes of %q, want %d", c.src.Path, name, *f.Bytes, f.Path, len(on.Data))
	case f.Blob == nil && *f.Bytes > 0 && f.SHA256 == "" && (!r.lost("native-unreadable") || !r.lost("secret-omitted")):
		c.Add("bytes", "%s: %s has no bytes of %q and declares no loss", c.src.Path, name, f.Path)
	}
	var kept *string
	if f.Blob != nil {
		kept = c.blob(f.Blob.SHA256)
	}
	c.claim(f.raw(), f.Path, kept, len(f.Redacted) > 0)
}

// digest holds the source's hash against the manifest. Two files that are spelled alike have no order.
func (c *cover) digest() {
	type line struct{ path, data string }
	var list []line
	var size int64
	for p, spelled := range c.paths {
		list = append(list, line{spelled, c.files[p].Data})
		size += int64(len(c.files[p].Data))
	}
	slices.SortFunc(list, func(a, b line) int { return cmp.Compare(a.path, b.path) })
	sum, alike := sha256.New(), false
	for i, f := range list {
		alike = alike || (i > 0 && list[i-1].path == f.path)
		fmt.Fprintf(sum, "%x %d %s\n", sha256.Sum256([]byte(f.data)), len(f.data), f.path)
	}
	sha := hex.EncodeToString(sum.Sum(nil))
	if int64(len(list)) != c.src.Files || size != c.src.Bytes || (sha != c.src.SHA256 && !alike) {
		c.Add("digest", "source %s: got %d files, %d bytes, %s, want %d, %d, %s", c.src.Path, c.src.Files, c.src.Bytes, c.src.SHA256, len(list), size, sha)
	}
}
