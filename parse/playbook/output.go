package playbook

import (
	"fmt"
	"regexp"
)

// output is an @output: the variable that takes the step's result (spec §5).
type output struct {
	at      place // of the name
	name    string
	kind    string // canonical, "" where none is written
	options []string
	extract string
	shadows bool // an input has the name: nothing is stored
}

var (
	outputLine = regexp.MustCompile(`^@output\((\w+)(?:\s*:\s*(\w+))?((?:,\s*"[^"]*")*)(?:,\s*extract:"(\w+)")?\)\s*$`)
	quotedText = regexp.MustCompile(`"([^"]*)"`)
)

func (d *document) readOutput(p *part, text string, at place) bool {
	m := outputLine.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	o := &output{at: at, name: m[1], extract: m[4]}
	if m[2] != "" {
		o.kind = canonical(m[2])
	}
	for _, q := range quotedText.FindAllStringSubmatch(m[3], -1) {
		o.options = append(o.options, q[1])
	}
	if o.kind == "enum" && len(o.options) == 0 {
		d.add(at, finding{"enum-empty", fmt.Sprintf("the enum %q has no options", o.name), `list them: @output(` + o.name + `: enum, "one", "two")`})
	}
	if p.output != nil {
		d.repeated("output", p.output.at, at)
	}
	p.output = o
	return true
}
