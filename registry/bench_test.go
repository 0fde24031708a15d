package registry

import (
	"testing"

	"github.com/session-trace/ctx/internal/entry"
)

// BenchmarkMap is Match and Map of one scanned event.
func BenchmarkMap(b *testing.B) {
	m := shipped(b)
	for i, name := range []string{"ActionEvent", "ObservationEvent", "MessageEvent"} {
		b.Run(name, func(b *testing.B) {
			d, out := scan(b, typical()[i]), &Out{}
			b.ReportAllocs()
			for b.Loop() {
				m.Map(&Item{Doc: d, ID: "8f1d2d60-20c5-4db3-b1f5-64a614232af2", Projection: m.Match(d, entry.SessionFacts{})}, out)
			}
		})
	}
}
