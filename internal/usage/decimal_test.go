package usage

import "testing"

func TestDecimal(t *testing.T) {
	tests := []struct{ want, literal string }{
		{"0", "0"},
		{"0", "-0"},
		{"0", "0.000"},
		{"0", "0e999999999"},
		{"3.5330819999999994", "3.5330819999999994"},
		{"0.0000045", "4.5e-06"},
		{"0.0000045", "4.50E-6"},
		{"12300", "1.23e+4"},
		{"12300", "123e2"},
		{"1", "1.0"},
		{"0.5", "0.50"},
		{"100", "100"},
		{"-0.00108", "-0.00108"},
		{"-12", "-12.0"},
		{"9007199254740991", "9007199254740991"},
		{"", "9007199254740993"},
		{"", "1e999"},
		{"", "0.1234567890123456789"},
		{"", "NaN"},
		{"", "Infinity"},
		{"", `"1"`},
		{"", ""},
	}
	for _, tt := range tests {
		d, ok := parseDecimal([]byte(tt.literal))
		got := ""
		if ok {
			got = d.String()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.literal, got, tt.want)
		}
	}
}

func sumOf(t *testing.T, literals ...string) *decimal {
	t.Helper()
	var sum decimal
	for _, l := range literals {
		d, ok := parseDecimal([]byte(l))
		if !ok {
			t.Fatalf("%s is no decimal", l)
		}
		sum.add(&d)
	}
	return &sum
}

func TestDecimalSums(t *testing.T) {
	tests := []struct {
		want     string
		literals []string
	}{
		{"0.3", []string{"0.1", "0.2"}},
		{"3.71985224999999943", []string{"3.5330819999999994", "0.18677025000000003"}},
		{"1000000000000000000000.000001", []string{"1e21", "1e-6"}},
		{"0", []string{"1.5", "-1.5"}},
		{"-1", []string{"1", "-2"}},
	}
	for _, tt := range tests {
		if got := sumOf(t, tt.literals...).String(); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.literals, got, tt.want)
		}
	}
}

func TestNear(t *testing.T) {
	tests := []struct {
		want bool
		a, b string
	}{
		{true, "0.30000000000000004", "0.3"},
		{true, "0", "0"},
		{true, "-2", "-2.000000001"},
		{false, "0.3", "0.300001"},
		{false, "0", "1e-30"},
		{false, "1", "-1"},
	}
	for _, tt := range tests {
		if got := sumOf(t, tt.a).near(sumOf(t, tt.b)); got != tt.want {
			t.Errorf("%s near %s: got %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
