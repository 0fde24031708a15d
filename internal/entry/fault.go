package entry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/session-trace/ctx/schemas"
)

// Fault is one thing wrong with an entry.
type Fault struct {
	Pointer string // JSON pointer into the entry
	Message string // found, then expected
}

// Faults are all faults of one entry, sorted by pointer.
type Faults []Fault

// Error lists the faults, a line each.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, one := range f {
		lines[i] = fmt.Sprintf("%s: %s", orRoot(one.Pointer), one.Message)
	}
	return strings.Join(lines, "\n")
}

func orRoot(pointer string) string {
	if pointer == "" {
		return "/"
	}
	return pointer
}

// merge joins what the schema and the loader found. Where the schema found a fault, the loader's are but its echo.
func merge(problems []schemas.Problem, faults Faults) Faults {
	var all Faults
	for _, p := range problems {
		all = append(all, Fault(p))
	}
	for _, f := range faults {
		if !slices.ContainsFunc(problems, func(p schemas.Problem) bool { return within(f.Pointer, p.Pointer) || within(p.Pointer, f.Pointer) }) {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b Fault) int { return strings.Compare(a.Pointer, b.Pointer) })
	return all
}

// within says whether pointer names the value at top or one below it. The root does not count: only members of its own.
func within(pointer, top string) bool {
	rest, ok := strings.CutPrefix(pointer, top)
	return ok && top != "" && (rest == "" || rest[0] == '/')
}
