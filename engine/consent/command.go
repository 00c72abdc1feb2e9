package consent

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"playhead/parse/shellwords"

	"mvdan.cc/sh/v3/syntax"
)

// parsedCommand is what consent depends on in a shell command.
type parsedCommand struct {
	simpleCommand  []string   // if it is one simple command without redirection, substitution or assignment; else nil
	allCommands    [][]string // the words of all simple commands at any place, also in arguments of shells
	inputTexts     []string   // here-documents and here-strings
	approvalPrefix string     // the first words that an approval for the run covers; empty: it covers only this command
}

// parseCommand parses a command. With a syntax error, it is not a simple command, and its words are split at spaces.
func parseCommand(text string) parsedCommand {
	var c parsedCommand
	file, err := parseBash(text)
	if err != nil {
		c.allCommands = [][]string{strings.Fields(text)}
		return c
	}
	c.simpleCommand = shellwords.OfSimpleCommand(file)
	c.allCommands, c.inputTexts = commandsIn(file, 0), inputTextsIn(file)
	if begin := c.simpleCommand[:min(2, len(c.simpleCommand))]; len(begin) == 2 && prefixDeterminesEffect(begin) && !slices.ContainsFunc(c.simpleCommand, codeFlagPattern.MatchString) {
		c.approvalPrefix = strings.Join(begin, " ")
	}
	return c
}

func parseBash(text string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}

// prefixDeterminesEffect reports whether the first two words of a command determine what it does, whatever
// follows.
func prefixDeterminesEffect(begin []string) bool {
	program, first := programName(begin[0]), begin[1]
	if !plainWordPattern.MatchString(begin[0]) || !plainWordPattern.MatchString(first) || wrapperPrograms[program] {
		return false
	}
	runs, has := wrapperSubcommands[program]
	return !has || !strings.HasPrefix(first, "-") && !slices.Contains(runs, first)
}

// approvalLabel describes to a person what an approval for the run covers.
func (c parsedCommand) approvalLabel() string {
	if c.approvalPrefix == "" {
		return "exactly this command"
	}
	return "commands that begin with " + c.approvalPrefix
}

// programName returns the name of a program without its folder and version: python for /usr/bin/python3.12.
func programName(word string) string {
	name := path.Base(word)
	return cmp.Or(strings.TrimRight(name, "0123456789.-"), name)
}

var (
	plainWordPattern = regexp.MustCompile(`^[A-Za-z0-9_@%+:,./-]+$`)

	// codeFlagPattern matches a word that makes many programs execute what it or the next word says: rsync -e,
	// go test -exec, make SHELL=….
	codeFlagPattern = regexp.MustCompile(`^([A-Za-z_]\w*=.*|-[ceIx]|-O.+|--?(eval|exec|execdir|ok|okdir|ex|command|execute|toolexec|vettool|rsh|pager|` +
		`ext-diff|open-files-in-pager|to-command|checkpoint-action|use-compress-program|upload-pack|receive-pack|script-shell)(=.*)?)$`)
)

// wrapperPrograms are programs that run a command or code from their arguments. Their first words do not say
// what is executed.
var wrapperPrograms = wordSet(`sh bash dash zsh ksh mksh ash csh tcsh fish nu pwsh busybox toybox eval exec source . trap
	env sudo doas su runuser command builtin coproc nohup time timeout nice ionice chrt taskset stdbuf setsid setarch unshare nsenter chroot flock
	script watch entr parallel xargs find fd ssh scp sftp expect tmux screen at batch systemd-run strace ltrace gdb lldb
	python pypy node nodejs deno bun tsx ts-node perl ruby irb php lua luajit tclsh wish R Rscript julia ghci runghc guile scheme sbcl clisp racket
	elixir erl iex scala groovy jshell kotlin swift osascript awk gawk mawk nawk sed ed ex vi vim nvim emacs
	npx bunx pnpx uvx pipx nix nix-shell psql mysql sqlite`)

// wrapperSubcommands are programs of which some subcommands are wrappers.
var wrapperSubcommands = map[string][]string{
	"git": {"submodule", "bisect", "rebase", "filter-branch", "config", "difftool", "mergetool"},
	"npm": {"exec", "x", "explore", "config", "set"}, "pnpm": {"exec", "dlx"}, "yarn": {"exec", "dlx", "node"}, "corepack": {"npm", "pnpm", "yarn"},
	"docker": {"run", "exec", "compose", "container"}, "podman": {"run", "exec", "compose", "container"}, "kubectl": {"exec", "run", "debug"},
	"uv": {"run"}, "poetry": {"run"}, "pdm": {"run"}, "hatch": {"run"}, "conda": {"run"}, "bundle": {"exec"}, "direnv": {"exec"},
	"go": {"run", "generate", "tool"}, "cargo": {"run"}, "dotnet": {"run", "exec"}, "gh": {"alias", "extension"},
}

// wordSet returns the set of the words in a text.
func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// maxNestingDepth limits how deep commands in arguments of shells are examined.
const maxNestingDepth = 5

// commandsIn returns the words of all simple commands in a file, at any place, including those in
// arguments of shells.
func commandsIn(file *syntax.File, depth int) (calls [][]string) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, is := n.(*syntax.CallExpr); is && len(call.Args) > 0 {
			var words []string
			for _, arg := range call.Args {
				for _, w := range shellwords.ExpandBraces(arg) {
					text, _ := shellwords.LiteralText(w)
					words = append(words, text)
				}
			}
			calls = append(calls, words)
			if depth < maxNestingDepth {
				calls = append(calls, nestedCommands(words, depth)...)
			}
		}
		return true
	})
	return calls
}

// inputTextsIn returns the texts that a file gives to commands as their input.
func inputTextsIn(file *syntax.File) (inputs []string) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if r, is := n.(*syntax.Redirect); is {
			for _, word := range []*syntax.Word{r.Word, r.Hdoc} {
				if word != nil {
					text, _ := shellwords.LiteralText(word)
					inputs = append(inputs, text)
				}
			}
		}
		return true
	})
	return inputs
}

// nestedCommands returns the commands in a wrapper's arguments, both as words and as a script.
func nestedCommands(words []string, depth int) (calls [][]string) {
	if !wrapperPrograms[programName(words[0])] {
		return nil
	}
	hasClient := false
	for i, word := range words[1:] {
		isClient := httpClients[path.Base(word)]
		if !isClient || !hasClient { // the arguments of a client include those of a later one
			calls = append(calls, words[i+1:])
		}
		hasClient = hasClient || isClient
		if !strings.ContainsAny(word, " \t\n;") {
			continue
		}
		if file, err := parseBash(word); err == nil {
			calls = append(calls, commandsIn(file, depth+1)...)
		}
	}
	return calls
}

// isAllowed reports whether a pattern allows the command. The pattern "git status:*" allows all
// commands that begin with these words, "git status" only this command.
func (c parsedCommand) isAllowed(patterns []string) bool {
	return len(c.simpleCommand) > 0 && slices.ContainsFunc(patterns, func(pattern string) bool {
		begin, open := strings.CutSuffix(pattern, ":*")
		want := parseCommand(begin).simpleCommand
		switch {
		case len(want) == 0 || len(c.simpleCommand) < len(want):
			return false
		case !open && len(c.simpleCommand) != len(want):
			return false
		}
		return slices.Equal(c.simpleCommand[:len(want)], want)
	})
}

// closingSubcommands are the subcommands of programs for forges that end or publish something.
var closingSubcommands = map[string][]string{
	"issue":   {"close", "delete", "transfer", "reopen"},
	"pr":      {"close", "merge", "ready", "reopen"},
	"pull":    {"close", "merge", "reopen"},
	"mr":      {"close", "merge", "accept", "reopen"},
	"release": {"create", "edit", "delete", "delete-asset", "upload"},
}

var (
	forgePrograms = map[string]bool{"gh": true, "glab": true, "hub": true, "tea": true}
	// httpClients are programs that can call a forge's API directly.
	httpClients     = map[string]bool{"curl": true, "wget": true, "http": true, "https": true, "xh": true}
	forgeAPIPattern = regexp.MustCompile(`(?i)\bapi\.github\.com\b|/api/v[0-9]+/(repos|projects|issues)\b|/api/graphql\b|\bgitlab\.[^/\s]+/api/|\buploads\.github\.com\b`)
	// closePayloadPattern matches a text that sets a state. In a URL, the state only selects what is listed.
	closePayloadPattern = regexp.MustCompile(`(?i)\bstate(_event)?\b["']?\s*[:=]+\s*["']?close`)
	closeURLPattern     = regexp.MustCompile(`(?i)\bstate_event=close`)
)

const alwaysRefusedNote = ", and Playhead refuses that in every step. (This check cannot find everything: a script can hide such a command.)"

// closingRefusal returns why a command may not run because it ends or publishes something, "" if it is
// not recognised as such.
func (c parsedCommand) closingRefusal() string {
	for _, words := range c.allCommands {
		if what := closingDescription(words); what != "" {
			return what + alwaysRefusedNote
		}
	}
	if c.sendsClosedState() {
		return "the command sets the state of an issue or pull request to closed" + alwaysRefusedNote
	}
	return ""
}

// sendsClosedState reports whether a client is called, and a text that it may send sets a state to closed.
func (c parsedCommand) sendsClosedState() bool {
	isClient := func(words []string) bool { return len(words) > 0 && httpClients[path.Base(words[0])] }
	return slices.ContainsFunc(c.allCommands, isClient) && slices.ContainsFunc(append(slices.Concat(c.allCommands...), c.inputTexts...), func(text string) bool {
		if strings.Contains(text, "://") {
			return closeURLPattern.MatchString(text)
		}
		return closePayloadPattern.MatchString(text)
	})
}

// closingDescription says what a simple command does if it ends or publishes something, or calls a forge's API. For
// other commands it returns "".
func closingDescription(words []string) string {
	if len(words) == 0 {
		return ""
	}
	name := path.Base(words[0])
	switch {
	case httpClients[name] && forgeAPIPattern.MatchString(strings.Join(words, " ")):
		return name + " calls the API of the code forge (GitHub, GitLab …) directly"
	case !forgePrograms[name]:
		return ""
	}
	plain := subcommandWords(words[1:])
	switch {
	case len(plain) == 0:
		return ""
	case plain[0] == "api":
		return "`" + name + " api` calls the API of the code forge (GitHub, GitLab …) directly"
	case len(plain) > 1 && slices.Contains(closingSubcommands[strings.TrimSuffix(plain[0], "s")], plain[1]):
		return "`" + name + " " + plain[0] + " " + plain[1] + "` changes the state of an issue, a pull request or a release"
	}
	return ""
}

// subcommandWords returns the first two words that are neither flags nor the values of flags that name a
// repository or a host: the subcommand, such as pr merge.
func subcommandWords(words []string) (plain []string) {
	for i := 0; i < len(words) && len(plain) < 2; i++ {
		switch word := words[i]; {
		case word == "-R" || word == "--repo" || word == "--hostname" || word == "-r" || word == "--remote" || word == "--login":
			i++
		case strings.HasPrefix(word, "-"):
		default:
			plain = append(plain, word)
		}
	}
	return plain
}
