package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/laws"
)

// secretRun is a conversation with made-up secrets in every place that the shipped entry names. Files that name secrets
// keep their place and their members; all others are spoiled.
type secretRun struct {
	tokens []string
	named  map[string]bool // files in which the entry names secrets
	copies map[string]bool // files in which learnt values occur again
	dir    string
}

// token makes one more secret, which nothing else spells.
func (s *secretRun) token(m *mutator) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	b := []byte("FAKE")
	for range 20 {
		b = append(b, letters[m.IntN(len(letters))])
	}
	s.tokens = append(s.tokens, string(b))
	return string(b)
}

// plant puts secrets into the conversation that the tree holds.
func (s *secretRun) plant(m *mutator) {
	s.dir = m.conversation()
	s.named, s.copies = map[string]bool{}, map[string]bool{}
	learnt := s.snapshot(m)
	s.document(m, path.Join(s.dir, "meta.json"), `{"id":"meta","secrets":{"a":"%s"},"secret_registry":{"x":["%s"]},"agent":%s}`, s.token(m), s.token(m), s.agent(m))
	s.events(m)
	if m.IntN(2) == 0 {
		s.repeat(m, learnt)
	} else {
		s.tear(m)
	}
	s.respell(m)
}

// agent is an agent's configuration with a secret in each place that the entry names.
func (s *secretRun) agent(m *mutator) string {
	t := func() string { return s.token(m) }
	return fmt.Sprintf(`{"kind":"Agent","encrypted_mcp_config":"%s","mcp_config":{"a":{"b":{"env":{"K":"%s"},"headers":["%s"],"auth":"%s","args":["x","%s"],"url":"https://x/%s"}}},`+
		`"agent_context":{"secrets":{"n":"%s"}},"tools":[{"params":{"launch_url":"%s"}}],"acp_resume_session_id":"%s","acp_env":{"A":"%s"},`+
		`"llm":{"model":"m","api_key":"%s","aws_access_key_id":"%s","aws_secret_access_key":"%s","aws_session_token":"%s","extra_headers":{"h":"%s"},"litellm_extra_body":[["%s"]],"base_url":"https://%s@host/v1"},`+
		`"condenser":{"llm":{"api_key":{"value":"%s"}}}}`,
		t(), t(), t(), t(), t(), t(), t(), t(), t(), t(), t(), t(), t(), t(), t(), t(), t(), t())
}

// snapshot plants into the state. It returns the values that the entry says are to be cut wherever they occur again.
func (s *secretRun) snapshot(m *mutator) []string {
	p := path.Join(s.dir, "base_state.json")
	if m.tree[p].data == "" {
		m.tree.put(p, node{data: `{"id":"planted"}`})
	}
	a, b := s.token(m), s.token(m)
	s.named[p] = true
	m.edit(p, func(raw string) string {
		raw = m.add(raw, `"agent":`+s.agent(m))
		raw = m.add(raw, fmt.Sprintf(`"secret_registry":{"secret_sources":{"S":{"kind":"StaticSecret","value":"%s"}},"more":"%s"}`, a, s.token(m)))
		raw = m.add(raw, fmt.Sprintf(`"tags":{"title":"the %s of it","more":"%s"}`, a, b))
		raw = m.add(raw, fmt.Sprintf(`"stats":{"usage_to_metrics":{"b":{"accumulated_token_usage":{"prompt_tokens":1,"x":"%s"},"token_usages":[{"model":"%s","prompt_tokens":1,"response_id":"%s","secret_registry":{"a":"%s"}}]}}}`,
			a, b, m.response(), s.token(m)))
		return m.add(raw, fmt.Sprintf(`"secrets_manager":{"any":[{"where":"%s"}]}`, b))
	})
	return []string{a, b}
}

// response is the id of some response in the transcript, or one that is not there.
func (m *mutator) response() string {
	for _, p := range m.tree.files() {
		if _, rest, ok := strings.Cut(m.tree[p].data, `"llm_response_id":`); ok {
			if id := strings.SplitN(rest, `"`, 3); len(id) == 3 && id[1] != "" {
				return id[1]
			}
		}
	}
	return "nowhere"
}

func (s *secretRun) document(m *mutator, p, format string, args ...any) {
	m.tree.put(p, node{data: fmt.Sprintf(format, args...)})
	s.named[p] = true
}

// events adds items in which the entry names secrets.
func (s *secretRun) events(m *mutator) {
	for i, format := range []string{
		`{"id":"sec0","kind":"ConversationStateUpdateEvent","source":"environment","key":"agent","value":%s}`,
		`{"id":"sec1","kind":"ConversationStateUpdateEvent","source":"environment","key":"full_state","value":{"secret_registry":{"q":"` + s.token(m) + `"},"secrets_manager":{"q":"` + s.token(m) + `"},"agent":%s}}`,
		`{"id":"sec2","kind":"LLMCompletionLogEvent","source":"environment","log_data":"{\"api_key\":\"` + s.token(m) + `\",\"messages\":[{\"aws_session_token\":\"` + s.token(m) + `\"}]}","x":%s}`,
	} {
		agent := "1"
		if i < 2 {
			agent = s.agent(m)
		}
		s.document(m, fmt.Sprintf("%s/events/event-%05d-sec%d.json", s.dir, 200+i, i), format, agent)
	}
}

// repeat puts learnt values into other files, in every spelling.
func (s *secretRun) repeat(m *mutator, learnt []string) {
	for i := range 6 {
		value := one(m, learnt)
		spelled := one(m, laws.Spellings(value)[:4])
		if m.IntN(3) == 0 {
			spelled = laws.Base64(strings.Repeat("x", m.IntN(3)) + value + "yz")
		}
		text := "some words before it, so that it is no short text: " + spelled + " and some words after it"
		p := path.Join(s.dir, one(m, []string{"TASKS.json", "observations/o.txt", fmt.Sprintf("events/event-%05d-copy%d.json", 210+i, i), fmt.Sprintf("events/event-%05d-copy%d.json", 210+i, i)}))
		raw := fmt.Sprintf(`{"id":"copy%d","kind":"MessageEvent","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"%s"}]}}`, i, text)
		if strings.HasSuffix(p, ".txt") {
			raw = text
		}
		m.tree.put(p, node{data: raw})
		s.copies[p] = true
	}
}

// tear spoils the documents whose secrets then cannot be told from the rest.
func (s *secretRun) tear(m *mutator) {
	for _, name := range []string{"base_state.json", "meta.json", ".base_state.json.tmp", ".meta.json.7"} {
		p := path.Join(s.dir, name)
		s.named[p] = true
		if strings.HasPrefix(name, ".") {
			m.tree.put(p, m.tree[path.Join(s.dir, one(m, []string{"base_state.json", "meta.json"}))])
		}
		if m.IntN(2) == 0 {
			m.edit(p, m.cut)
		}
	}
}

// respell writes the files that name secrets in another way, which changes nothing of what they say.
func (s *secretRun) respell(m *mutator) {
	for _, p := range slices.Sorted(keysOf(s.named)) {
		switch m.IntN(7) {
		case 4:
			m.edit(p, m.large)
		case 0:
			m.edit(p, func(raw string) string { return "\uFEFF" + raw })
		case 1:
			m.edit(p, m.pretty)
		case 2:
			m.edit(p, m.escape)
		case 3:
			m.edit(p, func(raw string) string { return strings.ReplaceAll(m.pretty(raw), "\n", "\r\n") })
		}
	}
}

// spoil does one mutation that leaves the secrets' places alone.
func (s *secretRun) spoil(m *mutator, seed uint64, step int) {
	m.keep = func(p string) bool { return s.named[p] }
	m.from = slices.Concat(byteMutations(), codingMutations())
	if m.pick(seed, step).IntN(2) == 0 {
		m.keep = func(p string) bool { return s.named[p] || s.copies[p] }
		m.from = memberMutations()
	}
	m.spoil(seed, step)
}
