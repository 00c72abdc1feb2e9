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

// At returns one of several, or the zero value behind the last one.
func At[T any](all []T, i int) (one T) {
	if i < len(all) {
		one = all[i]
	}
	return one
}
