package shell

import "golang.org/x/sys/unix"

const (
	ioctlGetTermios     = unix.TIOCGETA
	ioctlSetTermios     = unix.TIOCSETA
	disabledControlChar = 0xff // turns a control character off
)
