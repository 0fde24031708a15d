package laws

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/restore"
	"github.com/session-trace/ctx/validator"
)

// Sound holds that the validator finds no error in a bundle, and that its report is the one written with it.
func Sound(ctx context.Context, b *bundle.Bundle) (*record.Report, Faults) {
	var f Faults
	report, err := validator.Validate(ctx, b, validator.Options{})
	if err != nil {
		f.Add("sound", "%v", err)
		return nil, f
	}
	for _, found := range report.Findings.Sorted() {
		if found.Severity == record.ErrorSeverity {
			f.Add("sound", "%s %s line %d record %s pointer %s: %s", found.Rule, found.Stream, found.Line, found.Record, found.Pointer, found.Message)
		}
	}
	written, err := b.Report()
	if err != nil {
		f.Add("sound", "%v", err)
	} else if got := record.AppendReport(nil, report); !bytes.Equal(bytes.TrimSpace(written), got) {
		f.Add("report", "the validator's report is not the one written: %s", Difference(string(bytes.TrimSpace(written)), string(got)))
	}
	return report, f
}

// Restored holds that a bundle gives back the files of its folder byte for byte, but for what it names, and that verify
// says the same. It writes below dir, where nothing may stand.
func Restored(ctx context.Context, folder, dir string, b *bundle.Bundle) Faults {
	var f Faults
	r, err := restore.Restore(ctx, b, dir, restore.Options{})
	if err != nil {
		f.Add("restore", "%v", err)
		return f
	}
	was, err := Disk(folder)
	if err != nil {
		f.Add("restore", "%v", err)
	}
	made, err := Disk(dir)
	if err != nil {
		f.Add("restore", "%v", err)
	}
	less := map[string]bool{}
	for _, cut := range r.Redacted {
		if len(cut.Cuts) == 0 {
			f.Add("restore", "%q is listed without a cut", cut.Path)
		}
		less[cut.Path] = true
	}
	var size, want int64
	for _, p := range sortedKeys(made) {
		size += int64(len(made[p].Data))
		have, ok := was[p]
		spelled := record.SpellPath(p)
		switch {
		case !ok:
			f.Add("restore", "%q was made and is not in the source", p)
		case (have.Data == made[p].Data) == less[spelled] && !(less[spelled] && strings.Contains(spelled, "%")):
			f.Add("restore", "%q: the same %v, listed as cut %v", p, have.Data == made[p].Data, less[spelled])
		}
	}
	for _, s := range b.Manifest().Sources {
		want += s.Files
	}
	if got := int64(len(made)) + lacking(r.Lacking); got != want || r.Files != int64(len(made)) || r.Bytes != size {
		f.Add("restore", "got %d files made and %d lacking, %d and %d bytes counted, want %d files and %d bytes",
			len(made), lacking(r.Lacking), r.Files, r.Bytes, want, size)
	}
	verified(ctx, folder, b, r, want, &f)
	return f
}

// lacking is how many files of the sources a bundle does not have. What could not be read is no file of a source.
func lacking(list []restore.Lacking) (n int64) {
	for _, l := range list {
		if l.Reason != restore.ReasonUnreadable {
			n++
		}
	}
	return n
}

// verified holds that verify finds no difference and lists the same cuts as restore.
func verified(ctx context.Context, folder string, b *bundle.Bundle, r *restore.Result, want int64, f *Faults) {
	v, err := restore.Verify(ctx, b, []string{folder}, restore.Options{})
	if err != nil {
		f.Add("verify", "%v", err)
		return
	}
	large := map[string]bool{} // not kept because of a limit that the caller set
	for _, l := range v.Lacking {
		large[l.Path] = l.Reason == restore.ReasonTooLarge
	}
	for _, d := range v.Differences {
		if d.Kind == restore.Unkept && large[d.Path] {
			continue
		}
		f.Add("verify", "%q %s: %s", d.Path, d.Kind, d.Message)
	}
	if got, restored := fmt.Sprint(v.Redacted), fmt.Sprint(r.Redacted); got != restored {
		f.Add("verify", "got cuts %s, restore lists %s", got, restored)
	}
	if v.Files != want || v.Same+int64(len(v.Redacted))+lacking(v.Lacking) != want {
		f.Add("verify", "got %d files compared, %d the same, %d cut, %d lacking, want %d together", v.Files, v.Same, len(v.Redacted), lacking(v.Lacking), want)
	}
}

// SameBytes holds that two folders have the same files with the same bytes.
func SameBytes(law, want, got string) Faults {
	var f Faults
	a, err := Disk(want)
	if err != nil {
		f.Add(law, "%v", err)
	}
	b, err := Disk(got)
	if err != nil {
		f.Add(law, "%v", err)
	}
	for _, p := range sortedKeys(a) {
		if have, ok := b[p]; !ok {
			f.Add(law, "%q is not there", p)
		} else if have != a[p] {
			f.Add(law, "%q differs: %s", p, Difference(a[p].Data, have.Data))
		}
	}
	for _, p := range sortedKeys(b) {
		if _, ok := a[p]; !ok {
			f.Add(law, "%q is one too many", p)
		}
	}
	return f
}

// Difference is where two texts begin to differ.
func Difference(want, got string) string {
	n := 0
	for n < len(want) && n < len(got) && want[n] == got[n] {
		n++
	}
	from := max(0, n-60)
	return fmt.Sprintf("at %d: %q, want %q", n, got[from:min(len(got), n+60)], want[from:min(len(want), n+60)])
}

// Packed holds that a compressed bundle has the streams, blobs and root hash of a plain one.
func Packed(plain, packed *bundle.Bundle) Faults {
	var f Faults
	a, b := plain.Manifest(), packed.Manifest()
	if a.RootSHA256 != b.RootSHA256 || len(a.Streams) != len(b.Streams) || len(a.Blobs) != len(b.Blobs) {
		f.Add("packed", "got root %s of %d streams and %d blobs, want %s, %d, %d",
			b.RootSHA256, len(b.Streams), len(b.Blobs), a.RootSHA256, len(a.Streams), len(a.Blobs))
		return f
	}
	for i, s := range a.Streams {
		if p := b.Streams[i]; p.ID != s.ID || p.SHA256 != s.SHA256 || p.Compression != "zstd" {
			f.Add("packed", "got stream %s %s %s, want %s %s zstd", p.ID, p.SHA256, p.Compression, s.ID, s.SHA256)
		}
	}
	return f
}

// Free holds that no file of a bundle, and no name of one, has a text, as it stands, in JSON escapes, percent-encoded
// or in base64.
func Free(dir string, secrets []string) Faults {
	var f Faults
	if len(secrets) == 0 {
		return f
	}
	files, err := Disk(dir)
	if err != nil {
		f.Add("secrets", "%v", err)
	}
	for _, p := range sortedKeys(files) {
		for _, text := range []string{p, files[p].Data, unescaped(files[p].Data)} {
			for _, secret := range secrets {
				for _, spelled := range Spellings(secret) {
					if at := strings.Index(text, spelled); at >= 0 {
						f.Add("secrets", "%s stands in %s as %s: %q", secret, p, spelled, text[max(at-60, 0):min(at+60, len(text))])
					}
				}
			}
		}
	}
	return f
}

// unescaped is a text with what \u escapes spell in ASCII, at any depth of strings within strings.
func unescaped(text string) string {
	if !strings.Contains(text, `\u00`) {
		return ""
	}
	var b strings.Builder
	for {
		at := strings.Index(text, `\u00`)
		if at < 0 || at+6 > len(text) {
			b.WriteString(text)
			return b.String()
		}
		n, err := strconv.ParseUint(text[at+4:at+6], 16, 8)
		if err != nil { // it is no escape
			b.WriteString(text[:at+4])
			text = text[at+4:]
			continue
		}
		b.WriteString(strings.TrimRight(text[:at], `\`))
		b.WriteByte(byte(n))
		text = text[at+6:]
	}
}

// Spellings are the ways in which a plain ASCII text is looked for.
func Spellings(secret string) []string {
	list := []string{secret}
	var escaped, upper, percent strings.Builder
	for i := range len(secret) {
		fmt.Fprintf(&escaped, `\u%04x`, secret[i])
		fmt.Fprintf(&upper, `\u%04X`, secret[i])
		fmt.Fprintf(&percent, "%%%02X", secret[i])
	}
	list = append(list, escaped.String(), upper.String(), percent.String())
	for shift := range 3 {
		text := Base64(strings.Repeat("x", shift) + secret)
		from, to := (shift*8+5)/6, (shift+len(secret))*8/6
		list = append(list, text[from:to])
	}
	return list
}
