package laws

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/session-trace/ctx/internal/bundle"
)

// row is what the laws look at in one record.
type row struct {
	Type, ID string
	Position struct {
		Family, ID, Path string
		Ordinal, Through *int64
	}
	Native struct {
		Record       json.RawMessage
		Blob         *struct{ SHA256 string }
		Reason, Meta string
		Redacted     []any
	}
	Losses        []string
	Meta          map[string]json.RawMessage `json:"_meta"`
	Reason, Path  string
	Source        string
	UsageCoverage *struct{ Responses, WithUsage, LeftOver int64 }
}

// listed is one file of a list of files in _meta.
type listed struct {
	Path      string
	PathBytes []byte // base64
	Bytes     *int64
	SHA256    string
	Blob      *struct{ SHA256 string }
	Redacted  []any
}

func (f *listed) raw() string {
	if f.PathBytes != nil {
		return string(f.PathBytes)
	}
	return f.Path
}

// files is one of our own lists of files.
func (r *row) files(name string) ([]listed, error) {
	var list []listed
	if raw := r.Meta["rs.ctx/"+name]; raw != nil {
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, fmt.Errorf("record %s, rs.ctx/%s: %w", r.ID, name, err)
		}
	}
	return list, nil
}

// rawPath is a path that the record names, as the file system spells it.
func (r *row) rawPath(spelled string) string {
	list, _ := r.files("file")
	for i := range list {
		if list[i].Path == spelled && list[i].PathBytes != nil {
			return list[i].raw()
		}
	}
	return spelled
}

// hasNative says whether the record is the primary one of its item.
func (r *row) hasNative() bool {
	return r.Native.Record != nil || r.Native.Blob != nil || r.Native.Meta != ""
}

func (r *row) lost(code string) bool { return slices.Contains(r.Losses, code) }

// maxLine is the longest line that the laws look at.
const maxLine = 1 << 30

// readRows reads a stream.
func readRows(b *bundle.Bundle, s bundle.StreamInfo) ([]row, error) {
	var list []row
	err := b.Lines(s, maxLine, func(n int, line []byte, _ bool) error {
		var r row
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("%s line %d: %w", s.ID, n, err)
		}
		list = append(list, r)
		return nil
	})
	return list, err
}
