package preflight

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"playhead/engine/consent"
	"playhead/parse/plan"
)

// programs returns the programs that a command always runs: the first words of the commands at its
// top level, up to the first command that may change where programs are found. It leaves out
// commands under a condition, names that depend on values, built-in commands, and functions that
// the command defines.
func programs(w plan.Command) []string {
	if len(w.Argv) > 0 {
		if name := renderUnknown(w.Argv[0]); isFixed(name) {
			return []string{name}
		}
		return nil
	}
	variant := syntax.LangPOSIX
	if w.Shell == "bash" {
		variant = syntax.LangBash
	}
	file, err := syntax.NewParser(syntax.Variant(variant)).Parse(strings.NewReader(renderUnknown(w.Text)), "")
	if err != nil {
		return nil // the shell reports the error itself
	}
	f := finder{defined: map[string]bool{}}
	syntax.Walk(file, func(n syntax.Node) bool {
		if d, is := n.(*syntax.FuncDecl); is {
			f.defined[d.Name.Value] = true
		}
		return true
	})
	f.statements(file.Stmts)
	return f.names
}

// unknown stands for the value of a variable in a command.
const unknown = "\uE000"

// renderUnknown returns a text in which unknown stands for values that are known only during the run.
func renderUnknown(text plan.Prompt) string {
	if text == nil {
		return ""
	}
	r, err := text.Render(plan.NULScope{})
	if err != nil {
		return unknown
	}
	return strings.ReplaceAll(r.Text, "\x00", unknown)
}

func isFixed(name string) bool { return name != "" && !strings.Contains(name, unknown) }

// finder collects the programs of a command, in order.
type finder struct {
	names   []string
	defined map[string]bool // functions and aliases
}

// statements examines statements. It reports whether programs are still found in the same way after
// them.
func (f *finder) statements(all []*syntax.Stmt) bool {
	return !slices.ContainsFunc(all, func(s *syntax.Stmt) bool { return !f.command(s.Cmd) })
}

func (f *finder) command(c syntax.Command) bool {
	switch c := c.(type) {
	case *syntax.CallExpr:
		return f.call(c)
	case *syntax.Block:
		return f.statements(c.Stmts)
	case *syntax.Subshell:
		f.statements(c.Stmts)
	case *syntax.TimeClause:
		return c.Stmt == nil || f.command(c.Stmt.Cmd)
	case *syntax.BinaryCmd:
		if ok := f.command(c.X.Cmd); !ok {
			return false
		}
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			return f.command(c.Y.Cmd)
		}
		return !changes(c.Y)
	case *syntax.DeclClause:
		return !assignsPath(c.Args)
	default:
		return c == nil || !changes(c)
	}
	return true
}

// call adds the first word of a simple command.
func (f *finder) call(c *syntax.CallExpr) bool {
	if assignsPath(c.Assigns) {
		return false
	}
	if len(c.Args) == 0 {
		return true
	}
	name := literal(c.Args[0])
	if isBuiltIn(name) {
		return !isChanging(name)
	}
	if isFixed(name) && !f.defined[name] && !slices.Contains(f.names, name) {
		f.names = append(f.names, name)
	}
	return true
}

// changes reports whether a command may change where programs are found.
func changes(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			found = found || assignsPath(n.Assigns) || len(n.Args) > 0 && isChanging(literal(n.Args[0]))
		case *syntax.DeclClause:
			found = found || assignsPath(n.Args)
		}
		return !found
	})
	return found
}

func assignsPath(all []*syntax.Assign) bool {
	return slices.ContainsFunc(all, func(a *syntax.Assign) bool { return a.Name != nil && a.Name.Value == "PATH" })
}

// literal returns the text of a word, empty where the shell finds out what it stands for.
func literal(w *syntax.Word) string {
	text, whole := consent.Literal(w)
	if !whole || strings.ContainsAny(text, "*?[~{") {
		return ""
	}
	return text
}

// isChanging reports whether a built-in command may change the folder, the search path or the
// meaning of names.
func isChanging(name string) bool {
	return slices.Contains([]string{"cd", "pushd", "popd", ".", "source", "eval", "alias", "exec", "exit", "return", "hash", "enable"}, name)
}

// isBuiltIn reports whether a name is a built-in command of sh or bash.
func isBuiltIn(name string) bool { return slices.Contains(builtIns, name) }

var builtIns = strings.Fields(`. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs
	disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf
	pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias
	unset wait`)
