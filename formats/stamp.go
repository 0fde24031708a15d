package formats

import "path"

// Stamp is what the file system tells of a file without reading it.
type Stamp struct {
	Size    int64
	ModTime int64  // nanoseconds since 1970
	Inode   uint64 // 0 where the system has none
}

// Stamp looks at a file of the folder, following a link to one below the root.
func (f *Folder) Stamp(name string) (Stamp, error) {
	if !plainName(name) {
		return Stamp{}, f.fault(name, errName)
	}
	st, plain, err := f.dir.stamp(name)
	if err != nil {
		return Stamp{}, f.fault(name, err)
	}
	if plain {
		return st, nil
	}
	return f.root.Stamp(path.Join(f.path, name))
}

// Stamp looks at a file, following a link to one below the root.
func (r *Root) Stamp(path string) (Stamp, error) {
	info, err := r.root.Stat(path)
	if err != nil {
		return Stamp{}, pathError(path, cause(err))
	}
	if !info.Mode().IsRegular() {
		return Stamp{}, pathError(path, ErrOdd)
	}
	return Stamp{info.Size(), info.ModTime().UnixNano(), inode(info)}, nil
}

// FolderTime is when the names in a folder last changed, in nanoseconds since 1970.
func (r *Root) FolderTime(folder string) (int64, error) {
	info, err := r.root.Lstat(folder)
	if err != nil {
		return 0, pathError(folder, cause(err))
	}
	return info.ModTime().UnixNano(), nil
}
