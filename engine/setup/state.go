package setup

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"

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
