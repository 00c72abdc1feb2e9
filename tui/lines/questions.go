package lines

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"playhead/engine"
	"playhead/engine/linediff"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/parse/plan"
	"playhead/tui/session"
)

// questions asks the questions of a run, and handles the answers.
type questions struct {
	*narrator
	session         session.Session
	editText        func(text string) (string, error) // lets a person change a text in their editor; nil: there is no terminal
	currentReport   *reportForm                       // the report that a person fills in; nil: none
	unsentReply     string                            // a written reply that waits for confirmation
	correctedValues []plan.Assignment                 // stored instead of the reported values on a pass
	lastRuleEdit    *previewedRuleEdit                // the edit that the last :edit-rule showed
	lastWhatIf      *whatIfChange                     // the change that the last :what-if showed
}

// dropQuestionState drops the state of a question that is no longer open.
func (qs *questions) dropQuestionState() {
	qs.currentReport, qs.lastWhatIf, qs.lastRuleEdit, qs.correctedValues, qs.unsentReply = nil, nil, nil, nil, ""
}

// printAnswerPrompt prints a question with its options, without a line end, because the person types after it.
func (qs *questions) printAnswerPrompt(words string, options []string) {
	words = "[" + sanitize.Plain(qs.status.Question.Action.StepLabel) + "] " + words
	qs.print("%s %s ", words, bracketedOptions(append(slices.Clone(options), "skip", "…")))
}

// printNumberedOptions returns the options to show in brackets. If an option has several words, it prints all
// options with numbers, and returns the range of the numbers.
func (qs *questions) printNumberedOptions(options []string) []string {
	if !slices.ContainsFunc(options, func(o string) bool { return strings.ContainsAny(o, " /") }) {
		return options
	}
	for i, o := range options {
		qs.printLine("  %d %s", i+1, sanitize.Plain(o))
	}
	return []string{fmt.Sprintf("1-%d", len(options))}
}

// bracketedOptions returns options in brackets, as they follow a question.
func bracketedOptions(options []string) string {
	return "[" + sanitize.Plain(strings.Join(options, "/")) + "]"
}

// reportForm is the report of a step, which a person fills in field by field.
type reportForm struct {
	fields     []plan.Field
	answers    []string
	fieldIndex int
}

// askReply asks the person to reply in place of a model.
func (qs *questions) askReply(q *machine.Question) {
	if q.ReplySourceError != "" {
		qs.printLine("  the step needs a model's reply, but the reply source cannot be used: %s. To choose another reply source for this run, use :source", sanitize.Plain(q.ReplySourceError))
	}
	if len(q.Fields) > 0 {
		if qs.currentReport == nil {
			qs.printPromptUnlessLast(q.Action.StepLabel, q.Prompt)
			qs.currentReport = &reportForm{fields: q.Fields, answers: make([]string, len(q.Fields))}
		}
		f := qs.currentReport.fields[qs.currentReport.fieldIndex]
		qs.printAnswerPrompt(strings.TrimSpace(sanitize.Plain(f.Name+": "+plan.SourceText(f.Prompt))), qs.printNumberedOptions(f.Options))
		return
	}
	words := "type " + sanitize.Plain(q.Prompt)
	if q.Tool == "" {
		qs.printPromptUnlessLast(q.Action.StepLabel, q.Prompt)
		words = "type your reply in place of the model"
	}
	for i, c := range q.Choices {
		to := ""
		if c.To != "" {
			to = " -> " + c.To
		}
		qs.printLine("  %d %s", i+1, sanitize.Plain(c.Name+to))
		words = "type a number from the list, or your own reply"
	}
	if qs.editText != nil {
		words += ", or :answer to write it in $EDITOR"
	}
	qs.printAnswerPrompt(words, nil)
}

// handleReply handles a line as the reply, or as the value of the next field of the report.
func (qs *questions) handleReply(q *machine.Question, line string) error {
	text := strings.TrimPrefix(line, "=")
	if qs.currentReport != nil {
		return qs.fillReportField(text)
	}
	if i := choiceIndex(q.Choices, line); i >= 0 {
		return qs.sendAnswer(q.Choices[i].Reply)
	}
	return qs.sendReply(text)
}

// choiceIndex returns the index of the choice with the name or the number in a line, -1 if there is
// none.
func choiceIndex(all []plan.ReplyChoice, line string) int {
	for i, c := range all {
		if line == strconv.Itoa(i+1) || line == c.Name {
			return i
		}
	}
	return -1
}

// sendReply sends a written reply. If the step would reject the reply, sendReply keeps it, and the
// person can confirm or change it.
func (qs *questions) sendReply(text string) error {
	doubts := qs.session.ReplyWarnings(text)
	if len(doubts) == 0 {
		return qs.sendAnswer(text)
	}
	for _, d := range doubts {
		qs.printLine("  %s", sanitize.Plain(d))
	}
	qs.unsentReply = text
	edits := ""
	if qs.editText != nil {
		edits = " type :answer to change it in $EDITOR,"
	}
	return fmt.Errorf("not sent yet: press enter to send it as it is,%s or type a line to replace it", edits)
}

// writeAnswerInEditor opens the editor for a text answer. The editor starts with the named choice, else with
// the unsent reply or the part of a reply that had arrived.
func (qs *questions) writeAnswerInEditor(choice string) error {
	q := qs.status.Question
	switch {
	case qs.status.State != engine.Waiting:
		return errors.New("no question is open")
	case q.Kind != machine.KindReply && q.Field == nil || qs.currentReport != nil || q.Field != nil && len(q.Field.Options) > 0:
		return errors.New("this question cannot be answered in an editor: answer at the prompt")
	case qs.editText == nil:
		return errors.New("there is no terminal for an editor: type the answer on one line")
	}
	begin := cmp.Or(qs.unsentReply, q.Draft)
	if choice != "" {
		i := choiceIndex(q.Choices, choice)
		if i < 0 {
			return fmt.Errorf("there is no reply %q: use a number from the list", choice)
		}
		begin = tools.PrettyJSON(q.Choices[i].Reply)
	}
	text, err := qs.editText(begin)
	switch {
	case err != nil:
		return err
	case text == "":
		return errors.New("the text is empty; nothing was sent")
	case q.Kind == machine.KindReply:
		return qs.sendReply(text)
	}
	return qs.sendAnswer(text)
}

func (qs *questions) sendAnswer(value string) error {
	return qs.session.Answer(machine.Answer{Value: value, By: machine.ByPerson, Assignments: qs.correctedValues})
}

// fillReportField sets the current field of the report, and sends the report after the last field.
func (qs *questions) fillReportField(text string) error {
	r := qs.currentReport
	value, err := fieldValue(r.fields[r.fieldIndex], text)
	if err != nil {
		return err
	}
	r.answers[r.fieldIndex] = value
	asked := plan.AskedFields(r.fields, r.answers)
	for r.fieldIndex++; r.fieldIndex < len(r.fields); r.fieldIndex++ {
		if asked[r.fieldIndex] {
			qs.askReply(qs.status.Question)
			return nil
		}
	}
	return qs.session.Answer(machine.Answer{Fields: r.answers, By: machine.ByPerson})
}

// jsonPrefix is the prefix of a value that is written as JSON.
const jsonPrefix = "json:"

// fieldValue converts a line to the value of a field. A single dash leaves the field empty.
func fieldValue(f plan.Field, text string) (string, error) {
	written, is := strings.CutPrefix(text, jsonPrefix)
	text = optionByNumber(text, f.Options)
	switch {
	case len(f.Options) > 0 && !slices.Contains(f.Options, text):
		return "", fmt.Errorf("%q is not an answer here: use %s", text, machine.AlternativesText(f.Options))
	case text == "-":
		return "", nil
	case f.Type != "value":
		return text, nil
	case is && !json.Valid([]byte(written)):
		return "", errors.New("this is not valid JSON: write it as in json:[1, 2], or leave out the prefix \"json:\" to send text")
	case is:
		return written, nil
	}
	data, err := json.Marshal(text)
	return string(data), err
}

// chooseOption returns the option with a number, and prints it. If text is not such a number, it
// returns text.
func (qs *questions) chooseOption(text string, options []string) string {
	option := optionByNumber(text, options)
	if option != text {
		qs.printLine("  %s", sanitize.Plain(option))
	}
	return option
}

// optionByNumber returns the option with a number. If text is not such a number, it returns text.
func optionByNumber(text string, options []string) string {
	if n, err := strconv.Atoi(text); err == nil && n > 0 && n <= len(options) && !slices.Contains(options, text) {
		return options[n-1]
	}
	return text
}

// askCall asks whether a model may make the call that was printed.
func (qs *questions) askCall(q *machine.Question) {
	if careful := tools.CallWarning(q.Call.Server, q.Call.Tool, q.ShownBlock.Text); careful != "" {
		qs.printLine("%s", qs.paint(yellow, careful))
	}
	if tool := qs.status.ToolToApprove; tool != nil && !plan.IsLocalServer(q.Call.Server) {
		qs.printLine("  %s", tool.Effect)
		if about := tool.ApprovalText(); about != "" {
			qs.printLine("%s", indentLines(about))
		}
	}
	if q.CommandFolder != "" {
		qs.printLine("  in %s", sanitize.Plain(q.CommandFolder))
	}
	if c := qs.status.ProposedChange; c != nil {
		qs.printChange(c)
	}
	options := slices.Clone(q.Options)
	if plan.IsLocalServer(q.Call.Server) {
		qs.printLine("  to allow %s for the rest of the run, answer \"tool\"", sanitize.Plain(q.CoveredCallsText))
	}
	qs.printAnswerPrompt("may the model make this call?", append(options, "edit:JSON", "answer:TEXT"))
}

// printChange prints the lines of a file that a call would change, or why it would fail.
func (qs *questions) printChange(c *engine.ProposedFileChange) {
	if c.Problem != "" {
		qs.printLine("  %s", qs.paint(yellow, sanitize.PlainLines(c.CallFailureText())))
		return
	}
	qs.printLine("  %s", sanitize.Plain(c.Path))
	qs.printHunks(c.Hunks())
}

func (qs *questions) printHunks(hunks []linediff.Hunk) {
	for _, hunk := range hunks {
		qs.printLine("  %s", hunk.Header())
		for _, line := range hunk {
			qs.printLine("  %s%s", line.Op, sanitize.PlainLines(line.Text))
		}
	}
}

// answerApproval answers the question whether a call may be made. A line is an option or its first letter,
// optionally with a colon and a note for the model; or "edit:" with other arguments; or "answer:" with
// a result instead of the call.
func (qs *questions) answerApproval(line string) error {
	word, note, _ := strings.Cut(line, ":")
	word = strings.ToLower(strings.TrimSpace(word))
	switch note = strings.TrimSpace(note); word {
	case "edit":
		return qs.session.Answer(machine.Answer{Value: "yes", By: machine.ByPerson, Args: note})
	case "answer":
		return qs.session.Answer(machine.Answer{By: machine.ByPerson, CallResult: &note})
	}
	options := qs.status.Question.Options
	if i := slices.IndexFunc(options, func(o string) bool { return word != "" && o[:1] == word }); i >= 0 {
		word = options[i]
	}
	return qs.session.Answer(machine.Answer{Value: word, By: machine.ByPerson, Note: note})
}

// printReportedValues prints the reported values that will be stored if the person passes the step.
func (qs *questions) printReportedValues() {
	for _, a := range qs.status.PendingValues {
		i := slices.IndexFunc(qs.correctedValues, func(have plan.Assignment) bool { return have.Name == a.Name })
		if i >= 0 {
			a = qs.correctedValues[i]
		}
		qs.printLine("  stored if the step passes: %s = %s", sanitize.Plain(a.Name), sanitize.Plain(plan.VisibleText(plan.ValueText(a.Value))))
	}
	if len(qs.status.PendingValues) > 0 {
		qs.printLine("  type :set NAME=VALUE to change a value before it is stored")
	}
}

// isReportedValue reports whether passing the step stores a value with this name.
func (qs *questions) isReportedValue(name string) bool {
	return slices.ContainsFunc(qs.status.PendingValues, func(a plan.Assignment) bool { return a.Name == name })
}

// replaceReportedValue replaces a reported value that passing the step will store.
func (qs *questions) replaceReportedValue(name, text string) error {
	written, err := fieldValue(plan.Field{Type: "value"}, text)
	if err != nil {
		return err
	}
	value, err := plan.ValueFromJSON(written)
	if err != nil {
		return err
	}
	qs.correctedValues = slices.DeleteFunc(qs.correctedValues, func(a plan.Assignment) bool { return a.Name == name })
	qs.correctedValues = append(qs.correctedValues, plan.Assignment{Name: name, Value: value})
	return nil
}
