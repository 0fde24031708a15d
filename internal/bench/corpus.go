package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Set is a size of corpus. Generate makes the same bytes of the same set and seed everywhere.
type Set struct {
	Name          string
	Conversations int
	Events        int // of all conversations together
}

// Sets lists the sets: T for tests, S for speed, L for many events, H for one long conversation.
func Sets() []Set {
	return []Set{{"T", 5, 400}, {"S", 60, 12000}, {"L", 1000, 100000}, {"H", 1, 100000}}
}

func findSet(name string) (Set, error) {
	for _, s := range Sets() {
		if s.Name == name {
			return s, nil
		}
	}
	return Set{}, fmt.Errorf("set %q: want one of T, S, L, H", name)
}

// sizes is the number of events of each conversation: uneven, and in all exactly s.Events.
func (s Set) sizes() []int {
	sizes, left := make([]int, s.Conversations), s.Events
	for i := range sizes {
		sizes[i] = max(s.Events/s.Conversations*[...]int{3, 6, 10, 14, 17}[i%5]/10, 8)
		left -= sizes[i]
	}
	sizes[len(sizes)-1] += left
	return sizes
}

// Generate writes the set's conversations below the folder root, which it makes, and says what they hold.
func Generate(root string, s Set, seed uint64) (*Truth, error) {
	sizes := s.sizes()
	made := make([]source, len(sizes))
	next := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range next {
				made[i] = generateOne(root, seed, i, sizes[i])
			}
		})
	}
	for i := range sizes {
		next <- i
	}
	close(next)
	wg.Wait()
	return gather(made, s, seed)
}

// source is one conversation as written.
type source struct {
	folder string
	truth  *Truth
	hash   string // hex SHA-256 over "<hash> <size> <path>\n" of its files, sorted by path
	err    error
}

func generateOne(root string, seed uint64, index, events int) source {
	var f files
	c := newConversation(seed, index, events, f.put)
	f.folder = filepath.Join(root, hexID(c.id))
	f.truth = c.truth
	if f.err = os.MkdirAll(filepath.Join(f.folder, "events"), 0o755); f.err == nil {
		c.write()
	}
	return source{hexID(c.id), c.truth, f.hash(), f.err}
}

// files writes the files of one conversation and remembers their hashes.
type files struct {
	folder string
	truth  *Truth
	lines  []fileLine
	err    error // of the first write that failed
}

type fileLine struct{ path, line string }

func (f *files) put(path string, data []byte) {
	if f.err != nil {
		return
	}
	f.err = os.WriteFile(filepath.Join(f.folder, filepath.FromSlash(path)), data, 0o644)
	if strings.HasSuffix(path, ".lock") {
		return
	}
	sum := sha256.Sum256(data)
	f.lines = append(f.lines, fileLine{path, fmt.Sprintf("%x %d %s\n", sum, len(data), path)})
	f.truth.Files++
	f.truth.Bytes += int64(len(data))
	if path == "base_state.json" {
		f.truth.StateBytes += int64(len(data))
	}
}

func (f *files) hash() string {
	slices.SortFunc(f.lines, func(a, b fileLine) int { return strings.Compare(a.path, b.path) })
	h := sha256.New()
	for _, l := range f.lines {
		h.Write([]byte(l.line))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func gather(made []source, s Set, seed uint64) (*Truth, error) {
	t := newTruth()
	t.Set, t.Seed = s.Name, seed
	hashes := make([]string, 0, len(made))
	for _, m := range made {
		if m.err != nil {
			return nil, fmt.Errorf("conversation %s: %w", m.folder, m.err)
		}
		t.add(m.truth)
		hashes = append(hashes, sourceLine(m.folder, m.hash))
	}
	t.Sources = sourcesHash(hashes)
	return t, nil
}

func sourceLine(folder, hash string) string { return folder + " " + hash + "\n" }

// sourcesHash is the hash over all sources, whatever order the lines come in.
func sourcesHash(lines []string) string {
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return hex.EncodeToString(sum[:])
}
