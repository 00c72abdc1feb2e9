//go:build race

// Package volume says how much tests take for a lot.
package volume

// Less divides sizes and repetitions of tests: the race detector looks at each byte that
// is read or written, and a tenth is still above every limit of the program.
const Less = 10
