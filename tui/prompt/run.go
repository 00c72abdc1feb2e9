package prompt

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"playhead/engine/logs"
	"playhead/engine/model"
	"playhead/engine/sanitize"
	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/engine/trust"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// UntrustedDocument is a document that a person has not trusted yet.
type UntrustedDocument interface {
	Path() string
	WriteCommands(io.Writer) // lists what the document would execute
	Trust() error            // remembers that the person trusts the document
}

// AskTrust lists what would be executed, and asks whether to run it. A yes is remembered. With the answer
// prompted, nothing is executed, and the person decides instead. That answer is not possible if the run
// has already begun.
func (p *Prompt) AskTrust(c UntrustedDocument, begun bool) (prompted bool, err error) {
	c.WriteCommands(p.Out)
	if !begun {
		fmt.Fprintln(p.Out, "To run the commands yourself and report the outcomes, answer \"prompted\".")
	}
	choices, answers, takes := "yes/no/prompted", "yes, no or prompted", "\"yes\" to run what is listed, \"no\" to run nothing, \"prompted\" to run the commands yourself and report the outcomes"
	if begun {
		choices, answers, takes = "yes/no", "yes or no", "\"yes\" to run what is listed, \"no\" to run nothing"
	}
	question := fmt.Sprintf("%s would run what is listed above. Run it? [%s]", sanitize.Plain(c.Path()), choices)
	for {
		answer, err := p.askLine(question, takes, p.readAndEchoLine)
		switch word := strings.ToLower(answer); {
		case !begun && (word == "prompted" || word == "p"):
			return true, nil
		case word == "yes" || word == "y":
			return false, c.Trust()
		case word == "no" || word == "n", err != nil:
			return false, setup.Errorf(trust.RefusedText)
		}
		fmt.Fprintf(p.Out, "%q is not an answer here: use %s.\n", sanitize.Plain(answer), answers)
	}
}

// AskReplySourceAndInputs asks the person for the reply source, if it is not determined yet, and for the inputs that have no
// value yet.
func (p *Prompt) AskReplySourceAndInputs(r *setup.Run) error {
	if err := p.askReplySource(r); err != nil {
		return err
	}
	return p.askInputs(r)
}

func (p *Prompt) askReplySource(r *setup.Run) error {
	if !r.AsksReplySource {
		return nil
	}
	all := model.WithManualReplySource(r.Config.ReplySources)
	fmt.Fprintln(p.Out, wording.NoReplySourceText(r.ServerProblem), "Choose a reply source, or press ctrl+c to quit without running anything.")
	for i, o := range all {
		fmt.Fprintf(p.Out, "  %d  %s  %s\n", i+1, sanitize.Plain(o.Name), sanitize.Plain(o.Description))
	}
	for {
		i, err := p.ChooseNumber(len(all), nil)
		if err != nil {
			return setup.Errorf("nothing was run: no reply source was chosen")
		}
		if err = r.ChooseReplySource(all[i].Name); err == nil {
			return nil
		}
		fmt.Fprintf(p.Out, "  %s\n", sanitize.Plain(err.Error()))
	}
}

func (p *Prompt) askInputs(r *setup.Run) error {
	for _, in := range r.MissingInputs {
		secret := slices.Contains(r.Config.Options.SecretNames, in.Name)
		value, err := p.askInput(in, secret)
		if err != nil {
			return err
		}
		r.SetInput(in, value)
		if note := logs.ShortSecretWarning(in.Name, in.NormalizedText(value)); note != "" && secret {
			p.PrintNote("%s", note)
		}
	}
	r.MissingInputs = nil
	return nil
}

// askInput asks for an input until the value is valid. The number of an option stands for the option.
func (p *Prompt) askInput(in plan.Input, secret bool) (string, error) {
	question := in.Name
	if in.Description != "" {
		question += ": " + in.Description
	}
	if kind := wording.AcceptedValues(in); kind != "" {
		question += " (" + kind + ")"
	}
	read := p.readAndEchoLine
	if secret {
		defer p.HideInput()()
		read = p.readHiddenLine
	}
	for {
		line, err := p.askLine(sanitize.Plain(question), "a value (put \"=\" in front if it starts with \":\" or \"=\")", read)
		if err != nil {
			return "", setup.Errorf("nothing was run: the input %s has no value", in.Name)
		}
		value := strings.TrimPrefix(line, "=")
		if n, err := strconv.Atoi(value); err == nil && n >= 1 && n <= len(in.Options) && !slices.Contains(in.Options, value) {
			value = in.Options[n-1]
		}
		problem := in.ValueProblem(value)
		if secret {
			problem = logs.MaskText(problem, value)
		}
		if value == "" || in.BlankIsMissing && strings.TrimSpace(value) == "" {
			problem = "this input is required"
		}
		if problem == "" {
			return value, nil
		}
		fmt.Fprintf(p.Out, "  %s\n", sanitize.Plain(problem))
	}
}

// readHiddenLine reads a secret line, and prints dots in its place.
func (p *Prompt) readHiddenLine() (string, error) {
	line, err := readLine(p.In)
	fmt.Fprintln(p.Out, "•••")
	return line, err
}

// ConfirmProblems lists the problems that were found before a run. If one is an error, it asks the person
// whether to run anyway.
func (p *Prompt) ConfirmProblems(found []plan.Diagnostic) error {
	show.WriteDiagnostics(p.Out, found)
	for plan.WorstSeverity(found) == plan.Error {
		answer, err := p.askLine(wording.MissingNeedsText+" Run it anyway? [yes/no]", "yes or no", p.readAndEchoLine)
		switch strings.ToLower(answer) {
		case "yes", "y":
			return nil
		case "no", "n":
			return setup.Errorf("nothing was run")
		}
		if err != nil {
			return setup.Errorf("nothing was run")
		}
		fmt.Fprintf(p.Out, "%q is not an answer here: use yes or no.\n", sanitize.Plain(answer))
	}
	return nil
}
