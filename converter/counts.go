package converter

import (
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// counts is what a stream holds, as the manifest states it.
type counts struct {
	records, gaps int64
	byType        [record.Vendor + 1]int64
	losses        map[string]bundle.Loss
}

// add counts one record.
func (c *counts) add(r *record.Record) {
	c.records++
	c.byType[r.Type]++
	if r.Type == record.Gap {
		c.gaps++
	}
	for _, code := range r.Losses {
		if c.losses == nil {
			c.losses = map[string]bundle.Loss{}
		}
		l := c.losses[code]
		if l.Count++; l.Count == 1 {
			l.First = strings.Clone(r.ID)
		}
		c.losses[code] = l
	}
}

// types are the records by the names of their types.
func (c *counts) types() map[string]int64 {
	m := map[string]int64{}
	for _, t := range record.Types() {
		if n := c.byType[t]; n > 0 {
			m[t.String()] = n
		}
	}
	return m
}
