package climpt

import (
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// PromptFile is a prompt file: its candidates, and the one that was found.
type PromptFile struct {
	CandidatePaths []string // paths as they were looked for, in order
	ChosenPath     string   // the first candidate that is an existing file; "": none
	RelPath        string   // that path, relative to the folder of prompts
	Text           string   // without front matter
	FrontMatter    FrontMatter
	TextLocation   plan.TextLocation // where the text is in the file
	Problem        string            // why an existing file has no usable text

	existing []existingCandidate // the existing candidates, beginning with ChosenPath
}

// existingCandidate is a candidate that exists. It may be a folder.
type existingCandidate struct {
	ContainedPath
	relPath string // relative to the folder of prompts
}

// setChosen makes the first existing candidate the chosen one.
func (p *PromptFile) setChosen() {
	p.ChosenPath, p.RelPath = "", ""
	if len(p.existing) > 0 {
		p.ChosenPath, p.RelPath = p.existing[0].Name, p.existing[0].relPath
	}
}

// NotFoundMessage says which files were looked for, if none exists.
func (p PromptFile) NotFoundMessage() string {
	return "no prompt file was found; tried: " + strings.Join(p.CandidatePaths, ", ")
}

// FrontMatter is the front matter of a prompt file. It does not affect runs.
type FrontMatter struct {
	Variables    []string // uvVariables
	HasVariables bool     // it has uvVariables, even if empty
}

// PromptPaths are the candidate paths of a prompt, and the place that refers to it.
type PromptPaths struct {
	ReferencePlace Place
	Paths          []string
}

// FindPrompts finds and reads the first existing file of each prompt below a folder. It reports paths that
// lead out of the folder. The results are in the order of wanted. It works concurrently, because this
// takes longest for a large registry.
func (f *Flow) FindPrompts(base string, wanted []PromptPaths) []PromptFile {
	out, outside := make([]PromptFile, len(wanted)), make([][]error, len(wanted))
	inParallel(len(wanted), func(i int) { out[i], outside[i] = f.findCandidates(base, wanted[i].Paths) })
	f.readChosenFiles(out)
	for i := range out {
		for _, err := range outside[i] {
			f.Error(wanted[i].ReferencePlace, "path-escape", err.Error(), "use a path below "+base)
		}
		f.skipFolders(&out[i])
		if out[i].ChosenPath != "" {
			f.readText(&out[i])
		}
	}
	return out
}

// FindPrompt is FindPrompts for one prompt. at is the place that refers to it.
func (f *Flow) FindPrompt(at Place, base string, paths ...string) PromptFile {
	return f.FindPrompts(base, []PromptPaths{{at, paths}})[0]
}

// findCandidates returns the candidates, and chooses the first one that exists, which may be a folder. outside has an
// error for each path that is not allowed.
func (f *Flow) findCandidates(base string, paths []string) (p PromptFile, outside []error) {
	for _, rel := range paths {
		file, err := f.ResolveBelow(base, rel)
		if err != nil {
			outside = append(outside, err)
			continue
		}
		p.CandidatePaths = append(p.CandidatePaths, file.Name)
		if file.Exists() {
			p.existing = append(p.existing, existingCandidate{file, rel})
		}
	}
	p.setChosen()
	return p, outside
}

// skipFolders chooses the first candidate that is not a folder. It reads only chosen candidates, because examining all
// of a large registry is slow.
func (f *Flow) skipFolders(p *PromptFile) {
	for len(p.existing) > 0 {
		if _, problem := f.ReadIn(p.existing[0].ContainedPath, maxTextSize); problem == nil || !problem.IsFolder() {
			return
		}
		p.existing = p.existing[1:]
		p.setChosen()
	}
}

// readChosenFiles reads the chosen files into the cache, each once.
func (f *Flow) readChosenFiles(files []PromptFile) {
	var chosen []ContainedPath
	requested := map[string]bool{}
	for _, p := range files {
		if _, read := f.contentByName[p.ChosenPath]; p.ChosenPath != "" && !read && !requested[p.ChosenPath] {
			requested[p.ChosenPath] = true
			chosen = append(chosen, p.existing[0].ContainedPath)
		}
	}
	found := make([]fileContent, len(chosen))
	inParallel(len(chosen), func(i int) { found[i].data, found[i].problem = f.readIn(chosen[i], maxTextSize) })
	for i, p := range chosen {
		f.store(p.Name, found[i])
	}
}

// maxConcurrentReads is how many files are read concurrently.
const maxConcurrentReads = 4

// inParallel calls do for 0 to n-1, several at a time.
func inParallel(n int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(maxConcurrentReads, n) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

// readText sets the text of the chosen file, its front matter and location, or why it cannot be used.
func (f *Flow) readText(p *PromptFile) {
	data, problem := f.Read(p.ChosenPath, maxTextSize)
	switch {
	case problem != nil:
		p.Problem = problem.Message
	case !utf8.Valid(data):
		p.Problem = source.NotUTF8
	default:
		whole, hasBOM := strings.CutPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\ufeff")
		p.FrontMatter, p.Text = splitFrontMatter(whole)
		p.TextLocation = locationOfTrailingText(p.ChosenPath, whole, p.Text)
		if hasBOM && p.TextLocation.Span.Line == 1 {
			p.TextLocation.Span.Column++ // behind the byte order mark
		}
		if strings.TrimSpace(p.Text) == "" {
			p.Problem = "it has no text"
		}
	}
}

// locationOfTrailingText returns the location of a text at the end of a file. file is the whole content.
func locationOfTrailingText(name, file, text string) plan.TextLocation {
	before := strings.Count(file[:len(file)-len(text)], "\n")
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	return plan.TextLocation{File: name, Span: plan.Span{Line: before + 1, Column: 1, LastLine: before + lines}}
}

// splitFrontMatter returns the front matter of a text (climpt-registry.md §5), which stands between a first
// line --- and the next line ---, and the text after it. Without a closing line all is text.
func splitFrontMatter(text string) (FrontMatter, string) {
	first, rest, found := strings.Cut(text, "\n")
	if !found || strings.TrimSuffix(first, "\r") != "---" {
		return FrontMatter{}, text
	}
	for at := 0; at < len(rest); {
		line, _, more := strings.Cut(rest[at:], "\n")
		next := at + len(line)
		if more {
			next++
		}
		if strings.TrimSuffix(line, "\r") == "---" {
			return readFrontMatter(rest[:at]), rest[next:]
		}
		at = next
	}
	return FrontMatter{}, text
}

// readFrontMatter reads uvVariables, the only key that matters. Invalid YAML declares nothing.
func readFrontMatter(text string) FrontMatter {
	var f FrontMatter
	var keys struct {
		Variables yaml.Node `yaml:"uvVariables"`
	}
	if yaml.Unmarshal([]byte(text), &keys) == nil && keys.Variables.Kind != 0 {
		f.HasVariables = keys.Variables.Decode(&f.Variables) == nil
	}
	return f
}

// FindSystemPrompt returns the file of the system prompt: that of --system, else that of agent.json, or
// for a registry without agent.json system.md below a folder. ok is false if it has no usable text,
// which is reported only for --system.
func (f *Flow) FindSystemPrompt(below string) (file PromptFile, ok bool) {
	name := f.Options.Get("system")
	switch {
	case name != "":
		file = PromptFile{CandidatePaths: []string{name}, ChosenPath: name}
		if f.readText(&file); file.Problem != "" {
			f.Error(Place{File: name}, "file-not-found", "the system prompt given with --system cannot be used: "+file.Problem, "name a UTF-8 text file that is not empty")
		}
	case f.Agent != nil:
		file = f.FindPrompt(f.Agent.SystemPromptPathPlace, f.AgentDir, f.Agent.SystemPromptPath)
	default:
		file = f.FindPrompt(f.Registry.Place(), below, "system.md")
	}
	return file, file.ChosenPath != "" && file.Problem == ""
}
