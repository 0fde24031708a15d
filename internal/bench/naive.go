package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// convertNaively is a conversion as a first draft would be: every document decoded to any and encoded again.
func convertNaively(source, out string, jobs int) (done, error) {
	if err := os.Mkdir(out, 0o755); err != nil {
		return done{}, err
	}
	folders, err := os.ReadDir(source)
	if err != nil {
		return done{}, err
	}
	return each(folders, jobs, func(f os.DirEntry) (done, error) {
		return convertOneNaively(filepath.Join(source, f.Name()), filepath.Join(out, f.Name()+".jsonl"))
	})
}

func convertOneNaively(folder, out string) (d done, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "events", "event-*.json"))
	if err != nil {
		return d, err
	}
	file, err := os.Create(out)
	if err != nil {
		return d, err
	}
	w := bufio.NewWriterSize(file, 64<<10)
	enc := json.NewEncoder(w)
	for i, name := range append(names, filepath.Join(folder, "base_state.json")) {
		raw, err := os.ReadFile(name)
		if err != nil {
			return d, err
		}
		var event any
		if err := json.Unmarshal(raw, &event); err != nil {
			return d, err
		}
		line := map[string]any{"position": map[string]any{"ordinal": i}, "native": map[string]any{"record": event}}
		if err := enc.Encode(line); err != nil {
			return d, err
		}
		d.Items, d.Bytes = d.Items+1, d.Bytes+int64(len(raw))
	}
	return d, errors.Join(w.Flush(), file.Close())
}

// each works on all elements of a list with some goroutines and sums up what was done.
func each[T any](list []T, jobs int, work func(T) (done, error)) (sum done, err error) {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		next = make(chan T)
	)
	for range jobs {
		wg.Go(func() {
			for v := range next {
				d, werr := work(v)
				mu.Lock()
				sum.Items, sum.Bytes, sum.Rejected = sum.Items+d.Items, sum.Bytes+d.Bytes, sum.Rejected+d.Rejected
				err = errors.Join(err, werr)
				mu.Unlock()
			}
		})
	}
	for _, v := range list {
		next <- v
	}
	close(next)
	wg.Wait()
	return sum, err
}
