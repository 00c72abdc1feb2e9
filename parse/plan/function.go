package plan

import (
	"fmt"
	"slices"
	"strings"
)

// longestFunction is how long the name of a function may be, in characters.
const longestFunction = 64

// FunctionNames are the names under which a model is offered tools, one for each
// tool as the document names it; the same tool has the same name. A function's
// name has letters, digits, _ and - alone; anything else becomes _, and what is
// taken already gets a number. Prompts call the tools by these names too.
func FunctionNames(tools []string, taken ...string) []string {
	used, known := map[string]bool{}, map[string]string{}
	for _, name := range taken {
		used[name] = true
	}
	out := make([]string, len(tools))
	for i, tool := range tools {
		if known[tool] == "" {
			known[tool] = functionName(tool, used)
		}
		out[i] = known[tool]
	}
	return out
}

// functionName is the first free name for a tool.
func functionName(tool string, used map[string]bool) string {
	base := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, tool)
	name := base[:min(len(base), longestFunction)]
	for n := 2; used[name] || name == ""; n++ {
		suffix := fmt.Sprintf("_%d", n)
		name = base[:min(len(base), longestFunction-len(suffix))] + suffix
	}
	used[name] = true
	return name
}

// Asked says which of a form's fields are asked, by the answers there are so far: a
// field that is not asked has no answer.
func Asked(fields []Field, answers []string) []bool {
	asked, given := make([]bool, len(fields)), map[string]string{}
	for i, f := range fields {
		asked[i] = f.Only.Field == "" || slices.Contains(f.Only.Is, given[f.Only.Field])
		if asked[i] {
			given[f.Name] = answers[i]
		}
	}
	return asked
}
