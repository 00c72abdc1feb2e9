package lines

import "golang.org/x/sys/unix"

const (
	getTermios   = unix.TCGETS
	setTermios   = unix.TCSETS
	flushTermios = unix.TCSETSF
	disabled     = 0 // the value that disables a control character
)
