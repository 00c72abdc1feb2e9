package service

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"playhead/engine/journal"
	"playhead/engine/outfile"
	"playhead/parse/infile"
)

// socketFileName is a file in a run's folder. It contains the path of the socket on which the run is
// served.
const socketFileName = "socket"

// maxSocketPathBytes is the length in bytes of a socket's path that all systems allow.
const maxSocketPathBytes = 103

// socketDir returns the folder of sockets, which only this user can read. It creates the folder if necessary.
func socketDir() (string, error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("playhead-%d", os.Getuid()))
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(runtime) {
		dir = filepath.Join(runtime, "playhead")
	}
	if len(dir)+len("/01234567.sock") > maxSocketPathBytes {
		dir = fmt.Sprintf("/tmp/playhead-%d", os.Getuid())
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	owner, known := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !known || int(owner.Uid) != os.Getuid() {
		return "", fmt.Errorf("%s must be a folder that belongs to you and that nobody else can access (mode 0700): remove it, or set XDG_RUNTIME_DIR", dir)
	}
	return dir, nil
}

// listen opens a socket for the run. It replaces a socket that a killed process has left.
func listen(run journal.Folder) (*net.UnixListener, error) {
	dir, err := socketDir()
	if err != nil {
		return nil, err
	}
	if old, err := readSocketPath(run); err == nil && filepath.Dir(old) == dir {
		_ = os.Remove(old) // the process that holds the run's lock has no other socket for it
	}
	name := make([]byte, 4)
	_, _ = rand.Read(name) // never fails
	path := filepath.Join(dir, hex.EncodeToString(name)+".sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.Chmod(path, 0o600), outfile.ReplaceFile(socketFilePath(run), []byte(path+"\n"), 0o600)); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// socketFilePath returns the path of the file that contains the path of a run's socket.
func socketFilePath(run journal.Folder) string { return filepath.Join(run.Dir(), socketFileName) }

// readSocketPath returns the path of a run's socket.
func readSocketPath(run journal.Folder) (string, error) {
	data, err := infile.ReadIn(run.Dir(), socketFileName, infile.MaxStateFileSize)
	return strings.TrimSpace(string(data)), err
}
