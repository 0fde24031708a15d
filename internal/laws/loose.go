package laws

import (
	"path"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// amount is a number of files and of their bytes.
type amount struct{ files, bytes int64 }

// loose holds that files of sources + unidentified + ignored = files on disk, folder by folder. folders are the sources
// with their layouts.
func (w *whole) loose(folders map[string]string, list []bundle.Unidentified) {
	left, shut := map[string]amount{}, []string{}
	for _, u := range list {
		if u.Files == 0 && u.Reason == "unreadable" {
			shut = append(shut, u.Path+"/")
		}
		n := left[u.Path]
		left[u.Path] = amount{n.files - u.Files, n.bytes - u.Bytes}
	}
	for p, f := range w.files {
		if w.taken[p] || ignored(folders, p) || within(record.SpellPath(p), shut) {
			continue
		}
		folder := record.SpellPath(path.Dir(p))
		n := left[folder]
		left[folder] = amount{n.files + 1, n.bytes + int64(len(f.Data))}
	}
	for _, folder := range sortedKeys(left) {
		if n := left[folder]; n != (amount{}) {
			w.Add("accounted", "folder %q: %d files of %d bytes are not accounted for", folder, n.files, n.bytes)
		}
	}
}

func within(p string, folders []string) bool {
	for _, f := range folders {
		if strings.HasPrefix(p, f) {
			return true
		}
	}
	return false
}

// ignored says whether the entry leaves a file out by its name: locks and leases of a conversation.
func ignored(folders map[string]string, p string) bool {
	dir := path.Dir(p)
	layout, own := folders[dir]
	switch path.Base(p) {
	case ".eventlog.lock":
		above, items := folders[path.Dir(dir)]
		return own && layout == "flat" || items && (above == "sdk" || above == "event-service") && path.Base(dir) == "events"
	case "owner_lease.json", "owner_lease.tmp", ".owner_lease.lock":
		return own && layout != "cloud"
	}
	return false
}
