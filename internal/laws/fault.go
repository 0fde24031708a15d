// Package laws holds what must be true of every bundle and the folder that it was made from, whatever is wrong in the
// folder. It shares no code with what finds, maps and writes: it walks the folder and reads the lines on its own.
package laws

import (
	"cmp"
	"fmt"
	"slices"
)

// Fault is one law that does not hold.
type Fault struct {
	Law     string // the name of the law
	Message string // found, then expected, with the place
}

func (f Fault) String() string { return f.Law + ": " + f.Message }

// Faults are gathered in the order in which they are found.
type Faults []Fault

// Add notes one fault.
func (f *Faults) Add(law, format string, args ...any) {
	*f = append(*f, Fault{law, fmt.Sprintf(format, args...)})
}

// Laws are the names of the laws that do not hold, each once, sorted.
func (f Faults) Laws() []string {
	var names []string
	for _, one := range f {
		names = append(names, one.Law)
	}
	slices.SortFunc(names, cmp.Compare)
	return slices.Compact(names)
}
