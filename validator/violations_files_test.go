package validator_test

import (
	"strings"
)

// fileViolations break the files of a bundle, and the bytes of its lines.
func fileViolations() []violation {
	return []violation{
		{"stray-file", "basic", extra("notes.txt", "x")},
		{"stray-file", "basic", extra("streams/other.jsonl", "{}\n")},
		{"stray-file", "basic", extra("blobs/"+strings.Repeat("0", 64), "x")},
		{"stray-file", "basic", extra("blobs/sub/x", "x")},
		{"report", "basic", gone("report.json")},
		{"report", "basic", extra("report.json", "{")},
		{"report", "basic", extra("report.json", "[]")},
		{"report", "basic", extra("report.json", "\xef\xbb\xbf{}")},
		{"manifest", "basic", gone("streams/openhands-89e41ab295d24d8185f50c1906bc727c.jsonl")},
		{"json", "basic", sub("message", `{"type"`, "\xef\xbb\xbf"+`{"type"`)},
		{"json", "basic", lines("bom", func(l []string) []string { l[0] = "\xef\xbb\xbf" + l[0]; return l })},
		{"json", "basic", lines("cr", func(l []string) []string { l[2] += "\r"; return l })},
		{"json", "basic", lines("blank", func(l []string) []string { l[2] += "\n"; return l })},
		{"json", "basic", lines("blank at the end", func(l []string) []string { return append(l, "") })},
		{"json", "basic", lines("spaces", func(l []string) []string { return append(l[:2:2], append([]string{"  "}, l[2:]...)...) })},
		{"json", "basic", lines("array", func(l []string) []string { l[2] = "[" + l[2] + "]"; return l })},
		{"json", "basic", lines("two on a line", func(l []string) []string { l[2] += l[3]; return append(l[:3:3], l[4:]...) })},
		{"json", "basic", lines("trailing comma", func(l []string) []string { l[2] = strings.TrimSuffix(l[2], "}") + ",}"; return l })},
		{"json", "basic", lines("cut", func(l []string) []string { l[2] = l[2][:len(l[2])-3]; return l })},
		{"json", "basic", lines("comment", func(l []string) []string { l[2] = "// " + l[2]; return l })},
		{"json", "basic", lines("not utf-8", func(l []string) []string { l[2] = strings.Replace(l[2], `"role"`, "\"r\xffle\"", 1); return l })},
		{"json", "basic", edit{"no line feed", func(b *broken) { b.end[0] = "" }}},
		{"json", "basic", sub("message", `"role":"user"`, `"role":"user","role":"user"`)},
		{"json", "basic", sub("message", `"origin":"user"`, `"origin":"user","or\u0069gin":"user"`)},
		{"json", "basic", sub("message", `"role":"user"`, `"role":NaN`)},
		{"json", "basic", sub("message:1", `"text":"`, `"text":"\ud800`)},
		{"native-inline", "basic", sub("message", `"llm_message":{`, `"llm_message":{"role":"user",`)},
		{"native-inline", "basic", sub("tool_result", `"observation":{`, `"observation":{"x":"\udc00",`)},
		{"native-inline", "basic", sub("message", `"llm_message":{`, `"x":`+strings.Repeat("[", 1000)+strings.Repeat("]", 1000)+`,"llm_message":{`)},
		{"native-inline", "basic", sub("message", `"llm_message":{`, `"x":"`+strings.Repeat("a", 1<<20)+`","llm_message":{`)},
	}
}
