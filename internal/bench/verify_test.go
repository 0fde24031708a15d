package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/record"
)

// truthReport is the report that a right conversion of the corpus has.
func truthReport(t *Truth) []byte {
	return record.AppendReport(nil, &record.Report{
		Streams: t.Conversations, Records: t.Records(), Items: t.Events, Losses: t.Losses,
	})
}

// truthManifest is what a right manifest says, with all conversations' files in one source.
func truthManifest(t *Truth, hash string) []byte {
	raw := fmt.Appendf(nil, `{"rootSha256":"r","sources":[{"path":"a/c","files":%d,"bytes":%d,"sha256":%q}],"streams":[{"types":`,
		t.Files, t.Bytes, hash)
	return append(appendCounts(raw, t.Types), `}]}`...)
}

func TestChecksHoldReportsAgainstTheTruth(t *testing.T) {
	truth := generateTiny(t, 1).truth
	if err := checkCounts(truth, truthReport(truth)); err != nil {
		t.Errorf("right report: %v", err)
	}
	for _, tc := range []struct{ want, old, new string }{
		{"streams: got 4, want 5", `"streams":5`, `"streams":4`},
		{"items: got 399, want 400", `"items":400`, `"items":399`},
		{"errors: got 1, want 0", `"errors":0`, `"errors":1`},
		{"gaps: got 2, want 0", `"gaps":0`, `"gaps":2`},
		{"unidentifiedSources: got 1, want 0", `"unidentifiedSources":0`, `"unidentifiedSources":1`},
		{"losses lineage: got 1, want 0", `"losses":{`, `"losses":{"lineage":1,`},
		{"report: ", `"losses"`, `losses`},
	} {
		changed := strings.Replace(string(truthReport(truth)), tc.old, tc.new, 1)
		if err := checkCounts(truth, []byte(changed)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s for %s: got error %v, want %q", tc.new, tc.old, err, tc.want)
		}
	}
}

func TestChecksHoldManifestsAgainstTheTruth(t *testing.T) {
	truth := generateTiny(t, 1).truth
	truth.Sources = sourcesHash([]string{sourceLine("c", "h")})
	if root, err := checkManifest(truth, truthManifest(truth, "h")); err != nil || root != "r" {
		t.Errorf("right manifest: got %q, %v", root, err)
	}
	for _, tc := range []struct{ want, old, new string }{
		{"sources: ", `"sha256":"h"`, `"sha256":"i"`},
		{"files: ", `"files":`, `"files":1`},
		{"bytes: ", `"bytes":`, `"bytes":1`},
		{"types tool_call: ", `"tool_call":`, `"tool_call":1`},
		{"types vendor: got 1, want 0", `"types":{`, `"types":{"vendor":1,`},
		{"manifest: ", `"types"`, `types`},
	} {
		changed := strings.Replace(string(truthManifest(truth, "h")), tc.old, tc.new, 1)
		if _, err := checkManifest(truth, []byte(changed)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s for %s: got error %v, want %q", tc.new, tc.old, err, tc.want)
		}
	}
}

func TestBundlesMustAllBeTheSame(t *testing.T) {
	truth := generateTiny(t, 1).truth
	truth.Sources = sourcesHash([]string{sourceLine("c", "h")})
	p := &place{truth: truth, out: t.TempDir()}
	write := func(name string, raw []byte) {
		if err := os.WriteFile(filepath.Join(p.out, name), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := checkBundle(p, nil); err == nil {
		t.Error("got no error for a bundle that is not there")
	}
	write("report.json", truthReport(truth))
	write("manifest.json", truthManifest(truth, "h"))
	for range 2 {
		if err := checkBundle(p, nil); err != nil {
			t.Error(err)
		}
	}
	write("manifest.json", []byte(strings.Replace(string(truthManifest(truth, "h")), `"r"`, `"other"`, 1)))
	if err := checkBundle(p, nil); err == nil || !strings.Contains(err.Error(), "rootSha256: got other, want r") {
		t.Errorf("got error %v, want one about rootSha256", err)
	}
}
