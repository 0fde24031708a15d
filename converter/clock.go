package converter

import (
	"strconv"
	"time"

	"github.com/session-trace/ctx/internal/record"
)

// Bases of a clock.
const (
	basisUTC   = "utc"
	basisZone  = "offset"
	basisNaive = "naive-local"
)

// clock is what the times of a session are measured by.
type clock struct {
	basis, offset, evidence string
}

// parseTime reads an ISO 8601 time in the extended form: date and time, optional fraction, optional zone. micros counts from 1970 as if the
// clock stood at UTC, so a zone is not applied; zone is the zone as spelled, "" none.
func parseTime(t string) (micros int64, zone string, ok bool) {
	if len(t) < 16 || t[4] != '-' || t[7] != '-' || t[10] != 'T' || t[13] != ':' {
		return 0, "", false
	}
	year, y := digits(t[0:4])
	month, mo := digits(t[5:7])
	day, d := digits(t[8:10])
	hour, h := digits(t[11:13])
	minute, mi := digits(t[14:16])
	if !y || !mo || !d || !h || !mi || month < 1 || month > 12 || hour > 23 || minute > 59 || day < 1 {
		return 0, "", false
	}
	if day > time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day() {
		return 0, "", false
	}
	rest := t[16:]
	second := 0
	fraction := int64(0)
	if len(rest) > 0 && rest[0] == ':' {
		if len(rest) < 3 {
			return 0, "", false
		}
		var good bool
		if second, good = digits(rest[1:3]); !good || second > 60 {
			return 0, "", false
		}
		rest = rest[3:]
		if fraction, rest, good = cutFraction(rest); !good {
			return 0, "", false
		}
	}
	if !isZone(rest) {
		return 0, "", false
	}
	at := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	return at.UnixMicro() + fraction, rest, true
}

func digits(s string) (n int, ok bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, len(s) > 0
}

// cutFraction cuts a fraction of a second off, in microseconds.
func cutFraction(s string) (micros int64, rest string, ok bool) {
	if s == "" || (s[0] != '.' && s[0] != ',') {
		return 0, s, true
	}
	i := 1
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		if i <= 6 {
			micros = micros*10 + int64(s[i]-'0')
		}
		i++
	}
	for n := i; n <= 6; n++ {
		micros *= 10
	}
	return micros, s[i:], i > 1
}

// isZone says whether s is no zone at all, Z, or an offset.
func isZone(s string) bool {
	if s == "" || s == "Z" {
		return true
	}
	if s[0] != '+' && s[0] != '-' {
		return false
	}
	hour, minute := s[1:], ""
	switch {
	case len(s) == 6 && s[3] == ':':
		hour, minute = s[1:3], s[4:]
	case len(s) == 5:
		hour, minute = s[1:3], s[3:]
	case len(s) != 3:
		return false
	}
	h, ok := digits(hour)
	if !ok || h > 23 {
		return false
	}
	if minute == "" {
		return true
	}
	m, ok := digits(minute)
	return ok && m <= 59
}

// zones gathers the zones of the times that a session states.
type zones struct {
	any, naive, utc bool
	offset          string
	mixed           bool
}

func (z *zones) add(zone string) {
	z.any = true
	switch zone {
	case "":
		z.naive = true
	case "Z":
		z.utc = true
	default:
		zone = wholeOffset(zone)
		z.mixed = z.mixed || (z.offset != "" && z.offset != zone)
		z.offset = zone
	}
}

// wholeOffset is an offset of a time as a clock states it, with hours, colon and minutes: ISO 8601 spells one in three ways.
func wholeOffset(zone string) string {
	switch len(zone) {
	case len("+05"):
		return zone + ":00"
	case len("+0530"):
		return zone[:3] + ":" + zone[3:]
	}
	return zone
}

// clock judges a session's clock by its times, and by the entry where there are none. An offset is stated only when
// the source proves it.
func (s *session) clock(z *zones) (clock, bool) {
	switch {
	case !z.any && s.entry.Session.Clock != basisNaive:
		return clock{basis: s.entry.Session.Clock}, s.entry.Session.Clock != ""
	case z.naive || !z.any:
		c := clock{basis: basisNaive}
		if minutes, ok := s.provenOffset(); ok {
			c.offset, c.evidence = spellOffset(minutes), "costs"
		}
		return c, true
	case z.utc && z.offset == "":
		return clock{basis: basisUTC}, true
	default:
		c := clock{basis: basisZone}
		if !z.mixed && !z.utc {
			c.offset = z.offset
		}
		return c, true
	}
}

// provenOffset is the one multiple of 15 minutes for which every cost is followed by an item within -1 to 60 seconds.
func (s *session) provenOffset() (minutes int, ok bool) {
	costs := s.ledger.costTimes
	if len(costs) == 0 {
		return 0, false
	}
	times := s.sortedTimes()
	for m := -12 * 60; m <= 14*60; m += 15 {
		if !followed(times, costs, int64(m)*60_000_000) {
			continue
		}
		if ok {
			return 0, false
		}
		minutes, ok = m, true
	}
	return minutes, ok
}

// followed says whether every cost has an item from 1 second before to 60 seconds after it, were the offset right.
func followed(times, costs []int64, offset int64) bool {
	for _, c := range costs {
		at := c + offset
		i := firstFrom(times, at-1_000_000)
		if i == len(times) || times[i] > at+60_000_000 {
			return false
		}
	}
	return true
}

func spellOffset(minutes int) string {
	sign := byte('+')
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	out := []byte{sign, byte('0' + minutes/600), byte('0' + minutes/60%10), ':', byte('0' + minutes%60/10), byte('0' + minutes%10)}
	return string(out)
}

// epochMicros reads a number of seconds since 1970.
func epochMicros(literal []byte) (int64, bool) {
	f, err := strconv.ParseFloat(string(literal), 64)
	if err != nil || f < 0 || f > 1e11 {
		return 0, false
	}
	return int64(f*1e6 + 0.5), true
}

// appendClock appends the clock as JSON.
func appendClock(dst []byte, c clock) []byte {
	dst = record.AppendString(append(dst, `{"basis":`...), c.basis)
	if c.offset != "" {
		dst = record.AppendString(record.AppendKey(dst, "offset"), c.offset)
	}
	if c.evidence != "" {
		dst = record.AppendString(record.AppendKey(dst, "evidence"), c.evidence)
	}
	return append(dst, '}')
}
