package entry

import (
	"errors"
	"path"
	"strings"
)

// Glob is a pattern over slash separated paths: ** stands for any number of folders, the rest as in path.Match.
type Glob struct {
	text  string
	parts []string
}

// ParseGlob compiles a pattern.
func ParseGlob(text string) (Glob, error) {
	if text == "" {
		return Glob{}, errors.New("got an empty pattern")
	}
	g := Glob{text: text, parts: strings.Split(text, "/")}
	for _, p := range g.parts {
		if _, err := path.Match(p, ""); err != nil {
			return Glob{}, errors.New("got a malformed pattern, want one of path.Match with ** for folders")
		}
	}
	return g, nil
}

// String is the pattern as written.
func (g *Glob) String() string { return g.text }

// Anywhere says whether the pattern begins with **, and so holds at any depth.
func (g *Glob) Anywhere() bool { return g.parts[0] == "**" }

// First is the pattern's first part when it is a plain name with more below it, else "".
func (g *Glob) First() string {
	if len(g.parts) < 2 || strings.ContainsAny(g.parts[0], `*?[\`) {
		return ""
	}
	return g.parts[0]
}

// Match says whether the pattern covers a path.
func (g *Glob) Match(name string) bool { return matchParts(g.parts, strings.Split(name, "/")) }

// Below says whether the pattern covers everything below a folder.
func (g *Glob) Below(folder string) bool {
	return g.parts[len(g.parts)-1] == "**" && g.Match(folder)
}

// matchParts keeps the row of pattern parts that can match so far, so a pattern of many ** stays linear in each path part.
func matchParts(parts, names []string) bool {
	live := make([]bool, len(parts)+1)
	live[0] = true
	spread(parts, live)
	for _, name := range names {
		next := make([]bool, len(parts)+1)
		for i, p := range parts {
			if !live[i] {
				continue
			}
			if p == "**" {
				next[i] = true
			} else if ok, _ := path.Match(p, name); ok {
				next[i+1] = true
			}
		}
		spread(parts, next)
		live = next
	}
	return live[len(parts)]
}

// spread lets every ** that is reached also match no folder at all.
func spread(parts []string, live []bool) {
	for i, p := range parts {
		if live[i] && p == "**" {
			live[i+1] = true
		}
	}
}
