package front

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/runs"
	"playhead/engine/sanitize"
	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/examples"
	"playhead/parse"
	"playhead/tui/draw"
)

// OpenTarget names what an entry opens: a run or a document.
type OpenTarget struct {
	RunID, File string
	IsLive      bool // a process drives the run, which can be watched
}

// IsFolderOfDocuments reports whether a path is a folder that is no document itself.
func IsFolderOfDocuments(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return false
	}
	_, isDocument := parse.DetectFormatTitle(path)
	return !isDocument
}

// LinePreviewWidth is the width of a preview that is printed as lines, in cells.
const LinePreviewWidth = 78

// FindEntries looks for documents in a folder and below it, and behind them lists runs of other folders, the examples,
// and what only a query lists. Documents are opened by their path from the working folder.
func FindEntries(folder, workingFolder string, otherRuns []Entry, hidden ...Entry) FoundEntries {
	found, nothingFound := documentEntries(folder, workingFolder), ""
	if len(found) == 0 {
		nothingFound = "No documents found in this folder or below it. Use playhead FILE to open one elsewhere."
	}
	return FoundEntries{Entries: slices.Concat(found, otherRuns, exampleEntries(), hidden), NothingFoundText: nothingFound}
}

// maxRecentRuns is the number of runs that the first screen lists without a query.
const maxRecentRuns = 10

// ListRuns returns the newest runs of a folder, as many of other folders as there is room for, and those
// that only a query lists.
func ListRuns(folder string) (here, others, hidden []Entry, err error) {
	all, err := journal.DefaultStore().List()
	if err != nil {
		return nil, nil, nil, err
	}
	here, others, hidden = runEntries(all, folder)
	return here, others, hidden, nil
}

// runEntries returns the runs that can be opened, as ListRuns does.
func runEntries(all []journal.RunSummary, folder string) (here, others, hidden []Entry) {
	all = slices.DeleteFunc(all, func(r journal.RunSummary) bool { return r.Result == journal.Unreadable })
	journal.SortFolderFirst(all, folder)
	for i, r := range all {
		switch e := runEntry(r, folder); {
		case i >= maxRecentRuns:
			e.IsHidden = true
			hidden = append(hidden, e)
		case r.IsStartedBelow(folder):
			here = append(here, e)
		default:
			others = append(others, e)
		}
	}
	return here, others, hidden
}

// runEntry returns the entry of a run in the list of a folder.
func runEntry(r journal.RunSummary, folder string) Entry {
	word, where, group := r.ResultWord(), "", "recent runs"
	if !r.IsStartedBelow(folder) {
		where, group = runs.ShortFolder(r.StartFolder), "runs in other folders"
	}
	r.Path = runs.DocumentPathFrom(folder, r)
	return Entry{
		Group: group, Name: r.Run + " " + cmp.Or(r.Title, filepath.Base(r.Path)), Folder: where, StateWord: word,
		Glyph: func(dc *draw.Context) string { return dc.RunGlyph(word) }, Details: ansi.Truncate(sanitize.Plain(r.Step), maxStepWidth, "…"), Age: formatAge(time.Since(r.BeganAt())),
		Preview: func(width int) []string { return previewRun(r, width) }, Target: OpenTarget{RunID: r.Run, IsLive: r.Result == journal.Running},
	}
}

// maxStepWidth is the maximum width of a step in the list.
const maxStepWidth = 20

// formatAge returns a duration in the form "2 h ago".
func formatAge(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}} {
		if n := int(d / unit.length); n > 0 {
			return fmt.Sprintf("%d %s ago", n, unit.name)
		}
	}
	return "just now"
}

// previewRun returns lines about a run: its document, when it started, and its outcome.
func previewRun(r journal.RunSummary, width int) []string {
	head := []string{r.Path, startText(r), ""}
	history, err := journal.DefaultStore().ReadHistory(r.Run)
	if err != nil {
		return append(head, sanitize.Plain(wording.ErrorSentence(err)))
	}
	p, err := setup.InitialPlan(history)
	if err != nil {
		return append(head, sanitize.Plain(wording.ErrorSentence(err)))
	}
	t := track.New(p)
	t.Fold(machine.LiveBranch(history.Events)...)
	return append(head, outcomeLines(r, t, width)...)
}

// startText returns when a run started, or when and from which run it was forked.
func startText(r journal.RunSummary) string {
	at := r.BeganAt().Local().Format(time.DateTime)
	if r.ForkOf != "" {
		return "forked " + at + " from run " + r.ForkOf
	}
	return "started " + at
}

// outcomeLines returns the result of a run, its steps and its final output.
func outcomeLines(r journal.RunSummary, t *track.Track, width int) []string {
	result := r.ResultWord()
	switch {
	case r.IsUnopenedFork && r.Result == "" && r.Step != "":
		result += ": continues at step " + sanitize.Plain(r.Step)
	case (t.Finished == nil || !t.Finished.Result.IsFinal()) && r.Step != "":
		result += " at step " + sanitize.Plain(r.Step)
	}
	if w := t.WaitingFor(); w != nil && r.ResultWord() == "waiting" {
		result += " for " + wording.WaitingForText(w)
	}
	if t.Finished != nil && t.Finished.Message != "" && t.LimitFlag() == "" {
		result += ": " + sanitize.Plain(t.Finished.Message)
	}
	out := []string{result}
	if t.LimitFlag() != "" {
		out = append(out, wording.EndSentence(t))
	} else if failed := t.FailedRow(); failed != nil {
		out = append(out, wording.FailureText(failed))
	}
	if tally := wording.StepCountsText(t); tally != "" {
		out = append(out, tally)
	}
	out = append(out, "")
	signs := map[track.Status]string{track.Passed: "✓", track.Failed: "✗", track.Waiting: "?", track.Running: "▶", track.Skipped: "–", track.LeftUndecided: "↷"}
	for _, row := range t.AllRows() {
		if row.IsHidden || row.IsOutsideOrder() && row.Status == track.Pending {
			continue
		}
		indent := ""
		for at := row.Parent; at != nil; at = at.Parent {
			indent += "  "
		}
		head := indent + cmp.Or(signs[row.Status], "○") + " "
		for _, line := range strings.Split(ansi.Wrap(draw.StepName(row), width-len(indent)-2, ""), "\n") {
			out = append(out, head+line)
			head = indent + "  "
		}
	}
	if final, ok := t.FinalArtifact(); ok {
		out = append(append(out, "", "final output:"), strings.Split(strings.TrimSpace(sanitize.PlainLines(final.PrettyContent())), "\n")...)
	}
	return out
}

// exampleEntries returns the entries of the documents that come with Playhead.
func exampleEntries() []Entry {
	var out []Entry
	for _, name := range examples.Names() {
		about := ""
		if p, err := setup.Load(machine.BuiltInPrefix+name, parse.Options{}); err == nil {
			about = p.Title
		}
		out = append(out, documentEntry("built-in examples", machine.BuiltInPrefix+name, machine.BuiltInPrefix+name, about))
	}
	return out
}

// documentEntries returns the entries of the documents below a folder.
func documentEntries(folder, workingFolder string) []Entry {
	var out []Entry
	for _, d := range setup.FindDocuments(folder) {
		e := documentEntry("documents here", relativePath(folder, d.Path), relativePath(workingFolder, d.Path), d.Format)
		if p, err := setup.Load(d.Path, parse.Options{}); err == nil {
			e.SearchText = p.Title
		}
		out = append(out, e)
	}
	return out
}

// relativePath returns a path from a folder, the path itself if there is none.
func relativePath(folder, path string) string {
	if relative, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(relative) { // .. could lead out of a symbolic link
		return relative
	}
	return path
}

func documentEntry(group, name, file, about string) Entry {
	return Entry{
		Group: group, Name: name, Details: about,
		Preview: func(width int) []string { return previewDocument(file, width) }, Target: OpenTarget{File: file},
	}
}

// previewDocument returns the description of a document, its steps as "playhead show" prints them, and
// its diagnostics.
func previewDocument(file string, width int) []string {
	p, err := setup.LoadForReading(file)
	if err != nil {
		return []string{sanitize.Plain(wording.ErrorSentence(err))}
	}
	var out bytes.Buffer
	if p.Description != "" {
		fmt.Fprintln(&out, ansi.Wrap(sanitize.PlainLines(p.Description), width, "")+"\n")
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

// WriteList prints numbered entries below the names of their groups.
func WriteList(w io.Writer, all []Entry) {
	group := ""
	for i, e := range all {
		if e.Group != group {
			group = e.Group
			fmt.Fprintln(w, group)
		}
		fmt.Fprintf(w, "  %d  %s  %s\n", i+1, e.titleWithFolder(), draw.CleanLine(e.summaryText()))
	}
}

// summaryText describes an entry where no columns separate its details from its age.
func (e Entry) summaryText() string {
	switch {
	case e.Age == "": // a document
		return e.Details
	case e.Details == "":
		return e.StateWord + ", " + e.Age
	}
	return e.StateWord + " at step " + e.Details + ", " + e.Age
}
