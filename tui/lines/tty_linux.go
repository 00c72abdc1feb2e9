package lines

import "golang.org/x/sys/unix"

const (
	getTermiosRequest         = unix.TCGETS
	setTermiosRequest         = unix.TCSETS
	setTermiosAndFlushRequest = unix.TCSETSF
	disabledCharacter         = 0 // the value that disables a control character
)
