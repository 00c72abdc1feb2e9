package parse

import (
	"bytes"
	"io/fs"
)

// pretended is a disk on which some files have other contents than they have.
type pretended struct {
	disk
	files map[string][]byte // by absolute path
}

func (d pretended) open(name string) (fs.File, error) {
	content, ok := d.files[d.abs(name)]
	f, err := d.disk.open(name)
	if !ok || err != nil {
		return f, err
	}
	return pretence{f, bytes.NewReader(content)}, nil
}

// pretence is a file with other contents.
type pretence struct {
	fs.File
	content *bytes.Reader
}

func (p pretence) Read(b []byte) (int, error) { return p.content.Read(b) }
