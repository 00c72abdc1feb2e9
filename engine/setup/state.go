package setup

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"playhead/engine/outfile"
	"playhead/parse/plan"
)

// StateFile is the file in which something about the document at path is kept.
func StateFile(what, path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(abs))
	name := fmt.Sprintf("%s-%x.json", plan.Slug(filepath.Base(abs)), sum[:6])
	return filepath.Join(xdg.StateHome, "playhead", what, name), nil
}

// WriteState writes a file of the state folder.
func WriteState(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return outfile.Replace(file, append(data, '\n'), 0o600)
}
