package setup

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/match"
	"playhead/engine/tools/mcp"
	"playhead/engine/trust"
	"playhead/parse"
	"playhead/parse/plan"
)

// versionLoader loads other versions of a run's document in the way in which the first one was loaded.
type versionLoader struct {
	run          *Run
	started      *machine.RunStarted
	replacePaths func() func(text string) string // see newPathReplacer
}

func (r *Run) newVersionLoader() *versionLoader {
	c := &r.Config
	l := &versionLoader{run: r}
	if len(c.History) > 0 {
		l.started, _ = c.History[0].Body.(*machine.RunStarted) // Resume has checked it
	} else {
		l.started = &machine.RunStarted{Format: r.CurrentPlan.Format, DocumentPath: r.CurrentPlan.Path, Inputs: c.Inputs, Options: c.Options}
	}
	l.replacePaths = sync.OnceValue(l.newPathReplacer)
	return l
}

// newPathReplacer returns a function that makes the paths in a text those that the first version was loaded
// with. The text may have paths below the run's copies, and absolute ones of the original files.
func (l *versionLoader) newPathReplacer() func(text string) string {
	run := l.run.Config.Run
	copies := filepath.Join(run.Dir(), "source")
	src, err := run.SourcePaths()
	if err != nil {
		return keepText
	}
	base, err := run.OriginalPath(copies)
	if err != nil {
		return keepText
	}
	copyPattern := regexp.MustCompile(regexp.QuoteMeta(copies) + `(\.[0-9]+)?/`)
	originals := strings.NewReplacer(l.originalFolderPairs(src.OriginalDocument, base)...)
	return func(text string) string {
		return originals.Replace(copyPattern.ReplaceAllLiteralString(text, withSlash(base)))
	}
}

// originalFolderPairs returns absolute paths of folders, each with its path as the first version has it: of the
// document, which may be a folder, and of the folders above it up to base, which all files are below.
func (l *versionLoader) originalFolderPairs(document, base string) (pairs []string) {
	written := l.started.DocumentPath
	if strings.HasPrefix(written, machine.BuiltInPrefix) {
		written = document
	}
	for dir := document; dir != filepath.Dir(dir); dir = filepath.Dir(dir) { // in a text, not every slash is the root folder
		pairs = append(pairs, withSlash(dir), strings.TrimPrefix(withSlash(filepath.Clean(written)), "./"))
		if dir == base {
			break
		}
		written = filepath.Join(written, "..")
	}
	return pairs
}

// withSlash returns the path of a folder with a slash at its end.
func withSlash(folder string) string { return strings.TrimSuffix(filepath.ToSlash(folder), "/") + "/" }

func keepText(text string) string { return text }

// ReplaceCopyPaths implements engine.VersionLoader.
func (l *versionLoader) ReplaceCopyPaths(text string) string { return l.replacePaths()(text) }

// LoadSaved implements engine.VersionLoader.
func (l *versionLoader) LoadSaved() (*engine.DocumentVersion, error) {
	src, err := l.run.Config.Run.SourcePaths()
	if err != nil {
		return nil, &Error{err}
	}
	p, err := Load(src.OriginalDocument, parse.Options{
		Format: l.started.Format, StartFolder: src.OriginalStartFolder, Flags: l.started.Options.FormatFlags,
	})
	if err != nil {
		return nil, err
	}
	sources, err := journal.GatherSources(p, src.OriginalStartFolder)
	if err != nil {
		return nil, &Error{err}
	}
	v, err := l.newVersion(p, func() (journal.Sources, error) { return sources, nil })
	if err == nil {
		_, missing := os.Stat(src.OriginalDocument)
		v.SavedPath, v.IsGone = src.OriginalDocument, !p.Runnable() && errors.Is(missing, fs.ErrNotExist)
	}
	return v, err
}

// LoadEdited implements engine.VersionLoader.
func (l *versionLoader) LoadEdited(snapshot string, edit func(*plan.Plan) (map[string][]byte, error)) (*engine.DocumentVersion, error) {
	folder := l.run.Config.Run.AtSnapshot(snapshot)
	p, _, err := loadRunCopy(folder, l.started, nil)
	if err != nil {
		return nil, err
	}
	src, err := folder.SourcePaths()
	if err != nil {
		return nil, &Error{err}
	}
	path := p.Path
	p.Path = src.DocumentCopy // the path of the copy, which edit reads
	contents, err := edit(p)
	p.Path = path
	if err != nil {
		return nil, err
	}
	instead := make(map[string][]byte, len(contents))
	for file, data := range contents {
		if file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		instead[file] = data
	}
	edited, _, err := loadRunCopy(folder, l.started, instead)
	if err != nil {
		return nil, err
	}
	for i := range edited.Diagnostics { // as a path that the person knows
		x := &edited.Diagnostics[i]
		x.File, x.Message = l.ReplaceCopyPaths(x.File), l.ReplaceCopyPaths(x.Message)
	}
	return l.newVersion(edited, func() (journal.Sources, error) { return folder.EditedSources(instead) })
}

// FileWithStepEdit implements engine.VersionLoader.
func (l *versionLoader) FileWithStepEdit(p *plan.Plan, e plan.StepEdit) ([]byte, error) {
	return parse.EditSteps(p, e)
}

// newVersion prepares p to be run as a version. sources returns the files to store if the run continues with it.
func (l *versionLoader) newVersion(p *plan.Plan, sources func() (journal.Sources, error)) (*engine.DocumentVersion, error) {
	p.Path = l.started.DocumentPath
	if err := LimitTransitions(p, l.started.Options.MaxTransitions); err != nil {
		return nil, err
	}
	if err := checkInputValues(p, l.started.Inputs, l.started.Options.SecretNames); err != nil && p.Runnable() {
		return nil, err
	}
	need := neededServers(l.run.Config.PreparedResults, l.oldIDFunc(p), true, p)
	if err := l.checkServers(need); err != nil {
		return nil, err
	}
	commands := Commands{Plan: p, servers: l.run.tools.programsToStart()}
	withOwnServers := Commands{Plan: p, servers: slices.DeleteFunc(slices.Clone(commands.servers), func(program trust.Item) bool {
		return !need.dependsOnRun && mcp.NameIndex(need.serverNames, program.ServerName) < 0
	})}
	v := &engine.DocumentVersion{Plan: p}
	v.StoreSnapshot = func() (string, error) {
		s, err := sources()
		if err != nil {
			return "", err
		}
		return l.run.Config.Run.StoreSources(s)
	}
	v.AllowCommands = func() error {
		run := l.run.Config.Run.Folder // if it is resumed, it may no longer have the servers that only other versions use
		return errors.Join(storeAllowedHash(run, commands), storeAllowedHash(run, withOwnServers))
	}
	trusted, err := commands.IsTrusted()
	if err != nil {
		return nil, err
	}
	if !trusted && !l.started.Options.Prompted {
		v.CommandsToAllow = trust.ListCommands(p)
	}
	return v, nil
}

// checkServers returns an error if a version needs a tool server that this run cannot use and that the version with
// which this process opened the run did not need, because servers start only with the run.
func (l *versionLoader) checkServers(need serverNeeds) error {
	before := l.run.tools.usableNames()
	for _, name := range neededServers(l.run.Config.PreparedResults, keepID, true, l.run.CurrentPlan).serverNames {
		before = append(before, l.run.tools.configuredName(name))
	}
	for _, name := range need.serverNames {
		if name != "" && !slices.Contains(before, l.run.tools.configuredName(name)) {
			return Errorf("the changed document uses the tool server %q, which this run was started without: start a new run of the document", name)
		}
	}
	return nil
}

// oldIDFunc returns a function that maps the ID of a step of a version to the one that it had when this process
// opened the run.
func (l *versionLoader) oldIDFunc(p *plan.Plan) func(id string) string {
	if l.run.Config.PreparedResults == nil {
		return keepID
	}
	old, root := map[string]string{}, match.Documents(l.run.CurrentPlan, p, l.ReplaceCopyPaths).FindDocument("")
	l.run.CurrentPlan.Walk(func(s, _ *plan.Step) bool {
		old[root.NewID(s.ID)] = s.ID
		return true
	})
	return func(id string) string { return cmp.Or(old[id], id) }
}

// CurrentSnapshot returns the name of the version of the document with which a run continues, "" for the
// first one.
func CurrentSnapshot(history []machine.Event) (name string) {
	for _, e := range machine.LiveBranch(history) {
		if b, is := e.Body.(*machine.DocumentReloaded); is {
			name = b.Snapshot
		}
	}
	return name
}

// currentVersion returns the version of the document with which a run continues. p is the first one.
func currentVersion(p *plan.Plan, history []machine.Event) (*plan.Plan, error) {
	for _, e := range slices.Backward(machine.LiveBranch(history)) {
		if b, is := e.Body.(*machine.DocumentReloaded); is {
			return b.Load()
		}
	}
	return p, nil
}
