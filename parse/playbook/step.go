package playbook

import "playhead/parse/plan"

// step is a ## STEP: its own text and directives, and its branches (spec §3, §4).
type step struct {
	part
	blocks []*block
	parts  []*part // its own part and its sub-steps, in document order
}

// block is a sequence from if to endif.
type block struct {
	arms   []*arm
	closed bool // it has an else
}

// arm is one arm of a block, with its marker.
type arm struct {
	marker
	last int // the last line
	subs []*part
}

// part is what steps and sub-steps have in common (spec §3, §5).
type part struct {
	head     int // the line at which it begins: its heading, or the first line of an implicit sub-step
	last     int
	number   int    // of the step
	label    string // "" for an implicit sub-step until it gets a letter
	title    string
	implicit bool
	from     ranges
	content  content

	output *output
	stores []*output // its own outputs; in an arm's last sub-step also those of the step
	elicit *elicit
	prompt *promptRef
	tool   *tool
	notes  []plan.Note // about what is left out of it
}

// name returns the part's name for messages.
func (p *part) name() string { return "step " + p.label }

// callsModel reports whether the part calls a model (spec §5). A tool replaces the call, and a
// question without text needs none.
func (p *part) callsModel() bool {
	return p.tool == nil && (p.content.text != "" || p.prompt != nil)
}

// acts reports whether the part has content of its own.
func (p *part) acts() bool { return p.tool != nil || p.elicit != nil || p.callsModel() }

// moveOutputToArms moves the outputs of a step without content of its own to the last sub-step of each arm,
// because the result of the arm is the step's result.
func (s *step) moveOutputToArms() {
	if s.output == nil || s.acts() || len(s.blocks) == 0 {
		return
	}
	for _, b := range s.blocks {
		for _, a := range b.arms {
			if n := len(a.subs); n > 0 {
				a.subs[n-1].stores = append(a.subs[n-1].stores, s.output)
			}
		}
	}
	s.stores = nil
}

// collect lists the parts and what each stores.
func (s *step) collect() {
	s.parts = []*part{&s.part}
	for _, b := range s.blocks {
		for _, a := range b.arms {
			s.parts = append(s.parts, a.subs...)
		}
	}
	for _, p := range s.parts {
		if p.output != nil {
			p.stores = []*output{p.output}
		}
	}
}

// step reads a step: its heading, and the lines up to last.
func (d *document) step(head, last int, digits, title string) {
	s := &step{part: part{head: head, number: atoi(digits), label: number(digits), title: title}}
	last = d.trim(slice{head, last}).last
	s.last = last
	b := body{d: d, s: s, letters: map[string]int{}}
	for i := head + 1; i <= last; i++ {
		b.line(i)
	}
	b.end(last)
	d.steps = append(d.steps, s)
	s.collect()
	for _, p := range s.parts {
		p.content = d.content(p.from)
		d.warnConflicts(p)
		d.fetches = d.fetches || p.callsModel() && p.prompt != nil && p.prompt.variable == ""
	}
	s.moveOutputToArms()
}
