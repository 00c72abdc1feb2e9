package climpt

import (
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"playhead/parse/plan"
)

// File is a prompt file: its candidates, and the one that was found.
type File struct {
	Candidates []string // paths as they were looked for, in order
	Chosen     string   // the first candidate that exists; "": none
	Path       string   // relative, as a registry would write it
	Text       string   // without front matter
	Front      Front
	At         plan.Excerpt // where the text stands
	Problem    string       // why an existing file has no usable text

	inside Inside
}

// Front is the front matter of a prompt file. It does not affect runs.
type Front struct {
	There        bool
	Variables    []string // uvVariables
	HasVariables bool     // it has uvVariables, even if empty
}

// PromptPaths are the candidate paths of a prompt, and the place that refers to it.
type PromptPaths struct {
	At    Place
	Paths []string
}

// Prompts finds the first existing file of each prompt below a folder, and reports paths that lead
// out of it. It works concurrently, because this takes longest for a large registry.
func (f *Flow) Prompts(base string, wanted []PromptPaths) []File {
	f.folder(base)
	out, outside := make([]File, len(wanted)), make([][]error, len(wanted))
	inParallel(len(wanted), func(i int) { out[i], outside[i] = f.firstFile(base, wanted[i].Paths) })
	f.readAll(out)
	for i := range out {
		for _, err := range outside[i] {
			f.Error(wanted[i].At, "path-escape", err.Error(), "use a path below "+base)
		}
		if out[i].Chosen != "" {
			f.text(&out[i])
		}
	}
	return out
}

// Prompt is like Prompts, for a single prompt.
func (f *Flow) Prompt(at Place, base string, paths ...string) File {
	return f.Prompts(base, []PromptPaths{{at, paths}})[0]
}

// firstFile returns the first file that exists.
func (f *Flow) firstFile(base string, paths []string) (p File, outside []error) {
	for _, rel := range paths {
		file, err := f.Within(base, rel)
		if err != nil {
			outside = append(outside, err)
			continue
		}
		p.Candidates = append(p.Candidates, file.Name)
		if file.Exists() && p.Chosen == "" {
			p.Chosen, p.Path, p.inside = file.Name, rel, file
		}
	}
	return p, outside
}

func (f *Flow) readAll(files []File) {
	var chosen []Inside
	requested := map[string]bool{}
	for _, p := range files {
		if _, read := f.contents[p.Chosen]; p.Chosen != "" && !read && !requested[p.Chosen] {
			requested[p.Chosen] = true
			chosen = append(chosen, p.inside)
		}
	}
	found := make([]content, len(chosen))
	inParallel(len(chosen), func(i int) { found[i].data, found[i].err = f.readIn(chosen[i], maxText) })
	for i, p := range chosen {
		f.keep(p.Name, found[i].data, found[i].err)
	}
}

// readers is how many files are read concurrently.
const readers = 4

// inParallel calls do for 0 to n-1, several at a time.
func inParallel(n int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(readers, n) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

// text reads the chosen file.
func (f *Flow) text(p *File) {
	data, err := f.Read(p.Chosen, maxText)
	switch {
	case err != nil:
		p.Problem = missing(err)
	case !utf8.Valid(data):
		p.Problem = "it is not valid UTF-8"
	default:
		whole, marked := strings.CutPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\ufeff")
		p.Front, p.Text = SplitFront(whole)
		p.At = excerptOf(p.Chosen, whole, p.Text)
		if marked && p.At.Span.Line == 1 {
			p.At.Span.Column++ // behind the byte order mark
		}
		if strings.TrimSpace(p.Text) == "" {
			p.Problem = "it is blank"
		}
	}
}

// excerptOf returns the excerpt of a text at the end of a file.
func excerptOf(name, file, text string) plan.Excerpt {
	before := strings.Count(file[:len(file)-len(text)], "\n")
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	return plan.Excerpt{File: name, Span: plan.Span{Line: before + 1, Column: 1, End: before + lines}}
}

// SplitFront splits off front matter (climpt-registry.md §5): from a first line --- to the next
// line ---. Without a closing line it is text.
func SplitFront(text string) (Front, string) {
	first, rest, found := strings.Cut(text, "\n")
	if !found || strings.TrimSuffix(first, "\r") != "---" {
		return Front{}, text
	}
	for at := 0; at < len(rest); {
		line, _, more := strings.Cut(rest[at:], "\n")
		next := at + len(line)
		if more {
			next++
		}
		if strings.TrimSuffix(line, "\r") == "---" {
			return readFront(rest[:at]), rest[next:]
		}
		at = next
	}
	return Front{}, text
}

// readFront reads uvVariables, the only key that matters. Invalid YAML declares nothing.
func readFront(text string) Front {
	f := Front{There: true}
	var keys struct {
		Variables yaml.Node `yaml:"uvVariables"`
	}
	if yaml.Unmarshal([]byte(text), &keys) == nil && keys.Variables.Kind != 0 {
		f.HasVariables = keys.Variables.Decode(&f.Variables) == nil
	}
	return f
}

// System finds the system prompt: the file of --system, else that of agent.json, else system.md
// below a folder for a bare registry. It reports a missing file only if one is named.
func (f *Flow) System(below string) (file File, ok bool) {
	name := f.Options.Get("system")
	switch {
	case name != "":
		file = File{Candidates: []string{name}, Chosen: name}
		if f.text(&file); file.Problem != "" {
			f.Error(Place{File: name}, "file-not-found", "the system prompt of --system cannot be read: "+file.Problem, "check the path")
		}
	case f.Agent != nil:
		file = f.Prompt(f.Agent.SystemAt, f.Dir, f.Agent.System)
	default:
		file = f.Prompt(f.Registry.Place(), below, "system.md")
	}
	return file, file.Chosen != "" && file.Problem == ""
}
