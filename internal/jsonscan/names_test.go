package jsonscan

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// members returns a scanner whose tape ends with the members of one object.
func members(t *testing.T, raw string) *scanner {
	t.Helper()
	d := mustScan(t, raw)
	return &scanner{raw: d.Raw, nodes: d.Nodes, flags: d.Flags}
}

func colliding(maphash.Seed, []byte) uint64 { return 0 }

// TestWaysAgree holds the pairwise search, the table and the sorting against each other.
func TestWaysAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	spellings := []string{"a", `\u0061`, "b", `\u0062`, "ab", `a\u0062`, "", "é", `\u00e9`, "😀", `\ud83d\ude00`, `\ud83d`, `\uD83D`, `\ude00`, `\ufffd`, "\uFFFD", `\/`, "/", `\\`, "abcdefgh", "abcdefghi", "\uE000", `\ue000`}
	repeats := 0
	for range 3_000 {
		n := 1 + random.IntN(2*fewNames)
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`"%s":%d`, spellings[random.IntN(len(spellings))], i)
			if random.IntN(8) > 0 {
				list[i] = fmt.Sprintf(`"%s%d":[]`, spellings[random.IntN(len(spellings))], i)
			}
		}
		raw := "{" + strings.Join(list, ",") + "}"
		want, _, ok := refer([]byte(raw))
		if !ok {
			t.Fatalf("the reference refuses %s", raw)
		}
		if want.FirstDuplicate >= 0 {
			repeats++
		}
		s := members(t, raw)
		got := [4]int{s.repeated(1), s.repeatedOfMany(1, maphash.Bytes), s.repeatedOfMany(1, colliding), s.repeatedBySorting(1, n)}
		if w := want.FirstDuplicate; got != [4]int{w, w, w, w} {
			t.Fatalf("%s: got %v, want %d", raw, got, w)
		}
	}
	if repeats < 500 || repeats > 2_500 {
		t.Errorf("%d of 3000 objects have a duplicate: the test says little", repeats)
	}
}

// TestHostileNames is about time: a quadratic search over these names takes hours.
func TestHostileNames(t *testing.T) {
	const count = 1_000_000
	raw := []byte(`{"0":0`)
	for i := 1; i < count; i++ {
		raw = fmt.Appendf(raw, `,"%d":0`, i)
	}
	again := append(append([]byte{}, raw...), `,"\u0030":0}`...)
	raw = append(raw, '}')
	tests := []struct {
		name string
		raw  []byte
		want int
		hash nameHash
	}{
		{"different names", raw, -1, maphash.Bytes},
		{"different names, equal hashes", raw, -1, colliding},
		{"the first name again at the end", again, count + 1, maphash.Bytes},
		{"the first name again at the end, equal hashes", again, count + 1, colliding},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			begin := time.Now()
			s := members(t, string(tt.raw))
			if got := s.repeatedOfMany(1, tt.hash); got != tt.want {
				t.Errorf("got node %d, want %d", got, tt.want)
			}
			if spent := time.Since(begin); spent > time.Minute {
				t.Errorf("it took %v", spent)
			}
		})
	}
}

// TestHostileShapes is about time and memory in proportion to the input.
func TestHostileShapes(t *testing.T) {
	wide := make([]string, fewNames+1)
	for i := range wide {
		wide[i] = fmt.Sprintf(`"%d":0`, i)
	}
	long := make([]string, fewNames)
	for i := range long {
		long[i] = fmt.Sprintf(`"%s%d":0`, strings.Repeat(`\u0061`, 50_000), i)
	}
	tests := []struct{ name, raw string }{
		{"wide objects in numbers", "[" + strings.Repeat("{"+strings.Join(wide, ",")+"},", 40_000) + "0]"},
		{"objects with one escaped name", "[" + strings.Repeat(`{"\n":0},`, 1_000_000) + "0]"},
		{"long escaped names that differ at the end", "{" + strings.Join(long, ",") + "}"},
		{"a number of digits", strings.Repeat("9", 8<<20)},
		{"a fraction of digits", "0." + strings.Repeat("0", 8<<20) + "1e" + strings.Repeat("9", 1<<20)},
		{"half a surrogate over and over", `"` + strings.Repeat(`\ud800`, 1<<20) + `"`},
		{"white space", strings.Repeat(" \n", 8<<20) + "0"},
		{"nested objects", strings.Repeat(`{"a":0,"b":`, 10_000) + "0" + strings.Repeat("}", 10_000)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			begin := time.Now()
			d, err := Scan([]byte(tt.raw), nil, Options{})
			if err != nil || d.Flags&DuplicateKey != 0 {
				t.Errorf("got flags %b, %v", d.Flags, err)
			}
			if spent := time.Since(begin); spent > 20*time.Second {
				t.Errorf("it took %v", spent)
			}
		})
	}
}

func TestNoTapeKeepsLittle(t *testing.T) {
	members := make([]string, 20)
	for i := range members {
		members[i] = fmt.Sprintf(`"%d":{"a":0,"b":{"c":[0,0,0]},"d":[{}]}`, i)
	}
	tests := []struct{ name, raw string }{
		{"elements", "[" + strings.Repeat(`{"a":[1,2,3],"b":{"c":{}}},0,[[]],`, 100_000) + "0]"},
		{"members", "{" + strings.Join(members, ",") + "}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Scan([]byte(tt.raw), nil, Options{NoTape: true})
			if err != nil || d.Depth != 4 {
				t.Fatalf("got depth %d, %v", d.Depth, err)
			}
			if got := cap(d.Nodes); got > 64 {
				t.Errorf("room for %d nodes, want no more than the open members", got)
			}
		})
	}
}
