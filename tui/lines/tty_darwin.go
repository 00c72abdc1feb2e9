package lines

import "golang.org/x/sys/unix"

const (
	getTermios   = unix.TIOCGETA
	setTermios   = unix.TIOCSETA
	flushTermios = unix.TIOCSETAF
	disabled     = 0xff // a control character that is none
)
