package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ctx": main})
}

// Each script in testdata/script is one story of the command line. FIXTURES is the folder of the OpenHands fixtures.
func TestScripts(t *testing.T) {
	fixtures, err := filepath.Abs(filepath.Join("..", "..", "fixtures", "openhands"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join("testdata", "script")
	if scripts() != nil {
		dir = "" // or they would run as well
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Files:               scripts(),
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("FIXTURES", fixtures)
			return nil
		},
		Condition: func(cond string) (bool, error) { return cond == "root" && os.Geteuid() == 0, nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exit":  exitCode,
			"same":  sameTree,
			"empty": emptyFolder,
			"pack":  packFolder,
		},
	})
}

// exitCode runs ctx and wants the exit code: exit CODE ARGUMENT…
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exit code arguments…")
	}
	want, got := args[0], "0"
	if err := ts.Exec("ctx", args[1:]...); err != nil {
		got = codeOf(err)
	}
	if got != want {
		ts.Fatalf("exit code %s, want %s", got, want)
	}
}
