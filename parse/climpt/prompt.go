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
	ChosenPath     string   // the first candidate that exists; "": none
	RelPath        string   // relative, as a registry would write it
	Text           string   // without front matter
	FrontMatter    FrontMatter
	TextLocation   plan.TextLocation // where the text stands
	Problem        string            // why an existing file has no usable text

	location ContainedPath
}

// NotFoundMessage says which files were looked for, if none exists.
func (p PromptFile) NotFoundMessage() string {
	return "there is no prompt file: " + strings.Join(p.CandidatePaths, ", ")
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

// FindPrompts finds the first existing file of each prompt below a folder, and reports paths that lead
// out of it. It works concurrently, because this takes longest for a large registry.
func (f *Flow) FindPrompts(base string, wanted []PromptPaths) []PromptFile {
	f.resolveFolder(base)
	out, outside := make([]PromptFile, len(wanted)), make([][]error, len(wanted))
	inParallel(len(wanted), func(i int) { out[i], outside[i] = f.firstExistingFile(base, wanted[i].Paths) })
	f.readChosenFiles(out)
	for i := range out {
		for _, err := range outside[i] {
			f.Error(wanted[i].ReferencePlace, "path-escape", err.Error(), "use a path below "+base)
		}
		if out[i].ChosenPath != "" {
			f.readText(&out[i])
		}
	}
	return out
}

// FindPrompt finds the file of a single prompt.
func (f *Flow) FindPrompt(at Place, base string, paths ...string) PromptFile {
	return f.FindPrompts(base, []PromptPaths{{at, paths}})[0]
}

// firstExistingFile returns the first file that exists.
func (f *Flow) firstExistingFile(base string, paths []string) (p PromptFile, outside []error) {
	for _, rel := range paths {
		file, err := f.ResolveBelow(base, rel)
		if err != nil {
			outside = append(outside, err)
			continue
		}
		p.CandidatePaths = append(p.CandidatePaths, file.Name)
		if file.Exists() && p.ChosenPath == "" {
			p.ChosenPath, p.RelPath, p.location = file.Name, rel, file
		}
	}
	return p, outside
}

func (f *Flow) readChosenFiles(files []PromptFile) {
	var chosen []ContainedPath
	requested := map[string]bool{}
	for _, p := range files {
		if _, read := f.contentByName[p.ChosenPath]; p.ChosenPath != "" && !read && !requested[p.ChosenPath] {
			requested[p.ChosenPath] = true
			chosen = append(chosen, p.location)
		}
	}
	found := make([]fileContent, len(chosen))
	inParallel(len(chosen), func(i int) { found[i].data, found[i].err = f.readIn(chosen[i], maxTextSize) })
	for i, p := range chosen {
		f.store(p.Name, found[i].data, found[i].err)
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

// readText reads the chosen file.
func (f *Flow) readText(p *PromptFile) {
	data, err := f.Read(p.ChosenPath, maxTextSize)
	switch {
	case err != nil:
		p.Problem = readErrorText(err)
	case !utf8.Valid(data):
		p.Problem = source.NotUTF8
	default:
		whole, marked := strings.CutPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\ufeff")
		p.FrontMatter, p.Text = SplitFrontMatter(whole)
		p.TextLocation = locationOfTrailingText(p.ChosenPath, whole, p.Text)
		if marked && p.TextLocation.Span.Line == 1 {
			p.TextLocation.Span.Column++ // behind the byte order mark
		}
		if strings.TrimSpace(p.Text) == "" {
			p.Problem = "it has no text"
		}
	}
}

// locationOfTrailingText returns the excerpt of a text at the end of a file.
func locationOfTrailingText(name, file, text string) plan.TextLocation {
	before := strings.Count(file[:len(file)-len(text)], "\n")
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	return plan.TextLocation{File: name, Span: plan.Span{Line: before + 1, Column: 1, LastLine: before + lines}}
}

// SplitFrontMatter splits off front matter (climpt-registry.md §5): from a first line --- to the next
// line ---. Without a closing line it is text.
func SplitFrontMatter(text string) (FrontMatter, string) {
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

// FindSystemPrompt finds the system prompt: the file of --system, else that of agent.json, else system.md
// below a folder for a bare registry. It reports a missing file only if one is named.
func (f *Flow) FindSystemPrompt(below string) (file PromptFile, ok bool) {
	name := f.Options.Get("system")
	switch {
	case name != "":
		file = PromptFile{CandidatePaths: []string{name}, ChosenPath: name}
		if f.readText(&file); file.Problem != "" {
			f.Error(Place{File: name}, "file-not-found", "the system prompt of --system cannot be read: "+file.Problem, "check the path")
		}
	case f.Agent != nil:
		file = f.FindPrompt(f.Agent.SystemPromptPathPlace, f.AgentDir, f.Agent.SystemPromptPath)
	default:
		file = f.FindPrompt(f.Registry.Place(), below, "system.md")
	}
	return file, file.ChosenPath != "" && file.Problem == ""
}
