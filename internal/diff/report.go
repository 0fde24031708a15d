package diff

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// reports compares how often each rule was found when the bundles were made. A report that is missing or no JSON holds
// no findings: that it is so is for the validator to say.
func (r *Result) reports(a, b *bundle.Bundle, limit int) {
	left, right := found(a), found(b)
	rules := maps.Clone(left)
	maps.Copy(rules, right)
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		if left[rule] == right[rule] {
			continue
		}
		c := comparison{limit: limit, path: []byte("/count")}
		c.add(Changed, strconv.AppendInt(nil, left[rule], 10), strconv.AppendInt(nil, right[rule], 10))
		r.Facts = append(r.Facts, Fact{Kind: "finding", Name: rule, Change: Changed, Places: c.found})
	}
}

// found counts the findings of a bundle's report by severity and rule.
func found(b *bundle.Bundle) map[string]int64 {
	counts := map[string]int64{}
	raw, err := b.Report()
	if err != nil {
		return counts
	}
	doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: maxDepth})
	if err != nil {
		return counts
	}
	for f := range doc.Children(doc.Find(0, "findings")) {
		n, _ := doc.Int(doc.Find(f, "count"))
		counts[fmt.Sprintf("%s %s", doc.Text(doc.Find(f, "severity")), doc.Text(doc.Find(f, "rule")))] += n
	}
	return counts
}
