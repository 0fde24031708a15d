package restore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
)

// Spoiled conversations come back as spoiled as they were: bits flipped, files cut, renamed, doubled, encoded otherwise.
func TestMutated(t *testing.T) {
	rounds := 90
	if testing.Short() {
		rounds = 10
	}
	for seed := range rounds {
		names := []string{"secrets", "markers", "unfinished-write", "attachments", "tree", "every-kind", "flat-layout", "copied-folder"}
		if seed%3 == 0 { // files that hold many items
			names = []string{"event-lines", "event-lines-damaged", "cloud-download", "cli-json-output", "exported-events"}
		}
		name := names[seed%len(names)]
		t.Run(fmt.Sprintf("%s/%d", name, seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(seed), 6))
			source := copyOf(t, fixture(name))
			for range 1 + rng.IntN(6) {
				spoil(t, rng, source)
			}
			proven(t, source, bundle.Compression(seed%2))
		})
	}
}

// spoil changes one file of a folder.
func spoil(t *testing.T, rng *rand.Rand, source string) {
	t.Helper()
	var paths []string
	for path := range tree(t, source) {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	path := filepath.Join(source, paths[rng.IntN(len(paths))])
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir, base := filepath.Split(path)
	text := string(raw)
	switch rng.IntN(10) {
	case 0:
		if len(raw) > 0 {
			raw[rng.IntN(len(raw))] ^= 1 << rng.IntN(8)
			text = string(raw)
		}
	case 1:
		text = text[:rng.IntN(len(text)+1)]
	case 2:
		text = "\uFEFF" + text
	case 3:
		text = strings.ReplaceAll(text, "\n", "\r\n") + "\r\n"
	case 4:
		text = ""
	case 5:
		path = filepath.Join(dir, fmt.Sprintf("event-%05d-%d.json", rng.IntN(9), rng.IntN(3)))
	case 6:
		path = filepath.Join(dir, "."+base+".tmp")
	case 7:
		path = filepath.Join(dir, fmt.Sprintf("event-%d-huge.json", rng.Uint64()>>rng.IntN(20)))
	case 8:
		text = strings.Replace(text, `"`, "\"\xff", 1+rng.IntN(3))
	default:
		text = strings.Replace(text, `":`, `": {"secret_registry":{"a":"b"},"a":1},"x":`, 1)
	}
	write(t, path, text)
}
