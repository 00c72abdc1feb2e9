package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"playhead/config"
	"playhead/tui"
)

// bound are the keys of the screen, as the configuration file binds them. What cannot be
// is told with its line, all at once.
func (s *settings) bound() (tui.Keys, error) {
	var bindings []tui.Binding
	for _, b := range s.Bound.Bindings {
		bindings = append(bindings, tui.Binding{Action: b.Action, Keys: b.Keys})
	}
	var list []config.Problem
	keys := tui.Bind(s.Bound.Style, bindings, func(i int, problem string) {
		b := s.Bound.Bindings[i]
		list = append(list, config.Problem{Line: b.Line, Column: b.Column, Message: "keys: " + problem})
	})
	if len(list) == 0 {
		return keys, nil
	}
	slices.SortStableFunc(list, func(a, b config.Problem) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	path, _ := s.path()
	return keys, usage("the configuration cannot be used\n%w", &config.Problems{Path: path, List: list})
}

// keyTable is a list of all actions with their keys. Those that are bound otherwise than
// usual are marked.
func keyTable(keys tui.Keys) string {
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
