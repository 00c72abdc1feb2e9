package lines

import "golang.org/x/sys/unix"

const (
	getTermiosRequest         = unix.TIOCGETA
	setTermiosRequest         = unix.TIOCSETA
	setTermiosAndFlushRequest = unix.TIOCSETAF
	disabledCharacter         = 0xff // the value that disables a control character
)
