package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/model"
	"playhead/engine/preflight"
	"playhead/engine/tools"
	"playhead/engine/tools/mcp"
	"playhead/engine/trust"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// toolServers are the tool servers of a run. They start when they are first asked. It implements tools.Servers and
// texts.Source. A nil *toolServers belongs to a run that needs none.
type toolServers struct {
	servers          *mcp.Servers
	config           mcp.Config
	describedServers []preflight.ConfiguredToolServer // all servers in the files
	programs         []trust.Item                     // the programs that would be started
	run              *journal.Run                     // its folder has the logs; nil: there is no run yet
	earlyLogFolder   string                           // the folder of the logs until then; empty: there is none
	secrets          []string                         // masked in the logs
	isPrompted       bool                             // no server is started
	serverNotes      []string                         // notes about servers that no file describes, or that have a reserved name
	problems         []error                          // of files, and of servers that need variables which are not set
	fileErrors       []*mcp.ServerFileError           // the problems of files
}

// setUpToolServers finds the tool servers that the run needs, and makes it use them for tools and for texts. It returns
// nil if the run needs none. The servers of the first version of the document are among them, because a rewind can lead
// back to it. But nobody is asked to allow them again, and only what the current version lacks is a problem.
func (r *Run) setUpToolServers() (*toolServers, error) {
	c := &r.Config
	asksModels := !r.options.Unattended || c.FirstReplySourceName != model.ManualReplySource || c.PreparedReplies != nil
	required := neededServers(c.PreparedResults, keepID, asksModels, r.CurrentPlan)
	first := neededServers(c.PreparedResults, keepID, asksModels, c.FirstPlan)
	if len(required.serverNames)+len(first.serverNames) == 0 {
		return nil, nil
	}
	t := &toolServers{isPrompted: c.Options.Prompted}
	var specs []mcp.ServerSpec
	if !t.isPrompted {
		path, err := originalDocumentPath(c)
		if err != nil {
			return nil, err
		}
		var wrong []*mcp.ServerFileError
		if specs, wrong = mcp.ReadFiles(serverFiles(path, c.WorkingDir)); len(required.serverNames) > 0 {
			t.fileErrors = wrong
		}
		for _, wrong := range t.fileErrors {
			t.problems = append(t.problems, wrong)
		}
	}
	specs = slices.DeleteFunc(specs, func(s mcp.ServerSpec) bool {
		if plan.IsLocalServer(s.Name) {
			t.serverNotes = append(t.serverNotes, fmt.Sprintf("%s:%d: the tool server %s is not used, because its name is reserved for Playhead's own tools: rename it", s.File, s.Line, s.Name))
		}
		return plan.IsLocalServer(s.Name)
	})
	all := neededServers(c.PreparedResults, keepID, asksModels, r.CurrentPlan, c.FirstPlan)
	for _, s := range specsOf(specs, all) { // also of servers that may no longer be used: the run may have their secrets
		s, _ = s.Expand(os.LookupEnv)
		c.Secrets = append(c.Secrets, s.Secrets()...)
	}
	usable := required
	if r.isAllowed(Commands{Plan: c.FirstPlan, servers: programsOf(specs, first)}) {
		usable = all
	}
	t.configureServers(specs, usable, required, c, r.options.Version)
	if !t.isPrompted {
		t.serverNotes = append(t.serverNotes, required.unknownServerNotes(r.CurrentPlan.Path, t.config.AllServerNames)...)
	}
	c.Tools = t
	c.PromptTexts["mcp"] = t
	return t, nil
}

// configureServers configures all servers that may be used, with their environment variables filled in. A variable that
// is not set is a problem only for a required server.
func (t *toolServers) configureServers(specs []mcp.ServerSpec, usable, required serverNeeds, c *engine.Config, version string) {
	config := mcp.Config{Env: c.CommandEnv, LogFile: t.logFile, Secrets: func() []string { return t.secrets }, Version: version}
	for _, s := range specs {
		config.AllServerNames = append(config.AllServerNames, s.Name)
		t.describedServers = append(t.describedServers, preflight.ConfiguredToolServer{Name: s.Name, File: s.File, Line: s.Line, IsProgram: s.StartsProgram()})
	}
	requiredIndexes := required.neededIndexes(config.AllServerNames)
	for _, i := range usable.neededIndexes(config.AllServerNames) {
		s, err := specs[i].Expand(os.LookupEnv)
		if err != nil {
			t.describedServers[i].Problem, s.Problem = err, err
			if slices.Contains(requiredIndexes, i) {
				t.problems = append(t.problems, err)
			}
		}
		config.UsableSpecs = append(config.UsableSpecs, s)
	}
	t.programs = programsOf(specs, usable)
	t.config, t.servers = config, mcp.New(config)
}

// serverFiles returns the possible files of servers: beside the document, in the working folder,
// and in the configuration folder. A program starts in the folder of the file that describes it,
// but in the working folder if that is the file in the configuration folder.
func serverFiles(path, dir string) []mcp.ServerFileLocation {
	out := []mcp.ServerFileLocation{
		{File: filepath.Join(filepath.Dir(path), mcp.ServerFileName), Dir: filepath.Dir(path)},
		{File: filepath.Join(dir, mcp.ServerFileName), Dir: dir},
		{File: filepath.Join(xdg.ConfigHome, "playhead", mcp.ServerFileName), Dir: dir},
	}
	for i := range out {
		if absolute, err := filepath.Abs(out[i].Dir); err == nil {
			out[i].Dir = absolute
		}
	}
	if out[0].Dir == out[1].Dir { // the same file
		return slices.Delete(out, 1, 2)
	}
	return out
}

// serverNeeds are the servers that versions of a document need for their tools and prompts.
type serverNeeds struct {
	serverNames  []string
	dependsOnRun bool // which servers are needed is known only during the run
}

// addServer adds the server of a tool. "" means any server.
func (n *serverNeeds) addServer(name string) {
	n.serverNames = append(n.serverNames, name)
	n.dependsOnRun = n.dependsOnRun || name == ""
}

// addServerNamedIn adds the server that a prompt's text names. server returns the server's name in a text.
func (n *serverNeeds) addServerNamedIn(text plan.Prompt, server func(text string) string) {
	name := server(plan.SourceText(text))
	r, err := text.Render(plan.ProbeScope{})
	if err != nil || server(r.Text) != name {
		name = "" // the name depends on values
	}
	n.addServer(name)
}

// neededServers returns the servers that versions of a document need. A call with a prepared result needs none.
// asksModels says whether models will be asked: if not, their tools need no server. label returns the label
// under which a step's results are prepared, given its ID.
func neededServers(prepared *tools.PreparedResults, label func(id string) string, asksModels bool, versions ...*plan.Plan) serverNeeds {
	var n serverNeeds
	visit := func(_ string, s *plan.Step, a plan.Action) {
		switch w := a.Work.(type) {
		case plan.Tool:
			if !plan.IsLocalServer(w.Server) && !prepared.HasResult(tools.Request{StepLabel: label(s.ID), Tool: w.Name}) {
				n.addServer(w.Server)
			}
		case plan.Model:
			if !asksModels {
				return
			}
			for _, tool := range w.Tools {
				if plan.LocalToolName(plan.SourceText(tool)) != "" {
					continue
				}
				if _, name := plan.SplitTool(plan.SourceText(tool)); !prepared.HasResult(tools.Request{StepLabel: label(s.ID), Tool: name}) {
					n.addServerNamedIn(tool, func(text string) string { server, _ := plan.SplitTool(text); return server })
				}
			}
		case plan.Fetch:
			if w.Scheme == "mcp" {
				n.addServerNamedIn(w.Ref, func(text string) string { server, _, _ := strings.Cut(text, "/"); return server })
			}
		}
	}
	for _, p := range versions {
		trust.VisitActions(p, visit)
	}
	return n
}

func keepID(id string) string { return id }

// neededIndexes returns the indices of the needed servers in a list of names.
func (n serverNeeds) neededIndexes(known []string) []int {
	indexes := map[int]bool{}
	for _, name := range n.serverNames {
		indexes[mcp.NameIndex(known, name)] = true
	}
	var out []int
	for i := range known {
		if n.dependsOnRun || indexes[i] {
			out = append(out, i)
		}
	}
	return out
}

// unknownServerNotes returns a note for each needed server that is not known.
func (n serverNeeds) unknownServerNotes(path string, known []string) (notes []string) {
	names := slices.Clone(n.serverNames)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if name != "" && mcp.NameIndex(known, name) < 0 {
			notes = append(notes, fmt.Sprintf("%s names the tool server %q, which no %s describes: %s", path, name, mcp.ServerFileName, near.Suggestion(name, known)))
		}
	}
	return notes
}

// specsOf returns the servers that are needed.
func specsOf(specs []mcp.ServerSpec, need serverNeeds) (needed []mcp.ServerSpec) {
	names := make([]string, len(specs))
	for i, s := range specs {
		names[i] = s.Name
	}
	for _, i := range need.neededIndexes(names) {
		needed = append(needed, specs[i])
	}
	return needed
}

// programsOf returns the programs of the servers that are needed.
func programsOf(specs []mcp.ServerSpec, need serverNeeds) (programs []trust.Item) {
	for _, s := range specsOf(specs, need) {
		if expanded, _ := s.Expand(os.LookupEnv); expanded.StartsProgram() {
			programs = append(programs, trustItemOf(s))
		}
	}
	return programs
}

// trustItemOf returns a server's program as an item that a person allows before the server is started. The
// permission holds only for the file that describes the server.
func trustItemOf(s mcp.ServerSpec) trust.Item {
	exact, _ := json.Marshal(s) // a ServerSpec can always be encoded
	if file, err := filepath.Abs(s.File); err == nil {
		exact = append(exact, file...)
	}
	var words []string
	for _, variable := range s.VisibleEnv() {
		name, value, _ := strings.Cut(variable, "=")
		words = append(words, name+"="+trust.ReadableCommandLine([]string{value}))
	}
	words = append(words, trust.ReadableCommandLine(append([]string{s.Command}, s.Args...)))
	return trust.Item{ServerName: s.Name, File: s.File, Line: s.Line, Text: strings.Join(words, " "), ExactText: string(exact)}
}

// usableNames returns the names of the servers that the run can use.
func (t *toolServers) usableNames() (names []string) {
	if t != nil {
		for _, s := range t.config.UsableSpecs {
			names = append(names, s.Name)
		}
	}
	return names
}

// configuredName returns the name of the server that a document's name means: as it is configured, in lower case if it
// is not configured.
func (t *toolServers) configuredName(name string) string {
	if t != nil {
		if i := mcp.NameIndex(t.config.AllServerNames, name); i >= 0 {
			return t.config.AllServerNames[i]
		}
	}
	return strings.ToLower(name)
}

func (t *toolServers) programsToStart() []trust.Item {
	if t == nil {
		return nil
	}
	return t.programs
}

// attachRun makes the servers serve the run of c, and write their logs into its folder if it has one. Servers that
// are running already continue.
func (t *toolServers) attachRun(c engine.Config) error {
	if t == nil {
		return nil
	}
	t.run, t.isPrompted, t.secrets = c.Run, c.Options.Prompted, c.Secrets
	if t.run == nil || t.earlyLogFolder == "" {
		return nil
	}
	return errors.Join(t.servers.MoveLogs(), t.removeEarlyLogs())
}

// attachBeforeRun lets the servers start before the run has a folder.
func (t *toolServers) attachBeforeRun(c engine.Config) (err error) {
	if t == nil {
		return nil
	}
	if c.Run == nil && t.earlyLogFolder == "" {
		if t.earlyLogFolder, err = os.MkdirTemp("", "playhead-"); err != nil {
			return err
		}
	}
	return t.attachRun(c)
}

func (t *toolServers) removeEarlyLogs() error {
	if t.earlyLogFolder == "" {
		return nil
	}
	dir := t.earlyLogFolder
	t.earlyLogFolder = ""
	return os.RemoveAll(dir)
}

// omitPrograms keeps only the servers that do not have to be started.
func (t *toolServers) omitPrograms() {
	if t != nil {
		config := t.config
		config.UsableSpecs = slices.DeleteFunc(slices.Clone(config.UsableSpecs), mcp.ServerSpec.StartsProgram)
		t.servers = mcp.New(config)
	}
}

func (t *toolServers) close() {
	if t != nil {
		t.servers.Close()
		_ = t.removeEarlyLogs() // it is temporary
	}
}

// errPromptedRun is the error of all requests to servers in a run that executes nothing.
var errPromptedRun = errors.New("a run in which you run the commands yourself (--prompted) uses no tool servers")

// Fetch implements texts.Source.
func (t *toolServers) Fetch(ctx context.Context, ref string, say func(string)) (string, error) {
	if t.isPrompted {
		return "", errPromptedRun
	}
	return t.servers.FetchPrompt(ctx, ref, say)
}

// Tools implements tools.Servers.
func (t *toolServers) Tools(ctx context.Context, notify func(string)) ([]tools.Tool, error) {
	if t.isPrompted {
		return nil, errPromptedRun
	}
	return t.servers.Tools(ctx, notify)
}

// Call implements tools.Servers.
func (t *toolServers) Call(ctx context.Context, q tools.Request, out io.Writer) tools.Result {
	if t.isPrompted {
		return tools.Result{Err: errPromptedRun}
	}
	return t.servers.Call(ctx, q, out)
}

// unsafeFileNamePattern matches the characters that are replaced in names of files.
var unsafeFileNamePattern = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// logFile returns the location of a server's log. Each server has its own file, whatever its name.
func (t *toolServers) logFile(server string) logs.FileLocation {
	name := unsafeFileNamePattern.ReplaceAllString(server, "-")
	if name != server {
		h := fnv.New32()
		h.Write([]byte(server))
		name = fmt.Sprintf("%s-%08x", name, h.Sum32())
	}
	file := "tool-" + name + ".log"
	if t.run == nil {
		return logs.FileLocation{RunDir: t.earlyLogFolder, Name: file}
	}
	return t.run.LogFile("logs/" + file)
}
