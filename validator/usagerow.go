package validator

import (
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// usageRows compares counters with the native row that a record keeps beside them.
func (c *lineCheck) usageRows(r *reading, f *record.Facts, found *lineFindings) {
	e := c.target.entry
	if e == nil || !e.Usage.Stated {
		return
	}
	u := &e.Usage
	if c.m.meta < 0 {
		return
	}
	switch f.Type {
	case record.Inference:
		if at := r.doc.Find(c.m.meta, e.Destination(u.Destination)); at >= 0 {
			c.joinedRow(r, u, at, found)
		}
	case record.UsageSummary:
		if at := r.doc.Find(c.m.meta, e.Destination(u.TotalDestination)); at >= 0 {
			c.bucketOf(r, at, r.doc.Find(0, "bucket"), found)
			c.counters(r, u, r.doc.Find(at, u.TotalUsageName), found)
			c.cost(r, r.doc.Find(at, u.TotalCostName), found)
		}
	}
}

// joinedRow judges an inference against its ledger row and latency rows.
func (c *lineCheck) joinedRow(r *reading, u *entry.Usage, at int, found *lineFindings) {
	d := r.doc
	row := d.Find(at, singular(u.RowsName))
	if row < 0 {
		found.fail(ruleUsageRow, d.Pointer(at), "got no member "+quote(singular(u.RowsName))+", expected the joined row")
		return
	}
	c.counters(r, u, row, found)
	if id := r.str(d.Find(0, "id")); id != "inference:"+r.str(d.Find(0, "responseId")) { // the rule record-id says so
	} else if join := u.RowJoin.One(d, row); d.Kind(join) == jsonscan.String && r.str(join) != r.str(d.Find(0, "responseId")) {
		found.fail(ruleUsageRow, d.Pointer(join), "got the row of another response, expected "+quote(r.str(d.Find(0, "responseId"))))
	}
	if model := u.RowModel.One(d, row); d.Kind(model) == jsonscan.String && r.str(model) != r.str(d.Find(0, "requestedModel")) {
		found.fail(ruleUsageRow, "/requestedModel", "got "+quote(r.str(d.Find(0, "requestedModel")))+", expected "+quote(r.str(model))+" as in the native row")
	}
	if u.HasLatencies {
		c.latency(d, u, d.Find(at, u.LatenciesName), found)
	}
}

// latency judges latencySeconds: there is one beside exactly one latency row.
func (c *lineCheck) latency(d *jsonscan.Doc, u *entry.Usage, list int, found *lineFindings) {
	stated, want := d.Find(0, "latencySeconds"), -1
	if d.Len(list) == 1 {
		want = u.LatencySeconds.One(d, d.Elem(list, 0))
	}
	switch {
	case stated < 0 && want >= 0 && d.Kind(want) == jsonscan.Number && jsonscan.SafeNumber(d.Value(want)):
		found.fail(ruleUsageRow, "/latencySeconds", "got none beside one latency row, expected its seconds")
	case stated >= 0 && (want < 0 || string(d.Value(want)) != string(d.Value(stated))):
		found.fail(ruleUsageRow, "/latencySeconds", "got latencySeconds that is not that of the one latency row beside it")
	}
}

// singular is the name of one row of a list named in the plural.
func singular(name string) string {
	if n := len(name); n > 1 && name[n-1] == 's' {
		return name[:n-1]
	}
	return name
}

// counters judges usage against a native row: each counter as the row spells it, none that the row lacks or has as zero.
func (c *lineCheck) counters(r *reading, u *entry.Usage, row int, found *lineFindings) {
	d := r.doc
	for i := range u.Fields {
		want, got := int64(0), int64(0)
		if n, ok := d.Int(u.Fields[i].Path.One(d, row)); ok && n > 0 && row >= 0 {
			want = n
		}
		if n, ok := d.Int(d.Find(c.m.usage, u.Fields[i].Member)); ok {
			got = n
		}
		if got != want {
			found.fail(ruleUsageRow, "/usage/"+u.Fields[i].Member, "got "+number(got)+", expected "+number(want)+" as in the native row")
		}
	}
}

func (c *lineCheck) bucketOf(r *reading, at, stated int, found *lineFindings) {
	if n := r.doc.Find(at, "bucket"); n >= 0 && r.str(n) != r.str(stated) {
		found.fail(ruleUsageRow, r.doc.Pointer(n), "got bucket "+quote(r.str(n))+", expected "+quote(r.str(stated))+" as in the record")
	}
}

// cost judges the amount against the native one, which is spelled the same; an amount of zero is no report.
func (c *lineCheck) cost(r *reading, native int, found *lineFindings) {
	d := r.doc
	amount := d.Find(d.Find(0, "cost"), "amount")
	switch {
	case amount < 0 && native >= 0 && d.Kind(native) == jsonscan.Number && !isZero(d.Value(native)) && jsonscan.SafeNumber(d.Value(native)):
		found.fail(ruleUsageRow, "/cost", "got no cost beside a native one, expected its amount")
	case amount >= 0 && isZero(d.Value(amount)):
		found.fail(ruleUsageRow, "/cost/amount", "got a cost of zero, expected none: it is no report")
	case amount >= 0 && string(d.Value(amount)) != string(d.Value(native)):
		found.fail(ruleUsageRow, "/cost/amount", "got another amount than the native one, expected the same spelling")
	}
}

// isZero says whether a number is zero, however it is spelled.
func isZero(literal []byte) bool {
	for _, c := range literal {
		switch {
		case c == 'e' || c == 'E':
			return true
		case c >= '1' && c <= '9':
			return false
		}
	}
	return true
}
