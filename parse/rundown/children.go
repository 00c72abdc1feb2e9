package rundown

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// maxChain limits how many documents may include each other in a row (spec §4).
const maxChain = 16

// FileFinder finds the documents that others list (spec §5.7). from is the File of the listing
// document, nil for the root, and path is the text that it contains.
type FileFinder func(from *File, path string) File

// File is a document that another one lists, as a FileFinder found it.
type File struct {
	ID         string // the same for the same file, under any name
	Path       string // the name to show
	RelPath    string // relative to the root document's folder when below it
	Source     []byte
	Missing    string // why the file does not exist
	Unreadable string // why the file exists but cannot be read
}

// family is a document and all that it includes. Each file is parsed once.
type family struct {
	find    FileFinder
	members map[string]*member
	order   []*member // children before the documents that list them, except in cycles
}

// member is one document of a family.
type member struct {
	file   *File // nil for the root
	doc    *document
	plan   *plan.Plan
	below  []*inclusion
	height int // the length of the longest chain of children below it

	index, low int // for the search for cycles; index 0: not visited
	group      int // the same for members that include each other
}

// inclusion is a path that a document lists at one or more places.
type inclusion struct {
	path     string
	sections []*section
	offsets  []int
	file     File
	child    *member // nil: there is no document
}

// loadFamily loads the documents that a document includes, and reports problems with them. A
// document stays runnable if a child cannot run, except if the child leads back to the document or
// to an endless chain.
func (m *member) loadFamily(id string, find FileFinder) {
	f := &family{find: find, members: map[string]*member{id: m}}
	for queue := []*member{m}; len(queue) > 0; queue = queue[1:] {
		queue = append(queue, f.list(queue[0])...)
	}
	groups := 0
	var stack []*member
	f.connect(m, new(int), &groups, &stack)
	for _, d := range f.order {
		d.attach()
	}
}

// list finds the documents that a document lists, and returns the new ones.
func (f *family) list(m *member) (added []*member) {
	known := map[string]*inclusion{}
	m.doc.each(func(u *section) {
		for _, e := range u.docs {
			l := known[e.doc]
			if l == nil {
				l = &inclusion{path: e.doc, file: f.find(m.file, e.doc)}
				known[e.doc] = l
				m.below = append(m.below, l)
			}
			l.sections, l.offsets = append(l.sections, u), append(l.offsets, e.at)
		}
	})
	for _, l := range m.below {
		if l.file.Missing != "" || l.file.Unreadable != "" {
			continue
		}
		if l.child = f.members[l.file.ID]; l.child == nil {
			l.child = newMember(l.file.Path, l.file.Source)
			l.child.file = &l.file
			f.members[l.file.ID] = l.child
			added = append(added, l.child)
		}
	}
	return added
}

func newMember(name string, file []byte) *member {
	m := &member{plan: &plan.Plan{Format: Format, Path: name, Title: baseName(name), Source: file}}
	m.doc = &document{reporter: newReporter(name)}
	if m.doc.read(file) {
		m.doc.describe(m.plan)
		m.doc.compile(m.plan)
	}
	m.plan.Diagnostics = m.doc.Sorted()
	return m
}

// connect groups documents that include each other, with Tarjan's algorithm.
func (f *family) connect(m *member, next, groups *int, stack *[]*member) {
	*next++
	m.index, m.low = *next, *next
	*stack = append(*stack, m)
	for _, l := range m.below {
		switch {
		case l.child == nil:
		case l.child.index == 0:
			f.connect(l.child, next, groups, stack)
			m.low = min(m.low, l.child.low)
		case l.child.group == 0:
			m.low = min(m.low, l.child.index)
		}
	}
	if m.low == m.index {
		*groups++
		for last := (*member)(nil); last != m; {
			last = (*stack)[len(*stack)-1]
			*stack = (*stack)[:len(*stack)-1]
			last.group = *groups
		}
	}
	f.order = append(f.order, m)
}

// attach gives a document its children, which must be complete.
func (m *member) attach() {
	for _, l := range m.below {
		child := plan.Child{Path: l.path, Name: baseName(l.path), File: l.file.RelPath}
		code, suggestion := "", ""
		code, child.Reason, suggestion = m.inclusionProblem(l)
		if code == "" {
			child.Plan = l.child.plan
		}
		for i, at := range l.offsets {
			if code != "" {
				m.doc.add(at, finding{code, fmt.Sprintf("%s: %s: %s", l.sections[i].name(), l.path, child.Reason), suggestion})
			}
		}
		m.plan.Children = append(m.plan.Children, child)
	}
	m.plan.Diagnostics = m.doc.Sorted()
}

// inclusionProblem returns why a listed document cannot be run.
func (m *member) inclusionProblem(l *inclusion) (code, reason, suggestion string) {
	switch {
	case l.file.Missing != "":
		return "child-missing", l.file.Missing, "write its path relative to this document, or to the folder playhead is started in"
	case l.file.Unreadable != "":
		return "child-invalid", l.file.Unreadable, "make it a readable text file"
	case l.child.group == m.group:
		return "child-cycle", "the document includes itself: " + m.cycle(l.child), "remove one of them"
	}
	if m.height = max(m.height, l.child.height+1); l.child.height+1 > maxChain {
		return "child-depth", fmt.Sprintf("a chain of %d children begins here; at most %d are allowed", l.child.height+1, maxChain), "include fewer documents in a row"
	}
	if !l.child.plan.Runnable() {
		return "child-invalid", "it has errors: " + firstError(l.child.plan), "run playhead check " + l.child.plan.Path
	}
	return "", "", ""
}

// cycle describes a shortest way from m through a document that it lists back to m.
func (m *member) cycle(to *member) string {
	from := map[*member]*member{to: nil}
	for queue := []*member{to}; from[m] == nil && len(queue) > 0 && to != m; queue = queue[1:] {
		for _, l := range queue[0].below {
			if _, known := from[l.child]; l.child != nil && !known {
				from[l.child] = queue[0]
				queue = append(queue, l.child)
			}
		}
	}
	names := []string{baseOf(m.plan.Path)}
	for at := from[m]; at != nil; at = from[at] {
		names = append(names, baseOf(at.plan.Path))
	}
	slices.Reverse(names[1:])
	return strings.Join(append(names, names[0]), " → ")
}

func firstError(p *plan.Plan) string {
	for _, d := range p.Diagnostics {
		if d.Severity == plan.Error {
			return fmt.Sprintf("line %d: %s [%s]", d.Line, d.Message, d.Code)
		}
	}
	return ""
}
