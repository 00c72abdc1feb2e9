package compare

import "znkr.io/diff"

// align says which visits belong together: as far as the paths are one, each with its
// like; behind that so that as many as possible have one.
func align(a, b []*Visit) []Pair {
	n := common(a, b)
	pairs := make([]Pair, 0, max(len(a), len(b)))
	for i := range n {
		pairs = append(pairs, Pair{A: a[i], B: b[i]})
	}
	a, b = a[n:], b[n:]
	for _, e := range diff.Edits(keys(a), keys(b)) {
		var p Pair
		if e.Op != diff.Insert {
			p.A = a[e.PosX]
		}
		if e.Op != diff.Delete {
			p.B = b[e.PosY]
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// common is how many visits both paths begin with.
func common(a, b []*Visit) int {
	n := 0
	for n < len(a) && n < len(b) && a[n].Key == b[n].Key {
		n++
	}
	return n
}

func keys(visits []*Visit) []string {
	out := make([]string, len(visits))
	for i, v := range visits {
		out[i] = v.Key
	}
	return out
}
