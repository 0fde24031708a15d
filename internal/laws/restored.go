package laws

import (
	"context"
	"fmt"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/restore"
)

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
	parts := map[string]bool{} // files without some of their rows
	for _, l := range r.Lacking {
		if l.Rows > 0 {
			parts[l.Path], less[l.Path] = true, true
		}
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
	shared := map[string]bool{} // files of rows count once
	for _, s := range b.Manifest().Sources {
		if s.Rows > 0 && shared[s.Path] {
			continue
		}
		shared[s.Path] = true
		want += s.Files
	}
	got := int64(len(made)) + lacking(r.Lacking)
	for p := range made {
		delete(parts, record.SpellPath(p))
	}
	got += int64(len(parts)) // files of which no row is there
	if got != want || r.Files != int64(len(made)) || r.Bytes != size {
		f.Add("restore", "got %d files made and %d lacking, %d and %d bytes counted, want %d files and %d bytes",
			len(made), lacking(r.Lacking), r.Files, r.Bytes, want, size)
	}
	verified(ctx, folder, b, r, want, &f)
	return f
}

// lacking is how many files of the sources a bundle does not have. What could not be read is no file of a source.
func lacking(list []restore.Lacking) (n int64) {
	for _, l := range list {
		if l.Reason != restore.ReasonUnreadable && l.Rows == 0 {
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
	large, parts := map[string]bool{}, map[string]bool{} // not kept because of a limit that the caller set; without some rows
	for _, l := range v.Lacking {
		large[l.Path] = large[l.Path] || l.Reason == restore.ReasonTooLarge
		if l.Rows > 0 {
			parts[l.Path] = true
		}
	}
	for _, cut := range v.Redacted {
		delete(parts, cut.Path)
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
	if v.Files != want || v.Same+int64(len(v.Redacted)+len(parts))+lacking(v.Lacking) != want {
		f.Add("verify", "got %d files compared, %d the same, %d cut, %d lacking, want %d together", v.Files, v.Same, len(v.Redacted), lacking(v.Lacking), want)
	}
}
