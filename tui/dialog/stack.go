package dialog

import "slices"

// Stack holds the open dialogs. The last one is on top, and only that one shows.
type Stack []Dialog

// Top returns the dialog on top, nil if none is open.
func (s Stack) Top() Dialog {
	if len(s) == 0 {
		return nil
	}
	return s[len(s)-1]
}

// RunBlocker returns the open dialog that must be answered before anything runs, nil if there is none.
func (s Stack) RunBlocker() Dialog {
	for _, d := range s {
		if b, is := d.(RunBlocker); is && b.BlocksRun() {
			return d
		}
	}
	return nil
}

// Contains reports whether a dialog is open, even below another one.
func (s Stack) Contains(d Dialog) bool { return slices.Contains(s, d) }

// Push puts a dialog on top, unless it is there.
func (s *Stack) Push(d Dialog) {
	if s.Top() != d {
		*s = append(*s, d)
	}
}

// PushBelow puts a dialog below all others.
func (s *Stack) PushBelow(d Dialog) { *s = append(Stack{d}, *s...) }

// Remove removes a dialog, on top or not.
func (s *Stack) Remove(d Dialog) {
	if i := slices.Index(*s, d); i >= 0 {
		*s = append((*s)[:i:i], (*s)[i+1:]...)
	}
}
