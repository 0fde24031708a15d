package schemas

import (
	"encoding/binary"
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// automaton is a regular expression as a table: one look-up a byte, where package regexp takes some thirty.
// It reads sound UTF-8 alone.
type automaton struct {
	class  [256]uint8 // column of each byte
	width  int        // columns of next
	next   []uint16   // state after state*width + class
	accept []bool     // by state: a text that ends here matches
}

var (
	errBorder = errors.New("a border other than that of the text")
	errClass  = errors.New("a class that tells characters beyond ASCII apart")
	errStates = errors.New("more than 1024 states")
)

const (
	maxStates = 1024
	more      = 0x80 // stands for every byte of a character but its first; such a byte changes nothing
	other     = 0xff // stands for every character beyond ASCII
)

// match says whether the expression matches anywhere in text.
func (a *automaton) match(text []byte) bool {
	state := 0
	for _, c := range text {
		state = int(a.next[state*a.width+int(a.class[c])])
	}
	return a.accept[state]
}

// newAutomaton builds the table. An error means an expression beyond what our schemas need: word borders, lines, a class that tells
// characters beyond ASCII apart, or far too many states.
func newAutomaton(expression string) (*automaton, error) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	b := &tableBuilder{program: program, states: map[string]int{}}
	if err := b.supported(); err != nil {
		return nil, fmt.Errorf("expression %q: %w", expression, err)
	}
	b.classify()
	b.state(b.closure([]int{program.Start}, syntax.EmptyBeginText), syntax.EmptyBeginText)
	for at := 0; at < len(b.sets); at++ { // grows while it runs
		if len(b.sets) > maxStates {
			return nil, fmt.Errorf("expression %q: %w", expression, errStates)
		}
		for _, c := range b.columns {
			b.table.next = append(b.table.next, uint16(b.step(at, c)))
		}
	}
	return &b.table, nil
}

// tableBuilder makes states of sets of program places that are tried side by side.
type tableBuilder struct {
	program *syntax.Prog
	table   automaton
	columns []byte // one byte of each class
	sets    [][]int
	states  map[string]int
}

func (b *tableBuilder) supported() error {
	for i := range b.program.Inst {
		in := &b.program.Inst[i]
		switch {
		case in.Op == syntax.InstEmptyWidth && syntax.EmptyOp(in.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0:
			return errBorder
		case in.Op == syntax.InstRune || in.Op == syntax.InstRune1:
			if _, ok := beyondASCII(in); !ok {
				return errClass
			}
		}
	}
	return nil
}

// beyondASCII says whether a class has every character beyond ASCII; not ok if it has only some.
func beyondASCII(in *syntax.Inst) (all, ok bool) {
	ranges := in.Rune
	if len(ranges) == 1 { // a letter, perhaps in either case, which for k and s has spellings beyond ASCII
		ranges = []rune{ranges[0], ranges[0]}
		if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
			for c := unicode.SimpleFold(ranges[0]); c != ranges[0]; c = unicode.SimpleFold(c) {
				ranges = append(ranges, c, c)
			}
		}
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i] <= utf8.RuneSelf && ranges[i+1] == unicode.MaxRune {
			return true, true
		}
		if ranges[i+1] >= utf8.RuneSelf {
			return false, false
		}
	}
	return false, true
}

// takes says whether the place consumes a character, given by its byte or by other.
func takes(in *syntax.Inst, c byte) bool {
	switch in.Op {
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return c != '\n'
	case syntax.InstRune, syntax.InstRune1:
		if c == other {
			all, _ := beyondASCII(in)
			return all
		}
		return in.MatchRune(rune(c))
	default:
		return false
	}
}

// classify gives bytes that no place tells apart one column.
func (b *tableBuilder) classify() {
	columns := map[string]uint8{}
	for c := range 256 {
		stand, mark := standIn(c)
		for i := range b.program.Inst {
			if stand != more && takes(&b.program.Inst[i], stand) {
				mark = append(mark, byte(i), byte(i>>8))
			}
		}
		column, ok := columns[string(mark)]
		if !ok {
			column = uint8(len(b.columns))
			columns[string(mark)] = column
			b.columns = append(b.columns, stand)
		}
		b.table.class[c] = column
	}
	b.table.width = len(b.columns)
}

// standIn is what a byte stands for: itself, other or more; the mark keeps the three apart.
func standIn(c int) (stand byte, mark []byte) {
	switch {
	case c < utf8.RuneSelf:
		return byte(c), []byte{0}
	case c < 0xC0:
		return more, []byte{1}
	default:
		return other, []byte{2}
	}
}

// closure is the sorted set of places that are reached without consuming anything, where the borders at hold.
func (b *tableBuilder) closure(from []int, at syntax.EmptyOp) []int {
	var set []int
	seen := make([]bool, len(b.program.Inst))
	for todo := slices.Clone(from); len(todo) > 0; {
		place := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[place] {
			continue
		}
		seen[place] = true
		in := &b.program.Inst[place]
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, int(in.Out), int(in.Arg))
		case syntax.InstCapture, syntax.InstNop:
			todo = append(todo, int(in.Out))
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^at == 0 {
				todo = append(todo, int(in.Out))
			}
			set = append(set, place) // it may hold at the end
		case syntax.InstFail:
		default:
			set = append(set, place)
		}
	}
	slices.Sort(set)
	return set
}

// state is the number of a set; its first is the start.
func (b *tableBuilder) state(set []int, at syntax.EmptyOp) int {
	key := make([]byte, 1, 1+4*len(set))
	key[0] = byte(at)
	for _, place := range set {
		key = binary.LittleEndian.AppendUint32(key, uint32(place))
	}
	if state, ok := b.states[string(key)]; ok {
		return state
	}
	state := len(b.sets)
	b.states[string(key)] = state
	b.sets = append(b.sets, set)
	b.table.accept = append(b.table.accept, b.matches(b.closure(set, at|syntax.EmptyEndText)))
	return state
}

func (b *tableBuilder) matches(set []int) bool {
	return slices.ContainsFunc(set, func(place int) bool { return b.program.Inst[place].Op == syntax.InstMatch })
}

// step is the state after one byte. What has matched stays so; the search may also begin anew behind the byte.
func (b *tableBuilder) step(state int, c byte) int {
	set := b.sets[state]
	if c == more || b.matches(set) {
		return state
	}
	next := []int{b.program.Start}
	for _, place := range set {
		if in := &b.program.Inst[place]; takes(in, c) {
			next = append(next, int(in.Out))
		}
	}
	return b.state(b.closure(next, 0), 0)
}
