package service

import "golang.org/x/sys/unix"

// peerOf returns the process at the other end of a socket, and its user.
func peerOf(fd int) (pid, uid int, err error) {
	c, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, 0, err
	}
	return int(c.Pid), int(c.Uid), nil
}
