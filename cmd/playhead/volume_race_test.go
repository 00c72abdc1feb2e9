//go:build race

package main

// less divides how much of what is a lot is tested: the race detector looks at each byte.
// All that is counted in bytes has its limits below what is left.
const less = 10
