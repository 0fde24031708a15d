//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// hook is one of .pre-commit-hooks.yaml, as far as it is used here.
type hook struct {
	ID, Name, Language, Entry, Files string

	RequireSerial bool `yaml:"require_serial"`
}

func readHook(t *testing.T, id string) hook {
	t.Helper()
	var all []hook
	readYAML(t, repositoryFile(t, ".pre-commit-hooks.yaml"), &all)
	i := slices.IndexFunc(all, func(h hook) bool { return h.ID == id })
	if i < 0 {
		t.Fatalf(".pre-commit-hooks.yaml has no hook %q", id)
	}
	return all[i]
}

// run does what pre-commit does: of the files that are committed it takes those that match, and puts their names behind
// the command. It says whether the command ran.
func (h hook) run(t *testing.T, dir string, args, files []string) (j job, ran bool) {
	t.Helper()
	wanted := regexp.MustCompile(h.Files)
	names := slices.DeleteFunc(slices.Clone(files), func(name string) bool { return !wanted.MatchString(name) })
	if len(names) == 0 {
		return job{}, false
	}
	script := h.Entry + ` "$@"`
	line := append([]string{"-c", script, "hook"}, append(args, names...)...)
	c := exec.Command("bash", line...)
	c.Dir = dir
	raw, _ := c.CombinedOutput()
	return job{code: c.ProcessState.ExitCode(), text: string(raw)}, true
}

// below lists the files of a folder of the workspace, as paths from there.
func below(t *testing.T, dir, folder string) []string {
	t.Helper()
	var files []string
	must(t, filepath.WalkDir(filepath.Join(dir, folder), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		files = append(files, filepath.ToSlash(rel))
		return err
	}))
	return files
}

func TestPreCommitHook(t *testing.T) {
	dir := workspace(t)
	h := readHook(t, "ctx-validate")
	if h.Language != "golang" || !strings.HasPrefix(h.Entry, "ctx ") || h.Name == "" || !h.RequireSerial {
		t.Errorf("got %+v, want a hook that pre-commit builds, and one process for all files", h)
	}
	write(t, filepath.Join(dir, "web", "manifest.json"), `{"name":"a page"}`)
	write(t, filepath.Join(dir, "web", "blobs", "a.bin"), "x")
	must(t, os.CopyFS(filepath.Join(dir, "torn"), os.DirFS(filepath.Join(dir, "sound"))))
	write(t, filepath.Join(dir, "torn", "manifest.json"), `{"format":"ctx-bun`)
	var streams []string
	for _, name := range below(t, dir, "broken") {
		if strings.HasPrefix(name, "broken/streams/") {
			streams = append(streams, name)
		}
	}
	tests := []struct {
		want  int // -1: does not run
		name  string
		args  []string
		files []string
		text  string
		times int // how often the text is there
	}{
		{0, "a sound bundle", nil, below(t, dir, "sound"), "sound: valid", 1},
		{1, "a broken one", nil, below(t, dir, "broken"), "broken: not valid", 1},
		{1, "the stream alone", nil, streams, "broken: not valid", 1},
		{0, "a stream of a sound one", nil, []string{below(t, dir, "sound/streams")[0]}, "sound: valid", 1},
		{1, "both, and others", nil, append(below(t, dir, "sound"), append(below(t, dir, "broken"), "web/manifest.json")...), "valid", 2},
		{1, "with arguments", []string{"--fail-on", "notice"}, below(t, dir, "sound"), "fails: notice", 1},
		{0, "another manifest.json", nil, below(t, dir, "web"), "no file belongs to a bundle", 1},
		{2, "a manifest that is torn", nil, []string{"torn/manifest.json"}, "not a ctx bundle", 1},
		{-1, "files of something else", nil, below(t, dir, "source"), "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ran := h.run(t, dir, tt.args, tt.files)
			if !ran {
				got.code = -1
			}
			if got.code != tt.want {
				t.Errorf("exit code %d, want %d\n%s", got.code, tt.want, got.text)
			}
			if n := strings.Count(got.text, tt.text); tt.text != "" && n != tt.times {
				t.Errorf("got %q %d times, want %d\n%s", tt.text, n, tt.times, got.text)
			}
			if tt.text == "" && got.text != "" {
				t.Errorf("got %q, want nothing", got.text)
			}
		})
	}
}

// A bundle may be the folder that the hook runs in.
func TestPreCommitHookInBundle(t *testing.T) {
	dir := filepath.Join(workspace(t), "broken")
	got, _ := readHook(t, "ctx-validate").run(t, dir, nil, below(t, dir, "streams"))
	if got.code != 1 || !strings.Contains(got.text, ".: not valid") {
		t.Errorf("exit code %d, want 1\n%s", got.code, got.text)
	}
}

// example is the file of that name that docs/ci.md shows.
func example(t *testing.T, name string, into any) {
	t.Helper()
	_, rest, found := strings.Cut(string(repositoryFile(t, "docs/ci.md")), "```yaml\n# "+name+"\n")
	text, _, ended := strings.Cut(rest, "```\n")
	if !found || !ended {
		t.Fatalf("docs/ci.md shows no %s", name)
	}
	readYAML(t, []byte(text), into)
}

// pipeline is the GitLab file: jobs by name.
type pipeline map[string]struct {
	BeforeScript []string `yaml:"before_script"`
	Script       []string
	Artifacts    struct {
		When    string
		Reports map[string]string
	}
}

func readPipeline(t *testing.T) pipeline {
	t.Helper()
	p := pipeline{}
	example(t, ".gitlab-ci.yml", &p)
	before := strings.Join(p["default"].BeforeScript, "\n")
	if !strings.HasPrefix(before, "go install "+moduleOf(t)+"/cmd/ctx@v") {
		t.Errorf("before_script %q, want it to install ctx", before)
	}
	return p
}

func moduleOf(t *testing.T) string {
	t.Helper()
	line, _, _ := strings.Cut(string(repositoryFile(t, "go.mod")), "\n")
	return strings.TrimPrefix(line, "module ")
}

// arrange puts a bundle and a source where the jobs of docs/ci.md look for them.
func arrange(t *testing.T, dir, bundleName, source string) {
	t.Helper()
	for _, folder := range [][2]string{{bundleName, "sessions"}, {source, "conversations"}} {
		must(t, os.RemoveAll(filepath.Join(dir, folder[1])))
		must(t, os.CopyFS(filepath.Join(dir, folder[1]), os.DirFS(filepath.Join(dir, folder[0]))))
	}
}

func TestGitLabAgreement(t *testing.T) {
	dir := workspace(t)
	script := strings.Join(readPipeline(t)["source-and-bundle-agree"].Script, "\n")
	for _, tt := range []struct {
		want           int
		bundle, source string
		text           string
	}{
		{0, "sound", "source", "sessions: the same as its source"},
		{1, "sound", "other", "sessions: not the same as its source, 1 difference"},
		{1, "broken", "source", "sessions: not the same as its source"},
		{2, "source", "source", "not a ctx bundle"},
	} {
		arrange(t, dir, tt.bundle, tt.source)
		if got := bash(t, dir, script); got.code != tt.want || !strings.Contains(got.text, tt.text) {
			t.Errorf("%s and %s: exit code %d, want %d and %q\n%s", tt.bundle, tt.source, got.code, tt.want, tt.text, got.text)
		}
	}
}

func TestGitLabJUnit(t *testing.T) {
	dir := workspace(t)
	j := readPipeline(t)["validate"]
	if j.Artifacts.When != "always" {
		t.Errorf("artifacts when %q, want always: the report of a job that failed is the one that matters", j.Artifacts.When)
	}
	for want, name := range []string{"sound", "broken"} {
		arrange(t, dir, name, "source")
		// the sample has a gap, which the job fails on
		got := bash(t, dir, strings.ReplaceAll(strings.Join(j.Script, "\n"), "error,gap", "error"))
		raw, err := os.ReadFile(filepath.Join(dir, j.Artifacts.Reports["junit"]))
		must(t, err)
		if got.code != want || !strings.Contains(string(raw), "<testsuite") || strings.Contains(string(raw), "<failure") != (want == 1) {
			t.Errorf("%s: exit code %d, want %d\n%s\n%s", name, got.code, want, got.text, raw)
		}
	}
}

// The workflow of docs/ci.md gives inputs that the action has, reads outputs that it has, and names this repository.
func TestGitHubExample(t *testing.T) {
	var workflow struct {
		Jobs map[string]struct{ Steps []step }
	}
	example(t, ".github/workflows/sessions.yml", &workflow)
	a := readAction(t)
	used := 0
	for name, j := range workflow.Jobs {
		for _, s := range j.Steps {
			if strings.HasPrefix(s.Uses, strings.TrimPrefix(moduleOf(t), "github.com/")+"@v") {
				used++
				for input := range s.With {
					if _, ok := a.Inputs[input]; !ok {
						t.Errorf("job %s: the action has no input %q", name, input)
					}
				}
				continue
			}
			for _, value := range s.With {
				for _, found := range regexp.MustCompile(`steps\.ctx\.outputs\.([a-z-]+)`).FindAllStringSubmatch(value, -1) {
					if _, ok := a.Outputs[found[1]]; !ok {
						t.Errorf("job %s: the action has no output %q", name, found[1])
					}
				}
			}
		}
	}
	if used != 2 {
		t.Errorf("got %d uses of the action, want one in each job", used)
	}
}

// Every input and output has its row in docs/ci.md.
func TestActionTables(t *testing.T) {
	page := string(repositoryFile(t, "docs/ci.md"))
	a := readAction(t)
	for name := range a.Inputs {
		if !strings.Contains(page, "\n| `"+name+"` | ") {
			t.Errorf("docs/ci.md has no row for the input %s", name)
		}
	}
	for name := range a.Outputs {
		if !strings.Contains(page, "\n| `"+name+"` | ") {
			t.Errorf("docs/ci.md has no row for the output %s", name)
		}
	}
}

func TestPreCommitExample(t *testing.T) {
	var config struct {
		Repos []struct {
			Repo, Rev string
			Hooks     []struct {
				ID   string
				Args []string
			}
		}
	}
	example(t, ".pre-commit-config.yaml", &config)
	if len(config.Repos) != 1 || config.Repos[0].Repo != "https://"+moduleOf(t) || config.Repos[0].Rev == "" {
		t.Fatalf("got %+v, want this repository", config.Repos)
	}
	dir := workspace(t)
	for _, h := range config.Repos[0].Hooks {
		got, ran := readHook(t, h.ID).run(t, dir, h.Args, below(t, dir, "sound"))
		if !ran || got.code != 1 || !strings.Contains(got.text, "fails: gap (--fail-on)") {
			t.Errorf("%s: exit code %d, want 1 for the gap of the sample\n%s", h.ID, got.code, got.text)
		}
	}
}
