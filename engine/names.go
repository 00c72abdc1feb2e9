package engine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// Names are the ids of the steps of a document and of all that it includes, and their variables.
type Names struct {
	IDs       []string
	Plans     []*plan.Plan // the document, and each that it includes
	Variables []string     // that can come to have a value
	instances []*regexp.Regexp
}

// NamesOf are those of a document, and the variables that a run of it has besides.
func NamesOf(p *plan.Plan, variables ...string) *Names {
	n := &Names{}
	n.add(p)
	n.addVariables(variables)
	return n
}

var instanceNumber = regexp.MustCompile(`\\\{\w+\\\}`) // {N} and {n}, quoted

func (n *Names) add(p *plan.Plan) {
	n.Plans = append(n.Plans, p)
	n.addVariables(p.Variables())
	for _, id := range p.IDs() {
		n.IDs = append(n.IDs, id)
		if quoted := regexp.QuoteMeta(id); instanceNumber.MatchString(quoted) {
			n.instances = append(n.instances, regexp.MustCompile("^"+instanceNumber.ReplaceAllString(quoted, "[0-9]+")+"$"))
		}
	}
	for _, c := range p.Children {
		if c.Plan != nil && !slices.Contains(n.Plans, c.Plan) {
			n.add(c.Plan)
		}
	}
}

func (n *Names) addVariables(variables []string) {
	for _, name := range variables {
		if !slices.Contains(n.Variables, name) {
			n.Variables = append(n.Variables, name)
		}
	}
}

// HasStep reports whether a step can have this label. The included document (the part before
// the last slash) is ignored.
func (n *Names) HasStep(label string) bool {
	id := label[strings.LastIndex(label, "/")+1:]
	return slices.Contains(n.IDs, id) || slices.ContainsFunc(n.instances, func(r *regexp.Regexp) bool { return r.MatchString(id) })
}

// Check returns an error for a breakpoint whose step or variable does not exist. Its text
// follows "there is", and suggests a similar name.
func (n *Names) Check(b Breakpoint) error {
	switch {
	case !n.HasStep(b.Step):
		return fmt.Errorf("no step %q: %s", b.Step, near.Hint(b.Step, n.IDs))
	case b.To != "" && b.To != machine.ToEnd && !n.HasStep(b.To):
		return fmt.Errorf("no step %q to go to: %s (end is its end)", b.To, near.Hint(b.To, n.IDs))
	case b.If != nil && !slices.Contains(n.Variables, b.If.Path[0]):
		return fmt.Errorf("no variable %q: %s", b.If.Path[0], near.Hint(b.If.Path[0], n.Variables))
	}
	return nil
}
