package record

// Position is where a record stands in its source.
type Position struct {
	Family  string // Transcript or CurrentState
	Ordinal int64  // -1: none
	ID      string // the id in the item's name, "" none
	Path    string // relative to the source, "" left out
	Through int64  // last ordinal of a run of missing items, -1: none
}

// NoPosition is a position of the family that states neither ordinal nor id.
func NoPosition(family string) Position {
	return Position{Family: family, Ordinal: -1, Through: -1}
}

// Redaction names one place that was left out of retained bytes.
type Redaction struct {
	Pointer string // JSON pointer into the native value
	Kind    string // "secret", "masked" or "empty"
}

// Native is what a record keeps of the bytes it came from. At most one of Record, Blob and Meta is used,
// but for a state whose exact bytes cannot stand inline: that has Blob and Meta.
type Native struct {
	Record    []byte // a JSON value, borrowed
	Blob      string // lower-case hex SHA-256 of the bytes kept as a blob
	BlobBytes int64
	MediaType string
	Reason    string // why a blob
	Meta      string // key of the _meta member that holds the bytes
	Redacted  []Redaction
}

// None says that the record keeps no native bytes.
func (n *Native) None() bool { return n.Record == nil && n.Blob == "" && n.Meta == "" }

// Meta is one member of _meta.
type Meta struct {
	Key string // with its namespace
	Raw []byte // a JSON value, borrowed
}

// Record is one record about to be written. All byte slices are borrowed until AppendLine returns.
type Record struct {
	Type         Type
	ID           string
	Position     Position
	Time         []byte // a JSON string as spelled, nil: left out
	Parent       string
	Inference    string
	OutOfContext bool // writes context:false
	Native       Native
	Losses       []string
	Meta         []Meta
	members      [MaxMembers][]byte
}

// Set gives a payload member its raw JSON value; a nil value leaves it out. It does nothing for a member that the type lacks.
func (r *Record) Set(member string, raw []byte) {
	if i := MemberIndex(r.Type, member); i >= 0 {
		r.members[i] = raw
	}
}

// SetAt is Set by the member's index in Members(r.Type).
func (r *Record) SetAt(i int, raw []byte) { r.members[i] = raw }

// At is the raw value of a payload member by its index, nil when it is left out.
func (r *Record) At(i int) []byte { return r.members[i] }

// Get is the raw value of a payload member, nil when it is left out.
func (r *Record) Get(member string) []byte {
	if i := MemberIndex(r.Type, member); i >= 0 {
		return r.members[i]
	}
	return nil
}

// Lose adds a loss code once.
func (r *Record) Lose(code string) {
	for _, have := range r.Losses {
		if have == code {
			return
		}
	}
	r.Losses = append(r.Losses, code)
}

// AppendLine appends the record as one line with its newline, in the fixed member order of its type.
func AppendLine(dst []byte, r *Record) []byte {
	dst = append(dst, `{"type":"`...)
	dst = append(append(dst, r.Type.String()...), `","id":`...)
	dst = append(AppendString(dst, r.ID), `,"position":`...)
	dst = appendPosition(dst, &r.Position)
	if r.Time != nil {
		dst = append(append(dst, `,"time":`...), r.Time...)
	}
	if r.Parent != "" {
		dst = AppendString(append(dst, `,"parent":`...), r.Parent)
	}
	if r.Inference != "" {
		dst = AppendString(append(dst, `,"inference":`...), r.Inference)
	}
	if r.OutOfContext {
		dst = append(dst, `,"context":false`...)
	}
	for i, name := range Members(r.Type) {
		if raw := r.members[i]; raw != nil {
			dst = append(append(append(dst, `,"`...), name...), `":`...)
			dst = append(dst, raw...)
		}
	}
	dst = appendNative(dst, &r.Native)
	if len(r.Losses) > 0 {
		dst = AppendStrings(append(dst, `,"losses":`...), r.Losses)
	}
	return append(appendMeta(dst, r.Meta), '}', '\n')
}

func appendPosition(dst []byte, p *Position) []byte {
	dst = append(append(dst, `{"family":"`...), p.Family...)
	dst = append(dst, '"')
	if p.Ordinal >= 0 {
		dst = AppendInt(append(dst, `,"ordinal":`...), p.Ordinal)
	}
	if p.ID != "" {
		dst = AppendString(append(dst, `,"id":`...), p.ID)
	}
	if p.Path != "" {
		dst = AppendString(append(dst, `,"path":`...), p.Path)
	}
	if p.Through >= 0 {
		dst = AppendInt(append(dst, `,"through":`...), p.Through)
	}
	return append(dst, '}')
}

func appendNative(dst []byte, n *Native) []byte {
	if n.None() && len(n.Redacted) == 0 {
		return dst
	}
	dst = append(dst, `,"native":{`...)
	if n.Record != nil {
		dst = append(AppendKey(dst, "record"), n.Record...)
	}
	if n.Blob != "" {
		dst = appendBlob(AppendKey(dst, "blob"), n)
		dst = AppendString(AppendKey(dst, "reason"), n.Reason)
	}
	if n.Meta != "" {
		dst = AppendString(AppendKey(dst, "meta"), n.Meta)
	}
	if len(n.Redacted) > 0 {
		dst = AppendRedacted(AppendKey(dst, "redacted"), n.Redacted)
	}
	return append(dst, '}')
}

// AppendRedacted appends redactions as a JSON array.
func AppendRedacted(dst []byte, list []Redaction) []byte {
	dst = append(dst, '[')
	for i, r := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(append(dst, `{"pointer":`...), r.Pointer)
		dst = append(AppendString(append(dst, `,"kind":`...), r.Kind), '}')
	}
	return append(dst, ']')
}

func appendBlob(dst []byte, n *Native) []byte {
	dst = append(append(dst, `{"sha256":"`...), n.Blob...)
	dst = AppendInt(append(dst, `","bytes":`...), n.BlobBytes)
	return append(AppendString(append(dst, `,"mediaType":`...), n.MediaType), '}')
}

func appendMeta(dst []byte, meta []Meta) []byte {
	if len(meta) == 0 {
		return dst
	}
	dst = append(dst, `,"_meta":{`...)
	for _, m := range meta {
		dst = append(AppendKey(dst, m.Key), m.Raw...)
	}
	return append(dst, '}')
}
