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

// questions asks what a run needs and reads the answers.
type questions struct {
	*narrator
	session         session.Session
	write           func(text string) (string, error) // lets a person change a text in their editor; nil: there is no terminal
	report          *report                           // that a person fills in
	unsentReply     string                            // a reply that was written and not sent
	correctedValues []plan.Assignment                 // what pass takes in the place of what was reported
	lastRuleEdit    *amendment                        // what the last :edit-rule showed
	lastWhatIf      *whatIfChange                     // by the last :what-if
}

// forget drops the state of a question that is no longer open.
func (t *questions) forget() {
	t.report, t.lastWhatIf, t.lastRuleEdit, t.correctedValues, t.unsentReply = nil, nil, nil, nil, ""
}

// prompt prints a question with its options; the person types behind it.
func (t *questions) prompt(words string, options []string) {
	words = "[" + label(t.status.Question.Action.Step) + "] " + words
	t.print("%s %s ", words, brackets(append(slices.Clone(options), "skip", "…")))
}

// numbered returns options for brackets. It prints options of several words with numbers and
// returns the range of numbers instead.
func (t *questions) numbered(options []string) []string {
	if !slices.ContainsFunc(options, func(o string) bool { return strings.ContainsAny(o, " /") }) {
		return options
	}
	for i, o := range options {
		t.line("  %d %s", i+1, sanitize.Plain(o))
	}
	return []string{fmt.Sprintf("1-%d", len(options))}
}

// brackets returns options as they stand behind a question.
func brackets(options []string) string {
	return "[" + sanitize.Plain(strings.Join(options, "/")) + "]"
}

// report is a form that a person fills in line by line.
type report struct {
	fields  []plan.Field
	answers []string
	at      int
}

// askReply asks the person to reply in place of a model.
func (t *questions) askReply(q *machine.Question) {
	if q.SourceError != "" {
		t.line("  the step asks a model, but %s; choose a reply source with :source", sanitize.Plain(q.SourceError))
	}
	if len(q.Fields) > 0 {
		if t.report == nil {
			t.printWholePrompt(q.Action.Step, q.Prompt)
			t.report = &report{fields: q.Fields, answers: make([]string, len(q.Fields))}
		}
		f := t.report.fields[t.report.at]
		t.prompt(strings.TrimSpace(sanitize.Plain(f.Name+": "+plan.Source(f.Prompt))), t.numbered(f.Options))
		return
	}
	words := sanitize.Plain(q.Prompt)
	if q.Tool == "" {
		t.printWholePrompt(q.Action.Step, q.Prompt)
		words = "the reply in the model's place"
	}
	for i, c := range q.Choices {
		to := ""
		if c.To != "" {
			to = " -> " + c.To
		}
		t.line("  %d %s", i+1, sanitize.Plain(c.Name+to))
		words = "the number of a reply, or a reply"
	}
	if t.write != nil {
		words += ", or :answer to write it in $EDITOR"
	}
	t.prompt(words, nil)
}

// reply takes a line as the reply, or as the next field of the report.
func (t *questions) reply(q *machine.Question, line string) error {
	text := strings.TrimPrefix(line, "=")
	if t.report != nil {
		return t.fillField(text)
	}
	if i := replyIndex(q.Choices, line); i >= 0 {
		return t.answerWith(q.Choices[i].Reply)
	}
	return t.sendReply(text)
}

// replyIndex returns the index of the choice that a line names or numbers, -1 for none.
func replyIndex(all []plan.Choice, line string) int {
	for i, c := range all {
		if line == strconv.Itoa(i+1) || line == c.Name {
			return i
		}
	}
	return -1
}

// sendReply sends a written reply. If the step would reject it, it is kept for the person to
// confirm or change.
func (t *questions) sendReply(text string) error {
	doubts := t.session.ReplyWarnings(text)
	if len(doubts) == 0 {
		return t.answerWith(text)
	}
	for _, d := range doubts {
		t.line("  %s", sanitize.Plain(d))
	}
	t.unsentReply = text
	edits := ""
	if t.write != nil {
		edits = " :answer to change it in $EDITOR,"
	}
	return fmt.Errorf("not sent yet: press enter to send it as it is,%s or type a line to replace it", edits)
}

// writeAnswer opens the editor for an answer that is a text. It starts with the choice that is
// named, with what was written and not sent, or with the part of a reply that had arrived.
func (t *questions) writeAnswer(choice string) error {
	q := t.status.Question
	switch {
	case t.status.State != engine.Waits || q.Kind != machine.KindReply && q.Field == nil || t.report != nil || q.Field != nil && len(q.Field.Options) > 0:
		return errors.New("no text is asked for")
	case t.write == nil:
		return errors.New("there is no terminal for an editor: type the answer in one line")
	}
	begin := cmp.Or(t.unsentReply, q.Draft)
	if choice != "" {
		i := replyIndex(q.Choices, choice)
		if i < 0 {
			return fmt.Errorf("there is no reply named %q", choice)
		}
		begin = tools.Pretty(q.Choices[i].Reply)
	}
	text, err := t.write(begin)
	switch {
	case err != nil:
		return err
	case text == "":
		return errors.New("the text is empty; nothing was sent")
	case q.Kind == machine.KindReply:
		return t.sendReply(text)
	}
	return t.answerWith(text)
}

func (t *questions) answerWith(value string) error {
	return t.session.Answer(machine.Answer{Value: value, By: machine.ByPerson, Set: t.correctedValues})
}

// fillField fills a field, and sends the report after the last one.
func (t *questions) fillField(text string) error {
	r := t.report
	value, err := valueOf(r.fields[r.at], text)
	if err != nil {
		return err
	}
	r.answers[r.at] = value
	asked := plan.AskedFields(r.fields, r.answers)
	for r.at++; r.at < len(r.fields); r.at++ {
		if asked[r.at] {
			t.askReply(t.status.Question)
			return nil
		}
	}
	return t.session.Answer(machine.Answer{Fields: r.answers, By: machine.ByPerson})
}

// asJSON marks a value as JSON.
const asJSON = "json:"

// valueOf returns a line as the value of a field. A dash alone leaves it empty.
func valueOf(f plan.Field, text string) (string, error) {
	written, is := strings.CutPrefix(text, asJSON)
	text = optionFor(text, f.Options)
	switch {
	case len(f.Options) > 0 && !slices.Contains(f.Options, text):
		return "", fmt.Errorf("%q is not an answer here: use %s", text, machine.OneOf(f.Options))
	case text == "-":
		return "", nil
	case f.Type != "value":
		return text, nil
	case is && !json.Valid([]byte(written)):
		return "", errors.New("this is not valid JSON")
	case is:
		return written, nil
	}
	data, err := json.Marshal(text)
	return string(data), err
}

// chooseOption returns the option that a number stands for and prints it, else the text itself.
func (t *questions) chooseOption(text string, options []string) string {
	option := optionFor(text, options)
	if option != text {
		t.line("  %s", sanitize.Plain(option))
	}
	return option
}

// optionFor returns the option that a number stands for, else the text itself.
func optionFor(text string, options []string) string {
	if n, err := strconv.Atoi(text); err == nil && n > 0 && n <= len(options) && !slices.Contains(options, text) {
		return options[n-1]
	}
	return text
}

// askCall asks whether a model may make the call that is shown above.
func (t *questions) askCall(q *machine.Question) {
	if careful := tools.CallWarning(q.Call.Server, q.Call.Tool, q.Show.Text); careful != "" {
		t.line("%s", t.paint(yellow, careful))
	}
	if tool := t.status.Tool; tool != nil {
		t.line("  %s", tool.Effect)
		if about := tool.About(); about != "" {
			t.line("  %s", strings.ReplaceAll(sanitize.Text(about), "\n", "\n  "))
		}
	}
	if q.Folder != "" {
		t.line("  in %s", sanitize.Plain(q.Folder))
	}
	if c := t.status.ProposedChange; c != nil {
		t.printChange(c)
	}
	options := slices.Clone(q.Options)
	if plan.IsLocal(q.Call.Server) {
		t.line("  tool: allow %s for the run", sanitize.Plain(q.Allows))
	}
	t.prompt("may the model make this call?", append(options, "edit:JSON", "answer:TEXT"))
}

// printChange prints the lines of a file that a call would change, or why it would fail.
func (t *questions) printChange(c *engine.FileChange) {
	if c.Problem != "" {
		t.line("  %s", t.paint(yellow, "It would fail: "+sanitize.Text(c.Problem)))
		return
	}
	t.line("  %s", sanitize.Plain(c.Path))
	t.printHunks(c.Hunks())
}

func (t *questions) printHunks(hunks []linediff.Hunk) {
	for _, hunk := range hunks {
		t.line("  %s", hunk.Head())
		for _, line := range hunk {
			t.line("  %s%s", line.Op, sanitize.Text(line.Text))
		}
	}
}

// approve answers an approval: with an option or its first letter, and behind a colon what the
// model is told; with other arguments; or with a result in the place of the call.
func (t *questions) approve(line string) error {
	word, note, _ := strings.Cut(line, ":")
	word = strings.ToLower(strings.TrimSpace(word))
	switch note = strings.TrimSpace(note); word {
	case "edit":
		return t.session.Answer(machine.Answer{Value: "yes", By: machine.ByPerson, Args: note})
	case "answer":
		return t.session.Answer(machine.Answer{By: machine.ByPerson, Result: &note})
	}
	options := t.status.Question.Options
	if i := slices.IndexFunc(options, func(o string) bool { return word != "" && o[:1] == word }); i >= 0 {
		word = options[i]
	}
	return t.session.Answer(machine.Answer{Value: word, By: machine.ByPerson, Note: note})
}

// printReported prints the reported values that are taken when the person passes the step.
func (t *questions) printReported() {
	for _, a := range t.status.PendingValues {
		i := slices.IndexFunc(t.correctedValues, func(have plan.Assignment) bool { return have.Name == a.Name })
		if i >= 0 {
			a = t.correctedValues[i]
		}
		t.line("  pass stores %s = %s", sanitize.Plain(a.Name), sanitize.Plain(plan.TextOf(a.Value)))
	}
	if len(t.status.PendingValues) > 0 {
		t.line("  :set NAME=VALUE changes it")
	}
}

// isReported reports whether passing the step takes a value of that name.
func (t *questions) isReported(name string) bool {
	return slices.ContainsFunc(t.status.PendingValues, func(a plan.Assignment) bool { return a.Name == name })
}

// changeReported replaces a reported value that passing the step will take.
func (t *questions) changeReported(name, text string) error {
	written, err := valueOf(plan.Field{Type: "value"}, text)
	if err != nil {
		return err
	}
	value, err := plan.FromJSON(written)
	if err != nil {
		return err
	}
	t.correctedValues = slices.DeleteFunc(t.correctedValues, func(a plan.Assignment) bool { return a.Name == name })
	t.correctedValues = append(t.correctedValues, plan.Assignment{Name: name, Value: value})
	return nil
}
