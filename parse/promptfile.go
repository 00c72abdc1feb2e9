package parse

import (
	"slices"

	"playhead/parse/plan"
)

// maxPrompt is the largest file that a prompt can be taken from.
const maxPrompt = 4 << 20

// promptFile says why a file that a playbook names cannot be read, "" if it can
// (playbook.md §5): it has to be in the playbook's folder, links followed.
func (l *loader) promptFile(path string) string {
	home, err := l.disk.real(l.disk.dir(l.name))
	if err != nil {
		return "" // the playbook is nowhere yet
	}
	name := l.disk.join(l.disk.dir(l.name), path)
	if real, err := l.disk.real(name); err == nil {
		if _, ok := l.disk.below(home, real); !ok {
			return "it lies outside the playbook's folder"
		}
	}
	file, t := readFile(l.disk, name, maxPrompt)
	if t != nil {
		return t.message
	}
	if !slices.ContainsFunc(l.prompts, func(f plan.File) bool { return f.Path == name }) {
		l.prompts = append(l.prompts, plan.File{Path: name, Source: file})
	}
	return ""
}
