package machine

import (
	"cmp"
	"fmt"
	"strings"

	"playhead/parse/plan"
)

// act performs the step's actions in order and stops at the first that does not pass.
func (m *Machine) act(f *frame) Next {
	a, kind := m.action(f)
	switch kind {
	case "":
		return m.afterActions(f)
	case "command":
		return m.command(f, a, a.Work.(plan.Command))
	case "include":
		return m.include(f, a.Work.(plan.Include))
	case KindDecide, KindAsk:
		return m.ask(f, a, kind)
	case "read":
		return m.read(f, a)
	case "model":
		return m.converse(f, a.Work.(plan.Model))
	default:
		return m.call(f, a.Work, kind)
	}
}

// action returns the current action and its kind in events; the kind is empty when all actions are
// done.
func (m *Machine) action(f *frame) (plan.Action, string) {
	i := m.index(f)
	if i >= len(f.cur.step.Actions) {
		return plan.Action{}, ""
	}
	a := f.cur.step.Actions[i]
	return a, m.kind(a.Work)
}

// index returns the index of the current action. It skips actions that do not apply.
func (m *Machine) index(f *frame) int {
	actions := f.cur.step.Actions
	for i := f.action; i < len(actions); i++ {
		if m.applies(f, actions[i]) {
			return i
		}
	}
	return len(actions)
}

// applies reports whether an action is to be performed: its condition holds, and at least one of
// the values it asks for is missing.
func (m *Machine) applies(f *frame, a plan.Action) bool {
	if ask, ok := a.Work.(plan.Ask); ok && len(m.questionFields(ask)) == 0 {
		return false
	}
	if a.If == (plan.Matcher{}) {
		return true
	}
	if !a.If.Matches(f.outcome, false) {
		return false
	}
	return a.If.Test == nil || m.scope(f).test(a.If.Test, &plan.Reason{})
}

func (m *Machine) questionFields(ask plan.Ask) []plan.Field {
	if !ask.Missing {
		return ask.Fields
	}
	var out []plan.Field
	for _, field := range ask.Fields {
		if m.vars[field.Name] == nil {
			out = append(out, field)
		}
	}
	return out
}

// kind returns the name of an action's kind in events. If nothing is executed, a person decides.
func (m *Machine) kind(w plan.Work) string {
	switch w := w.(type) {
	case plan.Command, plan.Include:
		if m.options.Prompted {
			return KindDecide
		}
		return executed(w)
	case plan.Tool:
		return "tool" // if nothing is executed, the session gets the result from a person
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

func executed(w plan.Work) string {
	if _, include := w.(plan.Include); include {
		return "include"
	}
	return "command"
}

// afterActions returns what follows the last action: the children if there are any to enter,
// otherwise the end of the step.
func (m *Machine) afterActions(f *frame) Next {
	passed := f.outcome.Result == "" || f.outcome.Result == plan.Passed
	if passed && len(f.cur.children) > 0 {
		return m.arrive(f, Arrival{Kind: ToStep, Step: f.cur.first().step.ID})
	}
	return m.finish(f)
}

func (m *Machine) command(f *frame, a plan.Action, c plan.Command) Next {
	if f.open.interrupted {
		return m.resumption(f)
	}
	said, _ := f.promptOf(m.index(f), c.Text)
	text := m.render(said, f)
	argv, err := m.renderArgv(c.Argv, f)
	switch {
	case err != nil:
		return nextEvent(m.failedRequest(f, "command", err, nil))
	case !f.open.started:
		return pack(f.at(nil), ActionStarted{
			Action: m.index(f), Kind: "command", Language: c.Language, Text: cmp.Or(text, strings.Join(argv, " ")),
		})
	}
	return Next{Effect: &RunCommand{
		Action: m.ref(f), Shell: c.Shell, Text: text, Argv: argv, Pipes: c.Pipes, Timeout: c.Timeout,
	}}
}

// renderArgv renders a command's program and arguments, which run without a shell.
func (m *Machine) renderArgv(prompts []plan.Prompt, f *frame) (argv []string, err error) {
	for _, p := range prompts {
		r, err := p.Render(m.scope(f))
		if err != nil {
			return nil, err
		}
		argv = append(argv, r.Text)
	}
	return argv, nil
}

func (m *Machine) ref(f *frame) Ref {
	return Ref{
		Step: f.label, ID: f.cur.step.ID, Attempt: f.currentVisit.attempt,
		Instance: f.instance(f.cur), Action: m.index(f),
	}
}

// include runs child documents, in order.
func (m *Machine) include(f *frame, inc plan.Include) Next {
	if !f.open.started {
		return nextEvent(f.at(&ActionStarted{Action: m.index(f), Kind: "include", Docs: inc.Docs}))
	}
	failed := f.open.results.Count(plan.Failed) > 0
	if f.open.nextDocument >= len(inc.Docs) || failed && inc.Join == plan.All {
		return nextEvent(f.at(&ActionFinished{
			Action: m.index(f), Kind: "include", Outcome: joinResults(inc.Join, f.open.results),
		}))
	}
	path := inc.Docs[f.open.nextDocument]
	child, _ := f.prog.plan.Child(path)
	label := f.childLabel(cmp.Or(child.Name, path), inc)
	reason := child.Reason
	if child.Plan != nil {
		if child.Plan.Runnable() {
			return nextEvent(f.at(&ChildEntered{Document: path, Label: label}))
		}
		reason = "the document has errors"
	}
	return nextEvent(f.at(&Warned{
		Code: m.plan.Format + "/child-failed", Document: path, Label: label,
		Message: fmt.Sprintf("%s was not run and counts as failed: %s", path, reason),
	}))
}

// childLabel returns the label of the next included document. The second one named lint is lint~2.
func (f *frame) childLabel(name string, inc plan.Include) string {
	same := 1
	for _, path := range inc.Docs[:f.open.nextDocument] {
		if c, ok := f.prog.plan.Child(path); ok && c.Name == name {
			same++
		}
	}
	if same > 1 {
		name = fmt.Sprintf("%s~%d", name, same)
	}
	return f.label + "/" + name
}
