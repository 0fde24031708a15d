package transcript

import (
	"errors"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// line is one record of a stream, scanned. It is valid until the next line is read.
type line struct {
	jsonscan.Doc
	kind record.Type
	id   string
}

var errNoRecord = errors.New("no record of a known type")

// parseLine scans the bytes of a line. The nodes are reused.
func parseLine(raw []byte, nodes []jsonscan.Node) (*line, error) {
	d, err := jsonscan.Scan(raw, nodes, jsonscan.Options{})
	if err != nil {
		return nil, err
	}
	l := &line{Doc: d}
	l.kind, l.id = record.TypeOf(l.text("type")), l.text("id")
	if l.kind == 0 || l.id == "" {
		return l, errNoRecord
	}
	return l, nil
}

// at is the node that plain member names lead to, -1 when there is none.
func (l *line) at(names ...string) int {
	n := 0
	for _, name := range names {
		if n = l.Find(n, name); n < 0 {
			return -1
		}
	}
	return n
}

// text is the string that plain member names lead to, "" when there is none.
func (l *line) text(names ...string) string { return l.Text(l.at(names...)) }

// has says whether plain member names lead to a value.
func (l *line) has(names ...string) bool { return l.at(names...) >= 0 }

// literal is a number, true or false as spelled, "" for other values.
func (l *line) literal(names ...string) string {
	n := l.at(names...)
	switch l.Kind(n) {
	case jsonscan.Number, jsonscan.True, jsonscan.False:
		return string(l.Value(n))
	default:
		return ""
	}
}

// is says whether a member is the literal true or false.
func (l *line) is(want bool, names ...string) bool {
	k := l.Kind(l.at(names...))
	return want && k == jsonscan.True || !want && k == jsonscan.False
}

// texts are the strings of an array.
func (l *line) texts(names ...string) []string {
	var all []string
	for n := range l.Children(l.at(names...)) {
		all = append(all, l.Text(n))
	}
	return all
}

// holds says whether an array of strings has that one.
func (l *line) holds(want string, names ...string) bool {
	for n := range l.Children(l.at(names...)) {
		if l.Equal(n, want) {
			return true
		}
	}
	return false
}

// inContext says whether the record stands among what the model sees, or may.
func (l *line) inContext() bool {
	return record.ContextByDefault(l.kind) && !l.is(false, "context")
}
