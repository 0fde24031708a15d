package schemas

import "github.com/session-trace/ctx/internal/jsonscan"

// plan is one schema made ready to be held against a tape. It knows the keywords that the embedded schemas use;
// where it meets another, or a value that it cannot judge on its raw bytes, it is unsure.
type plan struct {
	fixed  verdict // the answer of a boolean schema or of one with an unknown keyword, 0 for all others
	types  kinds   // 0: any
	values []literal
	text   *textPlan
	number *numberPlan
	object *objectPlan
	array  *arrayPlan
	all    []*plan
	one    []*plan
	when   *choicePlan
}

type textPlan struct {
	min, max int // characters; max -1: none
	pattern  *automaton
}

type numberPlan struct{ min, max int64 }

type arrayPlan struct {
	items  *plan // nil: any
	min    int
	unique bool
}

type objectPlan struct {
	members  []member // those that the schema names, at most 64
	required uint64   // bits: indices of members
	needs    []need
	patterns []namePattern
	rest     *plan // members without a plan of their own, nil: any
	min, max int   // max -1: none
}

type member struct {
	name string
	plan *plan // nil: the schema only names it, see objectPlan.rest
}

// need says that a member asks for others.
type need struct{ of, others uint64 }

type namePattern struct {
	name *automaton
	plan *plan
}

type choicePlan struct{ when, then, otherwise *plan }

// literal is a value of const or enum: a string, an integer, true, false or null.
type literal struct {
	kind jsonscan.Kind
	text string
}

// kinds is a set of JSON types.
type kinds uint8

const (
	nullKind kinds = 1 << iota
	booleanKind
	integerKind
	numberKind
	stringKind
	arrayKind
	objectKind
)

// verdict is what a plan can prove about a value.
type verdict int8

const (
	unsure verdict = iota + 1
	refused
	accepted
)
