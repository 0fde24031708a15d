//go:build unix

package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// workspace is the folder that a job runs in: bundles called sound, notices and broken, a folder source that agrees with
// sound, and one called other that does not.
func workspace(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	dir := t.TempDir()
	tidemark := filepath.Join("..", "..", "fixtures", "openhands", "sample", "native")
	must(t, os.CopyFS(filepath.Join(dir, "source"), os.DirFS(tidemark)))
	must(t, os.CopyFS(filepath.Join(dir, "other"), os.DirFS(tidemark)))
	must(t, os.Remove(filepath.Join(dir, "other", "09adb143f77a48cb901a9125947bcda8", "base_state.json")))
	for _, name := range []string{"sound", "broken"} {
		c := program(t, "convert", filepath.Join(dir, "source"), "-o", filepath.Join(dir, name), "-q")
		must(t, c.Run())
	}
	streams, err := filepath.Glob(filepath.Join(dir, "broken", "streams", "*.jsonl"))
	must(t, err)
	raw, err := os.ReadFile(streams[0])
	must(t, err)
	must(t, os.WriteFile(streams[0], bytes.Replace(raw, []byte(`"type":"message"`), []byte(`"type":"massage"`), 1), 0o600))
	return dir
}

// job is what a script left behind.
type job struct {
	code    int
	text    string // stdout and stderr as they came
	outputs map[string]string
}

// bash runs a script as the runners of both CIs do, with ctx in the path.
func bash(t *testing.T, dir, script string, env ...string) job {
	t.Helper()
	outputs := filepath.Join(t.TempDir(), "outputs")
	c := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	c.Dir = dir
	c.Env = append(os.Environ(), append([]string{"GITHUB_OUTPUT=" + outputs, "RUNNER_TEMP=" + t.TempDir()}, env...)...)
	raw, err := c.CombinedOutput()
	j := job{text: string(raw), outputs: map[string]string{}}
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		j.code = failed.ExitCode()
	} else {
		must(t, err)
	}
	written, _ := os.ReadFile(outputs)
	for line := range strings.Lines(string(written)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		j.outputs[name] = value
	}
	return j
}

// action is action.yml, as far as it is used here.
type action struct {
	Inputs map[string]struct {
		Description string
		Required    bool
		Default     string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []step
	}
}

type step struct {
	ID, Uses, Shell, Run string
	With, Env            map[string]string
}

func readYAML(t *testing.T, raw []byte, into any) {
	t.Helper()
	d := yaml.NewDecoder(bytes.NewReader(raw))
	must(t, d.Decode(into))
}

func repositoryFile(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	must(t, err)
	return raw
}

// expression is one ${{ … }} of a workflow.
func expression() *regexp.Regexp { return regexp.MustCompile(`\$\{\{\s*([^}]*?)\s*\}\}`) }

// run runs the scripts of the action with some inputs, and gives the outputs of the action.
func (a *action) run(t *testing.T, dir string, inputs map[string]string, env ...string) job {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	must(t, err)
	env = append(env, "GITHUB_ACTION_PATH="+root, "GITHUB_WORKSPACE="+dir)
	known := map[string]string{"github.action_path": root}
	for name, in := range a.Inputs {
		known["inputs."+name] = in.Default
	}
	for name, value := range inputs {
		if _, ok := a.Inputs[name]; !ok {
			t.Fatalf("the action has no input %q", name)
		}
		known["inputs."+name] = value
	}
	resolve := func(text string) string {
		return expression().ReplaceAllStringFunc(text, func(found string) string {
			value, ok := known[expression().FindStringSubmatch(found)[1]]
			if !ok {
				t.Errorf("%s stands for nothing", found)
			}
			return value
		})
	}
	var last job
	for _, s := range a.Runs.Steps {
		if s.Run == "" {
			continue
		}
		set := env
		for name, value := range s.Env {
			set = append(set, name+"="+resolve(value))
		}
		last = bash(t, dir, s.Run, set...)
		for name, value := range last.outputs {
			known["steps."+s.ID+".outputs."+name] = value
		}
		if last.code != 0 {
			break
		}
	}
	last.outputs = map[string]string{}
	for name, out := range a.Outputs {
		last.outputs[name] = resolve(out.Value)
	}
	return last
}

func readAction(t *testing.T) *action {
	t.Helper()
	a := new(action)
	readYAML(t, repositoryFile(t, "action.yml"), a)
	return a
}

// No input is ever part of a script's text, every input reaches it, and Go is that of go.mod.
func TestActionFile(t *testing.T) {
	a := readAction(t)
	if a.Runs.Using != "composite" {
		t.Errorf("using %q, want composite", a.Runs.Using)
	}
	used := map[string]bool{}
	for i, s := range a.Runs.Steps {
		if expression().MatchString(s.Run) {
			t.Errorf("step %d: an expression in the text of the script: %s", i, s.Run)
		}
		if s.Run != "" && s.Shell != "bash" {
			t.Errorf("step %d: shell %q, want bash", i, s.Shell)
		}
		for _, values := range []map[string]string{s.Env, s.With} {
			for _, v := range values {
				for _, found := range expression().FindAllStringSubmatch(v, -1) {
					used[strings.TrimPrefix(found[1], "inputs.")] = true
				}
			}
		}
	}
	for name, in := range a.Inputs {
		if !used[name] {
			t.Errorf("input %q reaches no step", name)
		}
		if in.Description == "" {
			t.Errorf("input %q has no description", name)
		}
	}
	i := slices.IndexFunc(a.Runs.Steps, func(s step) bool { return strings.HasPrefix(s.Uses, "actions/setup-go@") })
	if i < 0 || a.Runs.Steps[i].With["go-version-file"] != "${{ github.action_path }}/go.mod" {
		t.Errorf("steps %+v, want Go set up from go.mod", a.Runs.Steps)
	}
}

func TestAction(t *testing.T) {
	dir := workspace(t)
	a := readAction(t)
	must(t, os.CopyFS(filepath.Join(dir, "##[add-mask]x"), os.DirFS(filepath.Join(dir, "source"))))
	ctx, err := exec.LookPath("ctx")
	must(t, err)
	type inputs = map[string]string
	tests := []struct {
		want   int
		name   string
		inputs inputs
		text   []string // regular expressions that match
	}{
		{0, "sound", inputs{"bundle": "sound"}, []string{`(?m)^sound: valid$`}},
		{1, "broken", inputs{"bundle": "broken"}, []string{`(?m)^broken: not valid, `}},
		{0, "broken and accepted", inputs{"bundle": "broken", "fail-on": "none"}, nil},
		{1, "stricter", inputs{"bundle": "sound", "fail-on": "gap,unidentified\nnotice"}, []string{`fails: notice, gap`}},
		{2, "no bundle", inputs{"bundle": "source"}, []string{`not a ctx bundle`}},
		{1, "several", inputs{"bundle": "sound\n\nbroken\n"}, []string{`(?m)^sound: valid$`, `(?m)^broken: not valid`}},
		{2, "the worst counts", inputs{"bundle": "broken\nnowhere"}, []string{`(?m)^broken: not valid`}},
		{2, "an unknown word", inputs{"bundle": "sound", "fail-on": "everything"}, []string{`--fail-on does not know`}},
		{0, "agrees", inputs{"bundle": "sound", "source": "source"}, []string{`(?m)^sound: the same as its source$`}},
		{1, "does not agree", inputs{"bundle": "sound", "source": "other"}, []string{`(?m)^  missing 09adb143f77a48cb901a9125947bcda8/base_state.json`}},
		{1, "broken and not the same", inputs{"bundle": "broken", "source": "source"}, []string{`(?m)^broken: not the same as its source`}},
		{2, "a source that is not there", inputs{"bundle": "sound", "source": "nowhere"}, []string{`nowhere`}},
		{0, "converted", inputs{"bundle": "made", "source": "source", "convert": "true"}, []string{`(?m)^wrote made: `, `(?m)^made: valid$`, `(?m)^made: the same`}},
		{2, "converted over another", inputs{"bundle": "sound", "source": "source", "convert": "true"}, []string{`exists already`}},
		{2, "converted from nothing", inputs{"bundle": "more", "convert": "true"}, []string{`::error::the input "convert" needs`}},
		{2, "convert in other words", inputs{"bundle": "more", "source": "source", "convert": "yes"}, []string{`::error::the input "convert"`}},
		{2, "no input", inputs{"bundle": " \n"[1:]}, []string{`::error::the input "bundle" is empty`}},
		{2, "several and a source", inputs{"bundle": "sound\nbroken", "source": "source"}, []string{`::error::the input "source"`}},
		{0, "arguments", inputs{"bundle": "sound", "args": "--jobs\n1\n--verbose"}, []string{`(?m)^sound: valid$`}},
		{2, "a flag for a path", inputs{"bundle": "--help"}, []string{`--help`}},
		{2, "shell for a path", inputs{"bundle": "$(touch pwned)`touch pwned`\"; touch pwned; #"}, []string{`touch pwned`}},
		{2, "shell for words", inputs{"bundle": "sound", "fail-on": "'; touch pwned; '"}, nil},
		{1, "a name that commands the runner", inputs{"bundle": "sound", "source": "##[add-mask]x\nother"}, []string{`(?m)^::stop-commands::ctx-[0-9a-f]{32}$`, `##\[add-mask\]x/`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := maps.Clone(tt.inputs)
			all["output"] = "text"
			got := a.run(t, dir, all, "CTX_PROGRAM="+ctx)
			if got.code != tt.want {
				t.Errorf("exit code %d, want %d\n%s", got.code, tt.want, got.text)
			}
			want := map[string]string{"exit-code": string(rune('0' + tt.want)), "sarif": ""}
			if d := cmp.Diff(want, got.outputs); d != "" {
				t.Errorf("outputs (-want +got):\n%s", d)
			}
			for _, pattern := range tt.text {
				if !regexp.MustCompile(pattern).MatchString(got.text) {
					t.Errorf("got\n%s\nwant a match of %s", got.text, pattern)
				}
			}
			if _, err := os.Lstat(filepath.Join(dir, "pwned")); err == nil {
				t.Error("a value was run")
			}
			commandsStopped(t, got.text)
		})
	}
}

// commandsStopped wants each token that stops the runner's commands once more, where they go on, and no name out of data
// anywhere else.
func commandsStopped(t *testing.T, text string) {
	t.Helper()
	for {
		free, rest, stopped := strings.Cut(text, "::stop-commands::")
		if strings.Contains(free, "##[") {
			t.Errorf("the runner may take a name for a command:\n%s", free)
		}
		if !stopped {
			return
		}
		token, rest, _ := strings.Cut(rest, "\n")
		_, after, ended := strings.Cut(rest, "::"+token+"::\n")
		if !ended {
			t.Errorf("commands are stopped with %s and never go on", token)
			return
		}
		text = after
	}
}

// The action builds the program itself.
func TestActionBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	dir := workspace(t)
	got := readAction(t).run(t, dir, map[string]string{"bundle": "sound", "output": "text"})
	if got.code != 0 || !strings.Contains(got.text, "sound: valid\n") {
		t.Errorf("exit code %d, want 0\n%s", got.code, got.text)
	}
}

// What the action prints unless it is told otherwise, and the file for the upload.
func TestActionReports(t *testing.T) {
	dir := workspace(t)
	a := readAction(t)
	ctx, err := exec.LookPath("ctx")
	must(t, err)
	for want, name := range []string{"sound", "broken"} {
		summary := filepath.Join(t.TempDir(), "summary")
		got := a.run(t, dir, map[string]string{"bundle": name, "sarif": "reports/ctx.sarif"}, "CTX_PROGRAM="+ctx, "GITHUB_STEP_SUMMARY="+summary)
		if got.code != want || strings.Contains(got.text, "::error ") != (want == 1) || strings.Contains(got.text, "stop-commands") {
			t.Errorf("%s: exit code %d, want %d\n%s", name, got.code, want, got.text)
		}
		if got.outputs["sarif"] != "reports/ctx.sarif" {
			t.Errorf("%s: outputs %v, want the path of the file", name, got.outputs)
		}
		raw, err := os.ReadFile(filepath.Join(dir, "reports", "ctx.sarif"))
		must(t, err)
		_, results, _ := strings.Cut(string(raw), `"results":[`) // the rules before it have levels too
		if !bytes.Contains(raw, []byte(`"version":"2.1.0"`)) || strings.Contains(results, `"level":"error"`) != (want == 1) {
			t.Errorf("%s: got %s", name, raw)
		}
		if info, err := os.Stat(summary); err != nil || info.Size() == 0 {
			t.Errorf("%s: no summary: %v", name, err)
		}
	}
	if got := a.run(t, dir, map[string]string{"bundle": "sound", "sarif": "sound/manifest.json/x"}, "CTX_PROGRAM="+ctx); got.code != 2 {
		t.Errorf("a file that cannot be written: exit code %d, want 2\n%s", got.code, got.text)
	}
}

// Findings that a baseline accepts do not fail the action.
func TestActionBaseline(t *testing.T) {
	dir := workspace(t)
	ctx, err := exec.LookPath("ctx")
	must(t, err)
	got := bash(t, dir, `"$CTX_PROGRAM" validate broken --write-baseline known.json --fail-on none`, "CTX_PROGRAM="+ctx)
	if got.code != 0 {
		t.Fatalf("exit code %d, want 0\n%s", got.code, got.text)
	}
	if got := readAction(t).run(t, dir, map[string]string{"bundle": "broken", "baseline": "known.json"}, "CTX_PROGRAM="+ctx); got.code != 0 {
		t.Errorf("exit code %d, want 0\n%s", got.code, got.text)
	}
}
