package runs

import (
	"path/filepath"
	"strings"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/outfile"
	"playhead/engine/report"
	"playhead/engine/scenario"
	"playhead/engine/setup"
	"playhead/parse/plan"
)

// What a run can be written as, by the suffix of the file.
const (
	Markdown = ".md"
	HTML     = ".html"
	JSON     = ".json"

	Scenarios = ".scenarios.yaml" // of a run as a scenario
)

// wholeLog stands for the bytes of a log of which it is not known how many.
const wholeLog = -1

// Export is something that a run can be written as, at any time of it.
type Export struct {
	Name  string        // what it is: a report in HTML
	About string        // a few words more
	Done  bool          // only a run that is over can be written so
	Final bool          // it is the run's final output
	File  func() string // a name for the file
	// Write writes the file, or into the folder, and returns where. Without over a file
	// that exists stays, and the error is fs.ErrExist.
	Write func(path string, over bool) (file string, err error)
}

// Report folds a run.
func Report(p *plan.Plan, h journal.History) *report.Report {
	open := func(ref machine.LogRef) (*logs.Log, error) {
		return logs.OpenAt(h.LogFile(ref.File), ref.Offset, ref.Bytes)
	}
	var files []report.ChangedFile
	for _, f := range engine.FileDiffs(h.Folder, h.Events) {
		var diff strings.Builder
		_ = engine.WriteDiff(&diff, f.Path, f.Old, f.New) // a text takes everything
		files = append(files, report.ChangedFile{Path: f.Path, New: f.Before == "", Steps: f.Steps, Diff: diff.String()})
	}
	return report.Of(report.Source{
		Plan: p, Events: h.Events, Files: files, Manual: setup.RepliesManually(h.Folder),
		Log: func(ref machine.LogRef) (report.Log, error) { return open(ref) },
		Part: func(kind string, seq int) (report.Log, error) {
			l, err := open(machine.LogRef{File: journal.LogName(seq), Bytes: wholeLog})
			if err == nil && kind != "command" {
				return logs.Escaped{Log: l}, nil
			}
			return l, err
		},
	})
}

// Encode returns a report as the content of a file with that suffix.
func Encode(r *report.Report, suffix string) ([]byte, error) {
	switch suffix {
	case HTML:
		return r.HTML()
	case JSON:
		return r.JSON()
	default:
		return r.Markdown(), nil
	}
}

// ReportSuffix returns the kind of report that the name of a file says, empty if it says none.
func ReportSuffix(file string) string {
	switch suffix := strings.ToLower(filepath.Ext(file)); suffix {
	case Markdown, HTML, JSON:
		return suffix
	case ".markdown":
		return Markdown
	case ".htm":
		return HTML
	}
	return ""
}

// ReportName returns a name for the file of a report, without its suffix.
func ReportName(p *plan.Plan, run string) string { return plan.Slug(p.Title) + "-" + run }

// Exports returns what a run of a document can be written as.
func Exports(p *plan.Plan, run func() string) []Export {
	var out []Export
	for _, kind := range []struct{ name, about, suffix string }{
		{"Markdown report", "for an issue or pull request", Markdown},
		{"HTML report", "a page that needs nothing else", HTML},
		{"JSON report", "for programs", JSON},
	} {
		out = append(out, Export{
			Name: kind.name, About: kind.about,
			File: func() string { return ReportName(p, run()) + kind.suffix },
			Write: exporter(p, run, kind.suffix, func(h journal.History) ([]byte, error) {
				return Encode(Report(p, h), kind.suffix)
			}),
		})
	}
	return append(out, Export{
		Name: "scenario", About: "what playhead test repeats", Done: true,
		File: func() string { return plan.Slug(p.Title) + Scenarios },
		Write: exporter(p, run, Scenarios, func(h journal.History) ([]byte, error) {
			return scenario.Export("run "+h.ID(), machine.Chain(h.Events))
		}),
	})
}

// exporter writes what is made of the run as it is in its journal.
func exporter(p *plan.Plan, run func() string, suffix string, make func(journal.History) ([]byte, error)) func(string, bool) (string, error) {
	return func(path string, over bool) (string, error) {
		h, err := journal.Default().Read(run())
		if err != nil {
			return "", err
		}
		data, err := make(h)
		if err != nil {
			return "", err
		}
		return Save(path, ReportName(p, h.ID())+suffix, data, over)
	}
}

// Save writes an export to a file, or under its name into a folder, and returns where.
func Save(path, name string, data []byte, over bool) (string, error) {
	if outfile.IsFolder(path) {
		return outfile.WriteIn(path, name, data, "the export")
	}
	return path, outfile.Write(path, data, over, "the export")
}

// Document returns the document of a run as it was. If that cannot be read, damage says why, and
// the plan has no steps: a report has those that the run entered.
func Document(h journal.History) (p *plan.Plan, damage, err error) {
	started, err := setup.StartOf(h.ID(), h.Events)
	if err != nil {
		return nil, nil, err
	}
	if p, _, damage = setup.LoadCopy(h.Folder, h.Events); damage != nil {
		p = withoutSteps(started)
	}
	return p, damage, nil
}

// withoutSteps returns what a run recorded about its document.
func withoutSteps(started *machine.Started) *plan.Plan {
	return &plan.Plan{Format: started.Format, Kind: started.Format, Path: started.Path, Title: started.Title}
}
