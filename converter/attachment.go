package converter

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

func (s *session) writeAttachments() error {
	list := slices.Clone(s.files.attachments)
	slices.SortFunc(list, func(a, b string) int { return strings.Compare(record.SpellPath(a), record.SpellPath(b)) })
	for _, below := range list {
		if err := s.attachment(below); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) attachment(below string) error {
	spelled := record.SpellPath(below)
	r := record.Record{Type: record.Attachment, ID: "file:" + spelled, Position: record.NoPosition(record.CurrentState)}
	r.Position.Path = spelled
	notePath(&r, below)
	r.Set("path", record.AppendString(nil, spelled))
	raw, err := s.readDocument(below)
	if err != nil {
		return s.lost(below, err)
	}
	sc := scan(raw, nil)
	secrets := s.namesSecretsIn(below)
	if secrets && sc.problem != "" {
		s.unreadable(below, int64(len(raw)), sc.problem)
		return nil
	}
	if sc.problem == "" {
		s.redact(entry.In(below), &sc)
		r.Native, err = s.keep(&sc)
	} else {
		sc.raw, sc.redacted = s.cutter.redactText(raw)
		r.Native, err = s.blob(sc.raw, sc.problem, sc.redacted)
	}
	if err != nil {
		return err
	}
	if secret(sc.redacted) {
		r.Lose(record.LossSecretOmitted)
	}
	if sc.problem == "" && sc.doc.Has(jsonscan.DuplicateKey) {
		s.notice(record.DuplicateKey, r.ID, sc.doc.Pointer(sc.doc.FirstDuplicate), "got a member twice in one object, the last one counts")
	}
	media := r.Native.MediaType
	if media == "" {
		media = mediaJSON
	}
	r.Set("mediaType", record.AppendString(nil, media))
	return s.put(&r)
}

// lost notes a file that cannot be read, or what stands there and is none.
func (s *session) lost(below string, cause error) error {
	if large := (*formats.TooLargeError)(nil); errors.As(cause, &large) {
		return s.overLimit(below)
	}
	at := path.Join(s.src.dir, below)
	_, kind, err := s.src.root.Stat(at)
	if err != nil {
		s.loose.add(s.spelled(path.Dir(below)), reasonUnreadable, 1, 0)
		return nil
	}
	noteFile(s.loose, &s.findings, s.src.root, s.src.from.spelled, at, formats.Name{Name: path.Base(below), Kind: kind}, reasonUnreadable)
	return nil
}

// overLimit accounts for a file over the limit of an item: it is a file of the source of which size and hash are kept.
func (s *session) overLimit(below string) error {
	folder, err := s.src.root.Folder(path.Join(s.src.dir, path.Dir(below)))
	if err != nil {
		return err
	}
	defer folder.Close() //nolint:errcheck // nothing was written
	sha, size, err := folder.Hash(path.Base(below))
	if err != nil {
		return err
	}
	s.files.files = append(s.files.files, sourceFile{record.SpellPath(below), size, sha})
	s.tooLarge(sourceFile{below, size, sha})
	return nil
}

// tooLarge notes a document over the limit of an item.
func (s *session) tooLarge(f sourceFile) {
	s.large = append(s.large, f)
	s.notice(record.StateUnreadable, s.lastID(), "", fmt.Sprintf("%s: got %d bytes, over the limit of an item, not kept", quote(record.SpellPath(f.path)), f.size))
}

// namesSecretsIn says whether the entry names secrets of an attachment.
func (s *session) namesSecretsIn(below string) bool {
	return slices.ContainsFunc(s.entry.Secrets.Omit, func(o entry.Omission) bool { return string(o.In) == below })
}
