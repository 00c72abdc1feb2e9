//go:build !race

// Package testscale makes tests smaller where the race detector slows them down.
package testscale

// Divisor divides sizes and repetitions of tests: nothing is left out.
const Divisor = 1
