package audit

import (
	"maps"
	"slices"
)

// Finding is one place where something that is secret, or stands in for a secret, is kept.
type Finding struct {
	Rule   string
	Masked bool // a stand-in, no finding by default
	// where: a stream's line, or a file of the bundle or the folder
	Stream  string // stream id, "" for a file
	Record  string // record id, "" none
	File    string // path in the bundle or folder, slash separated, as bytes
	Line    int    // from 1; 0 when it has no lines
	Offset  int64  // byte in the line of a stream, else in the file, uncompressed
	Length  int    // bytes
	Pointer string // JSON pointer into the line or document
	JSON    bool   // Pointer is one; "" is then the whole document
	Key     bool   // it stands in the name of the member, not in its value
	// Value numbers the secrets from 1 in the order of their first places: equal ones have one number.
	Value int

	text string
}

// Result is what a scan found.
type Result struct {
	Files, Streams, Records, Bytes int64 // looked at; bytes uncompressed
	Skipped                        []Skipped
	Findings                       []Finding        // in order of place; of each rule at most 1,000 a file
	Counts                         map[string]int64 // all findings by rule, those in Findings included; masked ones aside
	Masked                         int64            // stand-ins
	Values                         int              // distinct secrets in Findings
}

// Skipped is a file that was not looked at.
type Skipped struct{ Path, Reason string }

// Total is the number of findings, masked ones aside.
func (r *Result) Total() int64 {
	var n int64
	for _, c := range r.Counts {
		n += c
	}
	return n
}

// Rules lists the rules that have findings, sorted.
func (r *Result) Rules() []string { return slices.Sorted(maps.Keys(r.Counts)) }

// mostListed bounds the findings that are listed for one rule in one file.
const mostListed = 1000

// part is what one file or stream gave.
type part struct {
	Result
	listed map[string]int
}

// add notes a hit. Names around it are shown, so what is secret in them is hidden.
func (p *part) add(d *Detector, f Finding, h *Hit) {
	f.Record, f.Pointer, f.File, f.Stream = d.Hide(f.Record), d.Hide(f.Pointer), d.Hide(f.File), d.Hide(f.Stream)
	f.Rule, f.Masked, f.text = h.Rule, h.Masked, h.Value
	if p.listed == nil {
		p.listed, p.Counts = map[string]int{}, map[string]int64{}
	}
	key := f.Rule
	if f.Masked {
		p.Masked++
		key = ""
	} else {
		p.Counts[f.Rule]++
	}
	if p.listed[key]++; p.listed[key] <= mostListed {
		p.Findings = append(p.Findings, f)
	}
}

// hidden stands where a name that is shown holds a secret.
const hidden = "<hidden>"

// Hide gives a name without the secrets in it.
func (d *Detector) Hide(name string) string {
	hits := d.Find([]byte(name))
	for i := len(hits) - 1; i >= 0; i-- {
		name = name[:hits[i].Start] + hidden + name[hits[i].End:]
	}
	return name
}

// join sums parts up in their order, and numbers the values.
func join(parts []part) *Result {
	all := &Result{Counts: map[string]int64{}}
	values := map[string]int{}
	for i := range parts {
		p := &parts[i]
		all.Files += p.Files
		all.Streams += p.Streams
		all.Records += p.Records
		all.Bytes += p.Bytes
		all.Masked += p.Masked
		all.Skipped = append(all.Skipped, p.Skipped...)
		for rule, n := range p.Counts {
			all.Counts[rule] += n
		}
		for _, f := range p.Findings {
			if !f.Masked {
				if values[f.text] == 0 {
					values[f.text] = len(values) + 1
				}
				f.Value = values[f.text]
			}
			f.text = ""
			all.Findings = append(all.Findings, f)
		}
	}
	all.Values = len(values)
	return all
}
