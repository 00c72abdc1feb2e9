// Package sanitize makes text that others wrote safe to show in a terminal.
//
// A terminal obeys what it is sent. Untrusted text could move the cursor, erase what stands
// before it, set the window's title, write the clipboard or turn the reading direction round.
// There are two ways to show such a text, and whose it is decides which.
//
// What a document, a model, a server, a file name or an error says goes through Plain or Text. A
// person agrees to it, so nothing of it may go missing: characters that do not show are written
// as escapes, \x1b[2K and \u202e (visible.go).
//
// What a program printed was meant for a terminal, so it goes through Output, OutputPlain or
// OutputText, which show what a terminal would show (output.go).
//
// Most lines come out as they went in, without an allocation.
package sanitize

// isClean says whether s is printable ASCII and the byte also alone.
func isClean(s string, also byte) bool {
	for i := range len(s) {
		if !isPrintable(s[i]) && s[i] != also {
			return false
		}
	}
	return true
}

func isPrintable(b byte) bool { return b >= ' ' && b < 0x7f }
