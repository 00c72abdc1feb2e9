package rundown

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// maxInclusionChain limits how many documents may include each other in a row (spec §4).
const maxInclusionChain = 16

// FileFinder finds the documents that others list (spec §5.7). from is the File of the listing
// document, nil for the root, and path is the text that it contains.
type FileFinder func(from *IncludedFile, path string) IncludedFile

// IncludedFile is a document that another one lists, as a FileFinder found it.
type IncludedFile struct {
	ID               string // the same for the same file, under any name
	Path             string // the name to show
	RelPath          string // relative to the root document's folder when below it
	Source           []byte
	MissingReason    string // why the file does not exist
	UnreadableReason string // why the file exists but cannot be read
}

// includeGraph is a document and all that it includes. Each file is parsed once.
type includeGraph struct {
	findFile      FileFinder
	nodeByID      map[string]*includeNode
	childrenFirst []*includeNode // children before the documents that list them, except in cycles
}

// includeNode is one document of a family.
type includeNode struct {
	file        *IncludedFile // nil for the root
	doc         *document
	plan        *plan.Plan
	inclusions  []*inclusion
	chainLength int // the length of the longest chain of children below it

	searchIndex, lowLink int // for the search for cycles; index 0: not visited
	cycleGroup           int // the same for members that include each other
}

// inclusion is a path that a document lists at one or more places.
type inclusion struct {
	writtenPath     string
	includingSteps  []*parsedStep
	listItemOffsets []int
	foundFile       IncludedFile
	child           *includeNode // nil: there is no document
}

// loadIncluded loads the documents that a document includes, and reports problems with them. A
// document stays runnable if a child cannot run, except if the child leads back to the document or
// to an endless chain.
func (n *includeNode) loadIncluded(id string, find FileFinder) {
	f := &includeGraph{findFile: find, nodeByID: map[string]*includeNode{id: n}}
	for queue := []*includeNode{n}; len(queue) > 0; queue = queue[1:] {
		queue = append(queue, f.findInclusions(queue[0])...)
	}
	groups := 0
	var stack []*includeNode
	f.groupCycles(n, new(int), &groups, &stack)
	for _, d := range f.childrenFirst {
		d.attachChildren()
	}
}

// findInclusions finds the documents that a document lists, and returns the new ones.
func (i *includeGraph) findInclusions(m *includeNode) (added []*includeNode) {
	known := map[string]*inclusion{}
	m.doc.eachStep(func(u *parsedStep) {
		for _, e := range u.runbooks {
			l := known[e.includedPath]
			if l == nil {
				l = &inclusion{writtenPath: e.includedPath, foundFile: i.findFile(m.file, e.includedPath)}
				known[e.includedPath] = l
				m.inclusions = append(m.inclusions, l)
			}
			l.includingSteps, l.listItemOffsets = append(l.includingSteps, u), append(l.listItemOffsets, e.offset)
		}
	})
	for _, l := range m.inclusions {
		if l.foundFile.MissingReason != "" || l.foundFile.UnreadableReason != "" {
			continue
		}
		if l.child = i.nodeByID[l.foundFile.ID]; l.child == nil {
			l.child = newIncludeNode(l.foundFile.Path, l.foundFile.Source)
			l.child.file = &l.foundFile
			i.nodeByID[l.foundFile.ID] = l.child
			added = append(added, l.child)
		}
	}
	return added
}

func newIncludeNode(name string, file []byte) *includeNode {
	m := &includeNode{plan: &plan.Plan{Format: Format, Path: name, Title: nameWithoutSuffix(name), Source: file}}
	m.doc = &document{reporter: newReporter(name)}
	if m.doc.readText(file) {
		m.doc.copyFrontMatter(m.plan)
		m.doc.compile(m.plan)
	}
	m.plan.Diagnostics = m.doc.Sorted()
	return m
}

// groupCycles groups documents that include each other, with Tarjan's algorithm.
func (i *includeGraph) groupCycles(m *includeNode, next, groups *int, stack *[]*includeNode) {
	*next++
	m.searchIndex, m.lowLink = *next, *next
	*stack = append(*stack, m)
	for _, l := range m.inclusions {
		switch {
		case l.child == nil:
		case l.child.searchIndex == 0:
			i.groupCycles(l.child, next, groups, stack)
			m.lowLink = min(m.lowLink, l.child.lowLink)
		case l.child.cycleGroup == 0:
			m.lowLink = min(m.lowLink, l.child.searchIndex)
		}
	}
	if m.lowLink == m.searchIndex {
		*groups++
		for last := (*includeNode)(nil); last != m; {
			last = (*stack)[len(*stack)-1]
			*stack = (*stack)[:len(*stack)-1]
			last.cycleGroup = *groups
		}
	}
	i.childrenFirst = append(i.childrenFirst, m)
}

// attachChildren gives a document its children, which must be complete.
func (n *includeNode) attachChildren() {
	for _, l := range n.inclusions {
		child := plan.IncludedDocument{WrittenPath: l.writtenPath, Name: nameWithoutSuffix(l.writtenPath), File: l.foundFile.RelPath}
		code, suggestion := "", ""
		code, child.LoadProblem, suggestion = n.inclusionProblem(l)
		if code == "" {
			child.Plan = l.child.plan
		}
		for i, at := range l.listItemOffsets {
			if code != "" {
				n.doc.add(at, finding{code, fmt.Sprintf("%s: %s: %s", l.includingSteps[i].nameForMessages(), l.writtenPath, child.LoadProblem), suggestion})
			}
		}
		n.plan.IncludedDocuments = append(n.plan.IncludedDocuments, child)
	}
	n.plan.Diagnostics = n.doc.Sorted()
}

// inclusionProblem returns why a listed document cannot be run.
func (n *includeNode) inclusionProblem(l *inclusion) (code, reason, suggestion string) {
	switch {
	case l.foundFile.MissingReason != "":
		return "child-missing", l.foundFile.MissingReason, "write the path of a file, relative to this document or to the working folder"
	case l.foundFile.UnreadableReason != "":
		return "child-invalid", l.foundFile.UnreadableReason, "make it a readable text file of at most 1 MiB"
	case l.child.cycleGroup == n.cycleGroup:
		return "child-cycle", "the document includes itself: " + n.cycleText(l.child), "remove one of these includes"
	}
	if n.chainLength = max(n.chainLength, l.child.chainLength+1); l.child.chainLength+1 > maxInclusionChain {
		return "child-depth", fmt.Sprintf("documents are included %d levels deep here; the limit is %d", l.child.chainLength+1, maxInclusionChain), "include fewer levels"
	}
	if !l.child.plan.Runnable() {
		return "child-invalid", "it has errors: " + firstErrorText(l.child.plan), "run playhead check " + l.child.plan.Path
	}
	return "", "", ""
}

// cycleText returns a shortest chain of documents from m through to, which m lists, back to m.
func (n *includeNode) cycleText(to *includeNode) string {
	from := map[*includeNode]*includeNode{to: nil}
	for queue := []*includeNode{to}; from[n] == nil && len(queue) > 0 && to != n; queue = queue[1:] {
		for _, l := range queue[0].inclusions {
			if _, known := from[l.child]; l.child != nil && !known {
				from[l.child] = queue[0]
				queue = append(queue, l.child)
			}
		}
	}
	names := []string{nameWithoutFolder(n.plan.Path)}
	for at := from[n]; at != nil; at = from[at] {
		names = append(names, nameWithoutFolder(at.plan.Path))
	}
	slices.Reverse(names[1:])
	return strings.Join(append(names, names[0]), " → ")
}

func firstErrorText(p *plan.Plan) string {
	for _, d := range p.Diagnostics {
		if d.Severity == plan.Error {
			return fmt.Sprintf("line %d: %s [%s]", d.Line, d.Message, d.Code)
		}
	}
	return ""
}
