package rundown

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// maxCommands limits how many scenarios and commands aliases in the front matter can expand to.
const maxCommands = 20_000

// readScenarios reads the runs that the front matter declares (spec §6) as plan.Scenarios. Only this
// file knows the commands of rd.
func (d *document) readScenarios(key, value *yaml.Node) {
	if value.Tag == "!!null" {
		return
	}
	if value.Kind != yaml.MappingNode {
		d.frontMatter.scenariosError = `the key "scenarios" is not a mapping of names to scenarios`
		d.reportWrongShape(key, "a mapping of names to scenarios")
		return
	}
	d.frontMatter.scenarios = nil
	commands := 0
	for i := 0; i+1 < len(value.Content); i += 2 {
		name, body := value.Content[i], resolveAlias(value.Content[i+1])
		s := &scenarioReader{document: d, nameNode: name, scenario: plan.Scenario{Name: name.Value, Line: d.fileLineOfNode(name)}}
		s.readScenario(body)
		d.frontMatter.scenarios = append(d.frontMatter.scenarios, s.scenario)
		if commands += len(s.scenario.Commands) + 1; commands > maxCommands {
			reason := fmt.Sprintf("there are more than %d scenarios and commands", maxCommands)
			d.frontMatter.scenarios, d.frontMatter.scenariosError = nil, reason
			d.addAtNode(key, finding{"front-matter", "the scenarios are ignored: " + reason, "write fewer"})
			return
		}
	}
}

// scenarioReader is a scenario that is being read.
type scenarioReader struct {
	document      *document
	nameNode      *yaml.Node
	scenario      plan.Scenario
	hasRunCommand bool // there was an rd run
}

// reportInvalid reports a reason and stores the first one.
func (s *scenarioReader) reportInvalid(at *yaml.Node, reason, suggestion string) {
	if s.scenario.InvalidReason == "" {
		s.scenario.InvalidReason = reason
	}
	s.document.addAtNode(at, finding{"scenario-invalid", fmt.Sprintf("scenario %q: %s", s.scenario.Name, reason), suggestion})
}

func (s *scenarioReader) readScenario(body *yaml.Node) {
	if body.Kind != yaml.MappingNode {
		s.reportInvalid(s.nameNode, "it is not a mapping", "give it commands and a result")
		return
	}
	fields := map[string]*yaml.Node{}
	for i := 0; i+1 < len(body.Content); i += 2 {
		fields[body.Content[i].Value] = resolveAlias(body.Content[i+1])
	}
	if n := fields["description"]; n != nil && n.Tag != "!!null" {
		if n.Kind != yaml.ScalarNode {
			s.reportInvalid(n, "its description is not a string", "write a string")
		} else {
			s.scenario.Description = n.Value
		}
	}
	s.readResult(fields["result"])
	s.readCommands(fields["commands"])
}

// RunResultByWord is the result of a run that a scenario expects, by the word of the front matter.
var RunResultByWord = map[string]plan.RunResult{"COMPLETE": plan.Completed, "STOP": plan.Stopped}

func (s *scenarioReader) readResult(n *yaml.Node) {
	if n == nil {
		s.reportInvalid(s.nameNode, "it has no result", "write result: COMPLETE or result: STOP")
		return
	}
	var ok bool
	if s.scenario.Result, ok = RunResultByWord[n.Value]; !ok || n.Kind != yaml.ScalarNode {
		s.reportInvalid(n, fmt.Sprintf("the result %q is neither COMPLETE nor STOP", n.Value), "write result: COMPLETE or result: STOP")
	}
}

func (s *scenarioReader) readCommands(n *yaml.Node) {
	if n == nil || n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		s.reportInvalid(s.nameNode, "it has no list of commands", "list the commands, the first one being rd run FILE")
		return
	}
	items := n.Content[:min(len(n.Content), maxCommands)]
	for _, c := range items {
		s.scenario.Commands = append(s.scenario.Commands, resolveAlias(c).Value)
		if words, _ := splitWords(resolveAlias(c).Value); delegatesToAgent(words) {
			s.scenario.SkipReason = "the options --agent and --step of rd hand work to an agent, which Playhead does not do"
		}
	}
	if s.scenario.SkipReason != "" {
		return
	}
	for _, c := range items {
		if c = resolveAlias(c); c.Kind != yaml.ScalarNode || c.Tag == "!!null" {
			s.reportInvalid(c, "a command is not a string", "write each command as a string")
			continue
		}
		s.convertCommand(c)
	}
}

// convertCommand converts one line such as rd pass.
func (s *scenarioReader) convertCommand(n *yaml.Node) {
	words, ok := splitWords(n.Value)
	if !ok {
		s.reportInvalid(n, fmt.Sprintf("a quote in %q is not closed", n.Value), "close the quote")
		return
	}
	args := slices.DeleteFunc(words, isIneffectiveOption)
	switch {
	case len(args) < 2 || args[0] != "rd":
		s.reportUnknownCommand(n)
	case args[1] == "run":
		s.readRunCommand(n, args[2:])
	case !s.hasRunCommand:
		s.reportInvalid(n, fmt.Sprintf("%q comes before rd run", n.Value), "begin with rd run FILE")
		s.hasRunCommand = true
	default:
		s.convertMove(n, args[1], args[2:])
	}
}

// convertMove converts a command that moves the run.
func (s *scenarioReader) convertMove(n *yaml.Node, verb string, args []string) {
	switch {
	case (verb == "pass" || verb == "yes" || verb == "ok") && len(args) == 0:
		s.addDecision("pass")
	case (verb == "fail" || verb == "no") && len(args) == 0:
		s.addDecision("fail")
	case verb == "goto" && len(args) == 1:
		s.addDecision("goto:" + args[0])
	case (verb == "complete" || verb == "stop") && len(args) == 0:
		s.addDecision(verb)
	case verb == "complete" || verb == "stop":
		s.addDecision(verb + ":" + strings.Join(args, " "))
	default:
		s.reportUnknownCommand(n)
	}
}

func (s *scenarioReader) addDecision(item string) {
	s.scenario.Decisions = append(s.scenario.Decisions, item)
}

func (s *scenarioReader) reportUnknownCommand(n *yaml.Node) {
	s.reportInvalid(n, fmt.Sprintf("%q is not a valid scenario command", n.Value),
		"use rd run, rd pass, rd fail, rd goto X, rd complete or rd stop")
}

// readRunCommand reads rd run [--prompted] FILE, which must come first and only once.
func (s *scenarioReader) readRunCommand(n *yaml.Node, args []string) {
	if s.hasRunCommand {
		s.reportInvalid(n, "a scenario can have only one rd run", fmt.Sprintf("put %q into another scenario", n.Value))
		return
	}
	s.hasRunCommand = true
	var files []string
	for _, a := range args {
		if a == "--prompted" {
			s.scenario.ExecutesNothing = true
		} else {
			files = append(files, a)
		}
	}
	own := source.NameWithoutFolder(s.document.File)
	if len(files) != 1 || source.NameWithoutFolder(files[0]) != own {
		s.reportInvalid(n, fmt.Sprintf("%q does not run this document", n.Value), "write rd run "+own)
	}
}

// delegatesToAgent reports whether a command hands work to an agent.
func delegatesToAgent(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		name, _, _ := strings.Cut(w, "=")
		return name == "--agent" || name == "--step"
	})
}

// isIneffectiveOption reports whether a word is an option of rd that has no effect here.
func isIneffectiveOption(option string) bool {
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
