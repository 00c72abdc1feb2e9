package parse

import (
	"path/filepath"
	"strings"
)

// suffixes are those of documents, the longer ones first.
var suffixes = []string{".runbook.md", ".playbook.md", ".md", ".json"}

// Beside is where a file of some kind lies that belongs to a document, or to a folder
// that is one: release.scenarios.yaml for release.runbook.md.
func Beside(document, kind string) string {
	dir, base := filepath.Split(filepath.Clean(document))
	for _, suffix := range suffixes {
		if name, found := strings.CutSuffix(base, suffix); found {
			base = name
			break
		}
	}
	return dir + base + "." + kind + ".yaml"
}
