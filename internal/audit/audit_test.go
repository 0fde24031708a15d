package audit_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/audit"
	"github.com/session-trace/ctx/internal/jsonscan"
)

func detector(t testing.TB) *audit.Detector {
	t.Helper()
	d, err := audit.NewDetector()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// join puts made-up secrets together, so that no scanner takes this file for a leak.
func join(parts ...string) string { return strings.Join(parts, "") }

const mixed = "Zq7Rw2Lx9Tn4Vb6Ks1Jd8Hf3Gm5Pc0YtXe2QaB4cD6eF8gH1iJ3kL5mN7oP9qR"

// secrets has one made-up value for most rules.
func secrets() map[string]string {
	return map[string]string{
		"github-token":       join("gh", "p_", mixed[:36]),
		"github-fine-token":  join("github", "_pat_", mixed[:60]),
		"gitlab-token":       join("glp", "at-", mixed[:20]),
		"aws-access-key":     join("AK", "IA", "Q3EGRSTV7WXYZ2AB"),
		"anthropic-key":      join("sk-", "ant-", "api03-", mixed),
		"openai-key":         join("sk-", "proj-", mixed),
		"sk-key":             join("sk", "-", mixed[:32]),
		"google-api-key":     join("AI", "za", mixed[:35]),
		"slack-token":        join("xo", "xb-", "123456789-", mixed[:24]),
		"stripe-key":         join("sk_", "live_", mixed[:24]),
		"npm-token":          join("np", "m_", mixed[:36]),
		"huggingface-token":  join("h", "f_", "QaBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFg"),
		"digitalocean-token": join("dop", "_v1_", strings.Repeat("0a1b2c3d", 8)),
		"jwt":                join("ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiIxMjM0NTY3ODkwIn0.", mixed[:43]),
		"private-key":        join("-----BEGIN ", "RSA PRIVATE KEY-----\n", mixed, "\n", mixed, "\n-----END RSA ", "PRIVATE KEY-----"),
	}
}

func TestRules(t *testing.T) {
	d := detector(t)
	for rule, secret := range secrets() {
		quoted := strings.ReplaceAll(secret, "\n", `\n`)
		for name, text := range map[string]string{
			"alone":           secret,
			"in text":         "use " + secret + " here",
			"after a newline": `line\n` + quoted + `\n`,
			"in JSON in text": `{\"v\": \"` + strings.ReplaceAll(quoted, `\`, `\\`) + `\"}`,
			"base64":          base64.StdEncoding.EncodeToString([]byte("see " + secret + " ok")),
			"percent":         strings.NewReplacer("_", "%5F", "-", "%2d", " ", "%20", "\n", "%0A", "=", "%3D").Replace("x " + secret + " y"),
		} {
			hits := d.Find([]byte(text))
			if len(hits) != 1 || hits[0].Rule != rule || hits[0].Value != secret || hits[0].Masked {
				t.Errorf("%s %s: got %d hits %+v, want one with the value", rule, name, len(hits), rulesOf(hits))
			}
		}
		if hits := d.Find([]byte("x" + secret + "/")); rule != "private-key" && len(hits) > 0 && hits[0].Rule == rule {
			t.Errorf("%s: got a hit within a word, want none", rule)
		}
	}
}

func rulesOf(hits []audit.Hit) []string {
	var list []string
	for _, h := range hits {
		list = append(list, h.Rule)
	}
	return list
}

func TestText(t *testing.T) {
	for text, want := range map[string][]string{
		`password = "Tr0ub4dor&3xyz-long"`:                         nil, // & ends it: too short to tell
		`export API_KEY=` + mixed[:24]:                             {"assigned-secret"},
		`Authorization: Bearer ` + mixed[:40]:                      {"bearer-token"},
		"Authorization: Basic dXNlcjpwNHNzdzByZCE=":                {"basic-auth"},
		"postgres://app:s3cr3tpw@db.corp/x":                        {"url-password"},
		"https://" + mixed[:30] + "@git.corp/x":                    {"url-token"},
		"curl 'https://h.corp/a?token=" + mixed[:30] + "&x=1'":     {"query-token"},
		"password = os.environ['X']":                               nil,
		"token: ${{ secrets.GITHUB_TOKEN }}":                       nil,
		"api_key=your-api-key-1234567890":                          nil,
		"AKIAIOSFODNN7EXAMPLE":                                     nil,
		"prompt_tokens: 4100, completion_tokens: 90":               nil,
		"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca": nil,
		"call_0123456789abcdefABCDEF and toolu_01AbCdEfGhIjKlMnOp": nil,
		"a task-oriented sk-learn sk-something":                    nil,
		"secret=<redacted:0a1b2c3d>":                               nil,
	} {
		if d := cmp.Diff(want, rulesOf(detector(t).Find([]byte(text)))); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
	}
}

func TestMembers(t *testing.T) {
	raw := `{"api_key":"` + mixed[:20] + `","X-Api-Key":"plain-but-named","token":"**********","password":"short","tokens":"` + mixed[:20] +
		`","secret":"gAAAAABmxyz","author":"someone else","client_secret":"${SECRET_FROM_ENV}"}`
	doc, err := jsonscan.Scan([]byte(raw), nil, jsonscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	detector(t).Document(&doc, func(p *audit.Place) { got = append(got, doc.Pointer(p.Node)+" "+p.Rule) })
	want := []string{"/api_key secret-member", "/X-Api-Key secret-member", "/token masked", "/secret masked"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A folder is looked at as it stands; names that hold a secret are not shown.
func TestFolder(t *testing.T) {
	dir, token := t.TempDir(), secrets()["github-token"]
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.json", "{\n \"x\": [\"see "+token+"\"],\n \""+token+"\": 1}")
	write("b/"+token+".txt", "one\ntwo "+token+"\n")
	write("never/c.txt", token)
	write("long.txt", strings.Repeat("a line of text\n", 5<<20)+token+"\n")
	root, err := formats.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close() //nolint:errcheck // it is only read
	res, err := audit.Folder(t.Context(), root, detector(t), audit.Options{Skip: func(p string) bool { return p == "never" }})
	if err != nil {
		t.Fatal(err)
	}
	want := []audit.Finding{
		{Rule: "github-token", File: "a.json", Line: 2, Offset: 14, Length: 40, Pointer: "/x/0", JSON: true, Value: 1},
		{Rule: "github-token", File: "a.json", Line: 3, Offset: 60, Length: 40, JSON: true, Key: true, Value: 1},
		{Rule: "github-token", File: "b/<hidden>.txt", Line: 2, Offset: 8, Length: 40, Value: 1},
		{Rule: "github-token", File: "long.txt", Line: 5<<20 + 1, Offset: 15 * 5 << 20, Length: 40, Value: 1},
	}
	if d := cmp.Diff(want, res.Findings, cmpopts.IgnoreUnexported(audit.Finding{})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]audit.Skipped{{Path: "never", Reason: "not-opened"}}, res.Skipped); d != "" {
		t.Error(d)
	}
	if res.Counts["github-token"] != 4 || res.Values != 1 || res.Total() != 4 {
		t.Errorf("got counts %v and %d values, want 4 of one", res.Counts, res.Values)
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range secrets() {
		f.Add(s)
	}
	f.Add(`\u0067%2`)
	d := detector(f)
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, h := range d.Find([]byte(text)) {
			if h.Start < end || h.End <= h.Start || h.End > len(text) || h.Value == "" {
				t.Fatalf("got hit %d to %d after %d in %d bytes", h.Start, h.End, end, len(text))
			}
			end = h.End
		}
	})
}
