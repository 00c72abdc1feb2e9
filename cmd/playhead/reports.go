package main

import (
	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/report"
	"playhead/engine/scenario"
	"playhead/engine/setup"
	"playhead/parse/plan"
	"playhead/tui"
)

// The kinds of reports, by the suffixes of their files.
const (
	markdownSuffix = ".md"
	htmlSuffix     = ".html"
	jsonSuffix     = ".json"

	scenariosSuffix = ".scenarios.yaml"
)

// wholeLog are the bytes of a log of which it is not known how many.
const wholeLog = -1

// recorded is the document of a run as it was. One that this version reads otherwise
// than the one that ran it is told, and reported all the same.
func (a *app) recorded(h journal.History) (*plan.Plan, error) {
	started, ok := h.Events[0].Body.(*machine.Started)
	if !ok {
		return nil, usage("the journal of run %s does not begin with its start", h.ID())
	}
	p, _, err := setup.LoadCopy(h.Folder, started)
	if err != nil {
		a.note("the document of run %s cannot be read as it was, so the report has only the steps that were run: %v", h.ID(), err)
		return &plan.Plan{Format: started.Format, Kind: started.Format, Path: started.Path, Title: started.Title}, nil
	}
	return p, nil
}

// reportOf folds a run.
func reportOf(p *plan.Plan, h journal.History) *report.Report {
	open := func(ref machine.LogRef) (*logs.Log, error) {
		return logs.OpenAt(h.LogFile(ref.File), ref.Offset, ref.Bytes)
	}
	return report.Of(report.Source{
		Plan: p, Events: h.Events,
		Log: func(ref machine.LogRef) (report.Log, error) { return open(ref) },
		Part: func(kind string, seq int) (report.Log, error) {
			l, err := open(machine.LogRef{File: journal.LogName(seq), Bytes: wholeLog})
			if err == nil && kind != "command" {
				return logs.Visible{Log: l}, nil
			}
			return l, err
		},
	})
}

// written is a report as a file of that suffix.
func written(r *report.Report, suffix string) ([]byte, error) {
	switch suffix {
	case htmlSuffix:
		return r.HTML()
	case jsonSuffix:
		return r.JSON()
	default:
		return r.Markdown(), nil
	}
}

// reportName is a name for the file of a report, without its suffix.
func reportName(p *plan.Plan, run string) string { return plan.Slug(p.Title) + "-" + run }

// exports are what the run can be written as.
func (r *runner) exports() []tui.Export {
	return exportsOf(r.Config.Plan, func() string { return r.Config.Run.ID() })
}

// exportsOf are what a run of a document can be written as.
func exportsOf(p *plan.Plan, run func() string) []tui.Export {
	var out []tui.Export
	for _, kind := range []struct{ name, about, suffix string }{
		{"report, Markdown", "for an issue or pull request", markdownSuffix},
		{"report, HTML", "a page that needs nothing else", htmlSuffix},
		{"report, JSON", "for programs", jsonSuffix},
	} {
		out = append(out, tui.Export{
			Name: kind.name, About: kind.about,
			File: func() string { return reportName(p, run()) + kind.suffix },
			Write: exporter(p, run, kind.suffix, func(h journal.History) ([]byte, error) {
				return written(reportOf(p, h), kind.suffix)
			}),
		})
	}
	return append(out, tui.Export{
		Name: "scenario", About: "what playhead test repeats", Done: true,
		File: func() string { return plan.Slug(p.Title) + scenariosSuffix },
		Write: exporter(p, run, scenariosSuffix, func(h journal.History) ([]byte, error) {
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
		return keep(path, reportName(p, h.ID())+suffix, data, over)
	}
}
