//go:build race

// Package volume says how much tests take for a lot.
package volume

// Less divides sizes and repetitions of tests: the race detector looks at each byte that
// is read or written. What is to be above a limit of the program is still above it.
const Less = 10
