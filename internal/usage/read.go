package usage

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/session"
)

// Session is what one stream of a bundle tells about usage.
type Session struct {
	agent     string
	id        string // as spelled
	same      string // as it is compared
	buckets   []bucket
	rows      []row
	responses []response
	byID      map[string]int32 // response id to response
	apart     bool             // the ids of its rows are no responses
	evidence  string           // the record that its counters were taken from for want of a snapshot, "" none
	unread    bool             // its snapshot is there and could not be read
}

// response is one model response of the transcript.
type response struct {
	id    string
	day   string   // date as spelled, "" none
	tools []string // called, sorted, each once
}

// maxLine bounds a line, in bytes. No record is nearly as large.
const maxLine = 128 << 20

// Read reads the streams of a bundle, in the order of its manifest. Entries of others, by agent, stand in for those that
// the bundle holds.
func Read(ctx context.Context, b *bundle.Bundle, others map[string]*entry.Entry) ([]Session, error) {
	var list []Session
	entries := maps.Clone(others)
	if entries == nil {
		entries = map[string]*entry.Entry{}
	}
	for _, info := range b.Manifest().Streams {
		e := entries[info.Agent]
		if e == nil {
			var err error
			if e, err = session.EntryOf(b, info.Agent); err != nil {
				return nil, fmt.Errorf("stream %s: %w", info.ID, err)
			}
			entries[info.Agent] = e
		}
		r := reader{bundle: b, entry: e, session: Session{agent: info.Agent, id: info.SessionID, same: info.SessionID, byID: map[string]int32{}}}
		if e.Session.WithoutDashes {
			r.session.same = strings.ReplaceAll(info.SessionID, "-", "")
		}
		if err := r.stream(ctx, info); err != nil {
			return nil, fmt.Errorf("stream %s: %w", info.ID, err)
		}
		list = append(list, r.session)
	}
	return list, nil
}

// reader reads one stream.
type reader struct {
	bundle  *bundle.Bundle
	entry   *entry.Entry
	session Session
	nodes   []jsonscan.Node
	stated  []statedRow // what the inference records say, for want of a ledger
	counted []byte      // the last item with counters
	from    string      // its record
	state   bool        // the ledger was read
}

func (r *reader) stream(ctx context.Context, info bundle.StreamInfo) error {
	err := r.bundle.Lines(info, maxLine, func(n int, line []byte, _ bool) error {
		if n%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		d, err := jsonscan.Scan(line, r.nodes, jsonscan.Options{NonFinite: true})
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		r.nodes = d.Nodes
		if err := r.record(&d); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !r.state && r.counted != nil {
		if err := r.counters(); err != nil {
			return err
		}
	}
	r.fromRecords()
	return nil
}

func (r *reader) record(d *jsonscan.Doc) error {
	switch record.TypeOf(d.Text(d.Find(0, "type"))) {
	case record.Inference:
		r.inference(d)
	case record.ToolCall:
		r.toolCall(d)
	case record.SessionInfo:
		if d.Equal(d.Find(0, "phase"), "snapshot") {
			return r.snapshot(d)
		}
	}
	return r.evidence(d)
}

func (r *reader) inference(d *jsonscan.Doc) {
	s := &r.session
	id := d.Text(d.Find(0, "responseId"))
	if _, known := s.byID[id]; known || id == "" {
		return
	}
	s.byID[id] = int32(len(s.responses))
	day := d.Text(d.Find(0, "time"))
	if len(day) >= len("2006-01-02") && day[4] == '-' {
		day = day[:len("2006-01-02")]
	} else if len(day) >= len("20060102") {
		day = day[:len("20060102")]
	}
	s.responses = append(s.responses, response{id: id, day: day})
	r.statedIn(d, id)
}

// toolCall notes the tool of the response that a call came from.
func (r *reader) toolCall(d *jsonscan.Doc) {
	id, ok := strings.CutPrefix(d.Text(d.Find(0, "inference")), "inference:")
	name := d.Text(d.Find(0, "name"))
	at, known := r.session.byID[id]
	if !ok || !known || name == "" {
		return
	}
	p := &r.session.responses[at]
	p.tools = insert(p.tools, name)
}

// snapshot reads the ledger from the state that the last record keeps, in its _meta or in a blob.
func (r *reader) snapshot(d *jsonscan.Doc) error {
	native := d.Find(0, "native")
	switch meta, blob := d.Find(native, "meta"), d.Find(native, "blob"); {
	case meta >= 0:
		at := d.Find(d.Find(0, "_meta"), d.Text(meta))
		if r.state = at >= 0; r.state {
			r.ledger(d, at)
		}
	case d.Find(native, "record") >= 0:
		r.state = true
		r.ledger(d, d.Find(native, "record"))
	case blob >= 0:
		doc, err := r.blob(d.Text(d.Find(blob, "sha256")))
		if err != nil {
			return err
		}
		if r.state = doc != nil; r.state {
			r.ledger(doc, 0)
		}
	}
	r.session.unread = !r.state
	return nil
}

// blob is the document that a blob holds, nil when it holds none.
func (r *reader) blob(sha string) (*jsonscan.Doc, error) {
	raw, err := r.bundle.Blob(sha)
	if err != nil {
		return nil, err
	}
	d, err := jsonscan.Scan(bytes.TrimPrefix(raw, []byte("\uFEFF")), nil, jsonscan.Options{NonFinite: true})
	if err != nil {
		return nil, nil //nolint:nilerr // no document: the session says so
	}
	return &d, nil
}

// evidence keeps the last item that repeats the ledger's counters.
func (r *reader) evidence(d *jsonscan.Doc) error {
	when, native := r.entry.Usage.EvidenceWhen, d.Find(0, "native")
	if when == nil || native < 0 {
		return nil
	}
	item, at := d, d.Find(native, "record")
	if blob := d.Find(native, "blob"); blob >= 0 {
		if !d.Equal(d.Find(d.Find(0, "position"), "family"), record.Transcript) || d.Equal(d.Find(0, "type"), record.Gap.String()) {
			return nil
		}
		doc, err := r.blob(d.Text(d.Find(blob, "sha256")))
		if err != nil {
			return err
		}
		item, at = doc, 0
	}
	if item == nil || at < 0 || !when.Holds(item, at, entry.SessionFacts{}) {
		return nil
	}
	r.counted = append(r.counted[:0], item.Value(at)...)
	r.from = d.Text(d.Find(0, "id"))
	return nil
}

// counters reads the buckets of the last item that repeats them, for want of a snapshot.
func (r *reader) counters() error {
	d, err := jsonscan.Scan(r.counted, nil, jsonscan.Options{NonFinite: true})
	if err != nil {
		return err
	}
	r.session.evidence = r.from
	r.entry.Usage.EvidenceAt.Each(&d, 0, func(at int) bool {
		r.bucket(&d, at)
		return true
	})
	return nil
}

// insert adds a word to a sorted set.
func insert(set []string, word string) []string {
	at := 0
	for at < len(set) && set[at] < word {
		at++
	}
	if at < len(set) && set[at] == word {
		return set
	}
	set = append(set, "")
	copy(set[at+1:], set[at:])
	set[at] = word
	return set
}
