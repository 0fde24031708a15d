//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/session-trace/ctx/internal/bundle"
)

// place is a folder of its own: a source in it, and a bundle called out beside the source.
type place struct{ dir, src, out string }

// newPlace makes a source of so many conversations with so many events each. Tests that need it are left out in -short.
func newPlace(t *testing.T, conversations, events int) (place, []*conversation) {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ctx")
	if err != nil {
		return placeIn(t, t.TempDir(), conversations, events)
	}
	// the disk, which other tests keep busy, is not what is tested
	t.Cleanup(func() { os.RemoveAll(dir) }) //nolint:errcheck // what stays there is small
	return placeIn(t, dir, conversations, events)
}

// placeIn is newPlace in a folder.
func placeIn(t *testing.T, dir string, conversations, events int) (place, []*conversation) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	p := place{dir, filepath.Join(dir, "src"), filepath.Join(dir, "out")}
	var all []*conversation
	for i := range conversations {
		c := newConversation(t, p.src, i)
		for range events {
			must(t, c.append())
		}
		all = append(all, c)
	}
	return p, all
}

// program makes a process of ctx; main runs in it as it does in the built program.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("ctx")
	must(t, err)
	c := exec.Command(path, args...)
	c.Stdout, c.Stderr = new(bytes.Buffer), new(bytes.Buffer)
	return c
}

// ends waits for a process, which must not take for ever, and returns its exit code; -1 for a signal.
func ends(t *testing.T, c *exec.Cmd) int {
	t.Helper()
	stuck := time.AfterFunc(time.Minute, func() { c.Process.Kill() }) //nolint:errcheck // it may have ended
	defer stuck.Stop()
	err := c.Wait()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return failed.ExitCode()
	}
	must(t, err)
	return 0
}

// code runs a process to its end.
func code(t *testing.T, c *exec.Cmd) int {
	t.Helper()
	must(t, c.Start())
	return ends(t, c)
}

// convert runs ctx convert on the place's source, which must succeed.
func (p place) convert(t *testing.T, flags ...string) {
	t.Helper()
	c := program(t, append([]string{"convert", p.src, "-o", p.out}, flags...)...)
	if got := code(t, c); got != exitDone {
		t.Fatalf("exit code %d, want 0: %s", got, said(c))
	}
}

// said is what a process printed as talk.
func said(c *exec.Cmd) string { return fmt.Sprint(c.Stderr) }

// sound wants a complete bundle without errors at a path, and returns its root hash.
func sound(t *testing.T, path string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if got := run(t.Context(), []string{"validate", path}, nil, &stdout, &stderr); got != exitDone {
		t.Fatalf("ctx validate %s: exit code %d, want 0\n%s%s", path, got, &stdout, &stderr)
	}
	return manifestOf(t, path).RootSHA256
}

func manifestOf(t *testing.T, path string) *bundle.Manifest {
	t.Helper()
	b, err := bundle.Open(path)
	must(t, err)
	must(t, b.Close())
	return b.Manifest()
}

// beside wants nothing in the place but the source and these names.
func (p place) beside(t *testing.T, names ...string) {
	t.Helper()
	allowed := map[string]bool{"src": true}
	for _, n := range names {
		allowed[n] = true
	}
	for _, n := range list(t, p.dir) {
		if !allowed[n] {
			t.Errorf("left behind: %s", n)
		}
	}
}

// temporary are the temporary folders of the bundle.
func (p place) temporary() []string {
	found, _ := filepath.Glob(filepath.Join(p.dir, ".out.ctx-tmp-*")) //nolint:errcheck // the pattern is sound
	return found
}

// stateTemporary are the temporary files of what a run remembers.
func (p place) stateTemporary() []string {
	found, _ := filepath.Glob(filepath.Join(p.dir, ".out.state.*")) //nolint:errcheck // the pattern is sound
	return found
}

// until waits for something to come true; what says what that is.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// number is the inode of what stands at a path, 0 for nothing.
func number(path string) uint64 {
	var st syscall.Stat_t
	if syscall.Lstat(path, &st) != nil {
		return 0
	}
	return uint64(st.Ino) //nolint:unconvert // not everywhere 64 bits
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// conversation is a conversation that grows as SDKs from 1.45 on let it grow.
type conversation struct {
	dir, id, leaf string
	number, count int
}

func newConversation(t *testing.T, src string, number int) *conversation {
	t.Helper()
	id := fmt.Sprintf("%032x", 0xabc0000+number)
	c := &conversation{dir: filepath.Join(src, id), id: id, number: number}
	must(t, os.MkdirAll(filepath.Join(c.dir, "events"), 0o755))
	must(t, c.save())
	return c
}

// append writes the next event beside its place and renames it, exchanges the length marker, and saves the state.
func (c *conversation) append() error {
	id := fmt.Sprintf("%08x-0000-4000-8000-%012x", c.number, c.count)
	parent := ""
	if c.leaf != "" {
		parent = `"parent_id":"` + c.leaf + `",`
	}
	text := fmt.Sprintf(`{"id":"%s","timestamp":"2026-03-02T09:%02d:%02d.000001","source":"user",%s`+
		`"llm_message":{"role":"user","content":[{"cache_prompt":false,"type":"text","text":"event %d %s"}],"thinking_blocks":[]},`+
		`"activated_skills":[],"extended_content":[],"kind":"MessageEvent"}`,
		id, c.count/60%60, c.count%60, parent, c.count, strings.Repeat("x", 300))
	if err := c.replace(filepath.Join("events", fmt.Sprintf("event-%05d-%s.json", c.count, id)), text); err != nil {
		return err
	}
	if c.count > 0 {
		if err := os.Remove(c.marker()); err != nil {
			return err
		}
	}
	c.count++
	c.leaf = id
	if err := os.WriteFile(c.marker(), nil, 0o600); err != nil {
		return err
	}
	return c.save()
}

func (c *conversation) marker() string {
	return filepath.Join(c.dir, "events", fmt.Sprintf(".eventlog-len-%d.marker", c.count))
}

func (c *conversation) save() error {
	leaf := ""
	if c.leaf != "" {
		leaf = `,"leaf_event_id":"` + c.leaf + `"`
	}
	return c.replace("base_state.json", `{"id":"`+c.id+`","agent":{"kind":"Agent"}`+leaf+`,"execution_status":"running"}`)
}

// replace writes a file beside its place and renames it.
func (c *conversation) replace(name, text string) error {
	path := filepath.Join(c.dir, name)
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".hbn2iqa6.tmp")
	if err := os.WriteFile(temp, []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(temp, path)
}
