package machine

import "playhead/parse/plan"

// stepGraph is a document's steps as a graph. It is built once and read while the machine runs.
type stepGraph struct {
	plan    *plan.Plan
	nodes   []*node
	byID    map[string]*node
	entryID string
}

// node is a step in the graph.
type node struct {
	step          *plan.Step
	index         int
	parent        *node
	children      []*node
	laterSiblings []*plan.Step
	fixedLabel    string // set if it contains no instance numbers
}

// buildGraphs builds the graphs of a document and of all that it includes. A document that is
// included twice has one graph.
func (m *Machine) buildGraphs(p *plan.Plan) {
	if m.graphByPlan[p] != nil {
		return
	}
	graph := &stepGraph{plan: p, byID: map[string]*node{}}
	m.graphByPlan[p] = graph
	graph.addSteps(p.Steps, nil)
	graph.entryID = entryStepID(p)
	for _, c := range p.IncludedDocuments {
		if c.Plan != nil {
			m.buildGraphs(c.Plan)
		}
	}
}

func entryStepID(p *plan.Plan) string {
	for _, e := range p.Entries {
		if e.When == "" {
			return e.Step
		}
	}
	if len(p.Steps) == 0 {
		return ""
	}
	return p.Steps[0].ID
}

func (graph *stepGraph) addSteps(steps []*plan.Step, parent *node) []*node {
	level := make([]*node, 0, len(steps))
	for i, s := range steps {
		n := &node{step: s, index: len(graph.nodes), parent: parent, laterSiblings: steps[i+1:]}
		if s.Label == nil {
			n.fixedLabel = s.ID
		}
		graph.nodes = append(graph.nodes, n)
		graph.byID[s.ID] = n
		n.children = graph.addSteps(s.Children, n)
		level = append(level, n)
	}
	return level
}

// isBelow reports whether n is a descendant of g.
func (n *node) isBelow(g *node) bool {
	for p := n.parent; p != nil; p = p.parent {
		if p == g {
			return true
		}
	}
	return false
}
