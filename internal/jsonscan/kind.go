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

// firstBytes tells the kind of a value by its first byte; '-' begins a number or -Infinity.
var firstBytes = [256]Kind{
	'{': Object, '[': Array, '"': String, 't': True, 'f': False, 'n': Null, 'N': NonFinite, 'I': NonFinite,
	'-': Number, '0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// Kind returns the kind of node i.
func (d *Doc) Kind(i int) Kind {
	if uint(i) >= uint(len(d.Nodes)) {
		return None
	}
	start := int(d.Nodes[i].Start)
	if c := d.Raw[start]; c != '-' {
		return firstBytes[c]
	}
	if at(d.Raw, start+1) == 'I' {
		return NonFinite
	}
	return Number
}
