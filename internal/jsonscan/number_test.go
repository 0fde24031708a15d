package jsonscan

import "testing"

func TestSafeNumber(t *testing.T) {
	tests := []struct {
		literal string
		want    bool
	}{
		{"0", true},
		{"-0", true},
		{"9007199254740991", true},
		{"-9007199254740991", true},
		{"9007199254740992", false},
		{"-9007199254740992", false},
		{"9007199254740993", false},
		{"9999999999999999", false},
		{"100000000000000000000", false},
		{"18446744073709551617", false},

		{"1.0", true},
		{"8.0", true},
		{"-0.0", true},
		{"1e20", true},
		{"1E+20", true},
		{"9007199254740992.0", true},
		{"9007199254740993.0", false},
		{"0e400", true},
		{"0.000e-99999999999999999999", true},
		{"1e400", false},
		{"1e-400", false},
		{"-1e400", false},
		{"1e99999999999999999999999", false},
		{"1e-99999999999999999999999", false},
		{"0.1", true},
		{"0.1000000000000000055511151231257827", false},
		{"0.10000000000000000", true},
		{"0.10000000000000001", false},
		{"0.10000000000000002", true},
		{"1758812345.1234567", true},
		{"1758812345.12345678", false},
		{"0.30000000000000004", true},
		{"0.30000000000000003", false},
		{"123456789012345678e0", false},
		{"123456789012345680e0", true},
		{"1234567890123456800000e-2", false},
		{"100000000000000000000000000000000000e-20", true},
		{"1.7976931348623157e308", true},
		{"1.7976931348623158e308", false},
		{"1.7976931348623159e308", false},
		{"1e308", true},
		{"1e309", false},
		{"2.2250738585072014e-308", true},
		{"5e-324", true},
		{"4.9e-324", false},
		{"4.9406564584124654e-324", false},
		{"1e-323", true},
		{"1.5e-323", true},
		{"1.4e-323", false},
		{"2e-324", false},
		{"3e-324", false},
		{"1e23", true},
		{"9.999999999999999e22", false}, // the same double as 1e23
		{"9.999999999999999161e22", false},

		{"", false},
		{"-", false},
		{"01", false},
		{"1.", false},
		{"1 ", false},
		{"NaN", false},
		{"-Infinity", false},
		{"1x", false},
	}
	for _, tt := range tests {
		if got := SafeNumber([]byte(tt.literal)); got != tt.want {
			t.Errorf("SafeNumber(%s) = %v, want %v", tt.literal, got, tt.want)
		}
	}
}
