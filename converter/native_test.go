package converter

import (
	"strings"
	"testing"
)

// nested is an object of a depth.
func nested(depth int) string {
	return `{"a":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + `}`
}

// sized is an object of a number of bytes.
func sized(n int) string { return `{"a":"` + strings.Repeat("x", n-len(`{"a":""}`)) + `"}` }

func TestInlineReason(t *testing.T) {
	const bom = "\uFEFF"
	tests := []struct{ name, want, raw string }{
		{"plain", "", `{"a": 1}`},
		{"empty object", "", `{}`},
		{"escapes stay", "", `{"\u0061":"\ud83d\ude00\u0000"}`},
		{"spaces and tabs inside", "", "{ \"a\":\t1 }"},
		{"safe numbers", "", `{"a":[9007199254740991,-9007199254740991,0.1,1e22,-0]}`},
		{"one MiB", "", sized(1 << 20)},
		{"a byte more", "size", sized(1<<20 + 1)},
		{"depth 1000", "", nested(1000)},
		{"depth 1001", "depth", nested(1001)},
		{"depth 10000", "depth", nested(10000)},
		{"depth 10001", "!invalid-json", nested(10001)},
		{"line feed", "whitespace", "{\"a\":1}\n"},
		{"carriage return", "whitespace", "{\"a\":\r1}"},
		{"space before", "whitespace", ` {}`},
		{"space behind", "whitespace", `{} `},
		{"byte order mark", "whitespace", bom + `{}`},
		{"duplicate", "duplicate-key", `{"a":1,"a":1}`},
		{"duplicate by escape, nested", "duplicate-key", `{"x":[{"a":1,"\u0061":1}]}`},
		{"surrogate", "surrogate", `{"a":"\ud83d"}`},
		{"surrogate in a name", "surrogate", `{"\ude00":1}`},
		{"not a number", "non-finite", `{"a":NaN}`},
		{"infinity", "non-finite", `{"a":[-Infinity]}`},
		{"large integer", "unsafe-number", `{"a":9007199254740992}`},
		{"long fraction", "unsafe-number", `{"a":0.1000000000000000055511151231257827}`},
		{"huge exponent", "unsafe-number", `{"a":1e999}`},
		{"size before depth", "size", `{"a":"` + strings.Repeat("x", 1<<20) + `","b":` + nested(1001) + `}`},
		{"depth before white space", "depth", nested(1001) + "\n"},
		{"white space before duplicate", "whitespace", "{\"a\":1,\"a\":1}\n"},
		{"duplicate before surrogate", "duplicate-key", `{"a":"\ud83d","a":1}`},
		{"surrogate before non-finite", "surrogate", `{"a":NaN,"b":"\ud83d"}`},
		{"non-finite before unsafe", "non-finite", `{"a":1e999,"b":NaN}`},
		{"nothing", "!empty", ""},
		{"only white space", "!invalid-json", " \n"},
		{"only a byte order mark", "!invalid-json", bom},
		{"two byte order marks", "!invalid-json", bom + bom + `{}`},
		{"array", "!invalid-json", `[]`},
		{"text", "!invalid-json", `"a"`},
		{"null", "!invalid-json", `null`},
		{"bytes behind", "!invalid-json", `{}{}`},
		{"torn", "!invalid-json", `{"a":`},
		{"NUL bytes", "!invalid-json", "\x00\x00\x00"},
		{"NUL behind", "!invalid-json", "{}\x00"},
		{"raw control character", "!invalid-json", "{\"a\":\"\x01\"}"},
		{"not UTF-8 in a text", "!not-utf8", "{\"a\":\"\xff\"}"},
		{"not UTF-8 in a name", "!not-utf8", "{\"\xc3\":1}"},
		{"not UTF-8 and torn", "!not-utf8", "{\"a\":\"\xff"},
		{"torn, then not UTF-8", "!not-utf8", "{x\xff"},
		{"surrogate in UTF-8", "!not-utf8", "{\"a\":\"\xed\xa0\x80\"}"},
		{"UTF-16", "!not-utf8", "\xff\xfe{\x00}\x00"},
	}
	for _, tt := range tests {
		sc := scan([]byte(tt.raw), nil)
		got := "!" + sc.problem
		if sc.problem == "" {
			got = sc.inlineReason()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestMediaType(t *testing.T) {
	tests := []struct{ want, raw string }{
		{"image/png", "\x89PNG\r\n\x1a\n...."},
		{"image/jpeg", "\xff\xd8\xff\xe0"},
		{"image/gif", "GIF89a..."},
		{"image/webp", "RIFF\x00\x00\x00\x00WEBPVP"},
		{"application/octet-stream", "plain text\n"},
		{"application/octet-stream", "<html></html>"},
		{"application/octet-stream", ""},
		{"application/json", `[1]`},
		{"application/json", ` "a" `},
	}
	for _, tt := range tests {
		if got := mediaType([]byte(tt.raw), parses([]byte(tt.raw))); got != tt.want {
			t.Errorf("mediaType(%q) = %q, want %q", tt.raw, got, tt.want)
		}
	}
}

func TestZeroNumber(t *testing.T) {
	for literal, want := range map[string]bool{
		"0": true, "-0": true, "0.0": true, "0.000": true, "0e5": true, "-0.0E-3": true, "0.00e10": true,
		"1": false, "-1": false, "0.1": false, "0.0001": false, "1e-400": false, "10": false, "0.0e1": true,
	} {
		if got := zeroNumber([]byte(literal)); got != want {
			t.Errorf("zeroNumber(%s) = %v, want %v", literal, got, want)
		}
	}
}
