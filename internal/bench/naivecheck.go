package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/session-trace/ctx/schemas"
)

// validateNaively checks every line of a plain bundle against its type's schema: encoding/json and jsonschema, no more.
// A validation by ctx does this and also hashes, order, ids and links.
func validateNaively(source, _ string, jobs int) (done, error) {
	byType, err := compileByType()
	if err != nil {
		return done{}, err
	}
	streams, err := filepath.Glob(filepath.Join(source, "streams", "*.jsonl"))
	if err != nil {
		return done{}, err
	}
	return each(streams, jobs, func(path string) (done, error) { return validateOneNaively(path, byType) })
}

// compileByType compiles the schemas of records, by record type.
func compileByType() (map[string]*jsonschema.Schema, error) {
	byType := map[string]*jsonschema.Schema{}
	for _, name := range schemas.Names() {
		kind, ok := strings.CutPrefix(name, "record/")
		if !ok {
			continue
		}
		raw, _ := schemas.Source(name)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
		c := jsonschema.NewCompiler()
		url := "https://bench.invalid/" + kind
		if err := c.AddResource(url, doc); err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
		if byType[kind], err = c.Compile(url); err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
	}
	return byType, nil
}

func validateOneNaively(path string, byType map[string]*jsonschema.Schema) (d done, err error) {
	file, err := os.Open(path)
	if err != nil {
		return d, err
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 256<<10)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return d, nil
		}
		if err != nil {
			return d, fmt.Errorf("%s: %w", path, err)
		}
		d.Items, d.Bytes = d.Items+1, d.Bytes+int64(len(line))
		if !fitsNaively(line, byType) {
			d.Rejected++
		}
	}
}

func fitsNaively(line []byte, byType map[string]*jsonschema.Schema) bool {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		return false
	}
	object, _ := value.(map[string]any)
	kind, _ := object["type"].(string)
	schema := byType[kind]
	return schema != nil && schema.Validate(value) == nil
}
