package jsonscan

// Kind is the type of a JSON value.
type Kind uint8

// The kinds. None is the kind of a node that is not there.
const (
	None Kind = iota
	Object
	Array
	String
	Number
	True
	False
	Null
	NonFinite // NaN, Infinity, -Infinity
)

var kindNames = [...]string{"none", "object", "array", "string", "number", "true", "false", "null", "non-finite"}

// String returns the kind in lower case, such as "object".
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// Kind returns the kind of node i.
func (d *Doc) Kind(i int) Kind {
	n, ok := d.node(i)
	if !ok {
		return None
	}
	switch d.Raw[n.Start] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't':
		return True
	case 'f':
		return False
	case 'n':
		return Null
	case 'N', 'I':
		return NonFinite
	}
	if at(d.Raw, int(n.Start)+1) == 'I' {
		return NonFinite
	}
	return Number
}
