package transcript

import "strings"

// Style is what a piece of the printed text is.
type Style uint8

// The styles. Plain is the text of the session.
const (
	Plain   Style = iota
	Faint         // ids, times, reasoning, what the model never saw
	Strong        // titles
	User          // the label of a user
	Agent         // the label of an assistant
	Other         // the label of anything else
	Call          // a call
	Good          // a result that worked
	Warning       // gaps, compactions, abandoned branches
	Bad           // errors, rejections
)

// Options says what of a session is printed, and how. The zero value prints all of it, clipped, without colour.
type Options struct {
	Width      int    // columns of a row, 0: 100
	Full       bool   // print long texts whole
	ActiveOnly bool   // leave out what is on abandoned branches
	First      int    // this many items from the start, or from At on; 0: no bound
	Last       int    // this many items at the end, or up to At; 0: no bound
	At         string // id of a record, or a beginning that only one has; "" none

	Head func() Head // asked where the active branch ends when the session's state names no record; nil: its last item in context

	Visible func(string) string        // writes out what could steer a terminal in one line, nil: text is printed as it is
	Paint   func(Style, string) string // colours a visible text, nil: no colour
}

// Head is where the active branch of a session ends.
type Head struct {
	Record string // id of a record, "" none: nothing is on the active branch
	Known  bool   // false: nothing is known of it
	Note   string // what a reader should know of it, "" nothing
}

const (
	defaultWidth = 100
	leastWidth   = 20
)

func (o *Options) width() int {
	if o.Width == 0 {
		return defaultWidth
	}
	return max(o.Width, leastWidth)
}

// visible makes one line safe to print. Tabs become spaces.
func (o *Options) visible(line string) string {
	line = untabbed(line)
	if o.Visible == nil {
		return line
	}
	return o.Visible(line)
}

func (o *Options) paint(s Style, text string) string {
	if o.Paint == nil || s == Plain || text == "" {
		return text
	}
	return o.Paint(s, text)
}

// name is an id as it is printed: UUIDs are shortened to their first part, others to a length that fits.
func (o *Options) name(id string) string {
	const whole, short = 36, 8
	shown := o.visible(OneLine(id))
	if !o.Full {
		if len(id) == whole && strings.Count(id, "-") == 4 && id[short] == '-' {
			return o.visible(id[:short])
		}
		shown = Clip(shown, whole)
	}
	return shown
}
