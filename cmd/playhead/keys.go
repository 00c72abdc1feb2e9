package main

import (
	"fmt"
	"strings"

	"playhead/engine/config"
	"playhead/tui/keymap"
)

// bind binds the keys of the screen as the configuration file says, and tells what cannot
// be.
func (s *settings) bind() (problems []config.Problem) {
	var bindings []keymap.Binding
	for _, b := range s.Bound.Bindings {
		bindings = append(bindings, keymap.Binding{Action: b.Action, Keys: b.Keys})
	}
	s.keys = keymap.New(s.Bound.Style, bindings, func(i int, problem string) {
		b := s.Bound.Bindings[i]
		problems = append(problems, config.Problem{Line: b.Line, Column: b.Column, Message: "keys: " + problem})
	})
	return problems
}

// keyTable is a list of all actions with their keys. Those that are bound otherwise than
// usual are marked.
func keyTable(keys keymap.Map) string {
	var out strings.Builder
	group := ""
	for _, k := range keys.List() {
		if k.Group != group {
			if group = k.Group; out.Len() > 0 {
				out.WriteByte('\n')
			}
			fmt.Fprintln(&out, group)
		}
		mark := " "
		if !k.Usual {
			mark = "*"
		}
		fmt.Fprintf(&out, "%s %-16s %-14s %s\n", mark, k.Action, strings.Join(k.Keys, " "), k.Help)
	}
	return out.String()
}
