package record

import "slices"

// Accept takes out findings that are known already. Each finding listed is shown to known in the order of Sorted, with how
// many it stands for; known returns how many of those it accepts. What is not listed is never accepted. It returns the
// number of findings that were taken out.
func (fs *Findings) Accept(known func(f *Finding, n int64) int64) int64 {
	slices.SortStableFunc(fs.list, compareFindings)
	var all int64
	left := fs.list[:0]
	for _, f := range fs.list {
		t := fs.byRule[key{f.Rule, f.Severity, f.Stream}]
		n := min(max(known(&f, f.count()), 0), f.count())
		all += n
		t.total -= n
		if f.Count = f.count() - n; f.Count > 0 {
			left = append(left, f)
			continue
		}
		if t.listed--; t.total == 0 {
			delete(fs.byRule, key{f.Rule, f.Severity, f.Stream})
		}
	}
	clear(fs.list[len(left):])
	fs.list = left
	fs.stateRest()
	return all
}

// stateRest lists one finding for those that are only counted, where no other of their rule and stream is listed any more.
func (fs *Findings) stateRest() {
	for _, t := range fs.Tallies() {
		if t.Listed == 0 {
			fs.byRule[key{t.Rule, t.Severity, t.Stream}].listed = 1
			fs.list = append(fs.list, Finding{
				Rule: t.Rule, Severity: t.Severity, Stream: t.Stream, Count: t.Total,
				Message: "got more findings of this rule than can be accepted one by one",
			})
		}
	}
}
