package parse

import (
	"bytes"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// Detect is the title of the format that a file or folder is in, as messages have it;
// ok is false where no format reads it.
func Detect(name string) (title string, ok bool) {
	l := newLoader(Options{})
	l.name = name
	l.file = l.inFolder(name)
	file, problem := readFile(l.disk, l.file, l.limit(l.file))
	if problem != nil {
		return "", false
	}
	f, _, problem := l.choose(l.file, file)
	if problem != nil || f.claim(l.file, file) < reads {
		return "", false
	}
	if f.name == string(climpt.Registry) { // which claims for both dialects
		f = byFormat(f.parse(l, file).Format)
	}
	return f.title, true
}

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

// unreadable says why a file is no text, "" if it is.
func unreadable(file []byte) string {
	switch {
	case plan.UTF16(file):
		return "it is UTF-16"
	case bytes.IndexByte(file, 0) >= 0:
		return "it holds a NUL byte: this is not a text file"
	case !utf8.Valid(file):
		return "it is not valid UTF-8"
	}
	return ""
}
