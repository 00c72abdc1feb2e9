package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"slices"
	"strings"
	"sync"
	"time"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

//go:embed report.html
var pageTemplateText string

//go:embed report.css
var styleSheet string

// HTML returns the report as one file that needs nothing else: no script and no network. Texts of the
// run, its document and its models are never markup.
func (r *Report) HTML() ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplate().Execute(&b, struct {
		*Report
		Sheet template.CSS
		Bars  []timelineBar
		Rails []graphDrawing
	}{r, template.CSS(styleSheet), r.bars(), r.graphDrawings()})
	return b.Bytes(), err
}

// pageTemplate is parsed when a report needs it, because every start of the program would have to
// wait for it.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report").Funcs(pageFuncs).Parse(pageTemplateText))
})

var pageFuncs = template.FuncMap{
	"plain":   sanitize.Plain[string],
	"excerpt": Excerpt.html,
	"glyph":   glyph[string],
	"mark":    glyph[plan.Result],
	"joined":  func(parts []string) string { return sanitize.Plain(strings.Join(parts, " · ")) },
	"path":    func(labels []string) string { return strings.Join(track.LabelsWithRepeats(labels), " → ") },
	"titled":  func(r *Report) string { return sanitize.Plain(cmp.Or(r.Title, r.DocumentPath)) },
	"name":    func(s *Step) string { return sanitize.Plain(s.name()) },
	"attempt": (*Attempt).details,
	"heading": func(w *Work) []string { return append([]string{w.heading()}, w.details()...) },
	"product": (*Work).resultName,
	"answer":  (*Work).answerText,
	"place":   func(c Change) string { return sanitize.Plain(c.stepName()) },
	"action":  Change.action,
	"note":    machine.PersonNote,
	"diff":    func(c Change) *Excerpt { return c.diff },
	"written": (*Decision).notableCandidates,
	"value":   Variable.String,
	"origin":  Variable.origin,
	"open":    (*Step).isUnfolded,
	"took":    (*Step).duration,
	"status":  (*Step).statusText,
	"label":   Edge.label,
	"taken":   Edge.useText,
	"warning": Warning.text,
	"stamp":   func(t time.Time) string { return t.UTC().Format(time.DateTime) },
}

// isUnfolded reports whether a step is shown unfolded: it or a step below it failed, waits, runs or was
// changed.
func (s *Step) isUnfolded() bool {
	return s.Status == "failed" || s.Status == "waiting" || s.Status == "running" || s.Overridden || s.Edited ||
		slices.ContainsFunc(s.Children, (*Step).isUnfolded)
}

// duration returns how long commands and calls took in the newest attempt that no rewind undid, "" if there were
// none.
func (s *Step) duration() string {
	for _, attempt := range slices.Backward(s.Attempts) {
		if attempt.SupersededBySeq == 0 && attempt.Took > 0 {
			return attempt.Took.String()
		}
		if attempt.SupersededBySeq == 0 {
			break
		}
	}
	return ""
}

// html returns the text with the colours in which it was printed. It is safe as HTML, because texts are
// escaped, and classes and colours consist of numbers.
func (e Excerpt) html() template.HTML {
	var b strings.Builder
	e.writePart(&b, 0, e.Text)
	if e.LeftOut != nil {
		b.WriteString("\n<span class=\"out\">… " + template.HTMLEscapeString(e.LeftOut.String()) + " …</span>\n")
		e.writePart(&b, 1, e.Tail)
	}
	return template.HTML(b.String())
}

// writePart writes one end of a text.
func (e Excerpt) writePart(b *strings.Builder, i int, plain string) {
	if e.rawLines[i] == nil {
		b.WriteString(template.HTMLEscapeString(plain))
		return
	}
	for n, line := range e.rawLines[i] {
		if n > 0 {
			b.WriteByte('\n')
		}
		for _, s := range sanitize.OutputSpans(line) {
			writeSpan(b, s)
		}
	}
}

func writeSpan(b *strings.Builder, s sanitize.StyledSpan) {
	text := template.HTMLEscapeString(s.Text)
	if s.SpanStyle == (sanitize.SpanStyle{}) {
		b.WriteString(text)
		return
	}
	class, style := cssOfSpan(s.SpanStyle)
	b.WriteString("<span")
	for _, a := range [][2]string{{"class", class}, {"style", style}} {
		if a[1] != "" {
			b.WriteString(" " + a[0] + "=\"" + a[1] + "\"")
		}
	}
	b.WriteString(">" + text + "</span>")
}

// cssOfSpan returns a style as classes of the style sheet, and as CSS for colours without a class.
func cssOfSpan(s sanitize.SpanStyle) (class, style string) {
	var classes, styles []string
	for _, flag := range []struct {
		on   bool
		name string
	}{{s.Bold, "b"}, {s.Faint, "d"}, {s.Italic, "i"}, {s.Underline, "u"}, {s.Reverse, "r"}, {s.Strike, "s"}} {
		if flag.on {
			classes = append(classes, flag.name)
		}
	}
	for _, c := range []struct{ colour, class, property string }{{s.Foreground, "f", "color"}, {s.Background, "g", "background"}} {
		if strings.HasPrefix(c.colour, "#") {
			styles = append(styles, c.property+":"+c.colour)
		} else if c.colour != "" {
			classes = append(classes, c.class+c.colour)
		}
	}
	return strings.Join(classes, " "), strings.Join(styles, ";")
}

// timelineBar is an attempt on the timeline. From and Width are in thousandths of the run's active time.
type timelineBar struct {
	Name, Status string
	StartText    string // the active time of the run when the attempt began
	Took         Duration
	From, Width  int
	entrySeq     int
}

// Title returns the text of the bar.
func (b timelineBar) Title() string {
	if b.Took == 0 {
		return b.Name + ": " + b.StartText
	}
	return b.Name + ": " + b.StartText + ", " + b.Took.String()
}

// maxTimelineBars limits the attempts on the timeline.
const maxTimelineBars = 400

// bars returns the attempts of steps in order, at most maxTimelineBars.
func (r *Report) bars() []timelineBar {
	var out []timelineBar
	total := max(1, int64(r.Took))
	r.walkAttempts(r.Steps, func(s *Step, attempt *Attempt) {
		if len(s.Children) > 0 && len(attempt.Work) == 0 {
			return
		}
		from := int(int64(attempt.activeStart) * 1000 / total)
		name := sanitize.Plain(s.name())
		if len(s.Attempts) > 1 {
			name += ", " + strings.Join(attempt.identity(), ", ")
		}
		width := int(int64(attempt.activeEnd-attempt.activeStart) * 1000 / total)
		out = append(out, timelineBar{name, attempt.status(), "+" + attempt.activeStart.String(), attempt.Took, min(from, 995), max(4, min(width, 1000-from)), attempt.EntrySeq})
	})
	slices.SortStableFunc(out, func(a, b timelineBar) int { return a.entrySeq - b.entrySeq })
	return out[:min(len(out), maxTimelineBars)]
}

func (attempt *Attempt) status() string {
	if attempt.Result == "" {
		return "open"
	}
	return attempt.Result
}

// walkAttempts calls do for each attempt of the steps and of those below them.
func (r *Report) walkAttempts(steps []*Step, do func(*Step, *Attempt)) {
	for _, s := range steps {
		for _, attempt := range s.Attempts {
			do(s, attempt)
		}
		r.walkAttempts(s.Children, do)
	}
}
