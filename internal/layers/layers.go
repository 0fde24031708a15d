// Package layers holds the rules of the module that a compiler does not: who may import whom, and which calls have one home.
// Its tests are the rules; nothing imports it.
package layers

// Allowed maps each package of the module to the packages of the module that its non-test files may import.
// It is the table of docs/architecture.md. Both are relative to the module's path.
func Allowed() map[string][]string {
	return map[string][]string{
		"internal/record":   {},
		"internal/jsonscan": {},
		"internal/layers":   {},
		"internal/archive":  {},
		"schemas":           {"internal/jsonscan"},
		"formats":           {"internal/jsonscan"},
		"internal/entry":    {"schemas", "internal/jsonscan"},
		"registry":          {"internal/entry", "formats", "schemas", "internal/record", "internal/jsonscan"},
		"internal/bundle":   {"internal/record", "internal/jsonscan"},
		"internal/session":  {"internal/entry", "internal/bundle", "internal/record", "internal/jsonscan"},
		"internal/spelling": {},
		"internal/visible":  {},
		"internal/audit": {
			"internal/spelling", "formats", "internal/bundle", "internal/jsonscan",
		},
		"internal/baseline":   {"schemas", "internal/record", "internal/jsonscan"},
		"internal/report":     {"internal/visible", "internal/record", "internal/jsonscan"},
		"internal/transcript": {"internal/bundle", "internal/record", "internal/jsonscan"},
		"internal/restore": {
			"internal/entry", "formats", "internal/bundle", "internal/record", "internal/jsonscan",
		},
		"internal/redact": {
			"internal/audit", "internal/spelling", "internal/bundle", "internal/record", "internal/jsonscan",
		},
		"internal/usage": {
			"internal/session", "internal/entry", "internal/bundle", "internal/record", "internal/jsonscan",
		},
		"internal/diff": {"internal/bundle", "internal/jsonscan"},
		"converter": {
			"registry", "internal/entry", "formats", "internal/bundle", "internal/spelling", "internal/record", "internal/jsonscan",
		},
		"validator": {
			"schemas", "internal/entry", "internal/bundle", "internal/record", "internal/jsonscan",
		},
		"internal/stage": {"converter", "validator", "internal/bundle"},
		"internal/laws": {
			"validator", "internal/restore", "internal/bundle", "internal/record",
		},
		"cmd/ctx":        {Any},
		"internal/bench": {Any},
		"internal/chaos": {Any},
	}
}

// Any stands for every package of the module.
const Any = "*"
