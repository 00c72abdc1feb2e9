package machine

import (
	"strings"

	"playhead/parse/plan"
)

// StepText is what somebody has to read who answers for the step at which the run stands,
// with everything filled in: the prompt where a model is asked, else the step's text and
// the instruction or command that it has.
func (m *Machine) StepText() string {
	if f := m.currentFrame(); f != nil {
		return m.stepText(f)
	}
	return ""
}

// TextBefore is StepText where the run is held before an event: that of the step which the
// event enters, as it will be.
func (m *Machine) TextBefore(next Event) string {
	if _, enters := next.Body.(*Entered); enters {
		m = m.Clone()
		if m.Apply(next) != nil {
			return ""
		}
	}
	return m.StepText()
}

func (m *Machine) stepText(f *frame) string {
	if prompt := m.promptText(f); prompt != "" {
		return prompt
	}
	parts := []string{m.render(f.cur.step.Text, f)}
	if i := m.index(f); i < len(f.cur.step.Actions) {
		switch w := f.cur.step.Actions[i].Work.(type) {
		case plan.Decide:
			if w.Show != nil {
				parts = append(parts, w.Show.Text)
			}
		case plan.Command:
			parts = append(parts, plan.Show(w.Text, m.scope(f)))
		}
	}
	return paragraphs(parts)
}

// paragraphs are the texts that there are, with a blank line between them.
func paragraphs(texts []string) string {
	var out []string
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// promptText is the prompt of the model's call at hand, as it is sent, else of the step's
// next one. It is empty where there is none, or where it cannot be made yet.
func (m *Machine) promptText(f *frame) string {
	if f.open.prompt != "" {
		return f.open.prompt
	}
	actions := f.cur.step.Actions
	first := m.index(f)
	if first == len(actions) { // all are done
		first = 0
	}
	for i := first; i < len(actions); i++ {
		w, asks := actions[i].Work.(plan.Model)
		if !asks {
			continue
		}
		prompt, changed := f.promptOf(i, w.Prompt)
		if !changed && f.replacement.text != "" {
			return f.replacement.text
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
