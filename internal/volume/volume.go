//go:build !race

// Package volume says how much tests take for a lot.
package volume

// Less divides sizes and repetitions of tests: nothing is left out.
const Less = 1
