package front

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/examples"
	"playhead/parse"
	"playhead/tui/lines"
)

// Opening is what an entry opens: a run or a document.
type Opening struct{ Run, File string }

// Documents looks for documents in a folder and below it, and behind them lists the examples.
func Documents(folder string) Results {
	found, lacking := documentEntries(folder), ""
	if len(found) == 0 {
		lacking = "No documents are in this folder or below it: playhead FILE opens one from elsewhere."
	}
	return Results{Entries: append(found, exampleEntries()...), Lacking: lacking}
}

// maxRecent is how many runs the first screen lists.
const maxRecent = 10

// RecentRuns are the newest runs, those of a folder first: what waits for a person is there to go on with, what is
// over to look at.
func RecentRuns(folder string) ([]Entry, error) {
	all, err := journal.Default().List()
	if err != nil {
		return nil, err
	}
	var out []Entry
	all = slices.DeleteFunc(all, func(r journal.Summary) bool {
		return r.Result == journal.Unreadable || r.Result == journal.Running
	})
	journal.FolderFirst(all, folder)
	for _, r := range all[:min(len(all), maxRecent)] {
		about := strings.ReplaceAll(r.Word(), "_", " ")
		if r.Step != "" && r.Ended.IsZero() {
			about = "at " + r.Step + ", " + about
		}
		out = append(out, Entry{
			Group: "recent runs", Name: r.Run + " " + cmp.Or(r.Title, filepath.Base(r.Path)), About: about, Age: formatAge(time.Since(r.Since())),
			Preview: func(int) []string { return previewRun(r) }, Open: Opening{Run: r.Run},
		})
	}
	return out, nil
}

// formatAge is a time since, as people say it.
func formatAge(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		switch n := int(d / unit.length); {
		case n == 1:
			return "1 " + unit.name + " ago"
		case n > 1:
			return fmt.Sprintf("%d %ss ago", n, unit.name)
		}
	}
	return "just now"
}

// maxPreviewed is how many events of a run its preview shows.
const maxPreviewed = 2000

// previewRun is what a run did, as lines.
func previewRun(r journal.Summary) []string {
	head := []string{r.Path, "started " + r.Since().Local().Format(time.DateTime), ""}
	history, err := journal.Default().Read(r.Run)
	if err != nil {
		return append(head, sanitize.Plain(err.Error()))
	}
	p, err := setup.PlanOf(history)
	if err != nil {
		return append(head, sanitize.Plain(err.Error()))
	}
	var out bytes.Buffer
	events := machine.Chain(history.Events)
	lines.New(lines.Config{Plan: p, Folder: history.Folder, Out: &out}).Print(events[:min(len(events), maxPreviewed)]...)
	return append(head, strings.Split(strings.TrimSpace(out.String()), "\n")...)
}

// exampleEntries are the documents that come with Playhead.
func exampleEntries() []Entry {
	var out []Entry
	for _, name := range examples.Names() {
		about := ""
		if p, err := setup.Load(setup.ExamplePrefix+name, parse.Options{}); err == nil {
			about = p.Title
		}
		out = append(out, documentEntry("examples that are built in", setup.ExamplePrefix+name, about))
	}
	return out
}

// documentEntries are the documents below a folder.
func documentEntries(dir string) []Entry {
	var out []Entry
	for _, d := range setup.FindDocuments(dir) {
		path, err := filepath.Rel(dir, d.Path)
		if err != nil {
			path = d.Path
		}
		out = append(out, documentEntry("documents here", path, d.Format))
	}
	return out
}

func documentEntry(group, file, format string) Entry {
	return Entry{
		Group: group, Name: file, About: format,
		Preview: func(width int) []string { return previewDocument(file, width) }, Open: Opening{File: file},
	}
}

// previewDocument is what show says of a document, and what is wrong with it.
func previewDocument(file string, width int) []string {
	options := parse.Options{Flags: map[string][]string{}}
	p, err := setup.Load(file, options)
	if err == nil {
		p, _, err = setup.AssumeInputs(p, file, options) // the form asks for what has no value yet
	}
	if err != nil {
		return []string{sanitize.Plain(err.Error())}
	}
	var out bytes.Buffer
	if p.Description != "" {
		fmt.Fprintln(&out, ansi.Wrap(sanitize.Text(p.Description), width, "")+"\n")
	}
	show.WriteSteps(&out, p, width)
	if !p.Runnable() {
		fmt.Fprintln(&out)
		var problems bytes.Buffer
		show.WriteDiagnostics(&problems, p.Diagnostics)
		out.WriteString(ansi.Wrap(problems.String(), width, ""))
	}
	return strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
}
