package parse

import (
	"bytes"
	"io/fs"
	"maps"
)

// pretended is a disk on which some files have other contents than they have.
type pretended struct {
	disk
	files map[string][]byte // by absolute path, and by the one without links
}

// pretend takes the contents by absolute path.
func pretend(d disk, contents map[string][]byte) pretended {
	p := pretended{d, maps.Clone(contents)}
	for name, content := range contents {
		if real, err := d.real(name); err == nil {
			p.files[real] = content
		}
	}
	return p
}

func (d pretended) open(name string) (fs.File, error) {
	f, err := d.disk.open(name)
	return d.instead(f, err, name)
}

func (d pretended) openIn(dir, name string) (fs.File, error) {
	f, err := d.disk.openIn(dir, name)
	return d.instead(f, err, name)
}

func (d pretended) instead(f fs.File, err error, name string) (fs.File, error) {
	content, ok := d.files[d.abs(name)]
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
