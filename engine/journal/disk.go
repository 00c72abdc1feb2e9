package journal

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// describe adds to an error of a full disk which disk that is.
func describe(path string, err error) error {
	if !errors.Is(err, unix.ENOSPC) && !errors.Is(err, unix.EDQUOT) {
		return err
	}
	var st unix.Statfs_t
	if unix.Statfs(path, &st) != nil {
		return err
	}
	block := uint64(st.Bsize)
	return fmt.Errorf("%w: make room on the disk of %s, which has %d KiB free of %d MiB",
		err, path, uint64(st.Bavail)*block>>10, uint64(st.Blocks)*block>>20)
}

// syncDir makes the names in a folder survive a power failure.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
