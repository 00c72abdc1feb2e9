package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// sidecarEntry is a scenario in a sidecar. Labels are in the order of the run.
type sidecarEntry struct {
	Description string         `yaml:"description,omitempty"`
	Inputs      map[string]any `yaml:"inputs,omitempty"`
	Prompted    bool           `yaml:"prompted,omitempty"`
	Answers     *yaml.Node     `yaml:"answers,omitempty"`
	Replies     *yaml.Node     `yaml:"replies,omitempty"`
	Result      plan.RunResult `yaml:"result"`
	Path        []string       `yaml:"path,flow"`
	Variables   map[string]any `yaml:"variables,omitempty"`
}

// ExportRun writes a run that is over as a scenario with the given name, in the format of a sidecar:
// its inputs, answers, replies, result, path and variables. It returns an error if a scenario
// cannot express the run.
func ExportRun(name string, events []machine.Event) ([]byte, error) {
	started, _ := events[0].Body.(*machine.RunStarted)
	end, _ := events[len(events)-1].Body.(*machine.RunFinished)
	if started == nil || end == nil {
		return nil, errors.New("only a run that is over can become a scenario")
	}
	if part := inexpressiblePart(events, started, end); part != "" {
		return nil, errors.New("a scenario consists of inputs, answers and replies, and cannot express that " + part)
	}
	entry := sidecarEntry{
		Inputs: started.Inputs, Prompted: started.Options.Prompted, Answers: answersNode(events), Replies: RecordedRepliesAndResults(events, "").yamlNode(),
		Result: end.Result, Path: end.EnteredStepLabels, Variables: end.Variables,
	}
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	err := errors.Join(enc.Encode(map[string]sidecarEntry{name: entry}), enc.Close())
	return out.Bytes(), err
}

// inexpressiblePart returns a clause about the first thing in a run that a scenario cannot express, "" if there is
// none. Without that thing, the scenario would be a different run.
func inexpressiblePart(events []machine.Event, started *machine.RunStarted, end *machine.RunFinished) string {
	isQuestionOpen := false // whether a question is open that an action of a person can answer
	for _, e := range events {
		switch b := e.Body.(type) {
		case *machine.InputNeeded:
			isQuestionOpen = b.Kind == machine.KindDecide || b.Kind == machine.KindAcceptOutcome
			continue
		case *machine.ShellOpened, *machine.PlayheadToolCalled:
			continue
		case *machine.InputGiven:
			if part := inexpressibleAnswer(e.Step, b); part != "" {
				return part
			}
		case *machine.VariableCaptured:
			if e.By == machine.ByPerson {
				return "a person set the variable " + b.Variable
			}
		case *machine.DocumentReloaded:
			return "the run continued with another version of the document"
		case *machine.ActionEdited:
			return "a person edited what step " + e.Step + " does"
		case *machine.StepFinished:
			switch isOverride := b.Overridden && e.By == machine.ByPerson; {
			case isOverride && b.Result != plan.Skipped:
				return "a person overrode step " + e.Step + " with " + string(b.Result)
			case isOverride && !isQuestionOpen:
				return "a person skipped step " + e.Step + " while no question was open"
			}
		case *machine.Decision:
			switch answer := moveAnswerText(b); {
			case isQuestionOpen || answer == "":
			case answer == rerunAnswerText:
				return "a person ran step " + e.Step + " again while no question was open"
			default:
				return "a person jumped from step " + e.Step + " to " + b.To + " while no question was open"
			}
		case *machine.RunFinished:
			if e.By == machine.ByPerson && b.ByPerson && (!isQuestionOpen || endAnswerText(b) == "") {
				return "a person ended the run"
			}
		}
		isQuestionOpen = isQuestionOpen && e.By == ""
	}
	switch {
	case end.WaitingFor != nil && end.WaitingFor.Kind == machine.KindPause:
		return "the run was paused"
	case endedAtTransitionLimit(started, end):
		return "--" + plan.TransitionsFlag + " ended the run"
	}
	return ""
}

// endedAtTransitionLimit reports whether the limit of transitions that a person set ended the run.
func endedAtTransitionLimit(started *machine.RunStarted, end *machine.RunFinished) bool {
	n := started.Options.MaxTransitions
	return n != nil && end.ErrorCode != "" && strings.HasPrefix(end.Message, plan.TransitionLimit(*n, end.ErrorCode).Message)
}

// answersNode returns the answers to questions by label, in the order of the run.
func answersNode(events []machine.Event) *yaml.Node {
	a := answerCollector{nodesByKey: map[string][]*yaml.Node{}}
	for _, e := range events {
		switch b := e.Body.(type) {
		case *machine.ActionFinished:
			a.withheldValues = b.Assignments
		case *machine.InputNeeded:
			a.inputNames = b.MissingNames
		case *machine.InputGiven:
			a.addAnswer(e.Step, b)
		case *machine.Decision:
			a.addAnswerText(e.Step, moveAnswerText(b))
		case *machine.StepFinished:
			if b.Overridden && b.Result == plan.Skipped {
				a.addAnswerText(e.Step, "skip")
			}
		case *machine.RunFinished:
			if e.By == machine.ByPerson && b.ByPerson {
				a.addAnswerText(e.Step, endAnswerText(b))
			}
		}
	}
	return mappingNode(a.keys, a.nodesByKey)
}

// answerCollector collects answers, and knows what the open question is about.
type answerCollector struct {
	keys           []string
	nodesByKey     map[string][]*yaml.Node
	inputNames     []string          // the names of the values that are asked for
	withheldValues []plan.Assignment // the values that are assigned when the outcome is accepted
}

func (a *answerCollector) addAnswerText(key, text string) {
	if text == "" {
		return
	}
	if a.nodesByKey[key] == nil {
		a.keys = append(a.keys, key)
	}
	a.nodesByKey[key] = append(a.nodesByKey[key], textNode(text))
}

// addAnswer adds an answer. A value has a key of its own, because the label's key belongs to the step's
// decision.
func (a *answerCollector) addAnswer(step string, b *machine.InputGiven) {
	if b.Kind == machine.KindApproveCall || b.Kind == machine.KindResume {
		return
	}
	if len(a.inputNames) == 0 {
		a.addAnswerText(step, b.Value)
	}
	for _, v := range b.Assignments {
		if slices.Contains(a.inputNames, v.Name) || b.Kind == machine.KindAcceptOutcome && !a.isWithheld(v) {
			a.addAnswerText(engine.PreparedAnswerKey(step, v.Name), plan.ValueText(v.Value))
		}
	}
}

// isWithheld reports whether accepting the outcome assigns this value without a change.
func (a *answerCollector) isWithheld(v plan.Assignment) bool {
	return slices.ContainsFunc(a.withheldValues, func(h plan.Assignment) bool { return h.Name == v.Name && equalValues(h.Value, v.Value) })
}

// inexpressibleAnswer returns a clause about the part of an answer that a prepared answer cannot express, "" if there
// is none.
func inexpressibleAnswer(step string, b *machine.InputGiven) string {
	removedIndex := slices.IndexFunc(b.Assignments, func(a plan.Assignment) bool { return a.Value == nil })
	switch {
	case b.Kind == machine.KindResume && b.Value != "rerun":
		return "a person gave the outcome of step " + step + " after an interruption"
	case b.Kind == machine.KindAcceptOutcome && removedIndex >= 0:
		return "a person removed the variable " + b.Assignments[removedIndex].Name + " from what step " + step + " reported"
	}
	return ""
}

// endAnswerText returns the answer for how a person ended the run, "" if nobody did.
func endAnswerText(b *machine.RunFinished) string {
	switch b.Result {
	case plan.Completed:
		return "complete:" + b.Message
	case plan.Stopped:
		return "stop:" + b.Message
	}
	return ""
}

// rerunAnswerText is the answer for another attempt of a step, which a person made.
const rerunAnswerText = "retry"

// moveAnswerText returns the answer for another attempt or a jump that a person made, "" if it is neither.
func moveAnswerText(d *machine.Decision) string {
	switch {
	case !d.ByPerson || d.Destination.Kind != machine.ToStep:
		return ""
	case d.Destination.SameVisit:
		return rerunAnswerText
	default:
		return "goto:" + d.Destination.StepID
	}
}

// yamlNode returns the replies by label.
func (s RepliesAndResults) yamlNode() *yaml.Node {
	var keys []string
	all := map[string][]*yaml.Node{}
	for key, replies := range s.Replies.ByCallKey {
		for _, r := range replies {
			all[key] = append(all[key], replyNode(r))
		}
		keys = append(keys, key)
	}
	for key, texts := range s.Results.TextsByKey {
		for _, text := range texts {
			all[key] = append(all[key], textNode(text))
		}
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return mappingNode(keys, all)
}

// replyNode returns a reply: its text, or a mapping of the text and the tool calls that it wants.
func replyNode(r model.Reply) *yaml.Node {
	if len(r.WantedCalls) == 0 {
		return textNode(r.Text)
	}
	type call struct {
		Tool      string `yaml:"tool"`
		Arguments any    `yaml:"arguments"`
	}
	entry := struct {
		Text  string `yaml:"text"`
		Calls []call `yaml:"calls"`
	}{Text: r.Text}
	for _, c := range r.WantedCalls {
		var args any
		if json.Unmarshal([]byte(c.Arguments), &args) != nil {
			args = c.Arguments
		}
		entry.Calls = append(entry.Calls, call{c.Name, args})
	}
	var n yaml.Node
	_ = n.Encode(entry) // plain data can always be encoded
	return &n
}

// mappingNode returns a mapping of keys with one value each, or with a list of values. It is nil if
// there are no keys.
func mappingNode(keys []string, values map[string][]*yaml.Node) *yaml.Node {
	if len(keys) == 0 {
		return nil
	}
	m := &yaml.Node{Kind: yaml.MappingNode}
	for _, key := range keys {
		value := &yaml.Node{Kind: yaml.SequenceNode, Content: values[key]}
		if len(values[key]) == 1 {
			value = values[key][0]
		}
		m.Content = append(m.Content, textNode(key), value)
	}
	return m
}

func textNode(text string) *yaml.Node {
	n := &yaml.Node{}
	_ = n.Encode(text) // adds quotes if necessary
	return n
}

// RecordedRepliesAndResults returns the replies and tool results of a run, in order. by says where they come from.
func RecordedRepliesAndResults(events []machine.Event, by string) RepliesAndResults {
	out := NewRepliesAndResults(by)
	var call machine.Call
	for _, e := range events {
		switch b := e.Body.(type) {
		case *machine.ActionStarted:
			call = machine.Call{}
			if b.Call != nil {
				call = *b.Call
			}
		case *machine.ActionFinished:
			if b.HasResult() {
				out.addResult(e.Step, call, b)
			}
		}
	}
	return out
}

func (s RepliesAndResults) addResult(label string, call machine.Call, b *machine.ActionFinished) {
	switch b.Kind {
	case "model":
		key := model.CallKey(label, call.CallName)
		s.Replies.ByCallKey[key] = append(s.Replies.ByCallKey[key], model.Reply{Text: b.Output, WantedCalls: b.WantedCalls})
	case "tool":
		key := tools.ResultKey(label, call.Tool)
		s.Results.TextsByKey[key] = append(s.Results.TextsByKey[key], b.Output)
	}
}
