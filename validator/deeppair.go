package validator

import "github.com/session-trace/ctx/internal/record"

// deepResult is a result, with what its native item names as its call.
type deepResult struct {
	row       int32
	call      uint64 // hash of the record id, 0 none
	key, link uint64
	nativeID  uint64
	lineage   bool
	pair      int8
}

// call notes a call by its native id.
func (d *deep) call(id uint64, pair int8, index int32) {
	if id == 0 {
		return
	}
	d.callKey[index], d.callPair[index] = id, pair
	d.calls[id] |= 1 << pair
}

// answers says whether a result is known to fall under the rule of a call. A native value in a blob does not tell.
func answers(result, call int8) bool { return result != 0 && result == call }

func (d *deep) result(s *Session, f *record.Facts, index int32, primary bool) {
	r := deepResult{row: index, call: s.hashed(f.Call), nativeID: s.hashed(f.NativeCallID), lineage: lossesOf(f)&lossLineage != 0}
	if primary {
		r.key, r.link, r.pair = d.now.key, d.now.link, d.now.pair
	}
	if r.key != 0 || r.link != 0 || r.nativeID != 0 {
		d.results = append(d.results, r)
	}
}

// closePairs compares the calls of results with those that their native items name.
func (d *deep) closePairs(s *Session, ids map[uint64]int32) {
	for i := range d.results {
		d.judgePair(s, &d.results[i], ids)
	}
}

func (d *deep) judgePair(s *Session, r *deepResult, ids map[uint64]int32) {
	at := place{line: int(r.row) + 1}
	if to := s.rows.find(r.call &^ (1 << 63)); r.call != 0 {
		if to < 0 {
			to = s.rows.find(r.call)
		}
		if to < 0 || s.rows.at(to).kind != record.ToolCall { // the rule call-unresolved says so
			return
		}
	}
	if r.link != 0 {
		to := d.find(ids, r.link)
		if to >= 0 && s.rows.at(d.items[to].row).kind == record.ToolCall && d.callPair[d.items[to].row] == 0 {
			return
		}
		if to >= 0 && s.rows.at(d.items[to].row).kind == record.ToolCall && answers(r.pair, d.callPair[d.items[to].row]) {
			if s.rows.at(d.items[to].row).hash|1<<63 != r.call {
				s.fail(rulePair, at, "got another call than the native item names, expected the record on line "+number(int64(d.items[to].row)+1))
			}
			return
		}
		if to == upUnknown || to == upBroken && r.lineage {
			return
		}
	}
	if r.call == 0 && r.key != 0 && r.nativeID != r.key {
		s.fail(rulePair, at, "got neither call nor the nativeCallId that the native item names, expected one")
		return
	}
	if r.call == 0 {
		if id := r.nativeID; id != 0 && !r.lineage {
			if r.pair > 0 && d.calls[id]&(1<<r.pair) != 0 {
				s.fail(rulePair, at, "got nativeCallId beside a tool_call of that callId, expected the link to it")
			}
		}
		return
	}
	to := s.rows.find(r.call &^ (1 << 63))
	if to < 0 {
		to = s.rows.find(r.call)
	}
	if to >= 0 && r.key != 0 && d.callKey[to] != 0 && d.callKey[to] != r.key {
		s.fail(rulePair, at, "got a call of another callId than the native item names, expected the same")
	}
}
