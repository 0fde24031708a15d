package entry

import "testing"

func TestByKind(t *testing.T) {
	tests := []struct {
		want Verdict
		cond string
	}{
		{Always, `{}`},
		{Always, `{"kind":"A"}`},
		{Always, `{"kind":["B","A"]}`},
		{Never, `{"kind":"B"}`},
		{Never, `{"kind":["B","C"],"x":1}`},
		{Open, `{"kind":"A","x":1}`},
		{Open, `{"kind":"A","use":"isUser"}`},
		{Open, `{"kind":"A","any":[{"x":1}]}`},
		{Open, `{"kind":["A",1]}`},
		{Open, `{"kind":{"prefix":"A"}}`},
		{Open, `{"any":[{"kind":"A"}]}`},
		{Open, `{"x":1}`},
	}
	for _, tt := range tests {
		if got := compiled(t, tt.cond).ByKind("kind", "A"); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.cond, got, tt.want)
		}
	}
	if got := (*Cond)(nil).ByKind("kind", "A"); got != Always {
		t.Errorf("no condition: got %d, want %d", got, Always)
	}
}
