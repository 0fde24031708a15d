package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
)

// NameError says that a name stands for no session of a bundle, or for several.
type NameError struct {
	Name       string   // as asked for, "" when no session was named and the bundle has not exactly one
	Found      int      // how many it stands for
	Candidates []string // stream ids that may be meant, at most ten
	More       int      // how many further candidates there are
}

func (e *NameError) Error() string {
	switch {
	case e.Name == "" && e.Found == 0:
		return "the bundle holds no session"
	case e.Name == "":
		return fmt.Sprintf("the bundle holds %d sessions, want the name of one", e.Found)
	case e.Found == 0:
		return fmt.Sprintf("%.64q names no session", e.Name)
	default:
		return fmt.Sprintf("%.64q names %d sessions", e.Name, e.Found)
	}
}

// Hint says what could be asked for instead, "" when there is nothing.
func (e *NameError) Hint() string {
	if len(e.Candidates) == 0 {
		return ""
	}
	hint := "candidates: " + strings.Join(e.Candidates, ", ")
	if e.More > 0 {
		hint += fmt.Sprintf(" and %d more", e.More)
	}
	return hint
}

// Find is the one stream that a name stands for: a session id with or without dashes, a stream id, else a unique
// beginning of one. The empty name is the only session of a bundle. The error is a *NameError.
func Find(b *bundle.Bundle, name string) (bundle.StreamInfo, error) {
	all := b.Manifest().Streams
	found := all
	if name != "" {
		found = matching(all, name)
	}
	if len(found) == 1 {
		return found[0], nil
	}
	e := &NameError{Name: name, Found: len(found)}
	if len(found) == 0 {
		found = all
	}
	e.More = len(found) - min(len(found), 10)
	for _, c := range found[:min(len(found), 10)] {
		e.Candidates = append(e.Candidates, c.ID)
	}
	return bundle.StreamInfo{}, e
}

// matching lists the streams that a name stands for: those it names whole, else those it begins.
func matching(all []bundle.StreamInfo, want string) []bundle.StreamInfo {
	bare := withoutDashes(want)
	var whole, begun []bundle.StreamInfo
	for _, c := range all {
		id := withoutDashes(c.SessionID)
		if c.ID == want || c.SessionID == want || id == bare {
			whole = append(whole, c)
		}
		if strings.HasPrefix(c.ID, want) || (bare != "" && strings.HasPrefix(id, bare)) {
			begun = append(begun, c)
		}
	}
	// a copied session has its original's id; its own stream id names it alone
	if i := slices.IndexFunc(whole, func(c bundle.StreamInfo) bool { return c.ID == want }); i >= 0 {
		return whole[i : i+1]
	}
	if len(whole) > 0 {
		return whole
	}
	return begun
}

func withoutDashes(id string) string { return strings.ReplaceAll(id, "-", "") }

// EntryOf loads the entry of an agent that a bundle holds.
func EntryOf(b *bundle.Bundle, agent string) (*entry.Entry, error) {
	for _, used := range b.Manifest().Registry {
		if used.Agent != agent {
			continue
		}
		raw, err := b.Blob(used.SHA256)
		if err != nil {
			return nil, fmt.Errorf("entry of %.64q: %w", agent, err)
		}
		e, err := entry.Load(raw)
		if err != nil {
			return nil, fmt.Errorf("entry of %.64q: %w", agent, err)
		}
		return e, nil
	}
	return nil, fmt.Errorf("entry of %.64q: the manifest lists none", agent)
}
