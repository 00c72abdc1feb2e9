package rundown

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"playhead/parse/plan"
)

// maxCommands limits how many commands aliases in the front matter can expand to.
const maxCommands = 20_000

// scenarios reads the runs that the front matter declares (spec §6) as plan.Scenarios. Only this
// file knows the commands of rd.
func (d *document) scenarios(key, value *yaml.Node) {
	if value.Tag == "!!null" {
		return
	}
	if value.Kind != yaml.MappingNode {
		d.front.scenariosError = "scenarios is not a mapping"
		d.wrongShape(key, "a mapping of names to scenarios")
		return
	}
	d.front.scenarios = nil
	commands := 0
	for i := 0; i+1 < len(value.Content); i += 2 {
		name, body := value.Content[i], resolve(value.Content[i+1])
		s := &scenario{d: d, at: name, out: plan.Scenario{Name: name.Value, Line: d.fileLine(name)}}
		s.read(body)
		d.front.scenarios = append(d.front.scenarios, s.out)
		if commands += len(s.out.Commands) + 1; commands > maxCommands {
			d.wrongShape(key, fmt.Sprintf("short enough: there are more than %d commands", maxCommands))
			return
		}
	}
}

// scenario is a scenario that is being read.
type scenario struct {
	d      *document
	at     *yaml.Node
	out    plan.Scenario
	hasRun bool // there was an rd run
}

// invalid reports a reason and stores the first one.
func (s *scenario) invalid(at *yaml.Node, reason, suggestion string) {
	if s.out.Invalid == "" {
		s.out.Invalid = reason
	}
	s.d.atNode(at, finding{"scenario-invalid", fmt.Sprintf("scenario %q: %s", s.out.Name, reason), suggestion})
}

func (s *scenario) read(body *yaml.Node) {
	if body.Kind != yaml.MappingNode {
		s.invalid(s.at, "it is not a mapping", "give it commands and a result")
		return
	}
	fields := map[string]*yaml.Node{}
	for i := 0; i+1 < len(body.Content); i += 2 {
		fields[body.Content[i].Value] = resolve(body.Content[i+1])
	}
	if n := fields["description"]; n != nil && n.Tag != "!!null" {
		if n.Kind != yaml.ScalarNode {
			s.invalid(n, "its description is not a text", "write a text")
		} else {
			s.out.Description = n.Value
		}
	}
	s.result(fields["result"])
	s.commands(fields["commands"])
}

func (s *scenario) result(n *yaml.Node) {
	switch {
	case n == nil:
		s.invalid(s.at, "it has no result", "write result: COMPLETE or result: STOP")
	case n.Kind == yaml.ScalarNode && n.Value == "COMPLETE":
		s.out.Result = plan.Completed
	case n.Kind == yaml.ScalarNode && n.Value == "STOP":
		s.out.Result = plan.Stopped
	default:
		s.invalid(n, fmt.Sprintf("the result %q is neither COMPLETE nor STOP", n.Value), "write result: COMPLETE or result: STOP")
	}
}

func (s *scenario) commands(n *yaml.Node) {
	if n == nil || n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		s.invalid(s.at, "it has no list of commands", "list the commands, the first one being rd run FILE")
		return
	}
	items := n.Content[:min(len(n.Content), maxCommands)]
	for _, c := range items {
		s.out.Commands = append(s.out.Commands, resolve(c).Value)
		if words, _ := splitWords(resolve(c).Value); delegates(words) {
			s.out.Skip = "Playhead does not hand work to agents (--agent, --step)"
		}
	}
	if s.out.Skip != "" {
		return
	}
	for _, c := range items {
		if c = resolve(c); c.Kind != yaml.ScalarNode || c.Tag == "!!null" {
			s.invalid(c, "a command is not a text", "write each command as a text")
			continue
		}
		s.convertCommand(c)
	}
}

// convertCommand converts one line such as rd pass.
func (s *scenario) convertCommand(n *yaml.Node) {
	words, ok := splitWords(n.Value)
	if !ok {
		s.invalid(n, fmt.Sprintf("a quote in %q is not closed", n.Value), "close the quote")
		return
	}
	args := slices.DeleteFunc(words, hasNoEffect)
	switch {
	case len(args) < 2 || args[0] != "rd":
		s.reportUnknown(n)
	case args[1] == "run":
		s.run(n, args[2:])
	case !s.hasRun:
		s.invalid(n, fmt.Sprintf("%q comes before rd run", n.Value), "begin with rd run FILE")
		s.hasRun = true
	default:
		s.move(n, args[1], args[2:])
	}
}

// move converts a command that moves the run.
func (s *scenario) move(n *yaml.Node, verb string, args []string) {
	switch {
	case (verb == "pass" || verb == "yes" || verb == "ok") && len(args) == 0:
		s.decide("pass")
	case (verb == "fail" || verb == "no") && len(args) == 0:
		s.decide("fail")
	case verb == "goto" && len(args) == 1:
		s.decide("goto:" + args[0])
	case verb == "complete" || verb == "stop":
		s.decide(strings.TrimSuffix(verb+":"+strings.Join(args, " "), ":"))
	default:
		s.reportUnknown(n)
	}
}

func (s *scenario) decide(item string) { s.out.Decide = append(s.out.Decide, item) }

func (s *scenario) reportUnknown(n *yaml.Node) {
	s.invalid(n, fmt.Sprintf("%q is not a command of a scenario", n.Value),
		"use rd run, rd pass, rd fail, rd goto X, rd complete or rd stop")
}

// run reads rd run [--prompted] FILE, which must come first and only once.
func (s *scenario) run(n *yaml.Node, args []string) {
	if s.hasRun {
		s.invalid(n, fmt.Sprintf("%q is a second rd run", n.Value), "write another scenario for another run")
		return
	}
	s.hasRun = true
	var files []string
	for _, a := range args {
		if a == "--prompted" {
			s.out.Prompted = true
		} else {
			files = append(files, a)
		}
	}
	own := baseOf(s.d.File)
	if len(files) != 1 || baseOf(files[0]) != own {
		s.invalid(n, fmt.Sprintf("%q does not run this document", n.Value), "write rd run "+own)
	}
}

// delegates reports whether a command hands work to an agent.
func delegates(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		name, _, _ := strings.Cut(w, "=")
		return name == "--agent" || name == "--step"
	})
}

// hasNoEffect reports whether a word is an option of rd that has no effect here.
func hasNoEffect(option string) bool {
	for _, p := range []string{"--allow", "--deny", "--color", "--colour", "--no-color", "--no-colour"} {
		if strings.HasPrefix(option, p) {
			return true
		}
	}
	return option == "-A" || option == "-y" || option == "--yes"
}

// splitWords splits a command at blanks. Quotes group words, and # after a blank begins a comment.
func splitWords(s string) (words []string, ok bool) {
	var word strings.Builder
	quote, open := rune(0), false
	for _, c := range s {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			quote, open = c, true
		case c == '#' && !open:
			return words, true
		case c == ' ' || c == '\t' || c == '\n':
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(c)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words, quote == 0
}
