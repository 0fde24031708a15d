//go:build unix

package converter

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/laws"
)

// TestOddFolders converts folders that random damage has shown to matter, and holds all laws over the bundles.
func TestOddFolders(t *testing.T) {
	events := []event{user("a"), user("b"), user("c")}
	in := func(root, name string) string { return filepath.Join(root, "c1", filepath.FromSlash(name)) }
	tests := []struct {
		name   string
		change func(*Options)
		make   func(t *testing.T, root string)
	}{
		{"a file in a folder called like the lock", nil, func(t *testing.T, root string) {
			must(t, os.Remove(in(root, "events/.eventlog.lock")))
			put(t, in(root, "events/.eventlog.lock/inner.txt"), "inner")
		}},
		{"a folder of a huge ordinal", nil, func(t *testing.T, root string) {
			put(t, in(root, "events/event-99999999999999999999-x.json/inner.txt"), "inner")
			must(t, syscall.Mkfifo(in(root, "events/event-99999999999999999999-y.json"), 0o644))
		}},
		{"a folder in place of an item of a flat layout", nil, func(t *testing.T, root string) {
			for _, e := range events {
				put(t, filepath.Join(root, "flat", "event-0000"+string('0'+e.id[0]-'a')+"-"+e.id+".json"), e.text(0))
			}
			put(t, filepath.Join(root, "flat", "event-00001-x.json", "inner.txt"), "inner")
		}},
		{"links that are not followed, in place of items", nil, func(t *testing.T, root string) {
			link(t, "/", in(root, "events/event-00001-x.json"))
			link(t, "nothing", in(root, "events/event-00001-y.json"))
		}},
		{"links to a large file", nil, func(t *testing.T, root string) {
			put(t, filepath.Join(root, "notes"), strings.Repeat("x", 4000))
			link(t, "notes", filepath.Join(root, "also"))
			link(t, "../notes", in(root, "also"))
		}},
		{"a marker that is a link to a folder", nil, func(t *testing.T, root string) { link(t, "..", in(root, "events/.eventlog-len-3.marker")) }},
		{"a state that is a link to a FIFO", nil, func(t *testing.T, root string) {
			must(t, syscall.Mkfifo(filepath.Join(root, "fifo"), 0o644))
			link(t, "../fifo", in(root, "base_state.json"))
		}},
		{"a state over the limit", func(o *Options) { o.MaxItem = 1000 }, func(t *testing.T, root string) {
			put(t, in(root, "base_state.json"), state(`"pad":"`+strings.Repeat("x", 2000)+`"`))
		}},
		{"attachments over the limit", func(o *Options) { o.MaxItem = 1000 }, func(t *testing.T, root string) {
			put(t, in(root, "observations/o\xff.txt"), strings.Repeat("x", 2000))
			put(t, in(root, "TASKS.json"), strings.Repeat("x", 2000))
			put(t, in(root, "meta.json"), strings.Repeat("x", 2000))
		}},
		{"a folder beyond the last item read", func(o *Options) { o.MaxItems = 1 }, func(t *testing.T, root string) {
			put(t, in(root, "events/event-00001-x.json/inner.txt"), "inner")
		}},
		{"items deeper than asked for", func(o *Options) { o.MaxDepth = 2 }, func(t *testing.T, root string) {
			put(t, in(root, "events/event-00003-d.json"), user("d").text(3))
		}},
		{"only a session that is refused", nil, func(t *testing.T, root string) { put(t, in(root, "base_state.json"), `{"id":"..","agent":{}}`) }},
		{"foreign ids at one ordinal", nil, func(t *testing.T, root string) {
			put(t, in(root, "events/event-00001-\xff.json"), user("b").text(1))
			put(t, in(root, "events/event-00001-%FE.json"), user("b").text(1))
		}},
		{"two gaps of one ordinal and id", nil, func(t *testing.T, root string) {
			put(t, in(root, "events/event-00001-x.json"), "{")
			put(t, in(root, "events/event-000001-x.json"), "[")
			put(t, in(root, "events/event-0000001-x.json"), "")
		}},
		{"a view of what comes later", nil, func(t *testing.T, root string) {
			put(t, in(root, "events/event-00003-k.json"), condense("k", []string{"b"}, `"summary":"s"`, `"summary_offset":1`).parent("d").text(3))
			put(t, in(root, "events/event-00004-d.json"), user("d").parent("b").text(4))
		}},
		{"a result that names a call of another rule", nil, func(t *testing.T, root string) {
			put(t, in(root, "events/event-00003-d.json"), ev("ACPToolCallEvent", "d", `"tool_call_id":"k"`, `"tool_kind":"read"`, `"status":"pending"`).text(3))
			put(t, in(root, "events/event-00004-e.json"), observed("e", "d", "k").text(4))
			put(t, in(root, "events/event-00005-f.json"), ev("ActionEvent", "f", `"kind":"ACPToolCallEvent"`, `"tool_call_id":"l"`).text(5))
			put(t, in(root, "events/event-00006-g.json"), observed("g", "f", "l").text(6))
		}},
		{"a torn attachment that is sound without its secret", nil, func(t *testing.T, root string) {
			put(t, in(root, "base_state.json"), state(`"secrets_manager":{"a":"FAKE-VALUE"}`))
			put(t, in(root, "TASKS.json"), `{"a":"\u0046AKE-VALUE"}`+"\x00")
			put(t, in(root, "observations/o.json"), `{"a":"\u\u0046AKE-VALUE"}`)
		}},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := conv(t, "", events)
			tt.make(t, root)
			m := convertMade(t, reg, func(o *Options) {
				if o.NewCheck = NewStage; tt.change != nil {
					tt.change(o)
				}
			}, root)
			b, err := bundle.Open(m.out)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close() //nolint:errcheck // read only
			faults := laws.Whole(root, b)
			_, unsound := laws.Sound(t.Context(), b)
			for _, f := range append(append(faults, unsound...), laws.Restored(t.Context(), root, filepath.Join(scratch(t), "made"), b)...) {
				t.Error(f)
			}
		})
	}
}

// TestNoticesOfOneJob holds that what a notice names does not depend on the sessions that were worked before it.
func TestNoticesOfOneJob(t *testing.T) {
	root := scratch(t)
	ledger := stats("usage_to_metrics", account{name: "agent", rows: []string{`{"prompt_tokens":1,"response_id":"r1","x":NaN}`, `{"prompt_tokens":1,"response_id":"r2"}`}})
	list := []event{user("a"), answer("b", "r1"), answer("c", "r2")}
	for _, name := range []string{"c1", "c2", "c3"} {
		conversation(t, filepath.Join(root, name), state(ledger), list)
	}
	one := convertMade(t, loadRegistry(t), func(o *Options) { o.Jobs = 1 }, root)
	for _, f := range one.result.Report.Findings.Sorted() {
		if f.Rule == "unsafe-number" && f.Record != "inference:r1" && f.Record != "state" {
			t.Errorf("got notice %+v, want it on inference:r1", f)
		}
	}
	if one.notices["unsafe-number"] == 0 {
		t.Error("got no notice of the row that cannot stand in a record")
	}
}
