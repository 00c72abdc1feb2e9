package routes

import (
	"strings"

	"playhead/parse/plan"
)

// destination returns the node that a move of s leads to. It is UnknownTarget if only a run knows the
// target: a step that its data names, or a step of its caller.
func (b *graphBuilder) destination(s *plan.Step, m *plan.Move) int {
	switch m.Verb {
	case plan.Continue:
		return b.nextNode(s)
	case plan.LeaveGroup:
		return b.nodeAfterChildren(b.parent(s))
	case plan.RunAgain:
		return b.firstNode(s)
	case plan.Goto, plan.Fallback:
		if i, ok := b.nodeIndexByID[m.To.Step]; ok && m.To.OutcomeDataKey == "" {
			return b.entryNode(b.Nodes[i].Step)
		}
		return b.endNode(UnknownTarget)
	default:
		return b.endNode(strings.TrimSuffix(string(m.Result)+": "+plan.SourceText(m.Message), ": "))
	}
}

// UnknownTarget is the label of the node for targets that are known only during a run.
const UnknownTarget = "decided during the run"

func (b *graphBuilder) parent(s *plan.Step) *plan.Step {
	if up := b.Nodes[b.nodeIndexByID[s.ID]].GroupNodeIndex; up >= 0 {
		return b.Nodes[up].Step
	}
	return nil
}

// entryNode returns the node at which a step is entered. An arm is entered at the node that chooses.
func (b *graphBuilder) entryNode(s *plan.Step) int {
	if s.IsArm() {
		return b.nodeIndexByID[b.parent(s).ID]
	}
	return b.firstNode(s)
}

// firstNode returns the node at which a step's content begins.
func (g *Graph) firstNode(s *plan.Step) int {
	for !s.IsExecutable() {
		first := s.EntryChild()
		if first.IsArm() {
			break
		}
		s = first
	}
	return g.nodeIndexByID[s.ID]
}

// nextNode returns the node to which s continues: that of a sibling, else the parent's nodeAfterChildren, else
// the end.
func (b *graphBuilder) nextNode(s *plan.Step) int {
	parent, siblings := b.parent(s), b.plan.Steps
	if parent != nil {
		siblings = parent.Children
	}
	if next := s.NextAmong(siblings[b.siblingIndex[s]+1:]); next != nil {
		return b.entryNode(next)
	}
	return b.nodeAfterChildren(parent)
}

// nodeAfterChildren returns the node that joins a group's results, or the one after the group.
func (b *graphBuilder) nodeAfterChildren(group *plan.Step) int {
	switch {
	case group == nil:
		return b.endNode(string(plan.Completed))
	case group.HasExplicitRoutes():
		return b.nodeIndexByID[group.ID]
	default:
		return b.nextNode(group)
	}
}

func (b *graphBuilder) endNode(label string) int {
	i, known := b.endByLabel[label]
	if !known {
		i = len(b.Nodes)
		b.endByLabel[label] = i
		b.Nodes = append(b.Nodes, Node{GroupNodeIndex: -1, Label: label})
	}
	return i
}
