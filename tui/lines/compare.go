package lines

import (
	"fmt"
	"io"
	"strings"
	"time"

	"playhead/engine/compare"
	"playhead/engine/linediff"
	"playhead/engine/sanitize"
	"playhead/engine/wording"
)

// Compare prints two runs side by side, as a diff of their paths.
func Compare(out io.Writer, c *compare.Comparison, colour bool) error {
	p := &comparison{Comparison: c, colour: colour}
	p.heads()
	for i, pair := range c.Pairs {
		if c.Divergence != nil && c.Divergence.After == i {
			p.divergence(c.Divergence)
		}
		p.pair(pair)
	}
	if c.Divergence != nil && c.Divergence.After == len(c.Pairs) {
		p.divergence(c.Divergence)
	}
	p.ends()
	_, err := io.WriteString(out, p.text.String())
	return err
}

type comparison struct {
	*compare.Comparison
	colour bool
	text   strings.Builder
}

func (p *comparison) line(mark, format string, args ...any) {
	tint := map[string]string{"-": red, "+": green, "~": yellow}[strings.TrimSpace(mark)]
	line := mark + " " + sanitize.Plain(fmt.Sprintf(format, args...))
	if p.colour && tint != "" {
		line = tint + line + reset
	}
	p.text.WriteString(line + "\n")
}

func (p *comparison) blank() { p.text.WriteByte('\n') }

// heads prints which runs are compared.
func (p *comparison) heads() {
	for i, r := range []compare.Run{p.A, p.B} {
		p.line([]string{"-", "+"}[i], "%s  %s, started %s: %s", r.ID, r.Path, r.Started.Local().Format(time.DateTime), ending(r))
	}
	for _, sentence := range p.Documents() {
		p.line(" ", "%s", strings.TrimSuffix(sentence, "."))
	}
	if f := p.Fork; f != nil {
		p.line(" ", "%s is a fork of %s, made after its event %d", f.Run, f.Of, f.Event)
	}
	p.blank()
	switch short := p.RunBehind(); {
	case p.Divergence != nil:
	case short != "":
		p.line(" ", "The same path, as far as %s has got:", short)
	default:
		p.line(" ", "Both took the same path:")
	}
}

// ending returns how a run ended, and how long it took.
func ending(r compare.Run) string {
	s := "not over"
	if r.Result != "" {
		s = resultName(r.Result) + quoted(r.Message)
	}
	times := "visits"
	if r.VisitCount == 1 {
		times = "visit"
	}
	s += fmt.Sprintf(", %d %s, %s", r.VisitCount, times, wording.Seconds(time.Duration(r.DurationMS)*time.Millisecond))
	if used := r.Track.Used.String(); used != "" {
		s += ", tokens " + used
	}
	return s
}

// pair prints two visits that belong together.
func (p *comparison) pair(pair compare.Pair) {
	switch {
	case pair.A == nil:
		p.line("+", "%s", visit(pair.B))
	case pair.B == nil:
		p.line("-", "%s", visit(pair.A))
	case len(pair.Differs) == 0:
		p.line(" ", "%s | %s", visit(pair.A), outcomeText(pair.B))
	default:
		p.line("~", "%s | %s", visit(pair.A), visitAgain(pair))
		p.differences(pair.Differs)
		p.texts(pair.Texts)
	}
}

// visit returns the name of a visit and its outcome.
func visit(v *compare.Visit) string {
	s := "[" + v.Step + "]"
	if v.Title != "" && v.Title != v.Step {
		s += " " + v.Title
	}
	return s + ": " + outcomeText(v)
}

// visitAgain returns the second visit of a pair, with its name if the label differs.
func visitAgain(p compare.Pair) string {
	if p.A.Step == p.B.Step {
		return outcomeText(p.B)
	}
	return visit(p.B)
}

func outcomeText(v *compare.Visit) string {
	s := string(v.Result)
	switch {
	case s == "" && v.IsOpen():
		s = "not decided yet"
	case s == "":
		s = "left without an outcome"
	}
	if v.Attempt > 1 {
		s += fmt.Sprintf(", attempt %d", v.Attempt)
	}
	if v.TookMS != nil {
		s += ", " + wording.Seconds(time.Duration(*v.TookMS)*time.Millisecond)
	}
	return s
}

// differences prints what differs. Texts that differ follow line by line.
func (p *comparison) differences(all []compare.Difference) {
	for _, d := range all {
		name := strings.TrimSpace(d.What + " " + d.Name)
		p.line("   ", "%s", name)
		if d.A != "" {
			p.line("    -", "%s", d.A)
		}
		if d.B != "" {
			p.line("    +", "%s", d.B)
		}
	}
}

// maxLines is how many lines of a text are printed.
const maxLines = 40

// texts prints the lines that differ.
func (p *comparison) texts(all []compare.Text) {
	for _, t := range all {
		p.line("   ", "lines of the %s", t.What)
		n := 0
		for _, h := range t.Hunks {
			for i, l := range h {
				if n++; n > maxLines {
					continue
				}
				if i == 0 {
					p.line("    @@", "line %d", max(l.A, l.B))
				}
				p.line("    "+string(l.Op), "%s", l.Text)
			}
		}
		p.printOmitted(t.Diff, n)
	}
}

// printOmitted prints how much of a text is not printed.
func (p *comparison) printOmitted(d linediff.Diff, n int) {
	if n > maxLines {
		p.line("    …", "%d more lines: --json has them", n-maxLines)
	}
	if d.Limit > 0 {
		p.line("    …", "the texts were not compared after line %d", d.Limit)
	}
}

// divergence prints where the paths diverge, and why.
func (p *comparison) divergence(at *compare.Divergence) {
	p.blank()
	p.line("≠", "Paths diverge:")
	p.turn("    -", p.A.ID, at.A)
	p.turn("    +", p.B.ID, at.B)
	p.values(at.Values)
	p.blank()
}

// turn prints which way a run went, and why.
func (p *comparison) turn(mark, run string, t compare.Departure) {
	if len(t.Decisions) == 0 {
		p.line(mark, "%s %s", run, t.Why)
	}
	for _, r := range t.DecidingDecisions() {
		s := fmt.Sprintf("%s at %s: %s", run, r.Step, r.Describe())
		if r.Why != "" && !r.Overridden {
			s += "; since " + r.Why
		}
		p.line(mark, "%s", s)
	}
}

func (p *comparison) values(all []compare.Value) {
	for _, v := range all {
		d := compare.Difference{What: "value", Name: v.Name}
		if d.A, d.B = v.Describe(); v.Decides {
			d.Name += ", which the routes there ask about"
		}
		p.differences([]compare.Difference{d})
	}
}

// ends prints how the ends differ.
func (p *comparison) ends() {
	if len(p.Ends)+len(p.Values) == 0 {
		return
	}
	p.blank()
	p.line("~", "How they ended:")
	p.differences(p.Ends)
	p.texts(p.Final)
	p.values(p.Values)
}
