// Package examples holds the documents that come with Playhead: to try it, to
// demonstrate it, and as what a person may copy from. They are part of the
// program, so they can be run without a checkout.
package examples

import (
	"embed"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

//go:embed *.md *.yaml
var files embed.FS

// Names are the documents to start with, without their suffix. The others are
// included by these.
func Names() []string { return []string{"release", "triage"} }

// Write puts all examples into dir and returns the path of the one with the name,
// or an error if there is none.
func Write(dir, name string) (string, error) {
	var found string
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	entries, err := files.ReadDir(".")
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		data, err := files.ReadFile(e.Name())
		if err != nil {
			return "", err
		}
		path := filepath.Join(dir, e.Name())
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return "", err
		}
		if base, _, _ := strings.Cut(e.Name(), "."); base == name && strings.HasSuffix(path, ".md") {
			found = path
		}
	}
	if found == "" {
		return "", errors.New("there is no example of that name: there is " + strings.Join(Names(), ", "))
	}
	return found, nil
}

// Is reports whether source is, byte for byte, one of the examples.
func Is(source []byte) bool {
	entries, err := files.ReadDir(".")
	if err != nil {
		return false
	}
	for _, e := range entries {
		if data, err := files.ReadFile(e.Name()); err == nil && string(data) == string(source) {
			return true
		}
	}
	return false
}
