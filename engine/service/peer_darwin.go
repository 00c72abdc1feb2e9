package service

import "golang.org/x/sys/unix"

// peerOf returns the process at the other end of a socket, and its user.
func peerOf(fd int) (pid, uid int, err error) {
	c, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, 0, err
	}
	pid, err = unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	return pid, int(c.Uid), err
}
