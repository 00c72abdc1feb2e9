package themes

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"playhead/parse/infile"
)

// ParsePalette reads a palette from the source of its file, a YAML mapping of roles to colours. The palette
// gets the name of the file. The key base names a built-in palette for the roles that the file leaves
// out; without it they are the terminal's own. The error has a line for each problem, with its place.
func ParsePalette(path string, source []byte) (Palette, error) {
	r := paletteReader{path: path}
	r.readFile(source)
	r.palette.Name = strings.TrimSuffix(filepath.Base(path), paletteSuffix)
	if len(r.problems) > 0 {
		return r.palette, errors.New(strings.Join(r.problems, "\n"))
	}
	return r.palette, nil
}

// paletteReader fills a palette from a file, and collects the problems of the file.
type paletteReader struct {
	path     string
	palette  Palette
	problems []string
}

// addProblem adds a problem in the form file:line:column: text.
func (r *paletteReader) addProblem(line, column int, format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf("%s:%d:%d: %s", r.path, max(line, 1), max(column, 1), fmt.Sprintf(format, args...)))
}

var yamlErrorPattern = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?(.*)`)

func (r *paletteReader) readFile(source []byte) {
	var doc yaml.Node
	if err := yaml.Unmarshal(source, &doc); err != nil {
		m := yamlErrorPattern.FindStringSubmatch(err.Error())
		line, _ := strconv.Atoi(m[1])
		r.addProblem(line, 1, "this is not valid YAML: %s", m[2])
		return
	}
	if doc.Kind == 0 { // it is empty
		return
	}
	entries := r.entries(doc.Content[0])
	for _, e := range entries {
		if e.key.Value == "base" {
			r.setBase(e.value)
		}
	}
	for _, e := range entries {
		if e.key.Value != "base" {
			r.setRole(e)
		}
	}
}

// fileEntry is a key of the file with its value.
type fileEntry struct{ key, value *yaml.Node }

// entries returns the entries of the file. It reports keys that occur twice, and values that are not
// one word.
func (r *paletteReader) entries(n *yaml.Node) (all []fileEntry) {
	if n.Kind != yaml.MappingNode {
		r.addProblem(n.Line, n.Column, `expected roles with colours, like accent: "#ff8800"`)
		return nil
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		e := fileEntry{n.Content[i], n.Content[i+1]}
		switch key := e.key.Value; {
		case seen[key]:
			r.addProblem(e.key.Line, e.key.Column, "%q occurs twice", key)
		case e.value.Kind != yaml.ScalarNode:
			r.addProblem(e.value.Line, e.value.Column, "%s: expected a single value", key)
		case e.value.ShortTag() == "!!null": // to YAML, # begins a comment
			text := "%s is empty: write a value"
			if r.palette.colourByRole()[key] != nil {
				text = `%s is empty: write a colour in quotes, or "" for the terminal's own`
			}
			r.addProblem(e.value.Line, e.value.Column, text, key)
		default:
			all = append(all, e)
		}
		seen[e.key.Value] = true
	}
	return all
}

// setBase sets all roles to those of a built-in palette.
func (r *paletteReader) setBase(n *yaml.Node) {
	p, err := LoadBuiltIn(n.Value)
	if err != nil {
		r.addProblem(n.Line, n.Column, "base: %v", err)
		return
	}
	p.Description = ""
	r.palette = p
}

// setRole sets the role or the property that a key names.
func (r *paletteReader) setRole(e fileEntry) {
	p, key, value := &r.palette, e.key.Value, e.value.Value
	role := p.colourByRole()[key]
	wrong := func(n *yaml.Node, format string, args ...any) { r.addProblem(n.Line, n.Column, format, args...) }
	switch {
	case key == "name":
	case key == "about":
		p.Description = value
	case key == "dark":
		var err error
		if p.IsForDark, err = strconv.ParseBool(value); err != nil {
			wrong(e.value, "dark: expected true or false, not %q", value)
		}
	case role == nil:
		wrong(e.key, "there is no role %q: the roles are %s", key, strings.Join(roleNames, ", "))
	case key == "back" && value != "" && !hexPattern.MatchString(value):
		wrong(e.value, `back: expected a colour like "#16181d" (in quotes), not %q`, value)
	case !isColour(value):
		wrong(e.value, `%s: expected a colour like "#8fbf7f" (in quotes) or one of %s, not %q`, key, strings.Join(terminalColourNames[:], ", "), value)
	default:
		*role = value
	}
}

// colourByRole returns pointers to the colours, by their names in files.
func (p *Palette) colourByRole() map[string]*string {
	return map[string]*string{
		"back": &p.Background, "text": &p.Text, "muted": &p.Muted, "subtle": &p.Subtle, "raised": &p.SelectionBackground,
		"accent": &p.Accent, "onhigh": &p.OnAccent, "pass": &p.Pass, "fail": &p.Fail, "warn": &p.Warn, "wait": &p.Wait,
		"command": &p.Command, "model": &p.Model, "tool": &p.Tool, "person": &p.Person,
	}
}

// roleNames are the roles in the order of the files.
var roleNames = []string{
	"back", "text", "muted", "subtle", "raised", "accent", "onhigh", "pass", "fail", "warn", "wait",
	"command", "model", "tool", "person",
}

// terminalColourNames are the terminal's sixteen colours in their order.
var terminalColourNames = [...]string{
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright black", "bright red", "bright green", "bright yellow", "bright blue", "bright magenta", "bright cyan", "bright white",
}

var hexPattern = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

func isColour(s string) bool {
	return s == "" || hexPattern.MatchString(s) || slices.Contains(terminalColourNames[:], s)
}

// Folder is the folder of a person's own themes, each in a file NAME.yaml.
type Folder string

// maxThemeBytes is the size of a theme's file in bytes above which it is refused.
const maxThemeBytes = 64 << 10

// Load loads a palette by its name: a person's own, or a built-in one.
func (f Folder) Load(name string) (Palette, error) {
	if filepath.Base(name) != name {
		return LoadBuiltIn(name)
	}
	path := filepath.Join(string(f), name+paletteSuffix)
	source, err := infile.Read(path, maxThemeBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return LoadBuiltIn(name)
	}
	if err != nil {
		return Palette{}, err
	}
	return ParsePalette(path, source)
}

// LoadAll loads all palettes that can be chosen. The error says which cannot be read.
func (f Folder) LoadAll() (all []Palette, err error) {
	names := BuiltInNames()
	own, err := filepath.Glob(filepath.Join(string(f), "*"+paletteSuffix))
	for _, path := range own {
		if name := strings.TrimSuffix(filepath.Base(path), paletteSuffix); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		p, problem := f.Load(name)
		if problem != nil {
			err = errors.Join(err, problem)
			continue
		}
		all = append(all, p)
	}
	return all, err
}
