package entry

// Compiler compiles the paths and conditions of an entry's projections, and gathers the faults it meets.
type Compiler struct{ l loader }

// NewCompiler is a compiler for the projections of a loaded entry.
func NewCompiler(e *Entry) *Compiler { return &Compiler{loader{doc: e.Doc, e: e}} }

// Fault notes one fault at a node of the entry.
func (c *Compiler) Fault(node int, message string) { c.l.fault(node, message) }

// Path compiles the path that a string node spells.
func (c *Compiler) Path(node int) Path { return c.l.path(node) }

// Cond compiles the condition at a node; a missing node (-1) is the condition that always holds.
func (c *Compiler) Cond(node int) *Cond { return c.l.cond(node) }

// Err is the Faults noted so far, nil without any.
func (c *Compiler) Err() error {
	if len(c.l.faults) == 0 {
		return nil
	}
	return merge(nil, c.l.faults)
}
