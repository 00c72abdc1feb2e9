package playbook

import "fmt"

// output is an @output: the variable that takes the step's result (spec §5).
type output struct {
	at      place // of the name
	name    string
	kind    string // canonical, "" where none is written
	options []string
	extract string
	shadows bool // an input has the name: nothing is stored
}

// parseOutput reads a line as spec §5 defines it; nil if it is none.
func parseOutput(text string) *output {
	c := cursor{text: text}
	o := &output{}
	if !c.take("@output(") {
		return nil
	}
	if o.name = c.word(); o.name == "" {
		return nil
	}
	if at := c.at; !o.parseType(&c) {
		c.at = at
	}
	for {
		option, ok := parseOption(&c)
		if !ok {
			break
		}
		o.options = append(o.options, option)
	}
	if at := c.at; !o.parseExtract(&c) {
		c.at = at
	}
	if !c.take(")") || !c.end() {
		return nil
	}
	return o
}

func (o *output) parseType(c *cursor) bool {
	c.spaces()
	if !c.take(":") {
		return false
	}
	c.spaces()
	w := c.word()
	if w != "" {
		o.kind = canonical(w)
	}
	return w != ""
}

// parseOption reads a comma and a quoted text, or nothing.
func parseOption(c *cursor) (option string, ok bool) {
	at := c.at
	if c.take(",") {
		c.spaces()
		if option, ok = c.quoted(); ok {
			return option, true
		}
	}
	c.at = at
	return "", false
}

func (o *output) parseExtract(c *cursor) bool {
	if !c.take(",") {
		return false
	}
	c.spaces()
	if !c.take(`extract:"`) {
		return false
	}
	field := c.word()
	if field == "" || !c.take(`"`) {
		return false
	}
	o.extract = field
	return true
}

func (d *document) readOutput(p *part, text string, at place) bool {
	o := parseOutput(text)
	if o == nil {
		return false
	}
	o.at = at
	if o.kind == "enum" && len(o.options) == 0 {
		d.add(at, finding{"enum-empty", fmt.Sprintf("the enum %q has no options", o.name), `list them: @output(` + o.name + `: enum, "one", "two")`})
	}
	if p.output != nil {
		d.repeated("output", p.output.at, at)
	}
	p.output = o
	return true
}
