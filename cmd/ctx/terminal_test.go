package main

import (
	"io"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8"

	"github.com/session-trace/ctx/converter"
)

func TestPaint(t *testing.T) {
	tests := []struct {
		want string
		env  env
		no   string
	}{
		{"\x1b[31mx\x1b[0m", env{terminal: true}, ""},
		{"x", env{terminal: true, noColor: true}, ""},
		{"x", env{terminal: true}, "1"},
		{"x", env{}, ""},
	}
	for _, tt := range tests {
		t.Setenv("NO_COLOR", tt.no)
		if got := tt.env.paint().bad("x"); got != tt.want {
			t.Errorf("terminal %v, --no-color %v, NO_COLOR %q: %q, want %q", tt.env.terminal, tt.env.noColor, tt.no, got, tt.want)
		}
	}
}

func TestProgress(t *testing.T) {
	for _, e := range []env{{talks: false}, {talks: true, quiet: true}} {
		if p := e.newProgress("convert", "item"); p != nil {
			t.Errorf("terminal %v, quiet %v: got a bar, want none", e.talks, e.quiet)
		}
	}
	var none *progress
	none.stop()
	if none.records() != nil {
		t.Error("got a counter without a bar, want none")
	}
	p := startProgress(io.Discard, "convert", "item", mpb.WithAutoRefresh())
	p.converted(converter.Progress{Sources: 2, SourcesDone: 2, Items: 1, Bytes: 2048})
	if want, got := " 1 item, 2.0 KiB", p.text(); got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	p.records()(6)
	if want, got := int64(7), p.items.Load(); got != want {
		t.Errorf("items %d, want %d", got, want)
	}
	stopped := make(chan struct{})
	go func() { p.stop(); close(stopped) }()
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Fatal("stop does not return")
	}
}
