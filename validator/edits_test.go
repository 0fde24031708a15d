package validator_test

import (
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// set gives the member at a pointer a raw value; a member that is not there is added at the end of its object.
func set(sel, pointer, value string) edit {
	return of(sel, "set "+sel+" "+pointer+" "+short(value), func(line *string) { *line = setIn(*line, pointer, value) })
}

func short(s string) string { return s[:min(len(s), 60)] }

func setIn(line, pointer, value string) string {
	d, err := jsonscan.Scan([]byte(line), nil, jsonscan.Options{})
	if err != nil {
		panic(err)
	}
	if n := d.At(pointer); n >= 0 {
		return line[:d.Nodes[n].Start] + value + line[d.Nodes[n].End:]
	}
	at := strings.LastIndexByte(pointer, '/')
	n := d.At(pointer[:at])
	if n < 0 {
		panic("nothing at " + pointer[:at] + " of " + short(line))
	}
	key := strings.NewReplacer("~1", "/", "~0", "~").Replace(pointer[at+1:])
	comma := ","
	if d.Len(n) == 0 {
		comma = ""
	}
	member := `"` + key + `":` + value
	if d.Kind(n) == jsonscan.Array {
		member = value
	}
	end := d.Nodes[n].End - 1
	return line[:end] + comma + member + line[end:]
}

// del takes the member or element at a pointer away.
func del(sel, pointer string) edit {
	return of(sel, "del "+sel+" "+pointer, func(line *string) { *line = delIn(*line, pointer) })
}

func delIn(line, pointer string) string {
	d, err := jsonscan.Scan([]byte(line), nil, jsonscan.Options{})
	if err != nil {
		panic(err)
	}
	n := d.At(pointer)
	if n < 0 {
		panic("nothing at " + pointer + " of " + short(line))
	}
	start, end := d.Nodes[n].Start, d.Nodes[n].End
	if d.Nodes[n].KeyStart > 0 {
		start = d.Nodes[n].KeyStart - 1
	}
	if line[end] == ',' {
		end++
	} else if line[start-1] == ',' {
		start--
	}
	return line[:start] + line[end:]
}

// sub replaces text in a line.
func sub(sel, old, text string) edit {
	return of(sel, "sub "+sel+" "+short(old)+" -> "+short(text), func(line *string) {
		if !strings.Contains(*line, old) {
			panic(sel + " lacks " + old)
		}
		*line = strings.Replace(*line, old, text, 1)
	})
}

func drop(sel string) edit {
	return edit{"drop " + sel, func(b *broken) {
		i, j := b.index(sel)
		b.lines[i] = slices.Delete(b.lines[i], j, j+1)
	}}
}

// swap exchanges two lines.
func swap(x, y string) edit {
	return edit{"swap " + x + " " + y, func(b *broken) { p, q := b.at(x), b.at(y); *p, *q = *q, *p }}
}

// after puts a copy of a line, changed by edits, behind another one.
func after(sel, from string, edits ...edit) edit {
	return edit{"after " + sel + " " + from + named(edits), func(b *broken) {
		i, j := b.index(sel)
		c := &broken{lines: [][]string{{*b.at(from)}}}
		for _, e := range edits {
			e.do(c)
		}
		b.lines[i] = slices.Insert(b.lines[i], j+1, c.lines[0][0])
	}}
}

func named(edits []edit) string {
	var names []string
	for _, e := range edits {
		names = append(names, e.name)
	}
	return strings.Join(names, "; ")
}

func then(edits ...edit) edit {
	return edit{named(edits), func(b *broken) {
		for _, e := range edits {
			e.do(b)
		}
	}}
}

// manifest changes the manifest before it is sealed.
func manifest(name string, do func(m *bundle.Manifest)) edit {
	return edit{name, func(b *broken) { do(&b.m) }}
}
