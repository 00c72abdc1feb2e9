package consent

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// command is a shell command with what consent depends on.
type command struct {
	words  []string // of a single simple command without redirection, substitution or assignment; nil for any other
	calls  [][]string
	inputs []string // here-documents and here-strings
	prefix string   // the first words that an approval for the run covers; empty: it covers only this command
}

// parse reads a command. A command with a syntax error is not a simple command.
func parse(text string) command {
	var c command
	file, err := read(text)
	if err != nil {
		c.calls = [][]string{strings.Fields(text)}
		return c
	}
	c.words = simpleWords(file)
	c.calls, c.inputs = callsIn(file, 0), inputsIn(file)
	if begin := c.words[:min(2, len(c.words))]; len(begin) == 2 && tellsAll(begin) && !slices.ContainsFunc(c.words, takesCode.MatchString) {
		c.prefix = strings.Join(begin, " ")
	}
	return c
}

func read(text string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}

// maxExpanded limits how many words of one with braces are examined.
const maxExpanded = 100

// expanded returns the words that bash makes of one with braces.
func expanded(arg *syntax.Word) (words []*syntax.Word) {
	split := *arg // whose parts are replaced
	syntax.SplitBraces(&split)
	for w, err := range expand.BracesSeq(nil, &split) {
		if err != nil || len(words) == maxExpanded {
			break
		}
		words = append(words, w)
	}
	return words
}

// tellsAll reports whether the first two words of a command say what it does, whatever follows them.
func tellsAll(begin []string) bool {
	program, first := programOf(begin[0]), begin[1]
	if !plainWord.MatchString(begin[0]) || !plainWord.MatchString(first) || wrappers[program] {
		return false
	}
	runs, has := runners[program]
	return !has || !strings.HasPrefix(first, "-") && !slices.Contains(runs, first)
}

// label describes to a person what an approval for the run covers.
func (c command) label() string {
	if c.prefix == "" {
		return "exactly this command"
	}
	return "commands that begin with " + c.prefix
}

// programOf returns the name of a program without its folder and version: python for /usr/bin/python3.12.
func programOf(word string) string {
	name := path.Base(word)
	return cmp.Or(strings.TrimRight(name, "0123456789.-"), name)
}

var (
	plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+:,./-]+$`)

	// takesCode is a word with which many programs run what it or the next one says: rsync -e, go test
	// -exec, make SHELL=….
	takesCode = regexp.MustCompile(`^([A-Za-z_]\w*=.*|-[ceIx]|-O.+|--?(eval|exec|execdir|ok|okdir|ex|command|execute|toolexec|vettool|rsh|pager|` +
		`ext-diff|open-files-in-pager|to-command|checkpoint-action|use-compress-program|upload-pack|receive-pack|script-shell)(=.*)?)$`)
)

// wrappers run a command or code in their arguments, so their own first words say nothing.
var wrappers = setOf(`sh bash dash zsh ksh mksh ash csh tcsh fish nu pwsh busybox toybox eval exec source . trap
	env sudo doas su runuser command builtin coproc nohup time timeout nice ionice chrt taskset stdbuf setsid setarch unshare nsenter chroot flock
	script watch entr parallel xargs find fd ssh scp sftp expect tmux screen at batch systemd-run strace ltrace gdb lldb
	python pypy node nodejs deno bun tsx ts-node perl ruby irb php lua luajit tclsh wish R Rscript julia ghci runghc guile scheme sbcl clisp racket
	elixir erl iex scala groovy jshell kotlin swift osascript awk gawk mawk nawk sed ed ex vi vim nvim emacs
	npx bunx pnpx uvx pipx nix nix-shell psql mysql sqlite`)

// runners are programs of which some subcommands are wrappers.
var runners = map[string][]string{
	"git": {"submodule", "bisect", "rebase", "filter-branch", "config", "difftool", "mergetool"},
	"npm": {"exec", "x", "explore", "config", "set"}, "pnpm": {"exec", "dlx"}, "yarn": {"exec", "dlx", "node"}, "corepack": {"npm", "pnpm", "yarn"},
	"docker": {"run", "exec", "compose", "container"}, "podman": {"run", "exec", "compose", "container"}, "kubectl": {"exec", "run", "debug"},
	"uv": {"run"}, "poetry": {"run"}, "pdm": {"run"}, "hatch": {"run"}, "conda": {"run"}, "bundle": {"exec"}, "direnv": {"exec"},
	"go": {"run", "generate", "tool"}, "cargo": {"run"}, "dotnet": {"run", "exec"}, "gh": {"alias", "extension"},
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// simpleWords returns the words of a file that is one simple command. It returns nil for a list,
// pipe, background command, assignment, redirection or expansion.
func simpleWords(file *syntax.File) []string {
	if len(file.Stmts) != 1 {
		return nil
	}
	s := file.Stmts[0]
	call, is := s.Cmd.(*syntax.CallExpr)
	if !is || s.Negated || s.Background || s.Coprocess || len(s.Redirs) > 0 || len(call.Assigns) > 0 {
		return nil
	}
	var words []string
	for _, w := range call.Args {
		text, whole := Literal(w)
		if !whole || len(expanded(w)) != 1 {
			return nil
		}
		words = append(words, text)
	}
	return words
}

// Literal returns the text of a word without its quotes. whole is false if the word contains an
// expansion.
func Literal(w *syntax.Word) (text string, whole bool) {
	var b strings.Builder
	whole = true
	var add func(parts []syntax.WordPart)
	add = func(parts []syntax.WordPart) {
		for _, part := range parts {
			switch part := part.(type) {
			case *syntax.Lit:
				b.WriteString(unescape(part.Value))
			case *syntax.SglQuoted:
				b.WriteString(part.Value)
				whole = whole && !part.Dollar
			case *syntax.DblQuoted:
				add(part.Parts)
				whole = whole && !part.Dollar
			default:
				whole = false
			}
		}
	}
	add(w.Parts)
	return b.String(), whole
}

// unescape removes the backslashes that a shell removes.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	escaped := false
	for _, r := range text {
		if r == '\\' && !escaped {
			escaped = true
			continue
		}
		if escaped = false; r != '\n' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// maxDepth limits how deep commands in arguments of shells are examined.
const maxDepth = 5

// callsIn returns the words of all simple commands in a file, at any place, including those in
// arguments of shells.
func callsIn(file *syntax.File, depth int) (calls [][]string) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, is := n.(*syntax.CallExpr); is && len(call.Args) > 0 {
			var words []string
			for _, arg := range call.Args {
				for _, w := range expanded(arg) {
					text, _ := Literal(w)
					words = append(words, text)
				}
			}
			calls = append(calls, words)
			if depth < maxDepth {
				calls = append(calls, nested(words, depth)...)
			}
		}
		return true
	})
	return calls
}

// inputsIn returns the texts that a file gives to commands as their input.
func inputsIn(file *syntax.File) (inputs []string) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if r, is := n.(*syntax.Redirect); is {
			for _, word := range []*syntax.Word{r.Word, r.Hdoc} {
				if word != nil {
					text, _ := Literal(word)
					inputs = append(inputs, text)
				}
			}
		}
		return true
	})
	return inputs
}

// nested returns the commands in a wrapper's arguments, both as words and as a script.
func nested(words []string, depth int) (calls [][]string) {
	if !wrappers[programOf(words[0])] {
		return nil
	}
	hasClient := false
	for i, word := range words[1:] {
		isClient := clients[path.Base(word)]
		if !isClient || !hasClient { // the arguments of a client include those of a later one
			calls = append(calls, words[i+1:])
		}
		hasClient = hasClient || isClient
		if !strings.ContainsAny(word, " \t\n;") {
			continue
		}
		if file, err := read(word); err == nil {
			calls = append(calls, callsIn(file, depth+1)...)
		}
	}
	return calls
}

// isAllowed reports whether a pattern allows the command. The pattern "git status:*" allows all
// commands that begin with these words, "git status" only this command.
func (c command) isAllowed(patterns []string) bool {
	return len(c.words) > 0 && slices.ContainsFunc(patterns, func(pattern string) bool {
		begin, open := strings.CutSuffix(pattern, ":*")
		want := parse(begin).words
		switch {
		case len(want) == 0 || len(c.words) < len(want):
			return false
		case !open && len(c.words) != len(want):
			return false
		}
		return slices.Equal(c.words[:len(want)], want)
	})
}

// closings are the subcommands of programs for forges that end or publish something.
var closings = map[string][]string{
	"issue":   {"close", "delete", "transfer", "reopen"},
	"pr":      {"close", "merge", "ready", "reopen"},
	"pull":    {"close", "merge", "reopen"},
	"mr":      {"close", "merge", "accept", "reopen"},
	"release": {"create", "edit", "delete", "delete-asset", "upload"},
}

var (
	forges = map[string]bool{"gh": true, "glab": true, "hub": true, "tea": true}
	// clients are programs that can call a forge's API directly.
	clients = map[string]bool{"curl": true, "wget": true, "http": true, "https": true, "xh": true}
	api     = regexp.MustCompile(`(?i)\bapi\.github\.com\b|/api/v[0-9]+/(repos|projects|issues)\b|/api/graphql\b|\bgitlab\.[^/\s]+/api/|\buploads\.github\.com\b`)
	// payload matches a text that sets a state. In a URL, the state only selects what is listed.
	payload    = regexp.MustCompile(`(?i)\bstate(_event)?\b["']?\s*[:=]+\s*["']?close`)
	urlPayload = regexp.MustCompile(`(?i)\bstate_event=close`)
)

const closingOnly = ". Only the closing step may do this. (This check is not complete: a script can hide what it does.)"

// boundary returns why a command may not run because it ends or publishes something, "" if it is
// not recognised as such.
func (c command) boundary() string {
	for _, words := range c.calls {
		if what := closingOf(words); what != "" {
			return what + closingOnly
		}
	}
	if c.setsClosed() {
		return "the command sets a state to closed" + closingOnly
	}
	return ""
}

// setsClosed reports whether a client is called, and a text that it may send sets a state to closed.
func (c command) setsClosed() bool {
	isClient := func(words []string) bool { return len(words) > 0 && clients[path.Base(words[0])] }
	return slices.ContainsFunc(c.calls, isClient) && slices.ContainsFunc(append(slices.Concat(c.calls...), c.inputs...), func(text string) bool {
		if strings.Contains(text, "://") {
			return urlPayload.MatchString(text)
		}
		return payload.MatchString(text)
	})
}

func closingOf(words []string) string {
	if len(words) == 0 {
		return ""
	}
	name := path.Base(words[0])
	switch {
	case clients[name] && api.MatchString(strings.Join(words, " ")):
		return name + " calls the forge's API directly"
	case !forges[name]:
		return ""
	}
	plain := withoutFlags(words[1:])
	switch {
	case len(plain) == 0:
		return ""
	case plain[0] == "api":
		return name + " api calls the forge's API directly"
	case len(plain) > 1 && slices.Contains(closings[strings.TrimSuffix(plain[0], "s")], plain[1]):
		return name + " " + plain[0] + " " + plain[1] + " ends or publishes something"
	}
	return ""
}

// withoutFlags returns the first two words that are neither flags nor the values of flags that name
// a repository.
func withoutFlags(words []string) (plain []string) {
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
