package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// variant is one program that does a piece of the work that ctx does.
type variant struct {
	name     string
	usesCtx  bool
	usesMade bool // works on a finished bundle
	command  func(p *place) []string
	check    func(p *place, printed []byte) error // holds what was done against the truth
}

// place is what variants work on.
type place struct {
	self, ctx string // programs
	source    string // the corpus
	bundle    string // made of it before the rounds
	out       string // not there when a variant starts
	jobs      int
	truth     *Truth
	root      string // rootSha256 of the first bundle: all others have the same
}

func variants() []variant {
	return []variant{
		{"copy", false, false, own("copy-files"), checkFiles},
		{"convert", true, false, convert(), checkBundle},
		{"convert-zstd", true, false, convert("--compress", "zstd"), checkBundle},
		{"convert-naively", false, false, own("convert-naively"), checkFiles},
		{"validate", true, true, validate, checkReport},
		{"validate-naively", true, true, own("validate-naively"), checkLines},
		{"scan", false, false, own("scan-documents"), checkFiles},
		{"scan-json", false, false, own("scan-documents-json"), checkFiles},
	}
}

func variantNames() []string {
	var names []string
	for _, v := range variants() {
		names = append(names, v.name)
	}
	return names
}

func findVariant(name string) (variant, error) {
	all := variants()
	i := slices.IndexFunc(all, func(v variant) bool { return v.name == name })
	if i < 0 {
		return variant{}, fmt.Errorf("variant %q: want one of %s", name, strings.Join(variantNames(), ", "))
	}
	return all[i], nil
}

// own is the command of a worker of this program.
func own(worker string) func(*place) []string {
	return func(p *place) []string {
		source := p.source
		if worker == "validate-naively" {
			source = p.bundle
		}
		return []string{p.self, worker, source, p.out, strconv.Itoa(p.jobs)}
	}
}

func convert(flags ...string) func(*place) []string {
	return func(p *place) []string {
		return append([]string{p.ctx, "convert", p.source, "--out", p.out, "--jobs", strconv.Itoa(p.jobs)}, flags...)
	}
}

func validate(p *place) []string {
	return []string{p.ctx, "validate", p.bundle, "--output", "json", "--jobs", strconv.Itoa(p.jobs)}
}

// checkFiles wants a worker to have read the files of the corpus.
func checkFiles(p *place, printed []byte) error {
	d, err := readDone(printed)
	return errors.Join(err, same("files", p.truth.Files, d.Items), same("bytes", p.truth.Bytes, d.Bytes), same("rejected", 0, d.Rejected))
}

// checkLines wants a worker to have accepted every line of the bundle.
func checkLines(p *place, printed []byte) error {
	d, err := readDone(printed)
	return errors.Join(err, same("lines", p.truth.Records(), d.Items), same("rejected", 0, d.Rejected))
}

// checkReport wants ctx's report to state what the corpus holds.
func checkReport(p *place, printed []byte) error { return checkCounts(p.truth, printed) }

// checkBundle wants a bundle whose report and manifest state what the corpus holds, and the bytes of every other bundle.
func checkBundle(p *place, _ []byte) error {
	report, err := os.ReadFile(filepath.Join(p.out, "report.json"))
	if err != nil {
		return err
	}
	manifest, err := os.ReadFile(filepath.Join(p.out, "manifest.json"))
	if err != nil {
		return err
	}
	root, err := checkManifest(p.truth, manifest)
	if p.root == "" {
		p.root = root
	}
	return errors.Join(checkCounts(p.truth, report), err, same("rootSha256", p.root, root))
}

func same[T comparable](what string, want, got T) error {
	if got == want {
		return nil
	}
	return fmt.Errorf("%s: got %v, want %v", what, got, want)
}
