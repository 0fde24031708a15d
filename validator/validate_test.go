package validator

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
)

func TestValidateSound(t *testing.T) {
	m := sound()
	m.report = func(r *record.Report) { r.Findings.Notice(record.TimeBackwards, "e3", "", "the time goes back") }
	want := `{"validator":"validator-v1.0.0","streams":1,"records":10,"errors":0,"notices":1,"gaps":1,"unidentifiedSources":0,"items":5,` +
		`"losses":{"model-rendering":1,"native-unreadable":1},"selection":{"policy":"all"},` +
		`"findings":[{"rule":"time-backwards","severity":"notice","record":"e3","message":"the time goes back","count":1}]}`
	var told int64
	report, err := Validate(context.Background(), m.write(t), Options{Progress: func(n int64) { told = n }})
	must(t, err)
	if d := cmp.Diff(want, string(record.AppendReport(nil, report))); d != "" {
		t.Errorf("report (-want +got):\n%s", d)
	}
	if told != 10 {
		t.Errorf("progress ended at %d, want 10", told)
	}
}

// record text of a value of native.record
func withNative(m *made, value string) { m.edit("e1", `{"kind":"Message"}`, value) }

func TestValidateRules(t *testing.T) {
	tests := []struct {
		want   []string
		name   string
		change func(m *made)
	}{
		{nil, "sound", func(m *made) {}},
		{[]string{"error json"}, "no JSON", func(m *made) { m.insert(3, "what") }},
		{[]string{"error json"}, "blank line", func(m *made) { m.insert(3, "") }},
		{[]string{"error json"}, "no object", func(m *made) { m.insert(3, "[]") }},
		{[]string{"error json"}, "no last line feed", func(m *made) { m.noFeed = true }},
		{[]string{"error json"}, "carriage return", func(m *made) { m.lines[2] += "\r" }},
		{[]string{"error json"}, "byte order mark", func(m *made) { m.lines[1] = "\xef\xbb\xbf" + m.lines[1] }},
		{[]string{"error json"}, "duplicate key", func(m *made) { m.edit("e1", `"role":"user"`, `"role":"user","role":"user"`) }},
		{[]string{"error json"}, "half a surrogate pair", func(m *made) { m.edit("e5", `"done"`, `"\ud800"`) }},
		{[]string{"error json"}, "NaN", func(m *made) { m.insert(3, `{"a":NaN}`) }},
		{[]string{"error json"}, "huge exponent in no record", func(m *made) { m.insert(3, `[1e2000000]`) }},
		{[]string{"error json"}, "NUL", func(m *made) { m.insert(3, "\x00") }},
		{[]string{"error schema"}, "unknown type", func(m *made) { m.insert(3, `{"type":"tool_cal","id":"x"}`) }},
		{[]string{"error schema"}, "unknown member", func(m *made) { m.edit("e1", `"role":"user"`, `"role":"user","mood":"good"`) }},
		{[]string{"error schema"}, "no role", func(m *made) { m.edit("e1", `"role":"user",`, ``) }},
		{[]string{"error native-inline"}, "native duplicate key", func(m *made) { withNative(m, `{"a":1,"a":2}`) }},
		{[]string{"error native-inline"}, "native surrogate", func(m *made) { withNative(m, `{"a":"\udc00"}`) }},
		{[]string{"error native-inline"}, "native size", func(m *made) { withNative(m, `{"a":"`+strings.Repeat("x", 1<<20)+`"}`) }},
		{nil, "native size at the limit", func(m *made) { withNative(m, `{"a":"`+strings.Repeat("x", 1<<20-8)+`"}`) }},
		{[]string{"error native-inline"}, "native depth", func(m *made) {
			withNative(m, `{"a":`+strings.Repeat("[", 1000)+strings.Repeat("]", 1000)+`}`)
		}},
		{nil, "native depth at the limit", func(m *made) {
			withNative(m, `{"a":`+strings.Repeat("[", 999)+strings.Repeat("]", 999)+`}`)
		}},
		{[]string{"error unsafe-number"}, "native unsafe number", func(m *made) { withNative(m, `{"a":9007199254740993}`) }},
		{[]string{"error unsafe-number"}, "native exponent", func(m *made) { withNative(m, `{"a":1e2000000}`) }},
		{[]string{"error secret-name"}, "native secret", func(m *made) { withNative(m, `{"a":{"secret_registry":{}}}`) }},
		{[]string{"error secret-name"}, "native secret escaped", func(m *made) { withNative(m, `{"a":{"secret\u005fregistry":{}}}`) }},
		{nil, "secret name as text", func(m *made) { withNative(m, `{"a":"secret_registry"}`) }},
		{[]string{"error secret-name"}, "state secret", func(m *made) { m.edit("state", `{"id":"s-1"}`, `{"id":"s-1","secrets_manager":null}`) }},
		{[]string{"error meta-key"}, "destination unknown", func(m *made) { m.edit("e1", `"native"`, `"_meta":{"dev.agent/other":1},"native"`) }},
		{[]string{"error meta-key"}, "namespace of another", func(m *made) { m.edit("e1", `"native"`, `"_meta":{"dev.other/state":1},"native"`) }},
		{nil, "our own key", func(m *made) { m.edit("e1", `"native"`, `"_meta":{"rs.ctx/unmapped":1},"native"`) }},
		{[]string{"error native-missing"}, "native.meta without it", func(m *made) {
			m.edit("state", `"native":{"meta":"dev.agent/state"}`, `"native":{"meta":"dev.agent/metrics"}`)
		}},
		{[]string{"error loss-unknown"}, "loss of another", func(m *made) { m.edit("e1", `"native"`, `"losses":["dev.other/x"],"native"`) }},
		{[]string{"error session-info"}, "session id", func(m *made) { m.edit("session", `"sessionId":"s-1"`, `"sessionId":"s-2"`) }},
		{[]string{"error session-info"}, "agent of the state", func(m *made) { m.edit("state", `"agent":"dev.agent"`, `"agent":"dev.other"`) }},
		{[]string{"error usage-place"}, "zero counter", func(m *made) { m.edit("inference:r1", `"inputTokens":5`, `"inputTokens":5,"outputTokens":0`) }},
		{[]string{"error blob-missing"}, "blob not listed", func(m *made) {
			m.edit("e1", `{"record":{"kind":"Message"}}`, `{"blob":{"sha256":"`+hashOf("x")+`","bytes":1,"mediaType":"text/plain"},"reason":"size"}`)
		}},
		{[]string{"error blob-hash"}, "blob's size in a record", func(m *made) { m.edit("gap:4:e4", fmt.Sprintf(`"bytes":%d`, len(tornBytes)), `"bytes":1`) }},
		{[]string{"error blob-missing"}, "blob's file", func(m *made) {
			m.after = func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, "blobs", hashOf(tornBytes)))) }
		}},
		{[]string{"error blob-hash"}, "blob's bytes", func(m *made) {
			m.after = func(t *testing.T, dir string) {
				must(t, os.WriteFile(filepath.Join(dir, "blobs", hashOf(tornBytes)), []byte(strings.Repeat("x", len(tornBytes))), 0o644))
			}
		}},
		{[]string{"error blob-hash"}, "blob's size", func(m *made) {
			m.after = func(t *testing.T, dir string) {
				must(t, os.WriteFile(filepath.Join(dir, "blobs", hashOf(tornBytes)), []byte(tornBytes+"x"), 0o644))
			}
		}},
		{[]string{"error blob-unreferenced"}, "blob unused", func(m *made) { m.blobs = append(m.blobs, "unused") }},
		{[]string{"error blob-unreferenced", "error secret-name"}, "blob secret", func(m *made) {
			m.blobs = append(m.blobs, `{"a":{"secret_registry" : {}}}`)
			m.media[m.blobs[1]] = mediaJSON
		}},
		{[]string{"error blob-unreferenced", "error manifest"}, "blob media type", func(m *made) { m.blobs = append(m.blobs, `{"a":1}`) }},
		{nil, "blob of an uncommitted tail", func(m *made) {
			m.blobs = append(m.blobs, "torn")
			m.edit("state", `"_meta":{`, `"_meta":{"rs.ctx/uncommitted":[{"path":"events/6","bytes":4,"blob":{"sha256":"`+hashOf("torn")+`","bytes":4,"mediaType":"application/octet-stream"}}],`)
			m.report = func(r *record.Report) { r.Findings.Notice(record.TailUncommitted, "state", "", "torn") }
		}},
		{[]string{"error manifest"}, "records", func(m *made) { m.manifest = func(b *bundle.Manifest) { b.Streams[0].Records++ } }},
		{[]string{"error manifest"}, "items", func(m *made) { m.manifest = func(b *bundle.Manifest) { b.Streams[0].Items++ } }},
		{[]string{"error manifest"}, "gaps", func(m *made) { m.manifest = func(b *bundle.Manifest) { b.Streams[0].Gaps++ } }},
		{[]string{"error manifest"}, "types", func(m *made) { m.manifest = func(b *bundle.Manifest) { b.Streams[0].Types["plan"] = 1 } }},
		{[]string{"error manifest"}, "losses", func(m *made) {
			m.manifest = func(b *bundle.Manifest) { delete(b.Streams[0].Losses, "model-rendering") }
		}},
		{[]string{"error manifest"}, "first loss", func(m *made) {
			m.manifest = func(b *bundle.Manifest) { b.Streams[0].Losses["model-rendering"] = bundle.Loss{Count: 1, First: "e5"} }
		}},
		{[]string{"error manifest"}, "stream's hash", func(m *made) {
			m.manifest = func(b *bundle.Manifest) {
				b.Streams[0].SHA256 = hashOf("x")
				b.RootSHA256 = bundle.RootSHA256(b.Streams, b.Blobs)
			}
		}},
		{[]string{"error manifest"}, "root hash", func(m *made) { m.manifest = func(b *bundle.Manifest) { b.RootSHA256 = hashOf("x") } }},
		{[]string{"error manifest"}, "source ids", func(m *made) {
			m.manifest = func(b *bundle.Manifest) { b.Sources[0].ID, b.Streams[0].Source = "s2", "s2" }
			m.edit("session", `"source":"s1"`, `"source":"s2"`)
		}},
		{[]string{"error manifest"}, "stream's source", func(m *made) {
			m.manifest = func(b *bundle.Manifest) { b.Streams[0].Source = "s9" }
			m.edit("session", `"source":"s1"`, `"source":"s9"`)
		}},
		{[]string{"error manifest", "error stray-file"}, "stream's id", func(m *made) {
			m.manifest = func(b *bundle.Manifest) {
				b.Streams[0].ID, b.Streams[0].File = "agent-s2", "streams/agent-s2.jsonl"
				b.RootSHA256 = bundle.RootSHA256(b.Streams, b.Blobs)
			}
		}},
		{[]string{"error manifest"}, "evidence", func(m *made) { m.manifest = func(b *bundle.Manifest) { b.Streams[0].Evidence = []int64{2} } }},
		{[]string{"error manifest"}, "unidentified without reason", func(m *made) {
			m.manifest = func(b *bundle.Manifest) {
				b.Unidentified = []bundle.Unidentified{{Path: "x", Reason: "because", Files: 1}}
			}
			m.report = func(r *record.Report) { r.UnidentifiedSources = 1 }
		}},
		{[]string{"error manifest"}, "stream's file missing", func(m *made) {
			m.after = func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, "streams", "agent-s1.jsonl"))) }
		}},
		{[]string{"error stray-file"}, "stray file", func(m *made) {
			m.after = func(t *testing.T, dir string) { must(t, os.WriteFile(filepath.Join(dir, "blobs", "note"), nil, 0o644)) }
		}},
		{[]string{"error registry"}, "entry's name", func(m *made) { m.entry = strings.Replace(testEntry, `"dev.agent"`, `"dev.else"`, 1) }},
		{[]string{"error registry"}, "entry's version", func(m *made) { m.entry = strings.Replace(testEntry, "1.2.0", "1.3.0", 1) }},
		{[]string{"error blob-unreferenced", "error registry"}, "entry no blob", func(m *made) {
			m.manifest = func(b *bundle.Manifest) { b.Registry[0].SHA256 = hashOf("x") }
		}},
		{[]string{"error registry"}, "no entry", func(m *made) {
			m.manifest = func(b *bundle.Manifest) {
				b.Registry = append(b.Registry[:0], bundle.RegistryEntry{Agent: "dev.other", EntryVersion: "1.2.0", SHA256: b.Registry[0].SHA256})
			}
		}},
		{[]string{"error selection"}, "selection", func(m *made) {
			m.report = func(r *record.Report) { r.Selection = []byte(`{"policy":"subset","text":"some"}`) }
		}},
		{[]string{"error report"}, "report missing", func(m *made) {
			m.after = func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, "report.json"))) }
		}},
		{[]string{"error report"}, "report no JSON", func(m *made) {
			m.after = func(t *testing.T, dir string) {
				must(t, os.WriteFile(filepath.Join(dir, "report.json"), []byte("{"), 0o644))
			}
		}},
		{[]string{"error report"}, "report empty", func(m *made) {
			m.after = func(t *testing.T, dir string) {
				must(t, os.WriteFile(filepath.Join(dir, "report.json"), []byte("{}"), 0o644))
			}
		}},
		{[]string{"error report"}, "report's counts", func(m *made) { m.report = func(r *record.Report) { r.Items++ } }},
		{[]string{"error report"}, "report's losses", func(m *made) { m.report = func(r *record.Report) { r.Losses["lineage"] = 1 } }},
		{[]string{"error report"}, "report's own notices", func(m *made) {
			m.report = func(r *record.Report) { r.Findings.Notice(record.CallOpen, "e2", "", "open") }
		}},
		{[]string{"error report"}, "report's notices unknown", func(m *made) { m.report = func(r *record.Report) { r.Findings.Notice("made-up", "e2", "", "x") } }},
		{[]string{"error record-id-duplicate"}, "id twice", func(m *made) { m.insert(3, m.lines[2]) }},
		{[]string{"error tail-record"}, "cut off", func(m *made) { m.lines = m.lines[:len(m.lines)-1] }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := sound()
			tt.change(m)
			report, err := Validate(context.Background(), m.write(t), Options{})
			must(t, err)
			known(t, &report.Findings)
			var got []string
			for _, rule := range rulesOf(&report.Findings) {
				if strings.HasPrefix(rule, "error ") {
					got = append(got, rule)
				}
			}
			if d := cmp.Diff(sorted(tt.want), got); d != "" {
				t.Errorf("rules (-want +got):\n%s\n%s", d, listed(report))
			}
		})
	}
}

func TestRegistryOverride(t *testing.T) {
	m := sound()
	m.edit("e1", `"native"`, `"_meta":{"dev.agent/newer":1},"native"`)
	b := m.write(t)
	for want, other := range map[int64]string{
		1: "",
		0: strings.Replace(testEntry, `"state":{}`, `"state":{},"newer":{}`, 1),
	} {
		o := Options{}
		if other != "" {
			o.Registry = map[string]*entry.Entry{"dev.agent": {Raw: []byte(other)}}
		}
		report, err := Validate(context.Background(), b, o)
		must(t, err)
		if got := report.Errors(); got != want {
			t.Errorf("with entry %q: got %d errors, want %d\n%s", other, got, want, listed(report))
		}
	}
}
