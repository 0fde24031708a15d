package main

import (
	"io"
	"strings"
	"unicode/utf8"
)

// column is one column of a table; numbers stand at its right.
type column struct {
	title string
	right bool
}

// table is text in columns. Cells must be visible text.
type table struct {
	columns []column
	rows    [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// print writes the titles and rows, each line after the indent.
func (t *table) print(w io.Writer, indent string) error {
	widths := make([]int, len(t.columns))
	titles := make([]string, len(t.columns))
	for i, c := range t.columns {
		titles[i], widths[i] = c.title, utf8.RuneCountInString(c.title)
	}
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range append([][]string{titles}, t.rows...) {
		if _, err := io.WriteString(w, indent+t.line(row, widths)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) line(row []string, widths []int) string {
	var b strings.Builder
	for i, cell := range row {
		pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if i > 0 {
			b.WriteString("  ")
		}
		if t.columns[i].right {
			b.WriteString(pad + cell)
		} else {
			b.WriteString(cell + pad)
		}
	}
	return strings.TrimRight(b.String(), " ")
}
