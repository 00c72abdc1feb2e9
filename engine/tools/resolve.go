package tools

import (
	"fmt"
	"strings"
)

// Named is the tool that a document's name for one says by itself, and the server if it
// says that: as server/tool or mcp__server__tool.
func Named(name string) (server, tool string) {
	if inner, is := strings.CutPrefix(name, "mcp__"); is {
		if server, tool, is = strings.Cut(inner, "__"); is {
			return server, tool
		}
	}
	if server, tool, is := strings.Cut(name, "/"); is {
		return server, tool
	}
	return "", name
}

// Resolve finds the tool that a document names: by a name that one server alone has,
// or as server/tool or mcp__server__tool.
func Resolve(all []Tool, name string) (Tool, error) {
	var found []Tool
	for _, t := range all {
		switch name {
		case t.Server + "/" + t.Name, "mcp__" + t.Server + "__" + t.Name:
			return t, nil
		case t.Name:
			found = append(found, t)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Tool{}, fmt.Errorf("no server has a tool %q: name one that is configured, or server/tool; look at .mcp.json", name)
	}
	var servers []string
	for _, t := range found {
		servers = append(servers, t.Server)
	}
	return Tool{}, fmt.Errorf("several servers have a tool %q (%s): name it server/tool", name, strings.Join(servers, ", "))
}
