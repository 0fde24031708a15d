package registry

import (
	"bytes"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// Info is what a snapshot states about its session, as raw JSON strings; nil where it states nothing.
type Info struct {
	Title, Workspace, ExecutionStatus []byte
	RequestedModels                   []byte // an array of strings, each once
	Notices                           []Notice
}

// Clone is the info in memory of its own.
func (i Info) Clone() Info {
	i.Title, i.Workspace = bytes.Clone(i.Title), bytes.Clone(i.Workspace)
	i.ExecutionStatus, i.RequestedModels = bytes.Clone(i.ExecutionStatus), bytes.Clone(i.RequestedModels)
	return i
}

// Info reads a snapshot.
func (m *Mapper) Info(d *jsonscan.Doc) Info {
	out := &Out{}
	s := &scope{m: m, doc: d, out: out, key: -1}
	word := func(i int) []byte {
		if m.info[i] == nil {
			return nil
		}
		v := m.info[i].value(s, 0)
		if v == nil || v[0] != '"' || len(v) == 2 {
			return nil
		}
		return v
	}
	info := Info{Title: word(0), Workspace: word(1), ExecutionStatus: word(2)}
	switch models := m.info[3].(type) {
	case nil:
	case *listSource:
		info.RequestedModels = s.distinct(models.list)
	default:
		info.RequestedModels = s.distinct([]source{models})
	}
	info.Notices = out.Notices
	return info
}

// distinct is the array of the strings that sources yield, each once; nil when there is none.
func (s *scope) distinct(list []source) []byte {
	var values [][]byte
	seen := map[string]bool{}
	for _, one := range list {
		v := one.value(s, 0)
		if v == nil || v[0] != '"' || len(v) == 2 {
			continue
		}
		text, _ := jsonscan.AppendUnescape(nil, v[1:len(v)-1])
		if seen[string(text)] {
			continue
		}
		seen[string(text)] = true
		values = append(values, v)
	}
	if len(values) == 0 {
		return nil
	}
	return s.joined(values)
}
