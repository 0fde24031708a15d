package bundle

// IsBundle says whether a folder of that path is a ctx bundle, sound or not.
func IsBundle(path string) bool { return isBundle(path) == nil }
