package validator_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
)

// manifestViolations break manifest.json and report.json.
func manifestViolations() []violation {
	return []violation{
		{"manifest", "basic", set("manifest", "/rootSha256", `"`+strings.Repeat("0", 64)+`"`)},
		{"manifest", "basic", set("manifest", "/rootSha256", `"x"`)},
		{"manifest", "basic", del("manifest", "/rootSha256")},
		{"manifest", "basic", set("manifest", "/xyz", `1`)},
		{"manifest", "basic", set("manifest", "/converter/name", `""`)},
		{"manifest", "basic", set("manifest", "/converter/commit", `"x"`)},
		{"manifest", "basic", del("manifest", "/converter/version")},
		{"manifest", "basic", set("manifest", "/sources/0/id", `"s2"`)},
		{"manifest", "basic", set("manifest", "/sources/0/agent", `"dev.other.agent"`)},
		{"manifest", "basic", set("manifest", "/sources/0/layout", `"other"`)},
		{"manifest", "basic", set("manifest", "/sources/0/path", `"/abs/path"`)},
		{"manifest", "basic", set("manifest", "/sources/0/path", `"../x"`)},
		{"manifest", "basic", set("manifest", "/sources/0/path", `"a//b"`)},
		{"manifest", "basic", set("manifest", "/sources/0/path", `""`)},
		{"manifest", "basic", set("manifest", "/sources/0/files", `-1`)},
		{"manifest", "basic", set("manifest", "/sources/0/files", `0`)},
		{"manifest", "basic", set("manifest", "/sources/0/files", `2`)},
		{"manifest", "basic", set("manifest", "/sources/0/bytes", `0`)},
		{"manifest", "basic", set("manifest", "/sources/0/sha256", `"x"`)},
		{"manifest", "basic", set("manifest", "/sources/0/sha256", `"`+strings.Repeat("A", 64)+`"`)},
		{"manifest", "basic", set("manifest", "/sources/0/positions", `["transcript"]`)},
		{"manifest", "basic", set("manifest", "/sources/0/positions", `["current-state"]`)},
		{"manifest", "basic", set("manifest", "/sources/0/positions", `[]`)},
		{"manifest", "basic", set("manifest", "/sources/0/positions", `["transcript","transcript","current-state"]`)},
		{"manifest", "basic", del("manifest", "/sources/0/files")},
		{"manifest", "basic", set("manifest", "/sources/0/rows", `1`)}, // without a row
		{"manifest", "basic", set("manifest", "/sources/0/row", `0`)},
		{"manifest", "evaluation-output-damaged", set("manifest", "/sources/3/row", `4`)},
		{"manifest", "evaluation-output-damaged", set("manifest", "/sources/3/row", `2`)},
		{"manifest", "evaluation-output-damaged", set("manifest", "/sources/3/row", `-1`)},
		{"manifest", "evaluation-output-damaged", set("manifest", "/sources/3/rows", `0`)},
		{"manifest", "evaluation-output-damaged", set("manifest", "/sources/3/rows", `5`)},
		{"manifest", "evaluation-output-damaged", manifest("no rows", func(m *bundle.Manifest) { m.Sources[1].Row, m.Sources[1].Rows = 0, 0 })},
		{"manifest", "sample", manifest("a path twice", func(m *bundle.Manifest) { m.Sources[1].Path = m.Sources[0].Path })},
		{"manifest", "sample", then(set("manifest", "/sources/0/path", `"z"`))},
		{"manifest", "sample", then(set("manifest", "/sources/0/id", `"s2"`), set("manifest", "/sources/1/id", `"s1"`))},
		{"manifest", "sample", manifest("swap sources", func(m *bundle.Manifest) {
			m.Sources[0], m.Sources[1] = m.Sources[1], m.Sources[0]
		})},
		{"manifest", "sample", set("manifest", "/streams/1/source", `"s1"`)},
		{"manifest", "basic", set("manifest", "/streams/0/source", `"s7"`)},
		{"manifest", "basic", set("manifest", "/streams/0/agent", `"dev.other.agent"`)},
		{"manifest", "basic", set("manifest", "/streams/0/records", `12`)},
		{"manifest", "basic", set("manifest", "/streams/0/items", `4`)},
		{"manifest", "basic", set("manifest", "/streams/0/gaps", `1`)},
		{"manifest", "basic", set("manifest", "/streams/0/bytes", `1`)},
		{"manifest", "basic", set("manifest", "/streams/0/types/message", `4`)},
		{"manifest", "basic", set("manifest", "/streams/0/types/plan", `1`)},
		{"manifest", "basic", set("manifest", "/streams/0/types/plan", `0`)},
		{"manifest", "basic", set("manifest", "/streams/0/types/odd", `1`)},
		{"manifest", "basic", del("manifest", "/streams/0/types/message")},
		{"manifest", "basic", set("manifest", "/streams/0/losses/model-rendering/count", `2`)},
		{"manifest", "basic", set("manifest", "/streams/0/losses/model-rendering/first", `"session"`)},
		{"manifest", "basic", set("manifest", "/streams/0/losses/lineage", `{"count":1,"first":"session"}`)},
		{"manifest", "basic", del("manifest", "/streams/0/losses/model-rendering")},
		{"loss-unknown", "basic", set("manifest", "/streams/0/losses/made-up", `{"count":1,"first":"session"}`)},
		{"manifest", "basic", set("manifest", "/streams/0/evidence", `[99]`)},
		{"manifest", "basic", set("manifest", "/streams/0/evidence", `[0,0]`)},
		{"manifest", "basic", set("manifest", "/streams/0/evidence", `[-1]`)},
		{"manifest", "basic", set("manifest", "/streams/0/evidence", `[6]`)}, // not of this layout
		{"manifest", "basic", set("manifest", "/streams/0/compression", `"gzip"`)},
		{"manifest", "basic", set("manifest", "/streams/0/sessionId", `"a/b"`)},
		{"manifest", "basic", set("manifest", "/streams/0/sha256", `"`+strings.Repeat("0", 64)+`"`)},
		{"blob-hash manifest", "gap-unreadable", ofBlob("bytes", `1`)},
		{"blob-hash manifest", "gap-unreadable", ofBlob("mediaType", `"text/plain"`)},
		{"manifest", "gap-unreadable", set("manifest", "/blobs/0/compression", `"lz4"`)},
		{"manifest", "foreign-files", set("manifest", "/unidentifiedSources/0/reason", `"odd"`)},
		{"manifest", "foreign-files", set("manifest", "/unidentifiedSources/0/path", `"/x"`)},
		{"manifest", "foreign-files", manifest("twice", func(m *bundle.Manifest) { m.Unidentified[1] = m.Unidentified[0] })},
		{"meta-key", "basic", set("manifest", "/_meta", `{"dev.all-hands.openhands/other":[]}`)},
		{"meta-key", "basic", set("manifest", "/_meta", `{"rs.ctx/file":[]}`)},
		{"meta-key", "basic", set("manifest", "/_meta", `{"odd":[]}`)},
		{"registry", "basic", manifest("registry version", func(m *bundle.Manifest) { m.Registry[0].EntryVersion = "9" })},
		{"registry", "basic", manifest("registry agent", func(m *bundle.Manifest) { m.Registry[0].Agent = "dev.other.agent" })},
		{"registry", "basic", manifest("registry twice", func(m *bundle.Manifest) { m.Registry = append(m.Registry, m.Registry[0]) })},
		{"blob-missing", "gap-unreadable", edit{"blob gone", func(b *broken) { b.gone = append(b.gone, "blobs/"+b.blob()) }}},
		{"blob-hash", "gap-unreadable", blobBytes("blob longer", func(s string) string { return s + "x" })},
		{"blob-hash", "gap-unreadable", blobBytes("blob other", func(s string) string { return strings.Repeat("y", len(s)) })},
		{"blob-unreferenced", "basic", edit{"blob more", func(b *broken) { b.blobs[sha("x")], b.media[sha("x")] = "x", "application/octet-stream" }}},
		{"selection", "basic", set("manifest", "/selection/policy", `"some"`)},
		{"selection", "basic", set("manifest", "/selection", `{"policy":"subset"}`)},
		{"selection", "basic", set("manifest", "/selection", `{"policy":"subset","text":"x","sessions":["a"]}`)},
		{"selection", "basic", set("manifest", "/selection", `{"policy":"all","since":"2026-01-01"}`)},
		{"selection", "basic", set("report", "/selection", `{"policy":"subset","text":"x"}`)},
		{"report", "basic", set("report", "/streams", `2`)},
		{"report", "basic", set("report", "/records", `1`)},
		{"report", "basic", set("report", "/errors", `1`)},
		{"report", "basic", set("report", "/notices", `9`)},
		{"report", "basic", set("report", "/gaps", `9`)},
		{"report", "basic", set("report", "/items", `9`)},
		{"report", "basic", set("report", "/unidentifiedSources", `9`)},
		{"report", "basic", set("report", "/losses/model-rendering", `9`)},
		{"report", "basic", set("report", "/losses", `{}`)},
		{"report", "basic", set("report", "/validator", `""`)},
		{"report", "basic", del("report", "/validator")},
		{"report", "basic", set("report", "/xyz", `1`)},
		{"report", "basic", set("report", "/bundle", `"b"`)},
		{"report", "hooks", set("report", "/findings/0/rule", `"made-up"`)},
		{"report", "hooks", set("report", "/findings/0/severity", `"warning"`)},
		{"report", "hooks", set("report", "/findings/0/severity", `"error"`)},
		{"report", "hooks", set("report", "/findings/0/stream", `"nobody"`)},
		{"report", "hooks", set("report", "/findings/0/line", `99999`)},
		{"report", "hooks", set("report", "/findings/0/line", `0`)},
		{"report", "hooks", set("report", "/findings/0/count", `0`)},
		{"report", "hooks", set("report", "/findings/0/count", `2`)},
		{"report", "hooks", set("report", "/findings", `[]`)},
		{"report", "gap", then(edit{"unsorted findings", func(b *broken) {
			b.late = append(b.late, edit{"", func(l *broken) {
				line := l.lines[0][1]
				at := strings.Index(line, `"findings":[`) + len(`"findings":[`)
				list := strings.Split(strings.TrimSuffix(line[at:], "]}"), "},{")
				list[0], list[len(list)-1] = "{"+list[len(list)-1], strings.TrimPrefix(list[0], "{")+"}"
				list[0] = strings.TrimSuffix(list[0], "}")
				l.lines[0][1] = line[:at] + strings.Join(list, "},{") + "]}"
			}})
		}})},
	}
}

// ofBlob changes what the manifest says of a blob that a record names: the entry is another.
func ofBlob(member, value string) edit {
	return of("manifest", member+" of a blob", func(line *string) {
		m, err := bundle.ReadManifest([]byte(*line))
		if err != nil {
			panic(err)
		}
		at := slices.IndexFunc(m.Blobs, func(b bundle.BlobInfo) bool { return b.SHA256 != m.Registry[0].SHA256 && b.Bytes > 1 })
		*line = setIn(*line, fmt.Sprintf("/blobs/%d/%s", at, member), value)
	})
}
