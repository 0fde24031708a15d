package validator

import "github.com/session-trace/ctx/internal/record"

// openCalls holds the ids of calls without a result in slots that are reused.
type openCalls struct {
	ids  [][]byte
	free []int32
}

func (o *openCalls) open(id string) int32 {
	if n := len(o.free); n > 0 {
		slot := o.free[n-1]
		o.free = o.free[:n-1]
		o.ids[slot] = append(o.ids[slot][:0], id...)
		return slot
	}
	o.ids = append(o.ids, append([]byte(nil), id...))
	return int32(len(o.ids) - 1)
}

func (o *openCalls) close(slot int32) {
	if slot >= 0 {
		o.free = append(o.free, slot)
	}
}

// judgeResult pairs a result with its call.
func (s *Session) judgeResult(at place, to int32) {
	call := s.rows.at(to)
	if call.kind != record.ToolCall {
		s.fail(ruleCall, at, "got a "+call.kind.String()+" as the call of a result, expected a tool_call")
		return
	}
	if at.line <= int(to) {
		s.note(record.ResultBeforeCall, at, "the result stands before its call on line "+number(int64(to)+1))
	}
	if call.marks&markAnswered != 0 {
		s.note(record.ResultRepeated, at, "the call on line "+number(int64(to)+1)+" has an earlier result")
	}
	call.marks |= markAnswered
	s.calls.close(call.open)
	call.open = -1
}

// closeCalls notes the calls that could run and have no result.
func (s *Session) closeCalls() {
	for i := range s.rows.n {
		w := s.rows.at(i)
		if w.open >= 0 && w.marks&markRunnable != 0 {
			s.note(record.CallOpen, place{int(i) + 1, string(s.calls.ids[w.open])}, "the call has no result")
		}
	}
}
