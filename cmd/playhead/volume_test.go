//go:build !race

package main

// less divides how much of what is a lot is tested.
const less = 1
