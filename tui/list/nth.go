package list

// Far is further than anything is long.
const Far = 1 << 30

// Nth is one of several, or nothing behind the last one.
func Nth[T any](all []T, i int) (one T) {
	if i < len(all) {
		one = all[i]
	}
	return one
}
