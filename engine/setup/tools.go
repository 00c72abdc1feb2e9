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
	"playhead/engine/texts"
	"playhead/engine/tools"
	"playhead/engine/tools/mcp"
	"playhead/engine/trust"
	"playhead/parse/near"
	"playhead/parse/plan"
)

type toolServers struct {
	servers   *mcp.Servers
	config    mcp.Config
	described []preflight.Server // all servers in the files
	programs  []trust.Item       // the programs that would be started
	run       *journal.Run       // its folder has the logs; nil: there is no run yet
	earlyLogs string             // the folder of the logs until then; empty: there is none
	secrets   []string           // masked in the logs
	prompted  bool               // no server is started
	unknown   []string           // notes about servers that no file describes
	problems  []error            // of files, and of servers that need variables which are not set
	broken    []*mcp.FileError   // the problems of files
}

// findServers returns the tool servers of a document, nil if it needs none.
func findServers(c *engine.Config, o *Options) (*toolServers, error) {
	need := neededServers(c, ownID, !o.Unattended || c.Source != model.Manual || c.Replies != nil)
	if len(need.names) == 0 {
		return nil, nil
	}
	t := &toolServers{prompted: c.Options.Prompted}
	var specs []mcp.Spec
	if !t.prompted {
		path, err := OriginalDocument(c)
		if err != nil {
			return nil, err
		}
		specs, t.broken = mcp.Read(serverFiles(path, c.Dir))
		for _, wrong := range t.broken {
			t.problems = append(t.problems, wrong)
		}
	}
	specs = slices.DeleteFunc(specs, func(s mcp.Spec) bool {
		if plan.IsLocal(s.Name) {
			t.unknown = append(t.unknown, fmt.Sprintf("%s:%d: the tool server %s is not used: that name is reserved for Playhead's own tools", s.File, s.Line, s.Name))
		}
		return plan.IsLocal(s.Name)
	})
	t.start(specs, need, c, o.Version)
	c.Tools = t
	c.Texts.(texts.Schemes)["mcp"] = t
	return t, nil
}

func (t *toolServers) start(specs []mcp.Spec, need serverNeeds, c *engine.Config, version string) {
	config := mcp.Config{Env: c.Env, LogFile: t.logFile, Secrets: func() []string { return t.secrets }, Version: version}
	for _, s := range specs {
		config.ServerNames = append(config.ServerNames, s.Name)
		t.described = append(t.described, preflight.Server{Name: s.Name, File: s.File, Line: s.Line, Starts: s.Starts()})
	}
	for _, i := range need.indices(config.ServerNames) {
		s, err := specs[i].Expand(os.LookupEnv)
		if err != nil {
			t.described[i].Problem, s.Problem = err, err
			t.problems = append(t.problems, err)
		}
		config.Specs = append(config.Specs, s)
		c.Secrets = append(c.Secrets, s.Secrets()...)
		if s.Starts() {
			t.programs = append(t.programs, item(specs[i]))
		}
	}
	if !t.prompted {
		t.unknown = append(t.unknown, need.notesOfUnknown(c.Plan.Path, config.ServerNames)...)
	}
	t.config, t.servers = config, mcp.New(config)
}

// serverFiles returns the possible files of servers: beside the document, in the working folder, in
// the configuration folder. A program starts in the folder of the file that describes it, one of the
// configuration folder in the working folder.
func serverFiles(path, dir string) []mcp.Place {
	out := []mcp.Place{
		{File: filepath.Join(filepath.Dir(path), mcp.FileName), Dir: filepath.Dir(path)},
		{File: filepath.Join(dir, mcp.FileName), Dir: dir},
		{File: filepath.Join(xdg.ConfigHome, "playhead", mcp.FileName), Dir: dir},
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

// serverNeeds are the servers that a document needs for its tools and prompts.
type serverNeeds struct {
	names []string
	open  bool // which servers are needed is known only during the run
}

// add adds the server of a tool. "" means any server.
func (n *serverNeeds) add(name string) {
	n.names = append(n.names, name)
	n.open = n.open || name == ""
}

// addIn adds the server that a text names. server extracts its name from the text.
func (n *serverNeeds) addIn(text plan.Prompt, server func(text string) string) {
	name := server(plan.Source(text))
	r, err := text.Render(plan.NULScope{})
	if err != nil || server(r.Text) != name {
		name = "" // the name depends on values
	}
	n.add(name)
}

// neededServers returns the servers that the document needs. A call with a prepared result needs none, and
// without replies models call no tools. label returns the label of a step's prepared results, given its ID.
func neededServers(c *engine.Config, label func(id string) string, replies bool) serverNeeds {
	var n serverNeeds
	trust.Each(c.Plan, func(_ string, s *plan.Step, a plan.Action) {
		switch w := a.Work.(type) {
		case plan.Tool:
			if !plan.IsLocal(w.Server) && !c.Results.Has(tools.Request{Label: label(s.ID), Tool: w.Name}) {
				n.add(w.Server)
			}
		case plan.Model:
			if !replies {
				return
			}
			for _, tool := range w.Tools {
				if plan.LocalTool(plan.Source(tool)) != "" {
					continue
				}
				if _, name := plan.SplitTool(plan.Source(tool)); !c.Results.Has(tools.Request{Label: label(s.ID), Tool: name}) {
					n.addIn(tool, func(text string) string { server, _ := plan.SplitTool(text); return server })
				}
			}
		case plan.Fetch:
			if w.Scheme == "mcp" {
				n.addIn(w.Ref, func(text string) string { server, _, _ := strings.Cut(text, "/"); return server })
			}
		}
	})
	return n
}

func ownID(id string) string { return id }

// indices returns the indices of the needed servers in a list of names.
func (n serverNeeds) indices(known []string) []int {
	indexes := map[int]bool{}
	for _, name := range n.names {
		indexes[mcp.Index(known, name)] = true
	}
	var out []int
	for i := range known {
		if n.open || indexes[i] {
			out = append(out, i)
		}
	}
	return out
}

// notesOfUnknown returns a note for each needed server that is not known.
func (n serverNeeds) notesOfUnknown(path string, known []string) (notes []string) {
	names := slices.Clone(n.names)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if name != "" && mcp.Index(known, name) < 0 {
			notes = append(notes, fmt.Sprintf("%s names the tool server %q, which no %s describes: %s", path, name, mcp.FileName, near.Hint(name, known)))
		}
	}
	return notes
}

// item returns what a person allows before a server is started. The permission holds only for the file that
// describes the server.
func item(s mcp.Spec) trust.Item {
	exact, _ := json.Marshal(s) // a Spec can always be encoded
	if file, err := filepath.Abs(s.File); err == nil {
		exact = append(exact, file...)
	}
	var words []string
	for _, variable := range s.Visible() {
		name, value, _ := strings.Cut(variable, "=")
		words = append(words, name+"="+trust.Line([]string{value}))
	}
	words = append(words, trust.Line(append([]string{s.Command}, s.Args...)))
	return trust.Item{Server: s.Name, Document: s.File, Line: s.Line, Text: strings.Join(words, " "), Exact: string(exact)}
}

func (t *toolServers) startedPrograms() []trust.Item {
	if t == nil {
		return nil
	}
	return t.programs
}

// attach makes the servers serve a run. Servers that are running already continue.
func (t *toolServers) attach(c engine.Config) error {
	if t == nil {
		return nil
	}
	t.run, t.prompted, t.secrets = c.Run, c.Options.Prompted, c.Secrets
	if t.run == nil || t.earlyLogs == "" {
		return nil
	}
	return errors.Join(t.servers.MoveLogs(), t.removeEarly())
}

// attachEarly lets the servers start before the run has a folder.
func (t *toolServers) attachEarly(c engine.Config) (err error) {
	if t == nil {
		return nil
	}
	if c.Run == nil && t.earlyLogs == "" {
		if t.earlyLogs, err = os.MkdirTemp("", "playhead-"); err != nil {
			return err
		}
	}
	return t.attach(c)
}

func (t *toolServers) removeEarly() error {
	if t.earlyLogs == "" {
		return nil
	}
	dir := t.earlyLogs
	t.earlyLogs = ""
	return os.RemoveAll(dir)
}

// omitPrograms keeps only the servers that do not have to be started.
func (t *toolServers) omitPrograms() {
	if t != nil {
		config := t.config
		config.Specs = slices.DeleteFunc(slices.Clone(config.Specs), mcp.Spec.Starts)
		t.servers = mcp.New(config)
	}
}

func (t *toolServers) close() {
	if t != nil {
		t.servers.Close()
		_ = t.removeEarly() // it is temporary
	}
}

// errPrompted is the error for all servers in a run that executes nothing.
var errPrompted = errors.New("no tool server is started with --prompted")

// Fetch implements texts.Source.
func (t *toolServers) Fetch(ctx context.Context, ref string, say func(string)) (string, error) {
	if t.prompted {
		return "", errPrompted
	}
	return t.servers.Fetch(ctx, ref, say)
}

// Tools implements tools.Servers.
func (t *toolServers) Tools(ctx context.Context, notify func(string)) ([]tools.Tool, error) {
	if t.prompted {
		return nil, errPrompted
	}
	return t.servers.Tools(ctx, notify)
}

// Call implements tools.Servers.
func (t *toolServers) Call(ctx context.Context, q tools.Request, out io.Writer) tools.Result {
	if t.prompted {
		return tools.Result{Err: errPrompted}
	}
	return t.servers.Call(ctx, q, out)
}

// oddRunes matches the characters that are replaced in names of files.
var oddRunes = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// logFile returns the location of a server's log. Each server has its own file, whatever its name.
func (t *toolServers) logFile(server string) logs.File {
	name := oddRunes.ReplaceAllString(server, "-")
	if name != server {
		h := fnv.New32()
		h.Write([]byte(server))
		name = fmt.Sprintf("%s-%08x", name, h.Sum32())
	}
	file := "tool-" + name + ".log"
	if t.run == nil {
		return logs.File{Dir: t.earlyLogs, Name: file}
	}
	return t.run.LogFile("logs/" + file)
}
