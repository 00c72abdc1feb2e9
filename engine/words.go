package engine

import "unicode"

// words counts words in a text that comes in pieces.
type words struct {
	n      int
	within bool // the last piece ended in the middle of a word
}

// add counts on, and gives the number of words so far.
func (w *words) add(text string) int {
	for _, r := range text {
		before := w.within
		if w.within = !unicode.IsSpace(r); w.within && !before {
			w.n++
		}
	}
	return w.n
}
