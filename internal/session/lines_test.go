package session_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
)

// Lines come in the order asked for, from streams that are kept and from those that are read again.
func TestLines(t *testing.T) {
	for name, how := range map[string]bundle.Compression{"plain": bundle.None, "zstd": bundle.Zstd} {
		for _, n := range []int{300, 30_000} {
			t.Run(name, func(t *testing.T) {
				b := large(t, how, n, shape{compact: 50, forget: 10})
				s := openSession(t, b, b.Manifest().Streams[0])
				r := rand.New(rand.NewPCG(uint64(n), 3))
				var order []int
				for i := 0; i < s.Len(); i += 1 + r.IntN(9) {
					order = append(order, i)
					if r.IntN(40) == 0 {
						order = append(order, r.IntN(s.Len()))
					}
				}
				at := 0
				err := s.Lines(order, func(i int, line []byte) error {
					if i != order[at] {
						t.Fatalf("place %d: got record %d, want %d", at, i, order[at])
					}
					at++
					var got struct{ ID string }
					if err := json.Unmarshal(line, &got); err != nil {
						return err
					}
					if want := s.Record(i).ID; got.ID != want {
						t.Fatalf("record %d: got the line of %s, want %s", i, got.ID, want)
					}
					return nil
				})
				if err != nil || at != len(order) {
					t.Errorf("got %d lines (%v), want %d", at, err, len(order))
				}
				stop := errors.New("stop")
				if err := s.Lines(order, func(int, []byte) error { return stop }); !errors.Is(err, stop) {
					t.Errorf("got %v, want the error of yield", err)
				}
				for _, i := range []int{s.Len() - 1, 0, 5} {
					line, err := s.Line(i)
					if err != nil || !strings.Contains(string(line), `"id":"`+s.Record(i).ID+`"`) {
						t.Errorf("record %d: got %.80s (%v)", i, line, err)
					}
				}
			})
		}
	}
}
