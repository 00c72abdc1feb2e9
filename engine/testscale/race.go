//go:build race

// Package testscale makes tests smaller where the race detector slows them down.
package testscale

// Divisor divides sizes and repetitions of tests: the race detector looks at each byte that
// is read or written. What is to be above a limit of the program is still above it.
const Divisor = 10
