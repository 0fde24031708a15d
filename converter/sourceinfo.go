package converter

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"slices"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// sourceInfo sums up the source's files for the manifest.
func (s *session) sourceInfo() {
	sum := fileSum{hash: sha256.New()}
	others := s.files.files
	if s.files.one != "" {
		others = append(slices.Clone(others), sourceFile{record.SpellPath(s.files.one), s.pieces.Size, s.pieces.SHA256})
	}
	s.result.Items = 0
	slices.SortFunc(others, func(a, b sourceFile) int { return cmp.Compare(a.path, b.path) })
	for _, i := range s.rowsByPath() {
		r := &s.rows[i]
		if r.is(readable) {
			s.result.Items++
		}
		if s.files.one != "" {
			continue
		}
		if gapReasons[r.gap] == gapUnreadable {
			s.stray(r)
			continue
		}
		sum.path = s.appendItemPath(sum.path[:0], r)
		for len(others) > 0 && others[0].path < borrow(sum.path) {
			sum.add(others[0].path, others[0].size, &others[0].sha)
			others = others[1:]
		}
		sum.add(borrow(sum.path), r.size, &r.sha)
	}
	for i := range others {
		sum.add(others[i].path, others[i].size, &others[i].sha)
	}
	s.info = bundle.SourceInfo{
		ID: s.result.ID, Agent: s.entry.Name, Format: s.src.match.Format.ID, Layout: s.src.match.Layout.Name,
		Path: s.src.path, Row: s.src.row, Rows: s.src.rows, Files: sum.files, Bytes: sum.bytes, SHA256: sum.sum(),
	}
	if len(s.rows) > 0 || s.tailHole != nil {
		s.info.Positions = append(s.info.Positions, record.Transcript)
	}
	if s.snapshot != nil {
		s.info.Positions = append(s.info.Positions, record.CurrentState)
	}
	s.result.Files, s.result.Bytes = sum.files, sum.bytes
}

// rowsByPath are the rows in the order of their paths' bytes, which is not that of their ordinals beyond 99999.
func (s *session) rowsByPath() []int32 {
	order := make([]int32, len(s.rows))
	for i := range order {
		order[i] = int32(i)
	}
	items := s.files.items.Items
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Compare(record.SpellName(items[s.rows[a].item].Name), record.SpellName(items[s.rows[b].item].Name))
	})
	return order
}

// fileSum is the hash over a source's files: a line each with hash, size and path.
type fileSum struct {
	hash         hash.Hash
	files, bytes int64
	path, line   []byte
}

// sum is the hash in hex.
func (f *fileSum) sum() string { return hex.EncodeToString(f.hash.Sum(nil)) }

func (f *fileSum) add(path string, size int64, sha *[sha256.Size]byte) {
	f.line = hex.AppendEncode(f.line[:0], sha[:])
	f.line = record.AppendInt(append(f.line, ' '), size)
	f.line = append(append(append(f.line, ' '), path...), '\n')
	f.hash.Write(f.line)
	f.files++
	f.bytes += size
}
