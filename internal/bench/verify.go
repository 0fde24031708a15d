package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
)

// counts are the members of a report that a truth knows.
type counts struct {
	Streams, Records, Items, Errors, Gaps, UnidentifiedSources int64
	Losses                                                     map[string]int64
}

// checkCounts holds a report (JSON) against the truth of its corpus.
func checkCounts(t *Truth, raw []byte) error {
	var c counts
	if err := json.Unmarshal(raw, &c); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return errors.Join(
		same("streams", t.Conversations, c.Streams),
		same("records", t.Records(), c.Records),
		same("items", t.Events, c.Items),
		same("errors", 0, c.Errors),
		same("gaps", 0, c.Gaps),
		same("unidentifiedSources", 0, c.UnidentifiedSources),
		sameCounts("losses", t.Losses, c.Losses),
	)
}

// contents are the members of a manifest that a truth knows.
type contents struct {
	RootSHA256 string `json:"rootSha256"`
	Sources    []struct {
		Path, SHA256 string
		Files, Bytes int64
	}
	Streams []struct{ Types map[string]int64 }
}

// checkManifest holds a manifest (JSON) against the truth and returns its rootSha256.
func checkManifest(t *Truth, raw []byte) (string, error) {
	var c contents
	if err := json.Unmarshal(raw, &c); err != nil {
		return "", fmt.Errorf("manifest: %w", err)
	}
	var files, bytes int64
	var lines []string
	types := map[string]int64{}
	for _, s := range c.Sources {
		files, bytes = files+s.Files, bytes+s.Bytes
		lines = append(lines, sourceLine(path.Base(s.Path), s.SHA256))
	}
	for _, s := range c.Streams {
		addCounts(types, s.Types)
	}
	return c.RootSHA256, errors.Join(
		same("files", t.Files, files),
		same("bytes", t.Bytes, bytes),
		same("sources", t.Sources, sourcesHash(lines)),
		sameCounts("types", t.Types, types),
	)
}

// sameCounts compares counts by name; one that is not there is 0.
func sameCounts(what string, want, got map[string]int64) error {
	names := map[string]int64{}
	addCounts(names, want)
	addCounts(names, got)
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(names)) {
		errs = append(errs, same(what+" "+name, want[name], got[name]))
	}
	return errors.Join(errs...)
}
