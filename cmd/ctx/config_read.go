package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/archive"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/schemas"
)

// readConfig returns the configuration's bytes, nil when there is none.
func readConfig() ([]byte, error) {
	f, err := archive.Open(configName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	var raw bytes.Buffer
	if _, err := raw.ReadFrom(io.LimitReader(f, maxConfig+1)); err != nil {
		return nil, fmt.Errorf("%s: %w", configName, err)
	}
	if raw.Len() > maxConfig {
		return nil, configError("got more than "+strconv.Itoa(maxConfig)+" bytes", "")
	}
	return raw.Bytes(), nil
}

// settings are the values of a configuration as flags take them, by pointer.
type settings map[string][]string

// parseConfig holds a configuration against its schema and reads what the options name.
func parseConfig(raw []byte) (settings, error) {
	doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: 100})
	if err != nil {
		return nil, configError(placedFault(raw, err)+", want one JSON object", "")
	}
	switch {
	case doc.Has(jsonscan.DuplicateKey):
		return nil, configError(doc.Pointer(doc.FirstDuplicate)+": got a key twice, want each once", "")
	case doc.Has(jsonscan.LoneSurrogate):
		return nil, configError(doc.Pointer(doc.FirstSurrogate)+": got half a surrogate pair", "")
	}
	set, err := schemas.Compile()
	if err != nil {
		return nil, err
	}
	problems, err := set.Check("config", raw)
	if err != nil {
		return nil, configError(err.Error(), "")
	}
	if len(problems) > 0 {
		return nil, configError(problemList(problems), "ctx schema config says what may stand there; --no-config leaves the file out")
	}
	s := settings{}
	for _, o := range options() {
		at := 0
		for _, step := range strings.Split(o.pointer[1:], "/") {
			at = doc.Find(at, step)
		}
		if err := s.take(o.pointer, &doc, at); err != nil {
			return nil, err
		}
	}
	return s, s.checkFailOn()
}

// placedFault names the line and column of what is no JSON.
func placedFault(raw []byte, err error) string {
	fault, ok := errors.AsType[*jsonscan.Error](err)
	if !ok {
		return err.Error()
	}
	before := raw[:min(fault.Offset, len(raw))]
	line, column := bytes.Count(before, []byte("\n"))+1, len(before)-bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf("line %d, byte %d: %s", line, column, fault.Reason)
}

// take keeps the value at a node, or the values of a list of strings.
func (s settings) take(pointer string, doc *jsonscan.Doc, at int) error {
	switch doc.Kind(at) {
	case jsonscan.Array:
		for i := range doc.Children(at) {
			s[pointer] = append(s[pointer], doc.Text(i))
		}
	case jsonscan.String:
		s[pointer] = append(s[pointer], doc.Text(at))
	case jsonscan.Number:
		n, plain := doc.Int(at)
		if !plain {
			return configError(pointer+": got a number with a fraction or an exponent, want its digits alone", "")
		}
		s[pointer] = append(s[pointer], strconv.FormatInt(n, 10))
	}
	return nil
}

// checkFailOn wants words that --fail-on knows, one an element.
func (s settings) checkFailOn() error {
	words := s["/failOn"]
	for i, w := range words {
		_, err := parseFailOn([]string{w})
		switch {
		case strings.Contains(w, ","):
			return configError("/failOn/"+strconv.Itoa(i)+": got "+quote(w)+", want one word an element", "")
		case err != nil:
			return configError("/failOn/"+strconv.Itoa(i)+": got "+quote(w)+", which --fail-on does not know", hintOf(err))
		case w == "none" && len(words) > 1:
			return configError("/failOn/"+strconv.Itoa(i)+`: "none" stands alone`, "")
		}
	}
	return nil
}

func configError(problem, hint string) error {
	return &usageError{
		message: configName + ": " + strings.ReplaceAll(problem, "\n", "\n"+configName+": "),
		hint:    cmp.Or(hint, "--no-config leaves the file out"),
	}
}

// problemList is one line a problem, the first ten.
func problemList(list []schemas.Problem) string {
	const most = 10
	var lines []string
	for i, p := range list {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(list)-most))
			break
		}
		lines = append(lines, strings.TrimPrefix(p.Pointer+": "+p.Message, ": "))
	}
	return strings.Join(lines, "\n")
}
