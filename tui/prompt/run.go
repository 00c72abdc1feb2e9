package prompt

import (
	"cmp"
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
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// Untrusted is a document that a person has not trusted yet.
type Untrusted interface {
	Path() string
	WriteList(io.Writer) // what it would execute
	Trust() error        // that the person trusts it
}

// Trust lists what would be executed. The person says yes, which is remembered, or has nothing
// executed and decides by themselves: of a run that goes on that was said when it began.
func (p *Prompt) Trust(c Untrusted, begun bool) (prompted bool, err error) {
	c.WriteList(p.Out)
	choices, words, takes := "yes/no/prompted", "yes, no or prompted", "yes to run them, no to run nothing, prompted to answer for each one instead"
	if begun {
		choices, words, takes = "yes/no", "yes or no", "yes to run them, no to run nothing"
	}
	question := fmt.Sprintf("%s would run these commands. Run them? [%s]", sanitize.Plain(c.Path()), choices)
	for {
		answer, err := p.ask(question, takes, p.line)
		switch word := strings.ToLower(answer); {
		case !begun && (word == "prompted" || word == "p"):
			return true, nil
		case word == "yes" || word == "y":
			return false, c.Trust()
		case word == "no" || word == "n", err != nil:
			return false, setup.Errorf("nothing was run")
		}
		fmt.Fprintf(p.Out, "%q is not an answer: use %s.\n", sanitize.Plain(answer), words)
	}
}

// Source asks the person where replies come from, if that is theirs to choose.
func (p *Prompt) Source(r *setup.Run) error {
	if !r.AsksSource {
		return nil
	}
	all := model.WithManual(r.Config.Sources)
	fmt.Fprintf(p.Out, "The document asks a model, but %s. Choose a reply source. Press ctrl+c to run nothing.\n", cmp.Or(r.ServerProblem, "no model is configured"))
	for i, o := range all {
		fmt.Fprintf(p.Out, "  %d  %s  %s\n", i+1, sanitize.Plain(o.Name), sanitize.Plain(o.About))
	}
	for {
		i, err := p.Choose(len(all), nil)
		if err != nil {
			return setup.Errorf("nothing was run: no reply source was chosen")
		}
		if err = r.ChooseSource(all[i].Name); err == nil {
			return nil
		}
		fmt.Fprintf(p.Out, "  %s\n", sanitize.Plain(err.Error()))
	}
}

// Inputs asks the person for the inputs that have no value yet.
func (p *Prompt) Inputs(r *setup.Run) error {
	for _, in := range r.Missing {
		secret := slices.Contains(r.Config.Options.Secrets, in.Name)
		value, err := p.input(in, secret)
		if err != nil {
			return err
		}
		r.Give(in, value)
		if note := logs.Warning(in.Name, in.Text(value)); note != "" && secret {
			p.Note("%s", note)
		}
	}
	r.Missing = nil
	return nil
}

// input asks until the value fits. Of options the number will do.
func (p *Prompt) input(in plan.Input, secret bool) (string, error) {
	question := in.Name
	if in.Description != "" {
		question += ": " + in.Description
	}
	if kind := wording.InputKind(in); kind != "" {
		question += " (" + kind + ")"
	}
	read := p.line
	if secret {
		defer p.Hide()()
		read = p.hiddenLine
	}
	for {
		line, err := p.ask(sanitize.Plain(question), "a value (put = first if it starts with : or =)", read)
		if err != nil {
			return "", setup.Errorf("nothing was run: the input %s has no value", in.Name)
		}
		value := strings.TrimPrefix(line, "=")
		if n, err := strconv.Atoi(value); err == nil && n >= 1 && n <= len(in.Options) && !slices.Contains(in.Options, value) {
			value = in.Options[n-1]
		}
		problem := in.Problem(value)
		if secret {
			problem = logs.MaskText(problem, value)
		}
		if value == "" {
			problem = "a value is needed"
		}
		if problem == "" {
			return value, nil
		}
		fmt.Fprintf(p.Out, "  %s\n", sanitize.Plain(problem))
	}
}

// hiddenLine reads a line that is secret, and shows only that there was one.
func (p *Prompt) hiddenLine() (string, error) {
	line, err := readLine(p.In)
	fmt.Fprintln(p.Out, "•••")
	return line, err
}

// Problems lists what is wrong before a run begins. A person says whether it begins all the same, if some of it is an error.
func (p *Prompt) Problems(found []plan.Diagnostic) error {
	show.WriteDiagnostics(p.Out, found)
	for plan.Worst(found) == plan.Error {
		answer, err := p.ask("Something that the run needs is missing. Run it anyway? [yes/no]", "yes or no", p.line)
		switch strings.ToLower(answer) {
		case "yes", "y":
			return nil
		case "no", "n":
			return setup.Errorf("nothing was run")
		}
		if err != nil {
			return setup.Errorf("nothing was run")
		}
		fmt.Fprintf(p.Out, "%q is not an answer: use yes or no.\n", sanitize.Plain(answer))
	}
	return nil
}
