// Package audit looks for secrets in what is kept: the files of a bundle, or a folder that is about to be converted.
//
// It says where something stands and of what kind it is, never what it is.
package audit
