package lines

import "golang.org/x/sys/unix"

const (
	getTermios   = unix.TIOCGETA
	setTermios   = unix.TIOCSETA
	flushTermios = unix.TIOCSETAF
	disabled     = 0xff // the value that disables a control character
)
