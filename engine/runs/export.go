package runs

import (
	"os"
	"path/filepath"
	"strings"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/linediff"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/outfile"
	"playhead/engine/report"
	"playhead/engine/scenario"
	"playhead/engine/setup"
	"playhead/engine/track"
	"playhead/parse"
	"playhead/parse/plan"
)

// The suffixes of the files that a run can be written as.
const (
	MarkdownSuffix = ".md"
	HTMLSuffix     = ".html"
	JSONSuffix     = ".json"

	ScenarioSuffix = ".scenarios.yaml" // a run as a scenario
)

// unknownLogBytes is the length of a log whose length is not known.
const unknownLogBytes = -1

// Export is a kind of file that a run can be written as, such as a report.
type Export struct {
	Name          string        // such as "HTML report"
	Description   string        // what it is for
	NeedsEndedRun bool          // only a run that is over can be written this way
	IsFinalOutput bool          // the file is the run's final output, not one about the run
	SuggestName   func() string // returns a name for the file
	// Write writes to the file at path, or into the folder at path under a name of its own, and returns the path of
	// the file. Unless replace is set, an existing file stays, and the error is fs.ErrExist.
	Write func(path string, replace bool) (file string, err error)
}

// BuildReport returns the report of a run.
func BuildReport(p *plan.Plan, h journal.History) *report.Report {
	open := func(ref machine.LogRef) (*logs.Log, error) {
		return logs.OpenAt(h.LogFile(ref.File), ref.Offset, ref.Bytes)
	}
	var files []report.ChangedFile
	for _, f := range engine.FileDiffs(h.Folder, h.Events) {
		var diff strings.Builder
		_ = linediff.WriteUnified(&diff, f.Path, f.Hunks()) // writing to a strings.Builder never fails
		files = append(files, report.ChangedFile{Path: f.Path, IsNew: f.HashBefore == "", StepLabels: f.StepLabels, Diff: diff.String()})
	}
	return report.Build(report.Source{
		Plan: p, Events: h.Events, Files: files, IsManual: setup.HasManualReplies(h.Folder), IsPaused: h.Folder.IsPaused(),
		OpenLog: func(ref machine.LogRef) (report.Log, error) { return open(ref) },
		OpenPartialOutput: func(kind string, seq int) (report.Log, error) {
			l, err := open(machine.LogRef{File: journal.LogName(seq), Bytes: unknownLogBytes})
			if err == nil && kind != "command" {
				return logs.EscapedLog{Log: l}, nil
			}
			return l, err
		},
	})
}

// EncodeReport returns a report as the content of a file with that suffix.
func EncodeReport(r *report.Report, suffix string) ([]byte, error) {
	switch suffix {
	case HTMLSuffix:
		return r.HTML()
	case JSONSuffix:
		return r.JSON()
	default:
		return r.Markdown(), nil
	}
}

// ReportSuffix returns the suffix of the report that a file name asks for, "" if it asks for none.
func ReportSuffix(file string) string {
	switch suffix := strings.ToLower(filepath.Ext(file)); suffix {
	case MarkdownSuffix, HTMLSuffix, JSONSuffix:
		return suffix
	case ".markdown":
		return MarkdownSuffix
	case ".htm":
		return HTMLSuffix
	}
	return ""
}

// ReportFileName returns a name for the file of a report, without its suffix.
func ReportFileName(p *plan.Plan, run string) string { return plan.Slug(p.Title) + "-" + run }

// Exports returns the reports and the scenario that a run of a document can be written as. run returns the ID of the
// run, which may not have begun yet.
func Exports(p *plan.Plan, run func() string) []Export {
	var out []Export
	for _, kind := range []struct{ name, about, suffix string }{
		{"Markdown report", "for an issue or pull request", MarkdownSuffix},
		{"HTML report", "a self-contained page", HTMLSuffix},
		{"JSON report", "for programs", JSONSuffix},
	} {
		out = append(out, Export{
			Name: kind.name, Description: kind.about,
			SuggestName: func() string { return ReportFileName(p, run()) + kind.suffix },
			Write: exportFunc(p, run, kind.suffix, func(h journal.History) ([]byte, error) {
				return EncodeReport(BuildReport(p, h), kind.suffix)
			}),
		})
	}
	return append(out, Export{
		Name: "scenario", Description: "for the command playhead test; the run must be over", NeedsEndedRun: true,
		SuggestName: func() string { return scenarioFileName(p) },
		Write: exportFunc(p, run, ScenarioSuffix, func(h journal.History) ([]byte, error) {
			return scenario.ExportRun("run "+h.ID(), machine.LiveBranch(h.Events))
		}),
	})
}

// scenarioFileName returns the file in which playhead test looks for the scenarios of a document. If the document is not
// where its path leads from here, it is a name for the current folder.
func scenarioFileName(p *plan.Plan) string {
	if _, err := os.Stat(p.Path); err != nil {
		return plan.Slug(p.Title) + ScenarioSuffix
	}
	return parse.SidecarPath(p.Path, "scenarios")
}

// FinalOutputExport returns the final output of a run as an export. ok is false if there is none.
func FinalOutputExport(t *track.Track) (e Export, ok bool) {
	final, ok := t.FinalArtifact()
	title := t.Plan.Title
	return Export{
		Name: "final output", Description: final.Type, IsFinalOutput: true,
		SuggestName: func() string { return final.FileName(title) },
		Write:       func(path string, replace bool) (string, error) { return final.SaveToFileOrFolder(path, title, replace) },
	}, ok
}

// exportFunc returns a function that writes an export: what encode returns for the journal of the run.
func exportFunc(p *plan.Plan, run func() string, suffix string, encode func(journal.History) ([]byte, error)) func(string, bool) (string, error) {
	return func(path string, replace bool) (string, error) {
		h, err := journal.DefaultStore().ReadHistory(run())
		if err != nil {
			return "", err
		}
		data, err := encode(h)
		if err != nil {
			return "", err
		}
		return SaveExport(path, ReportFileName(p, h.ID())+suffix, data, replace)
	}
}

// SaveExport writes an export to the file at path, or under name into the folder at path, and returns the path of the
// file. Unless replace is set, an existing file stays, and the error is fs.ErrExist.
func SaveExport(path, name string, data []byte, replace bool) (string, error) {
	if outfile.IsFolderPath(path) {
		return outfile.WriteInFolder(path, name, data, "the export")
	}
	return path, outfile.Write(path, data, replace, "the export")
}

// InitialPlanOrStub returns the plan with which a run began. If the run's copy of the document cannot be read, damage says
// why, and the plan has no steps. A report then has only the steps that the run entered.
func InitialPlanOrStub(h journal.History) (p *plan.Plan, damage, err error) {
	started, err := setup.RunStartedBody(h.ID(), h.Events)
	if err != nil {
		return nil, nil, err
	}
	if p, _, damage = setup.LoadRunCopy(h.Folder, h.Events); damage != nil {
		p = planWithoutSteps(started)
	}
	return p, damage, nil
}

// planWithoutSteps returns a plan with what the first event of a run says about its document.
func planWithoutSteps(started *machine.RunStarted) *plan.Plan {
	return &plan.Plan{Format: started.Format, FormatTitle: started.Format, Path: started.DocumentPath, Title: started.Title}
}
