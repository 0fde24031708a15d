package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// workers are the programs that the bench binary also is, by name.
func workers() map[string]func(args []string, stdout io.Writer) error {
	return map[string]func([]string, io.Writer) error{
		"launch":              launch,
		"generate":            generateWork,
		"copy-files":          counted(copyFiles),
		"convert-naively":     counted(convertNaively),
		"validate-naively":    counted(validateNaively),
		"scan-documents":      counted(scanDocuments),
		"scan-documents-json": counted(scanDocumentsJSON),
	}
}

// done is what a worker says it did. The runner holds it against the truth.
type done struct {
	Items    int64         // files read, or lines for a validation
	Bytes    int64         // of them
	Rejected int64         // items found wrong
	CPU      time.Duration // of the part that is compared, 0 when the whole process is
}

const doneForm = "items=%d bytes=%d rejected=%d cpu=%d\n"

func (d *done) String() string {
	return fmt.Sprintf(doneForm, d.Items, d.Bytes, d.Rejected, int64(d.CPU))
}

func readDone(raw []byte) (d done, err error) {
	var cpu int64
	if _, err = fmt.Sscanf(string(raw), doneForm, &d.Items, &d.Bytes, &d.Rejected, &cpu); err != nil {
		return d, fmt.Errorf("a worker's counts: %w", err)
	}
	d.CPU = time.Duration(cpu)
	return d, nil
}

// counted makes a worker of a function from source, output and number of goroutines.
func counted(f func(source, out string, jobs int) (done, error)) func([]string, io.Writer) error {
	return func(args []string, stdout io.Writer) error {
		if len(args) != 3 {
			return fmt.Errorf("got %d arguments, want source, output and jobs", len(args))
		}
		jobs, err := strconv.Atoi(args[2])
		if err != nil || jobs < 1 {
			return fmt.Errorf("jobs %q: want a number from 1", args[2])
		}
		d, err := f(args[0], args[1], jobs)
		if err != nil {
			return err
		}
		_, err = io.WriteString(stdout, d.String())
		return err
	}
}

// generateWork writes a set's conversations and, beside them, its truth: set, folder, seed.
func generateWork(args []string, stdout io.Writer) error {
	if len(args) != 3 {
		return fmt.Errorf("got %d arguments, want set, folder and seed", len(args))
	}
	set, err := findSet(args[0])
	if err != nil {
		return err
	}
	seed, err := strconv.ParseUint(args[2], 10, 63)
	if err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	t, err := Generate(filepath.Join(args[1], "conversations"), set, seed)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(args[1], "truth.json"), t.AppendJSON(nil), 0o644)
}
