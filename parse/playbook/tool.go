package playbook

import (
	"strings"

	"playhead/parse/plan"
)

// tool is an @tool: a call in the place of the model's (spec §5).
type tool struct {
	at           place
	server, name string
	args         string // JSON as written, with placeholders
	argsAt       place
}

const toolExample = `write it like: @tool(connection, tool, {"key": "value"})`

func (d *document) readTool(p *part, inner string, at place) {
	parts := strings.SplitN(inner, ",", 3)
	t := &tool{at: at, server: unquote(parts[0])}
	if len(parts) > 1 {
		t.name = unquote(parts[1])
	}
	if t.server == "" || t.name == "" || strings.ContainsAny(t.name[:1], "{'") {
		d.add(at, finding{"tool-arguments", "a tool call names a connection and a tool: this one is left out", toolExample})
		return
	}
	if len(parts) > 2 {
		t.args = strings.TrimSpace(parts[2])
		t.argsAt = place{at.line, at.at + len(inner) - len(strings.TrimLeft(parts[2], blanks))}
		if !arguments(parseTemplate(t.args)).wellFormed() {
			d.add(t.argsAt, finding{"tool-arguments", "the third argument is no JSON object", toolExample})
		}
	}
	if p.tool != nil {
		d.repeated("tool", p.tool.at, at)
	}
	p.tool = t
}

// unquote trims a name, and takes its quotes off.
func unquote(name string) string {
	name = strings.TrimSpace(name)
	if n := len(name); n > 1 && name[0] == '"' && name[n-1] == '"' {
		name = strings.TrimSpace(name[1 : n-1])
	}
	return name
}

// lower makes the call of it. args is where its arguments stand.
func (t *tool) lower(at, args plan.Span) plan.Action {
	work, text := plan.Tool{Server: t.server, Name: t.name}, plan.Passage{}
	if t.args != "" {
		work.Args, text = arguments(parseTemplate(t.args)), plan.Passage{Span: args, JSON: true}
	}
	return plan.Action{Span: at, Work: work, Text: text}
}
