//go:build !linux

package bundle

func renameExchange(_, _ string) error { return errUnsupported }

func renameNoReplace(_, _ string) error { return errUnsupported }

func syncAll(string) error { return errUnsupported }
