package machine

import (
	"strings"

	"playhead/parse/plan"
)

// StepText returns what a person needs to read to answer for the current step, with all references
// filled in: the prompt if a model is asked, else the step's text and its instruction or command.
func (m *Machine) StepText() string {
	if f := m.currentFrame(); f != nil {
		return m.stepText(f)
	}
	return ""
}

// StepTextBefore returns the StepText for a run that is paused before an event: the text of the step that
// the event enters, as it will be then, or of the step for which the event chooses an arm.
func (m *Machine) StepTextBefore(next Event) string {
	if _, enters := next.Body.(*StepEntered); enters {
		m = m.Clone()
		if m.Apply(next) != nil {
			return ""
		}
	}
	if d, decides := next.Body.(*Decision); decides && d.IsArmChoice() && next.Step != m.Position() {
		return m.render(m.FindStep(next.StepID()).Text, m.topFrame())
	}
	return m.StepText()
}

func (m *Machine) stepText(f *documentFrame) string {
	if prompt := m.promptText(f); prompt != "" {
		return prompt
	}
	parts := []string{m.render(f.currentNode.step.Text, f)}
	if i := m.currentActionIndex(f); i < len(f.currentNode.step.Actions) {
		switch w := f.currentNode.step.Actions[i].Work.(type) {
		case plan.Decide:
			if w.ShownBlock != nil {
				parts = append(parts, w.ShownBlock.Text)
			}
		case plan.Command:
			parts = append(parts, plan.TextForDisplay(w.Text, m.scope(f)))
		}
	}
	return joinParagraphs(parts)
}

// joinParagraphs joins the texts that are not empty, with a blank line between them.
func joinParagraphs(texts []string) string {
	var out []string
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// promptText returns the prompt of the current model call, as it is sent, else of the step's next
// call. It is "" if there is none, or if it cannot be rendered yet.
func (m *Machine) promptText(f *documentFrame) string {
	if f.openAction.sentPrompt != "" {
		return f.openAction.sentPrompt
	}
	actions := f.currentNode.step.Actions
	first := m.currentActionIndex(f)
	if first == len(actions) { // all actions are done
		first = 0
	}
	for i := first; i < len(actions); i++ {
		w, asks := actions[i].Work.(plan.Model)
		if !asks {
			continue
		}
		prompt, changed := f.actionPrompt(i, w.Prompt)
		if !changed && f.promptFromRoute.text != "" {
			return f.promptFromRoute.text
		}
		if prompt == nil {
			return ""
		}
		r, err := prompt.Render(m.scope(f))
		if err != nil {
			return ""
		}
		return r.Text
	}
	return ""
}
