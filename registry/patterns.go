package registry

import (
	"path"

	"github.com/session-trace/ctx/formats"
)

// patterns notes the faults of the name patterns of an entry's formats.
func (c *compiler) patterns() {
	c.each(c.get(0, "formats"), func(f int) {
		c.each(c.get(f, "unfinished"), c.pattern)
		c.each(c.get(f, "streams"), func(s int) {
			c.pattern(c.get(s, "name"))
			c.pattern(c.get(s, "length"))
			c.each(c.get(s, "unfinished"), c.pattern)
			c.each(c.get(s, "ignore"), func(k int) {
				if _, err := path.Match(c.text(k), ""); err != nil {
					c.Fault(k, "got a malformed pattern, want one of path.Match")
				}
			})
		})
		c.lookup(c.get(f, "detect"))
	})
}

func (c *compiler) pattern(n int) { c.patternOf(n, c.text(n)) }

func (c *compiler) patternOf(n int, text string) {
	if n < 0 {
		return
	}
	if _, err := formats.ParsePattern(text); err != nil {
		c.Fault(n, err.Error())
	}
}

func (c *compiler) lookup(n int) {
	if n < 0 {
		return
	}
	name := c.get(n, "name")
	c.patternOf(name, path.Base(c.text(name)))
	c.each(c.get(n, "all"), c.lookup)
	c.each(c.get(n, "any"), c.lookup)
	c.lookup(c.get(n, "not"))
}
