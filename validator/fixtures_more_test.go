package validator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

func ruleFixtures() []ruleFixture {
	all := append(lineFixtures(), recordFixtures()...)
	all = append(all, itemFixtures()...)
	all = append(all, linkFixtures()...)
	all = append(all, lossFixtures()...)
	all = append(all, nativeFixtures()...)
	return append(all, bundleFixtures()...)
}

func itemFixtures() []ruleFixture {
	reasoning := func(parent string) func(m *made) {
		return func(m *made) {
			m.insert(4, transcript("reasoning", 2, "e2", "e2#reasoning", `,"parent":"`+parent+`","inference":"inference:r1","encrypted":"x"`))
		}
	}
	plan := func(members string) func(m *made) {
		return func(m *made) {
			m.insert(5, transcript("plan", 2, "e2", "e2#plan", `,"parent":"e1","inference":"inference:r1","items":[]`+members))
		}
	}
	return []ruleFixture{
		{ruleNativeMissing, same, edit("e1", `,"native":{"record":{"kind":"Message"}}`, ``)},
		{ruleNativeRepeated, plan(""), plan(`,"native":{"record":{"kind":"Action"}}`)},
		{ruleNativePlace, same, edit("session", `"phase":"head"`, `"phase":"head","native":{"meta":"dev.agent/state"},"_meta":{"dev.agent/state":{}}`)},
		{ruleParentShared, reasoning("e1"), reasoning("e0")},
		{ruleCompaction, compacted, then(compacted, edit("e6", `"forgotten":["e1",`, `"forgotten":["inference:r1","e1",`))},
		{ruleSummary, compacted, then(compacted, edit("e6-summary", `"origin":"summary"`, `"origin":"user"`))},
	}
}

func linkFixtures() []ruleFixture {
	return []ruleFixture{
		{ruleParent, same, edit("e5", `"parent":"e3"`, `"parent":"e5"`)},
		{ruleInference, same, edit("e3", `"call":"e2"`, `"inference":"inference:r2","call":"e2"`)},
		{ruleCall, hooked, then(hooked, edit("e6", `"call":"e2"`, `"call":"e1"`))},
		{ruleMessage, hooked, then(hooked, edit("e6", `"message":"e1"`, `"message":"e2"`))},
		{ruleHeadLink, edit("state", `"head":"e5"`, `"head":"e3"`), edit("state", `"head":"e5"`, `"head":"e9"`)},
		{ruleBoundary, compacted, then(compacted, edit("e6", `{"after":"e0"}`, `{"after":"e9"}`))},
	}
}

func lossFixtures() []ruleFixture {
	return []ruleFixture{
		{ruleLossUndeclared, same, edit("e3", `,"losses":["model-rendering"]`, ``)},
		{ruleLossUnfounded, edit("e1", `"native"`, `"losses":["lineage"],"native"`), edit("e1", `"native"`, `"losses":["model-rendering"],"native"`)},
		{ruleLossUnknown, edit("e1", `"native"`, `"losses":["dev.agent/odd"],"native"`), edit("e1", `"native"`, `"losses":["dev.other/odd"],"native"`)},
	}
}

func onDisk(change func(dir string) error) func(m *made) {
	return func(m *made) { m.after = func(t *testing.T, dir string) { must(t, change(dir)) } }
}

func bundleFixtures() []ruleFixture {
	torn := filepath.Join("blobs", hashOf(tornBytes))
	selected := []byte(`{"policy":"subset","sessions":["s-1"],"text":"session s-1"}`)
	return []ruleFixture{
		{ruleManifest, same, inManifest(func(b *bundle.Manifest) { b.Streams[0].Items++ })},
		{ruleStray, same, onDisk(func(dir string) error { return os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("x\n"), 0o644) })},
		{ruleRegistry, same, func(m *made) { m.entry = strings.Replace(testEntry, "1.2.0", "1.3.0", 1) }},
		{ruleSelection, func(m *made) {
			m.manifest = func(b *bundle.Manifest) { b.Selection = selected }
			m.report = func(r *record.Report) { r.Selection = selected }
		}, func(m *made) { m.report = func(r *record.Report) { r.Selection = selected } }},
		{ruleReport, same, func(m *made) { m.report = func(r *record.Report) { r.Items++ } }},
		{ruleBlobMissing, same, onDisk(func(dir string) error { return os.Remove(filepath.Join(dir, torn)) })},
		{ruleBlobHash, same, onDisk(func(dir string) error {
			return os.WriteFile(filepath.Join(dir, torn), []byte(strings.Repeat("x", len(tornBytes))), 0o644)
		})},
		{ruleBlobUnused, same, func(m *made) { m.blobs = append(m.blobs, "unused") }},
	}
}
