package shell

import "golang.org/x/sys/unix"

const (
	ioctlGetTermios     = unix.TCGETS
	ioctlSetTermios     = unix.TCSETS
	disabledControlChar = 0 // turns a control character off
)
