package converter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/record"
)

func TestStreamNames(t *testing.T) {
	long := strings.Repeat("x", 130)
	type call struct{ session, path string }
	tests := []struct {
		name  string
		want  []string // a trailing * stands for -<8 hex>, a leading + for a duplicate
		calls []call
	}{
		{"without dashes", []string{"oh-ab12"}, []call{{"ab-1-2", "p"}}},
		{"duplicates in order", []string{"oh-a", "+oh-a-2", "+oh-a-3"}, []call{{"a", "p"}, {"a", "q"}, {"a", "r"}}},
		{"dashes do not tell ids apart", []string{"oh-ab", "+oh-ab-2"}, []call{{"a-b", "p"}, {"ab", "q"}}},
		{"case alone", []string{"oh-ab", "oh-AB*"}, []call{{"ab", "p"}, {"AB", "q"}}},
		{"odd characters", []string{"oh-a_b_c_.d"}, []call{{"a b:cß.d", "p"}}},
		{"a real id like a duplicate's", []string{"oh-a", "+oh-a-2", "oh-a2"}, []call{{"a", "p"}, {"a", "q"}, {"a-2", "r"}}},
		{"sessions that differ in what a name cannot hold", []string{"oh-a_b", "oh-a_b*", "+oh-a_b-2"}, []call{{"a:b", "p"}, {"a b", "q"}, {"a:b", "r"}}},
		{"longer than 120 bytes", []string{"oh-" + long[:117] + "*"}, []call{{long, "p"}}},
		{"exactly 120 bytes", []string{"oh-" + long[:117]}, []call{{long[:117], "p"}}},
		{"121 bytes", []string{"oh-" + long[:117] + "*"}, []call{{long[:118], "p"}}},
	}
	for _, tt := range tests {
		n := newNamer()
		var got []string
		for i, c := range tt.calls {
			id, duplicate := n.name("oh", c.session, c.path)
			if i < len(tt.want) && strings.HasSuffix(tt.want[i], "*") && len(id) > 9 && id[len(id)-9] == '-' {
				id = id[:len(id)-9] + "*"
			}
			if duplicate {
				id = "+" + id
			}
			got = append(got, id)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// TestStreamNamesApart gives many ids that fold onto each other: no two streams may share a name, whatever the case.
func TestStreamNamesApart(t *testing.T) {
	n := newNamer()
	have := map[string]bool{}
	for _, session := range []string{"a", "A", "a", "A", "a-2", "A-2", "a2", strings.Repeat("q", 200), strings.Repeat("Q", 200), strings.Repeat("q", 201), "ß", "é"} {
		for _, path := range []string{"p", "q", "r"} {
			id, _ := n.name("oh", session, path)
			if have[strings.ToLower(id)] {
				t.Errorf("name(%q, %q) = %q, which is taken", session, path, id)
			}
			have[strings.ToLower(id)] = true
		}
	}
}

func TestDeviceName(t *testing.T) {
	tests := []struct {
		id   string
		want bool
	}{
		{"con", true},
		{"CON", true},
		{"Nul.txt", true},
		{"aux", true},
		{"prn.a.b", true},
		{"com1", true},
		{"LPT9", true},
		{"com0", false},
		{"com10", false},
		{"lpt", false},
		{"console", false},
		{"con-1", false},
		{"xcon", false},
		{"", false},
	}
	for _, tt := range tests {
		if got := deviceName(tt.id); got != tt.want {
			t.Errorf("deviceName(%q) = %v, want %v", tt.id, got, tt.want)
		}
	}
	if id, _ := newNamer().name("com1.x", "", "p"); !strings.HasPrefix(id, "com1.x--") {
		t.Errorf("a stream named for a device: got %q, want a hash behind it", id)
	}
}

func TestSpellName(t *testing.T) {
	tests := []struct{ name, want string }{
		{"plain", "plain"},
		{"100%", "100%"},
		{"ß € 𝄞", "ß € 𝄞"},
		{"a\xffb", "a%FFb"},
		{"100%\xff", "100%25%FF"},
		{"ß\xc3", "ß%C3"},
		{"\xed\xa0\x80", "%ED%A0%80"},
		{"\uFFFD", "\uFFFD"},
		{"\uFFFD\x80", "\uFFFD%80"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := record.SpellName(tt.name); got != tt.want {
			t.Errorf("record.SpellName(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
	if got, want := record.SpellPath("100%/b\xff%/c"), "100%/b%FF%25/c"; got != want {
		t.Errorf("SpellPath = %q, want %q", got, want)
	}
}

func TestUsableID(t *testing.T) {
	tests := []struct {
		id   string
		want bool
	}{
		{"a", true},
		{"...", true},
		{".a", true},
		{"c:d", true},
		{" ", true},
		{"ß", true},
		{"", false},
		{".", false},
		{"..", false},
		{"a/b", false},
		{`a\b`, false},
		{"a\x00", false},
		{"/", false},
	}
	for _, tt := range tests {
		if got := usableID(tt.id); got != tt.want {
			t.Errorf("usableID(%q) = %v, want %v", tt.id, got, tt.want)
		}
	}
}

func TestQuote(t *testing.T) {
	if got := quote(strings.Repeat("a", 65)); got != `"`+strings.Repeat("a", 61)+`..."` {
		t.Errorf("quote of 65 bytes = %s", got)
	}
	if got := quote("a\x1b[31m\n\xff"); got != `"a\x1b[31m\n\xff"` {
		t.Errorf("quote of control characters = %s", got)
	}
}
