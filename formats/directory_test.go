package formats

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func patterns(t testing.TB) Patterns {
	return Patterns{
		Item: pattern(t, eventName), Unfinished: []*Pattern{pattern(t, eventTorn)}, Length: pattern(t, markerName),
		Ignore: []string{".eventlog.lock", "*.bak", "["},
	}
}

func TestDirectory(t *testing.T) {
	names := []Name{
		{".DS_Store", KindFile},
		{".event-00009-z.json.tmp", KindFile},
		{".event-00010-z.json.tmp", KindFolder},
		{".eventlog-len-8.marker", KindFile},
		{".eventlog-len-9.marker", KindOdd},
		{".eventlog-len-99999999999999999999.marker", KindFile},
		{".eventlog.lock", KindFile},
		{"event-000100000-b.json", KindFile},
		{"event-00002-b.json", KindLink},
		{"event-00002-a.json", KindFile},
		{"event-000002-a.json", KindFile},
		{"event-00003-c.json", KindFolder},
		{"event-100000-a.json", KindOdd},
		{"event-900000000000000000-x.json", KindFile},
		{"event-900000000000000000-y.json", KindFolder},
		{"event-900000000000000000-z.json", KindOdd},
		{"event-99999-a.json", KindFile},
		{"old.bak", KindFile},
		{"older.bak", KindFolder},
		{"oldest.bak", KindOdd},
		{"sub", KindFolder},
	}
	want := Listing{
		Items: []ItemRef{
			{2, "a", "event-000002-a.json", KindFile},
			{2, "a", "event-00002-a.json", KindFile},
			{2, "b", "event-00002-b.json", KindLink},
			{3, "c", "event-00003-c.json", KindFolder},
			{99999, "a", "event-99999-a.json", KindFile},
			{100000, "a", "event-100000-a.json", KindOdd},
			{100000, "b", "event-000100000-b.json", KindFile},
		},
		Holes:      []Hole{{0, 1}, {4, 99998}},
		Unfinished: []Mark{{".event-00009-z.json.tmp", -1}},
		Markers:    []Mark{{".eventlog-len-8.marker", 8}},
		Ignored:    []Name{{".eventlog.lock", KindFile}, {"old.bak", KindFile}, {"oldest.bak", KindOdd}},
		Odd:        []Name{{".eventlog-len-99999999999999999999.marker", KindFile}, {"event-900000000000000000-x.json", KindFile}},
		Rest: []Name{
			{".DS_Store", KindFile},
			{".event-00010-z.json.tmp", KindFolder},
			{".eventlog-len-9.marker", KindOdd},
			{"event-900000000000000000-y.json", KindFolder},
			{"event-900000000000000000-z.json", KindOdd},
			{"older.bak", KindFolder},
			{"sub", KindFolder},
		},
	}
	if d := cmp.Diff(want, Directory(names, patterns(t))); d != "" {
		t.Error(d)
	}
	shuffled := slices.Clone(names)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(names), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	if d := cmp.Diff(want.Items, Directory(shuffled, patterns(t)).Items); d != "" {
		t.Error("items depend on the order of the names:", d)
	}
	if d := cmp.Diff(Listing{Rest: names[:2]}, Directory(names[:2], Patterns{})); d != "" {
		t.Error("without patterns:", d)
	}
}

func TestHoles(t *testing.T) {
	for _, tt := range []struct {
		want     []Hole
		ordinals []int64
	}{
		{nil, nil},
		{nil, []int64{0}},
		{nil, []int64{0, 1, 2}},
		{[]Hole{{0, 0}}, []int64{1}},
		{[]Hole{{0, 4}, {6, 6}}, []int64{5, 7}},
		{[]Hole{{1, MaxOrdinal - 1}}, []int64{0, 0, MaxOrdinal}},
		{nil, []int64{-1, -1}},
	} {
		items := make([]ItemRef, len(tt.ordinals))
		for i, n := range tt.ordinals {
			items[i].Ordinal = n
		}
		if d := cmp.Diff(tt.want, holes(items)); d != "" {
			t.Errorf("%v: %s", tt.ordinals, d)
		}
	}
}

// TestDirectoryIsSmall holds the memory of a large conversation's index.
func TestDirectoryIsSmall(t *testing.T) {
	const n = 100_000
	p := patterns(t)
	before := heap()
	names := make([]Name, n)
	for i := range names {
		names[i].Name = fmt.Sprintf("event-%05d-0b9f6f0e-7a53-4d0e-9d3b-3c1f0a2b4c5d.json", i)
	}
	l := Directory(names, p)
	names = nil
	perItem := float64(heap()-before) / n
	if len(l.Items) != n || perItem > 120 {
		t.Errorf("want at most 120 bytes an item, got %.0f for %d items", perItem, len(l.Items))
	}
	runtime.KeepAlive(names)
	runtime.KeepAlive(l)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
