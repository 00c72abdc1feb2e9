package rundown

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// maxInclusionChain limits the length of a chain of documents of which each includes the next (spec §4).
const maxInclusionChain = 16

// FileFinder finds included documents (spec §5.7). from is the IncludedFile of the including document, nil for the
// root, and path is the text that it contains.
type FileFinder func(from *IncludedFile, path string) IncludedFile

// IncludedFile is a document that another one includes, as a FileFinder found it.
type IncludedFile struct {
	ID               string // the same for the same file, under any name
	Path             string // the name to show
	RelPath          string // relative to the root document's folder if below it, else Path
	Source           []byte
	MissingReason    string // why the file does not exist
	UnreadableReason string // why the file exists but cannot be read
}

// includeGraph is a document and all that it includes. Each file is parsed once.
type includeGraph struct {
	findFile      FileFinder
	nodeByID      map[string]*includeNode
	childrenFirst []*includeNode // children before the documents that include them, except in cycles
}

// includeNode is one document of an includeGraph.
type includeNode struct {
	file        *IncludedFile // nil for the root
	doc         *document
	plan        *plan.Plan
	inclusions  []*inclusion
	chainLength int // the length of the longest chain of children below it

	searchIndex, lowLink int // for the search for cycles; index 0: not visited
	cycleGroup           int // equal for documents in one cycle; 0: not assigned yet
}

// inclusion is a path that a document includes at one or more places.
type inclusion struct {
	writtenPath     string
	includingSteps  []*parsedStep
	listItemOffsets []int
	foundFile       IncludedFile
	child           *includeNode // nil: there is no document
}

// loadAllIncluded loads the documents that a document with this ID includes, directly or not, and reports problems
// with them. A document stays runnable if a child cannot run, except if the child leads back to the document or
// to an endless chain.
func (n *includeNode) loadAllIncluded(id string, find FileFinder) {
	g := &includeGraph{findFile: find, nodeByID: map[string]*includeNode{id: n}}
	for queue := []*includeNode{n}; len(queue) > 0; queue = queue[1:] {
		queue = append(queue, g.findInclusions(queue[0])...)
	}
	groups := 0
	var stack []*includeNode
	g.groupCycles(n, new(int), &groups, &stack)
	for _, d := range g.childrenFirst {
		d.attachChildren()
	}
}

// findInclusions finds the documents that a document includes, and returns the new ones.
func (g *includeGraph) findInclusions(n *includeNode) (added []*includeNode) {
	known := map[string]*inclusion{}
	n.doc.eachStep(func(step *parsedStep) {
		for _, item := range step.runbooks {
			inc := known[item.includedPath]
			if inc == nil {
				inc = &inclusion{writtenPath: item.includedPath, foundFile: g.findFile(n.file, item.includedPath)}
				known[item.includedPath] = inc
				n.inclusions = append(n.inclusions, inc)
			}
			inc.includingSteps, inc.listItemOffsets = append(inc.includingSteps, step), append(inc.listItemOffsets, item.offset)
		}
	})
	for _, inc := range n.inclusions {
		if inc.foundFile.MissingReason != "" || inc.foundFile.UnreadableReason != "" {
			continue
		}
		if inc.child = g.nodeByID[inc.foundFile.ID]; inc.child == nil {
			inc.child = parseDocument(inc.foundFile.Path, inc.foundFile.Source)
			inc.child.file = &inc.foundFile
			g.nodeByID[inc.foundFile.ID] = inc.child
			added = append(added, inc.child)
		}
	}
	return added
}

func parseDocument(name string, file []byte) *includeNode {
	n := &includeNode{plan: &plan.Plan{Format: Format, Path: name, Title: nameWithoutSuffix(name), Source: file}}
	n.doc = &document{reporter: newReporter(name)}
	if n.doc.readText(file) {
		n.doc.copyFrontMatter(n.plan)
		n.doc.compile(n.plan)
	}
	n.plan.Diagnostics = n.doc.Sorted()
	return n
}

// groupCycles groups documents that include each other, and lists all documents, children first, with
// Tarjan's algorithm.
func (g *includeGraph) groupCycles(n *includeNode, next, groups *int, stack *[]*includeNode) {
	*next++
	n.searchIndex, n.lowLink = *next, *next
	*stack = append(*stack, n)
	for _, inc := range n.inclusions {
		switch {
		case inc.child == nil:
		case inc.child.searchIndex == 0:
			g.groupCycles(inc.child, next, groups, stack)
			n.lowLink = min(n.lowLink, inc.child.lowLink)
		case inc.child.cycleGroup == 0:
			n.lowLink = min(n.lowLink, inc.child.searchIndex)
		}
	}
	if n.lowLink == n.searchIndex {
		*groups++
		for last := (*includeNode)(nil); last != n; {
			last = (*stack)[len(*stack)-1]
			*stack = (*stack)[:len(*stack)-1]
			last.cycleGroup = *groups
		}
	}
	g.childrenFirst = append(g.childrenFirst, n)
}

// attachChildren adds the included documents to the Plan and reports their problems. They must have their own already.
func (n *includeNode) attachChildren() {
	for _, inc := range n.inclusions {
		code, problem, suggestion := n.inclusionProblem(inc)
		child := plan.IncludedDocument{WrittenPath: inc.writtenPath, Name: nameWithoutSuffix(inc.writtenPath), File: inc.foundFile.RelPath, LoadProblem: problem}
		if code == "" {
			child.Plan = inc.child.plan
		} else {
			for i, at := range inc.listItemOffsets {
				n.doc.add(at, finding{code, fmt.Sprintf("%s: %s: %s", inc.includingSteps[i].nameForMessages(), inc.writtenPath, problem), suggestion})
			}
		}
		n.plan.IncludedDocuments = append(n.plan.IncludedDocuments, child)
	}
	n.plan.Diagnostics = n.doc.Sorted()
}

// inclusionProblem returns the finding that says why an included document cannot be run. The code is empty if it can.
// It also updates the chain length of n.
func (n *includeNode) inclusionProblem(inc *inclusion) (code, reason, suggestion string) {
	switch {
	case inc.foundFile.MissingReason != "":
		return "child-missing", inc.foundFile.MissingReason, "write the path of a file, relative to this document or to the working folder"
	case inc.foundFile.UnreadableReason != "":
		return "child-invalid", inc.foundFile.UnreadableReason, "make it a readable text file of at most 1 MiB"
	case inc.child.cycleGroup == n.cycleGroup:
		return "child-cycle", "the document includes itself: " + n.cycleText(inc.child), "remove one of these includes"
	}
	if n.chainLength = max(n.chainLength, inc.child.chainLength+1); inc.child.chainLength+1 > maxInclusionChain {
		return "child-depth", fmt.Sprintf("documents are included %d levels deep here; the limit is %d", inc.child.chainLength+1, maxInclusionChain), "use fewer levels of includes"
	}
	if !inc.child.plan.Runnable() {
		return "child-invalid", "it has errors: " + firstErrorText(inc.child.plan), "run playhead check " + inc.child.plan.Path
	}
	return "", "", ""
}

// cycleText returns a shortest chain of includes from n to a document that n includes, and back to n.
func (n *includeNode) cycleText(to *includeNode) string {
	from := map[*includeNode]*includeNode{to: nil}
	for queue := []*includeNode{to}; from[n] == nil && len(queue) > 0 && to != n; queue = queue[1:] {
		for _, inc := range queue[0].inclusions {
			if _, known := from[inc.child]; inc.child != nil && !known {
				from[inc.child] = queue[0]
				queue = append(queue, inc.child)
			}
		}
	}
	names := []string{source.NameWithoutFolder(n.plan.Path)}
	for at := from[n]; at != nil; at = from[at] {
		names = append(names, source.NameWithoutFolder(at.plan.Path))
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
