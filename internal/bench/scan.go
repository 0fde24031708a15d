package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/session-trace/ctx/internal/jsonscan"
)

const scanPasses = 4

// scanDocuments scans every document of a corpus from memory.
func scanDocuments(source, _ string, _ int) (done, error) {
	var nodes []jsonscan.Node
	return passes(source, func(raw []byte) bool {
		doc, err := jsonscan.Scan(raw, nodes, jsonscan.Options{})
		nodes = doc.Nodes
		return err == nil
	})
}

// scanDocumentsJSON asks encoding/json whether every document of a corpus is JSON.
func scanDocumentsJSON(source, _ string, _ int) (done, error) { return passes(source, json.Valid) }

// passes reads a corpus and then times the check alone, on one goroutine.
func passes(source string, valid func([]byte) bool) (d done, err error) {
	documents, err := readAll(source)
	if err != nil {
		return d, err
	}
	debug.SetGCPercent(-1)
	before, err := ownCPU()
	if err != nil {
		return d, err
	}
	for range scanPasses {
		for _, raw := range documents {
			if !valid(raw) {
				d.Rejected++
			}
		}
	}
	after, err := ownCPU()
	d.CPU = after - before
	for _, raw := range documents {
		d.Items, d.Bytes = d.Items+1, d.Bytes+int64(len(raw))
	}
	return d, err
}

func readAll(source string) (documents [][]byte, err error) {
	for _, pattern := range []string{"*/events/event-*.json", "*/base_state.json"} {
		names, err := filepath.Glob(filepath.Join(source, pattern))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			raw, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			documents = append(documents, raw)
		}
	}
	return documents, nil
}
