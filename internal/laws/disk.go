package laws

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// File is what counts as one file below a folder.
type File struct {
	Data   string
	Reason string // why it cannot be read: "symlink-outside" or "unreadable", "" for one that can
}

// Disk is the files below a folder by their paths, slash separated, as the file system spells them. A relative link to
// a file below the folder is that file; links to folders, FIFOs and the like are nothing. Folders that cannot be listed
// are empty.
func Disk(folder string) (map[string]File, error) {
	files := map[string]File{}
	err := filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		if err != nil && name == folder {
			return err
		}
		rel, relErr := filepath.Rel(folder, name)
		if err != nil || relErr != nil {
			return nil //nolint:nilerr // nothing is known of what it holds
		}
		below := filepath.ToSlash(rel)
		switch {
		case e.Type().IsRegular():
			files[below] = read(name)
		case e.Type()&fs.ModeSymlink != 0:
			if f, counts := follow(folder, below); counts {
				files[below] = f
			}
		}
		return nil
	})
	return files, err
}

func read(name string) File {
	raw, err := os.ReadFile(name)
	if err != nil {
		return File{Reason: "unreadable"}
	}
	return File{Data: string(raw)}
}

// follow goes along a link, one element of its path after the other, and never above the folder.
func follow(folder, below string) (f File, counts bool) {
	at, left := ".", strings.Split(below, "/")
	for links := 0; len(left) > 0; {
		element := left[0]
		left = left[1:]
		switch element {
		case "", ".":
			continue
		case "..":
			if at == "." {
				return File{Reason: "symlink-outside"}, true
			}
			at = path.Dir(at)
			continue
		}
		name := filepath.Join(folder, filepath.FromSlash(path.Join(at, element)))
		info, err := os.Lstat(name)
		switch {
		case err != nil:
			return File{Reason: "unreadable"}, true
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(name)
			if links++; err != nil || links > 40 {
				return File{Reason: "unreadable"}, true
			}
			if strings.HasPrefix(target, "/") {
				return File{Reason: "symlink-outside"}, true
			}
			left = append(strings.Split(target, "/"), left...)
			continue
		case len(left) > 0 && !info.IsDir():
			return File{Reason: "unreadable"}, true
		case len(left) == 0 && info.Mode().IsRegular():
			return read(name), true
		case len(left) == 0 && !info.IsDir():
			return File{}, false
		}
		at = path.Join(at, element)
	}
	return File{}, false
}
