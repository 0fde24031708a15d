package validator

import "github.com/session-trace/ctx/internal/record"

// lineLog gathers the findings of a block in bounded memory.
type lineLog struct {
	list  []record.Finding
	count map[string]int64 // by rule
	most  int64            // findings of a rule that a report lists; a block need not keep more
}

func (l *lineLog) reset() {
	l.list = l.list[:0]
	clear(l.count)
}

func (l *lineLog) add(f record.Finding) {
	if l.count == nil {
		l.count = map[string]int64{}
	}
	if l.count[f.Rule]++; l.count[f.Rule] <= l.most {
		l.list = append(l.list, f)
	}
}

// into adds all findings to those of a stream, which has its first ones of a rule before it meets a mere number.
func (l *lineLog) into(all *record.Findings) {
	for _, f := range l.list {
		all.Add(f)
	}
	for rule, n := range l.count {
		if n > l.most {
			all.Add(record.Finding{Rule: rule, Severity: record.ErrorSeverity, Count: n - l.most})
		}
	}
}

// lineFindings takes the findings of one line.
type lineFindings struct {
	log  *lineLog
	line int
	id   string // of the record, once it is known
	n    int    // findings so far
}

func (l *lineFindings) fail(rule, pointer, message string) {
	l.n++
	l.log.add(record.Finding{
		Rule: rule, Severity: record.ErrorSeverity, Line: l.line, Record: clone(l.id), Pointer: clone(pointer), Message: message,
	})
}
