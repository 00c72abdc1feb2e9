package preflight

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"playhead/parse/plan"
	"playhead/parse/shellwords"
)

// programsOf returns the programs that a command always runs: the first words of the commands at its
// top level, up to the first command that may change where programs are found. It leaves out
// commands under a condition, names that depend on values, built-in commands, and functions that
// the command defines.
func programsOf(w plan.Command) []string {
	if len(w.Argv) > 0 {
		if name := renderWithUnknownValues(w.Argv[0]); isKnownName(name) {
			return []string{name}
		}
		return nil
	}
	variant := syntax.LangPOSIX
	if w.Shell == "bash" {
		variant = syntax.LangBash
	}
	file, err := syntax.NewParser(syntax.Variant(variant)).Parse(strings.NewReader(renderWithUnknownValues(w.Text)), "")
	if err != nil {
		return nil // the shell reports the error itself
	}
	f := programFinder{isDefined: map[string]bool{}}
	syntax.Walk(file, func(n syntax.Node) bool {
		if d, is := n.(*syntax.FuncDecl); is {
			f.isDefined[d.Name.Value] = true
		}
		return true
	})
	f.examineStatements(file.Stmts)
	return f.programNames
}

// unknownValue stands for the value of a variable in a command.
const unknownValue = "\uE000"

// renderWithUnknownValues returns a text in which unknownValue stands for values that are known only during the run.
func renderWithUnknownValues(text plan.Prompt) string {
	if text == nil {
		return ""
	}
	r, err := text.Render(plan.ProbeScope{})
	if err != nil {
		return unknownValue
	}
	return strings.ReplaceAll(r.Text, "\x00", unknownValue)
}

func isKnownName(name string) bool { return name != "" && !strings.Contains(name, unknownValue) }

// programFinder collects the programs of a command, in order.
type programFinder struct {
	programNames []string
	isDefined    map[string]bool // the functions that the command defines
}

// examineStatements examines statements in order, until one may change where programs are found. It reports whether
// none does.
func (f *programFinder) examineStatements(all []*syntax.Stmt) bool {
	return !slices.ContainsFunc(all, func(s *syntax.Stmt) bool { return !f.examineCommand(s.Cmd) })
}

// examineCommand adds the programs that a command always runs. It reports whether programs are found in the same way
// after it.
func (f *programFinder) examineCommand(c syntax.Command) bool {
	switch c := c.(type) {
	case *syntax.CallExpr:
		return f.examineCall(c)
	case *syntax.Block:
		return f.examineStatements(c.Stmts)
	case *syntax.Subshell:
		f.examineStatements(c.Stmts)
	case *syntax.TimeClause:
		return c.Stmt == nil || f.examineCommand(c.Stmt.Cmd)
	case *syntax.BinaryCmd:
		if ok := f.examineCommand(c.X.Cmd); !ok {
			return false
		}
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			return f.examineCommand(c.Y.Cmd)
		}
		return !mayChangeProgramLookup(c.Y)
	case *syntax.DeclClause:
		return !assignsPATH(c.Args)
	default:
		return c == nil || !mayChangeProgramLookup(c)
	}
	return true
}

// examineCall adds the first word of a simple command, if it is a program. Its result is as of examineCommand.
func (f *programFinder) examineCall(c *syntax.CallExpr) bool {
	if assignsPATH(c.Assigns) {
		return false
	}
	if len(c.Args) == 0 {
		return true
	}
	name := fixedWordText(c.Args[0])
	if isShellBuiltIn(name) {
		return !isLookupChangingCommand(name)
	}
	if isKnownName(name) && !f.isDefined[name] && !slices.Contains(f.programNames, name) {
		f.programNames = append(f.programNames, name)
	}
	return true
}

// mayChangeProgramLookup reports whether a command may change where programs are found.
func mayChangeProgramLookup(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			found = found || assignsPATH(n.Assigns) || len(n.Args) > 0 && isLookupChangingCommand(fixedWordText(n.Args[0]))
		case *syntax.DeclClause:
			found = found || assignsPATH(n.Args)
		}
		return !found
	})
	return found
}

func assignsPATH(all []*syntax.Assign) bool {
	return slices.ContainsFunc(all, func(a *syntax.Assign) bool { return a.Name != nil && a.Name.Value == "PATH" })
}

// fixedWordText returns the text of a word, "" if its text depends on an expansion by the shell.
func fixedWordText(w *syntax.Word) string {
	text, whole := shellwords.LiteralText(w)
	if !whole || strings.ContainsAny(text, "*?[~{") {
		return ""
	}
	return text
}

// isLookupChangingCommand reports whether a built-in command may change the folder, the search path or the
// meaning of names.
func isLookupChangingCommand(name string) bool {
	return slices.Contains([]string{"cd", "pushd", "popd", ".", "source", "eval", "alias", "exec", "exit", "return", "hash", "enable"}, name)
}

// isShellBuiltIn reports whether a name is a built-in command of sh or bash.
func isShellBuiltIn(name string) bool { return slices.Contains(shellBuiltInNames, name) }

var shellBuiltInNames = strings.Fields(`. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs
	disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf
	pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias
	unset wait`)
