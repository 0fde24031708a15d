package converter

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"path"
	"slices"
	"time"

	"github.com/session-trace/ctx/formats"
)

// raceMargin is how much older than the look at it a file must be for its time to be trusted: a write within the
// same tick of the file system's clock would not show.
const raceMargin = 2 * time.Second

// survey is what a source looked like: the names in its folders, and the stamps of its files.
type survey struct {
	names  string // hash of the listings
	stamps []fileStamp
}

type fileStamp struct {
	path string // relative to the source
	formats.Stamp
}

// survey looks at the source's folders and files without reading them. What changes afterwards shows in the next one.
func (s *session) survey() survey {
	at := time.Now().Add(-raceMargin).UnixNano()
	sum := sha256.New()
	hashNames(sum, ".", s.src.names)
	for _, folder := range s.folders() {
		hashNames(sum, folder, s.list(folder))
	}
	s.hashListing(sum)
	v := survey{names: hex.EncodeToString(sum.Sum(nil))}
	var folder *formats.Folder
	opened := ""
	for _, below := range s.paths() {
		if dir := path.Dir(below); folder == nil || dir != opened {
			if folder != nil {
				folder.Close() //nolint:errcheck // nothing was written
			}
			folder, _ = s.src.root.Folder(path.Join(s.src.dir, dir)) // without it every file is like no other
			opened = dir
		}
		v.stamps = append(v.stamps, fileStamp{below, stampOf(folder, path.Base(below), at)})
	}
	if folder != nil {
		folder.Close() //nolint:errcheck // nothing was written
	}
	return v
}

// hashListing adds what the listing itself has told of the source: its place among others, the files in it that are not
// its own, and what was noticed.
func (s *session) hashListing(sum hash.Hash) {
	fmt.Fprintf(sum, "%s %q %v\n", s.src.match.Format.ID, s.src.key, s.src.child)
	if s.src.rows > 0 {
		fmt.Fprintf(sum, "%d %d %d\n", s.src.rows, s.src.span.From, s.src.span.To)
	}
	for _, k := range s.loose.keys() {
		fmt.Fprintf(sum, "%q %q %d %d\n", k.folder, k.reason, s.loose[k].Files, s.loose[k].Bytes)
	}
	for _, f := range s.findings.Listed() {
		fmt.Fprintf(sum, "%q %q %q %d\n", f.Rule, f.Record, f.Message, f.Count)
	}
}

// unlike makes a survey like no other: what was found hung on the moment.
func (v *survey) unlike() { v.names = "" }

// stampOf is the stamp of a file that is older than a moment; of any other file it is like no other.
func stampOf(folder *formats.Folder, name string, before int64) formats.Stamp {
	if folder == nil {
		return formats.Stamp{Size: -1}
	}
	st, err := folder.Stamp(name)
	if err != nil || st.ModTime >= before {
		return formats.Stamp{Size: -1}
	}
	return st
}

// folders are the folders below the source that its files lie in.
func (s *session) folders() []string {
	var list []string
	if f := s.files.itemFolder; f != "." {
		list = append(list, f)
	}
	format := s.src.match.Format
	for i := range format.Attachments {
		if f := format.Attachments[i].First(); f != "" {
			list = append(list, f)
		}
	}
	return list
}

// paths are the files of the source, relative to it, in a fixed order.
func (s *session) paths() []string {
	c := &s.files
	var list []string
	if c.snapshot != "" && c.snapshot != c.one {
		list = append(list, c.snapshot)
	}
	if c.one != "" {
		list = append(list, c.one)
	}
	for i := range c.items.Items {
		if c.one != "" {
			break
		}
		list = append(list, path.Join(c.itemFolder, c.items.Items[i].Name))
	}
	for _, m := range c.markers {
		list = append(list, m.path)
	}
	list = append(append(list, c.attachments...), c.unfinished...)
	slices.Sort(list)
	return list
}

func hashNames(sum hash.Hash, folder string, names []formats.Name) {
	sum.Write([]byte(folder + "\x00"))
	for _, n := range names {
		sum.Write(append([]byte(n.Name), 0, byte(n.Kind)))
	}
}

// same says whether nothing shows that a file changed between two surveys.
func (v *survey) same(other *survey) bool {
	return v.names != "" && v.names == other.names && slices.EqualFunc(v.stamps, other.stamps, func(a, b fileStamp) bool {
		return a == b && a.Size >= 0
	})
}
