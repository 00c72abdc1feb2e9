package mcp

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"playhead/engine/logs"
)

// variablePattern matches an environment variable with or without a default.
var variablePattern = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// Expand returns the spec with ${VAR} and ${VAR:-default} replaced in its texts. lookup returns the value of a
// variable, and whether it is set. The error names a variable that is not set and has no default.
func (s ServerSpec) Expand(lookup func(string) (string, bool)) (ServerSpec, error) {
	e := expander{spec: s, lookup: lookup}
	s.Command, s.URL = e.expandText(s.Command), e.expandText(s.URL)
	s.Args = slices.Clone(s.Args)
	for i, arg := range s.Args {
		s.Args[i] = e.expandText(arg)
	}
	s.Env, s.Headers = e.expandValues(s.Env), e.expandValues(s.Headers)
	return s, e.err
}

type expander struct {
	spec   ServerSpec
	lookup func(string) (string, bool)
	err    error
}

// expandValues expands the values of a map.
func (e *expander) expandValues(m map[string]string) map[string]string {
	out := maps.Clone(m)
	for name, value := range out {
		out[name] = e.expandText(value)
	}
	return out
}

func (e *expander) expandText(text string) string {
	return variablePattern.ReplaceAllStringFunc(text, func(ref string) string {
		m := variablePattern.FindStringSubmatch(ref)
		value, set := e.lookup(m[1])
		switch {
		case value != "" || set && m[2] == "":
			return value
		case m[2] == "" && e.err == nil:
			e.err = fmt.Errorf("%s:%d: the tool server %s needs the environment variable %s, which is not set: set it, or give it a default with ${%s:-…}",
				e.spec.File, e.spec.Line, quote(e.spec.Name), m[1], m[1])
		}
		return m[3]
	})
}

// secretNamePattern matches the names of variables and headers whose values are secret.
var secretNamePattern = regexp.MustCompile(`(?i)key|token|secret|passw|auth|cookie|credential`)

// Secrets returns the values of the environment and of the headers whose names say that they are secret, such as
// API_KEY. Short values are left out, because masking them would mask unrelated text.
func (s ServerSpec) Secrets() []string {
	var out []string
	for _, m := range []map[string]string{s.Env, s.Headers} {
		for name, value := range m {
			if !secretNamePattern.MatchString(name) {
				continue
			}
			if _, bare, found := strings.Cut(value, " "); found { // Bearer …
				out = append(out, bare)
			}
			out = append(out, value)
		}
	}
	return slices.DeleteFunc(out, logs.IsShortSecret)
}

// VisibleEnv returns the environment of the program as sorted NAME=value entries, without the secret
// values.
func (s ServerSpec) VisibleEnv() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		value := s.Env[name]
		if secretNamePattern.MatchString(name) {
			value = visibleValue(value)
		}
		out = append(out, name+"="+value)
	}
	return out
}

// visibleValue returns what is shown instead of a secret value: the variable that it comes from,
// without a default.
func visibleValue(value string) string {
	m := variablePattern.FindStringSubmatch(value)
	switch {
	case m == nil || m[0] != value:
		return logs.SecretPlaceholder
	case m[3] != "":
		return "${" + m[1] + ":-•••}"
	}
	return value
}
