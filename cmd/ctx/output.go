package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// output is the value of an --output flag: one word of a closed list.
type output struct {
	word  string
	words []string
}

var _ pflag.Value = (*output)(nil)

// newOutput offers the words; the first is the default.
func newOutput(words ...string) *output { return &output{word: words[0], words: words} }

func (o *output) String() string { return o.word }

// Type names the value in help texts.
func (o *output) Type() string { return strings.Join(o.words, "|") }

// Set takes one of the words.
func (o *output) Set(s string) error {
	if !slices.Contains(o.words, s) {
		return errors.New("want " + either(o.words))
	}
	o.word = s
	return nil
}

// outWords are words that -o is sometimes given when --output is meant.
func outWords() []string { return reportWords() }

// either lists words: "a, b or c".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
