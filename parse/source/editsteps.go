package source

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// HeadingNumbering is how a format whose steps are headings numbers them and refers to them.
type HeadingNumbering interface {
	// Level returns the level of the step that a line begins as its heading, 1 at the top, and whether
	// steps like it are numbered. Level 0 means that the line begins no step.
	Level(line string) (level int, numbered bool)
	// RenumberHeading returns the heading of the nth step of its level below a parent, and the step's new
	// ID. If n is 0, the heading has no number of its own, but may contain its parent's.
	RenumberHeading(line, parent string, n int) (heading, id string)
	// UpdateReferences returns a line in which references to steps have new IDs. hasRoute says
	// that the line may contain a route, which may name steps.
	UpdateReferences(line string, hasRoute bool, ids map[string]string) string
	// CopyHeading returns the heading of a copy of a step, with a changed title.
	CopyHeading(line string) string
	// NewStep returns the text of a new step with a title and a body. If the body is empty, the step
	// is the title alone.
	NewStep(title, body string, level int) string
}

// docLine is a line, with the step whose heading it is, if any.
type docLine struct {
	text         string
	headingStep  *plan.Step // nil: it is not the heading of an existing step
	isNew        bool       // it was inserted or copied, and can be a heading
	mayHaveRoute bool       // it contains a route, or is new and may contain one
}

// EditSteps returns the text of a document with a change of its steps. Later steps get new numbers,
// and references to them are updated.
func EditSteps(p *plan.Plan, e plan.StepEdit, numbering HeadingNumbering) (string, error) {
	s := stepEditor{HeadingNumbering: numbering, plan: p, parentOf: map[*plan.Step]*plan.Step{}}
	s.readLines(string(p.Source))
	if err := s.apply(e); err != nil {
		return "", err
	}
	return s.renumberedText(), nil
}

// stepEditor holds a document while its steps are edited.
type stepEditor struct {
	HeadingNumbering
	plan     *plan.Plan
	lines    []docLine
	parentOf map[*plan.Step]*plan.Step
	newline  string // the line ending of the document
	hasBOM   bool   // the document begins with a byte order mark
}

// readLines splits the document into lines, and finds the headings of its steps and the lines with routes.
func (s *stepEditor) readLines(text string) {
	text, s.hasBOM = strings.CutPrefix(text, "\ufeff")
	s.newline = "\n"
	if strings.Contains(text, "\r\n") {
		s.newline = "\r\n"
	}
	for _, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		s.lines = append(s.lines, docLine{text: line})
	}
	s.plan.Walk(func(step, parent *plan.Step) bool {
		s.parentOf[step] = parent
		if at := step.Span.Line - 1; at >= 0 && at < len(s.lines) {
			if level, _ := s.Level(s.lines[at].text); level > 0 {
				s.lines[at].headingStep = step
			}
		}
		for _, r := range step.Routes {
			if at := r.Do.Span.Line - 1; !r.Do.Implicit && at >= 0 && at < len(s.lines) {
				s.lines[at].mayHaveRoute = true
			}
		}
		return true
	})
}

// headingIndex returns the index of a step's heading, -1 if it has none.
func (s *stepEditor) headingIndex(step *plan.Step) int {
	return slices.IndexFunc(s.lines, func(l docLine) bool { return l.headingStep == step && !l.isNew })
}

// findStepLines returns the step with an ID and the range of its lines, including the blank lines after it. It
// returns an error if there is no such step or the step has no heading.
func (s *stepEditor) findStepLines(id string) (step *plan.Step, from, to int, err error) {
	step = s.plan.FindStep(id)
	if step == nil {
		return nil, 0, 0, fmt.Errorf("the document has no step %s", id)
	}
	if from = s.headingIndex(step); from < 0 {
		return nil, 0, 0, fmt.Errorf("step %s has no heading of its own: edit the file yourself", id)
	}
	to = from + 1
	(&plan.Plan{Steps: []*plan.Step{step}}).Walk(func(x, _ *plan.Step) bool {
		to = max(to, min(x.Span.LastLine, len(s.lines)))
		return true
	})
	for to < len(s.lines) && IsBlank(s.lines[to].text) {
		to++
	}
	return step, from, to, nil
}

// apply makes a change in the lines, without new numbers.
func (s *stepEditor) apply(e plan.StepEdit) error {
	step, from, to, err := s.findStepLines(e.Step)
	if err != nil {
		return err
	}
	switch e.Verb {
	case plan.InsertStep:
		return s.insertStep(from, to, e)
	case plan.DuplicateStep:
		block := slices.Clone(s.lines[from:to])
		for i := range block {
			block[i].isNew = block[i].headingStep != nil // a line of fenced code that looks like one is none
		}
		block[0].text = s.CopyHeading(block[0].text)
		s.insertLines(to, block)
	case plan.RemoveStep:
		if p := s.parentOf[step]; p == nil && len(s.plan.Steps) == 1 || p != nil && len(p.Children) == 1 {
			return fmt.Errorf("step %s is the only step of its group or document and cannot be removed", e.Step)
		}
		return s.removeStep(step, from, to)
	case plan.MoveStep:
		return s.moveStep(step, from, to, e)
	}
	return nil
}

// insertStep inserts a new step before or after the step at a range of lines.
func (s *stepEditor) insertStep(from, to int, e plan.StepEdit) error {
	text := strings.Trim(e.Text, "\n")
	if text == "" {
		return errors.New("the new step has no text")
	}
	level, _ := s.Level(s.lines[from].text)
	if title, body, _ := strings.Cut(text, "\n"); !strings.HasPrefix(title, "#") {
		text = strings.Trim(s.NewStep(title, body, level), "\n")
	}
	heading, _, _ := strings.Cut(text, "\n")
	if newLevel, _ := s.Level(heading); newLevel != level {
		return fmt.Errorf("the heading must be at the level of step %s: write only the title, without #, or a heading like %s", e.Step, strings.TrimSpace(s.lines[from].text))
	}
	at := from
	if e.After {
		at = to
	}
	s.insertLines(at, newLines(text))
	return nil
}

// newLines returns the lines of a text to insert, and a blank line. Lines of closed fenced blocks are neither headings
// nor routes. A heading begins with #: an indented line may belong to a list item.
func newLines(text string) (lines []docLine) {
	all := strings.Split(text+"\n", "\n")
	blockEnd := -1 // the index of the fence that closes the current block
	for i, line := range all {
		if i > blockEnd {
			blockEnd = closingFence(all, i)
		}
		isText := i > blockEnd
		lines = append(lines, docLine{text: line, isNew: isText && strings.HasPrefix(line, "#"), mayHaveRoute: isText})
	}
	return lines
}

// closingFence returns the index of the fence that closes the block which line i opens, -1 if it opens none or
// nothing closes it.
func closingFence(lines []string, i int) int {
	opener, isFence := ReadFence(lines[i])
	if !isFence || !opener.CanOpen() {
		return -1
	}
	for j := i + 1; j < len(lines); j++ {
		if fence, ok := ReadFence(lines[j]); ok && fence.Closes(opener) {
			return j
		}
	}
	return -1
}

// removeStep removes the step at a range of lines. It returns an error if something refers to the step,
// because the reference would mean another step.
func (s *stepEditor) removeStep(step *plan.Step, from, to int) error {
	removedIDs := map[string]string{}
	(&plan.Plan{Steps: []*plan.Step{step}}).Walk(func(x, _ *plan.Step) bool {
		removedIDs[x.ID] = "0" // any other ID: only whether a line would change matters
		return true
	})
	for i, l := range s.lines {
		if (i < from || i >= to) && s.UpdateReferences(l.text, l.mayHaveRoute, removedIDs) != l.text {
			return fmt.Errorf("line %d refers to step %s: change that line first", i+1, step.ID)
		}
	}
	s.lines = slices.Delete(s.lines, from, to)
	return nil
}

// insertLines inserts lines at an index, and a blank line before them if there is none.
func (s *stepEditor) insertLines(at int, block []docLine) {
	if at > 0 && !IsBlank(s.lines[at-1].text) {
		block = append([]docLine{{}}, block...)
	}
	s.lines = slices.Insert(s.lines, at, block...)
}

// moveStep moves the step at a range of lines before or after another step of its group.
func (s *stepEditor) moveStep(step *plan.Step, from, to int, e plan.StepEdit) error {
	other, otherFrom, otherTo, err := s.findStepLines(e.OtherStep)
	switch {
	case err != nil:
		return err
	case other == step:
		return errors.New("a step cannot be moved before or after itself")
	case s.parentOf[other] != s.parentOf[step]:
		return fmt.Errorf("step %s and step %s are not in the same group", e.Step, e.OtherStep)
	}
	at := otherFrom
	if e.After {
		at = otherTo
	}
	block := slices.Clone(s.lines[from:to])
	if n := len(block); !IsBlank(block[n-1].text) {
		block = append(block, docLine{})
	}
	s.lines = slices.Delete(s.lines, from, to)
	if at > from {
		at -= to - from
	}
	s.insertLines(at, block)
	return nil
}

// renumberedText returns the document with renumbered headings and updated references.
func (s *stepEditor) renumberedText() string {
	ids := map[string]string{}
	counts := []int{0, 0, 0} // by level; there are two levels
	topID := ""
	for i := range s.lines {
		l := &s.lines[i]
		if l.headingStep == nil && !l.isNew {
			continue
		}
		level, numbered := s.Level(l.text)
		if level == 0 || level >= len(counts) {
			continue
		}
		parentID := ""
		if level > 1 {
			parentID = topID
		} else {
			counts[2] = 0
		}
		id := ""
		if l.headingStep != nil {
			id = l.headingStep.ID
		}
		n := 0
		if numbered {
			counts[level]++
			n = counts[level]
		}
		if numbered || level > 1 || l.isNew {
			l.text, id = s.RenumberHeading(l.text, parentID, n)
			if l.headingStep != nil && !l.isNew {
				ids[l.headingStep.ID] = id
			}
		}
		if level == 1 {
			topID = id
		}
	}
	out := make([]string, 0, len(s.lines)+1)
	for i, l := range s.lines {
		if l.headingStep != nil && !strings.HasPrefix(strings.TrimLeft(l.text, " "), "#") && i > 0 && !IsBlank(s.lines[i-1].text) {
			out = append(out, "") // an underlined heading would continue the paragraph before it
		}
		out = append(out, s.UpdateReferences(l.text, l.mayHaveRoute, ids))
	}
	text := strings.Join(out, s.newline)
	if s.hasBOM {
		text = "\ufeff" + text
	}
	return text
}
