// Package archive opens what a bundle or a stream came packed in, and unpacks no more of it than is sound.
package archive
