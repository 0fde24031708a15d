package schemas

import (
	"bytes"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// maxAcceptDepth is the depth that documents are meant to keep; Check reads deeper ones.
const maxAcceptDepth = 1000

// Accept reports that a scanned document is sound under the schema of that name: Check would find nothing.
// It is a one-sided answer, many times faster than Check: false only means "ask Check". It allocates nothing for usual records.
func (s *Set) Accept(name string, doc *jsonscan.Doc) bool {
	p := s.plans()[name]
	const odd = jsonscan.DuplicateKey | jsonscan.LoneSurrogate | jsonscan.UnsafeNumber | jsonscan.NonFiniteToken
	if p == nil || doc.Flags&odd != 0 || doc.Depth > maxAcceptDepth || len(doc.Nodes) == 0 {
		return false
	}
	return p.judge(doc, 0) == accepted
}

// judge holds node i against p.
func (p *plan) judge(d *jsonscan.Doc, i int) verdict {
	if p.fixed != 0 {
		return p.fixed
	}
	kind := d.Kind(i)
	if v := p.judgeKind(d, i, kind); v != accepted {
		return v
	}
	if p.values != nil {
		if v := p.judgeValue(d, i, kind); v != accepted {
			return v
		}
	}
	if v := p.judgeContent(d, i, kind); v != accepted {
		return v
	}
	return p.judgeRest(d, i)
}

func (p *plan) judgeContent(d *jsonscan.Doc, i int, kind jsonscan.Kind) verdict {
	switch {
	case kind == jsonscan.Object && p.object != nil:
		return p.object.judge(d, i)
	case kind == jsonscan.Array && p.array != nil:
		return p.array.judge(d, i)
	case kind == jsonscan.String && p.text != nil:
		return p.text.judge(d.Raw[d.Nodes[i].Start+1 : d.Nodes[i].End-1])
	case kind == jsonscan.Number && p.number != nil:
		return p.number.judge(d, i)
	default:
		return accepted
	}
}

// judgeRest asks the schemas that p is made of.
func (p *plan) judgeRest(d *jsonscan.Doc, i int) verdict {
	for _, q := range p.all {
		if v := q.judge(d, i); v != accepted {
			return v
		}
	}
	if p.one != nil {
		if v := exactlyOne(p.one, d, i); v != accepted {
			return v
		}
	}
	if p.when == nil {
		return accepted
	}
	branch := p.when.then
	switch p.when.when.judge(d, i) {
	case unsure:
		return unsure
	case refused:
		branch = p.when.otherwise
	}
	if branch == nil {
		return accepted
	}
	return branch.judge(d, i)
}

func exactlyOne(plans []*plan, d *jsonscan.Doc, i int) verdict {
	matched := 0
	for _, q := range plans {
		switch q.judge(d, i) {
		case unsure:
			return unsure
		case accepted:
			matched++
		}
	}
	if matched != 1 {
		return refused
	}
	return accepted
}

func (p *plan) judgeKind(d *jsonscan.Doc, i int, kind jsonscan.Kind) verdict {
	if p.types == 0 {
		return accepted
	}
	var is kinds
	switch kind {
	case jsonscan.Object:
		is = objectKind
	case jsonscan.Array:
		is = arrayKind
	case jsonscan.String:
		is = stringKind
	case jsonscan.True, jsonscan.False:
		is = booleanKind
	case jsonscan.Null:
		is = nullKind
	case jsonscan.Number:
		is = numberKind
	}
	if p.types&is != 0 {
		return accepted
	}
	if is != numberKind || p.types&integerKind == 0 {
		return refused
	}
	if _, ok := d.Int(i); ok {
		return accepted
	}
	return unsure // 1.0 is an integer, 1.5 is none
}

func (p *plan) judgeValue(d *jsonscan.Doc, i int, kind jsonscan.Kind) verdict {
	for _, v := range p.values {
		switch {
		case v.kind != kind:
		case kind == jsonscan.String && d.Equal(i, v.text), kind == jsonscan.Number && string(d.Value(i)) == v.text:
			return accepted
		case kind == jsonscan.String:
		case kind == jsonscan.Number:
			return unsure // another spelling, perhaps
		default:
			return accepted
		}
	}
	return refused
}

func (t *textPlan) judge(raw []byte) verdict {
	if bytes.IndexByte(raw, '\\') >= 0 {
		return t.judgeEscaped(raw)
	}
	if t.min > 1 || t.max >= 0 && len(raw) > t.max {
		if n := utf8.RuneCount(raw); n < t.min || t.max >= 0 && n > t.max {
			return refused
		}
	} else if len(raw) < t.min {
		return refused
	}
	if t.pattern != nil && !t.pattern.match(raw) {
		return refused
	}
	return accepted
}

// judgeEscaped knows only that an escape stands for at least one character, and for fewer bytes than it is spelled with.
func (t *textPlan) judgeEscaped(raw []byte) verdict {
	if t.min <= 1 && (t.max < 0 || len(raw) <= t.max) && t.pattern == nil {
		return accepted
	}
	return unsure
}

func (n *numberPlan) judge(d *jsonscan.Doc, i int) verdict {
	v, ok := d.Int(i)
	switch {
	case !ok:
		return unsure
	case v < n.min || v > n.max:
		return refused
	default:
		return accepted
	}
}
