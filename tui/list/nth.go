package list

import "playhead/engine/track"

// Far is further than anything is long.
const Far = 1 << 30

// Place says which of n is chosen: not all need be in sight. Of none it says nothing.
func Place(at, n int) string {
	if n == 0 {
		return ""
	}
	return track.Thousands(at+1) + " of " + track.Thousands(n)
}

// Nth is one of several, or nothing behind the last one.
func Nth[T any](all []T, i int) (one T) {
	if i < len(all) {
		one = all[i]
	}
	return one
}
