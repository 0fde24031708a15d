package validator

import (
	"strings"

	"github.com/session-trace/ctx/internal/record"
)

// zones gathers the zones of a stream's times.
type zones struct {
	naive, utc, other bool
	offset            string // the only one, "" none
	mixed             bool
}

// add takes a time as spelled.
func (z *zones) add(time string) {
	switch zone := zoneOf(time); zone {
	case "":
		z.naive = true
	case "Z", "+00:00":
		z.utc = true
	default:
		z.mixed = z.mixed || z.other && z.offset != zone
		z.other, z.offset = true, zone
	}
}

// zoneOf is the zone of an ISO 8601 time, "" none, an offset with hours, colon and minutes. A date has no T, so what
// follows it is the clock.
func zoneOf(time string) string {
	at := strings.IndexByte(time, 'T')
	if at < 0 {
		return ""
	}
	n := strings.IndexAny(time[at+1:], "Z+-")
	if n < 0 {
		return ""
	}
	switch zone := time[at+1+n:]; len(zone) {
	case len("+05"):
		return zone + ":00"
	case len("+0530"):
		return zone[:3] + ":" + zone[3:]
	default:
		return zone
	}
}

// checkClock compares the stated clock with the zones of the times.
func (s *Session) checkClock(f *record.Facts, at place) {
	z := &s.zones
	if f.ClockBasis == "" || !z.naive && !z.utc && !z.other {
		return
	}
	want := "offset"
	switch {
	case z.naive:
		want = naiveLocal
	case !z.other:
		want = "utc"
	}
	if f.ClockBasis != want && !(want == "utc" && f.ClockBasis == "offset") {
		s.fail(ruleClock, at, "got clock basis "+quote(f.ClockBasis)+", expected "+want+": the times of the stream say so")
		return
	}
	if want != "offset" || f.ClockOffset == "" {
		return
	}
	if z.mixed || z.utc || z.offset != f.ClockOffset {
		s.fail(ruleClock, at, "got clock offset "+quote(f.ClockOffset)+", expected the one that all times have, else none")
	}
}
