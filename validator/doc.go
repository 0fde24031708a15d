// Package validator checks a bundle against the rule catalogue in one streaming pass and trusts nothing the converter says.
package validator
