package registry

import (
	"io/fs"
	"path"
	"strings"
)

// disk is a file system as an agent's files are read from it.
type disk struct{ fs.FS }

func (d disk) Read(name string, _ int64) ([]byte, error)      { return fs.ReadFile(d.FS, name) }
func (d disk) ReadIn(_, name string, _ int64) ([]byte, error) { return d.Read(name, 0) }
func (d disk) Abs(name string) string                         { return path.Clean(name) }
func (d disk) Join(dir, name string) string                   { return path.Join(dir, name) }
func (d disk) Dir(name string) string                         { return path.Dir(name) }
func (d disk) Below(dir, name string) bool {
	return dir == "." || dir == name || strings.HasPrefix(name, dir+"/")
}

func (d disk) Real(name string) (string, error) {
	_, err := fs.Stat(d.FS, path.Clean(name))
	return path.Clean(name), err
}
