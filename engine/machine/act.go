package machine

import (
	"cmp"
	"fmt"
	"strings"

	"playhead/parse/plan"
)

// nextOfActions returns what comes next for the current action, or what follows the last one.
func (m *Machine) nextOfActions(f *documentFrame) Next {
	a, kind := m.currentAction(f)
	switch kind {
	case "":
		return m.afterActions(f)
	case "command":
		return m.runCommand(f, a, a.Work.(plan.Command))
	case "include":
		return m.runIncluded(f, a.Work.(plan.Include))
	case KindDecide, KindAsk:
		return m.askPerson(f, m.newQuestion(f, a, kind))
	case "read":
		return m.judgeOwnOutcome(f, a)
	case "model":
		return m.converseWithModel(f, a.Work.(plan.Model))
	default:
		return m.makeCall(f, a.Work, kind)
	}
}

// currentAction returns the current action and its kind in events; the kind is empty when all actions are
// done.
func (m *Machine) currentAction(f *documentFrame) (plan.Action, string) {
	i := m.currentActionIndex(f)
	if i >= len(f.currentNode.step.Actions) {
		return plan.Action{}, ""
	}
	a := f.currentNode.step.Actions[i]
	return a, m.actionKind(a.Work)
}

// currentActionIndex returns the index of the current action, or the number of actions if none is left. It skips
// actions that do not apply.
func (m *Machine) currentActionIndex(f *documentFrame) int {
	actions := f.currentNode.step.Actions
	for i := f.actionIndex; i < len(actions); i++ {
		if m.actionApplies(f, i) {
			return i
		}
	}
	return len(actions)
}

// actionApplies reports whether an action is to be performed: its condition holds and, if it asks
// for values, at least one is missing. A prompt that needs a fetched text also needs that text or a
// person's edit.
func (m *Machine) actionApplies(f *documentFrame, i int) bool {
	a := f.currentNode.step.Actions[i]
	switch w := a.Work.(type) {
	case plan.Ask:
		if len(m.fieldsToAsk(w)) == 0 {
			return false
		}
	case plan.Model:
		if w.NeedsFetchedText && (f.fetchedText == nil || strings.TrimSpace(*f.fetchedText) == "") {
			if _, changed := f.actionPrompt(i, w.Prompt); !changed {
				return false
			}
		}
	}
	if a.If == (plan.Matcher{}) {
		return true
	}
	if !a.If.MatchesOutcome(f.outcome, false) {
		return false
	}
	return a.If.Test == nil || m.scope(f).evaluate(a.If.Test, &plan.Reason{})
}

func (m *Machine) fieldsToAsk(ask plan.Ask) []plan.Field {
	if !ask.OnlyMissingFields {
		return ask.Fields
	}
	var out []plan.Field
	for _, field := range ask.Fields {
		if m.variables[field.Name] == nil {
			out = append(out, field)
		}
	}
	return out
}

// actionKind returns the name of an action's kind in events. In a prompted run, a person decides.
func (m *Machine) actionKind(w plan.Work) string {
	switch w.(type) {
	case plan.Command:
		if m.options.Prompted {
			return KindDecide
		}
		return "command"
	case plan.Include:
		if m.options.Prompted {
			return KindDecide
		}
		return "include"
	case plan.Tool:
		return "tool" // in a prompted run, the session gets the result from a person
	case plan.Decide:
		return KindDecide
	case plan.Ask:
		return KindAsk
	case plan.Model:
		return "model"
	case plan.Fetch:
		return "prompt_ref"
	default:
		return "read"
	}
}

// afterActions returns what follows the last action: the children if there are any to enter,
// otherwise the end of the step.
func (m *Machine) afterActions(f *documentFrame) Next {
	passed := f.outcome.Result == "" || f.outcome.Result == plan.Passed
	if passed && len(f.currentNode.children) > 0 {
		return m.enterStep(f, Destination{Kind: ToStep, StepID: f.currentNode.step.EntryChild().ID})
	}
	return m.finishStep(f)
}

func (m *Machine) runCommand(f *documentFrame, a plan.Action, c plan.Command) Next {
	if f.openAction.interrupted {
		return m.askResumption(f)
	}
	prompt, _ := f.actionPrompt(m.currentActionIndex(f), c.Text)
	text := m.render(prompt, f)
	argv, err := m.renderArgv(c.Argv, f)
	switch {
	case err != nil:
		return nextEvent(m.failedRequestEvent(f, "command", err, nil))
	case !f.openAction.started:
		return nextEventWithBody(f.newEvent(nil), ActionStarted{
			ActionIndex: m.currentActionIndex(f), Kind: "command", Language: c.Language, Text: cmp.Or(text, strings.Join(argv, " ")),
		})
	}
	return Next{Effect: &RunCommand{
		Action: m.actionRef(f), Shell: c.Shell, Text: text, Argv: argv, UsesPipes: c.UsesPipes, Timeout: c.Timeout,
	}}
}

// renderArgv renders a command's program and arguments, which run without a shell.
func (m *Machine) renderArgv(prompts []plan.Prompt, f *documentFrame) (argv []string, err error) {
	for _, p := range prompts {
		r, err := p.Render(m.scope(f))
		if err != nil {
			return nil, err
		}
		argv = append(argv, r.Text)
	}
	return argv, nil
}

func (m *Machine) actionRef(f *documentFrame) ActionRef {
	return ActionRef{
		StepLabel: f.currentLabel, StepID: f.currentNode.step.ID, Attempt: f.currentVisit.attempt,
		Instance: f.commandInstance(f.currentNode), ActionIndex: m.currentActionIndex(f),
	}
}

// runIncluded runs the included documents, in order.
func (m *Machine) runIncluded(f *documentFrame, inc plan.Include) Next {
	if !f.openAction.started {
		return nextEvent(f.newEvent(&ActionStarted{ActionIndex: m.currentActionIndex(f), Kind: "include", DocumentPaths: inc.DocumentPaths}))
	}
	failed := f.openAction.documentResults.Count(plan.Failed) > 0
	if f.openAction.nextDocumentIndex >= len(inc.DocumentPaths) || failed && inc.Join == plan.JoinAll {
		return nextEvent(f.newEvent(&ActionFinished{
			ActionIndex: m.currentActionIndex(f), Kind: "include", Outcome: joinResults(inc.Join, f.openAction.documentResults),
		}))
	}
	path := inc.DocumentPaths[f.openAction.nextDocumentIndex]
	child, _ := f.graph.plan.IncludedDocument(path)
	label := f.currentLabel + "/" + f.graph.plan.IncludedLabels(inc)[f.openAction.nextDocumentIndex]
	reason := child.LoadProblem
	if child.Plan != nil {
		if child.Plan.Runnable() {
			return nextEvent(f.newEvent(&ChildEntered{Document: path, Label: label}))
		}
		reason = "the document has errors"
	}
	return nextEvent(f.newEvent(&WarningRecorded{
		Code: m.plan.WarningCode("child-failed"), Document: path, DocumentLabel: label,
		Message: fmt.Sprintf("%s was not run and counts as failed: %s", path, reason),
	}))
}
