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
	if s.deep != nil && s.deep.clocked() && f.ClockBasis == "" && !s.blind && (z.naive || z.utc || z.other) {
		s.fail(ruleClock, at, "got no clock beside times, expected its basis")
	}
	if f.ClockBasis == naiveLocal && f.ClockOffset != "" && !provable(f.ClockOffset) {
		s.fail(ruleClock, at, "got offset "+quote(f.ClockOffset)+", expected a multiple of 15 minutes from -12:00 to +14:00, since no other is tried")
	}
	if s.deep != nil && f.ClockBasis == naiveLocal && f.ClockOffset != "" && f.ClockProof == "" {
		s.fail(ruleClock, at, "got an offset on a naive clock without evidence, expected what proves it")
	}
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

// provable says whether an offset is one of those that are tried against evidence.
func provable(offset string) bool {
	if len(offset) != len("+hh:mm") {
		return false
	}
	hours, minutes := offset[1:3], offset[4:]
	switch minutes {
	case "00":
		return hours <= "14" && (offset[0] == '+' || hours <= "12")
	case "15", "30", "45":
		return hours < "14" && (offset[0] == '+' || hours < "12")
	}
	return false
}
