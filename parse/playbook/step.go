package playbook

// step is a ## STEP: its own text and directives, and its branches (spec §3, §4).
type step struct {
	part
	blocks []*block
}

// block is one if … endif.
type block struct {
	arms   []*arm
	closed bool // there is an else
}

// arm is a part of a block with its marker.
type arm struct {
	marker
	last int // the last line
	subs []*part
}

// part is what a step and a sub-step have in common (spec §3, §5).
type part struct {
	head     int // the line it begins at: its heading, or an implicit sub-step's first line
	last     int
	number   int    // of the step
	label    string // "" for an implicit sub-step, until it gets a letter
	title    string
	implicit bool
	from     ranges
	content  content

	output *output
	result *output // of the step, which has no content of its own: its arm's last sub-step stores it
	elicit *elicit
	prompt *promptRef
	tool   *tool
}

// name is how messages name the part.
func (p *part) name() string { return "step " + p.label }

// asks reports whether the part calls a model (spec §5): a tool takes its place,
// and an answer alone needs none.
func (p *part) asks() bool {
	return p.tool == nil && (p.content.text != "" || p.prompt != nil)
}

// acts reports whether the part has content of its own.
func (p *part) acts() bool { return p.tool != nil || p.elicit != nil || p.asks() }

// outputs are what the part stores.
func (p *part) outputs() []*output {
	var out []*output
	for _, o := range []*output{p.output, p.result} {
		if o != nil {
			out = append(out, o)
		}
	}
	return out
}

// handDown has each arm's last sub-step store the output of a step that has no
// content of its own: what the arm comes to is the step's result.
func (s *step) handDown() {
	if s.acts() || len(s.blocks) == 0 {
		return
	}
	for _, b := range s.blocks {
		for _, a := range b.arms {
			if n := len(a.subs); n > 0 {
				a.subs[n-1].result = s.output
			}
		}
	}
	s.output = nil
}

// parts are the step's own part and its sub-steps, in document order.
func (s *step) parts() []*part {
	out := []*part{&s.part}
	for _, b := range s.blocks {
		for _, a := range b.arms {
			out = append(out, a.subs...)
		}
	}
	return out
}

// step reads a step: its heading, and the lines to last.
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
	for _, p := range s.parts() {
		p.content = d.content(p.from)
		d.conflicts(p)
		d.fetches = d.fetches || p.asks() && p.prompt != nil && p.prompt.variable == ""
	}
	s.handDown()
}
