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

// Read reads the file of a palette, which has its name: a mapping of roles to colours.
// With base it says from which palette of ours the roles come that it leaves out, else they
// are the terminal's own. The error says all that is wrong, each on a line with its place.
func Read(path string, source []byte) (Palette, error) {
	r := reader{path: path}
	r.read(source)
	r.palette.Name = strings.TrimSuffix(filepath.Base(path), suffix)
	if len(r.wrong) > 0 {
		return r.palette, errors.New(strings.Join(r.wrong, "\n"))
	}
	return r.palette, nil
}

// reader fills a palette, and collects what is wrong.
type reader struct {
	path    string
	palette Palette
	wrong   []string
}

// problem notes what is wrong, as file:line:column.
func (r *reader) problem(line, column int, format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Sprintf("%s:%d:%d: %s", r.path, max(line, 1), max(column, 1), fmt.Sprintf(format, args...)))
}

var located = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?(.*)`)

func (r *reader) read(source []byte) {
	var doc yaml.Node
	if err := yaml.Unmarshal(source, &doc); err != nil {
		m := located.FindStringSubmatch(err.Error())
		line, _ := strconv.Atoi(m[1])
		r.problem(line, 1, "this is not YAML: %s", m[2])
		return
	}
	if doc.Kind == 0 { // it is empty
		return
	}
	entries := r.entries(doc.Content[0])
	for _, e := range entries {
		if e.key.Value == "base" {
			r.base(e.value)
		}
	}
	for _, e := range entries {
		if e.key.Value != "base" {
			r.set(e)
		}
	}
}

// entry is a line of the file.
type entry struct{ key, value *yaml.Node }

// entries returns the lines of the file, each key once and with one word.
func (r *reader) entries(n *yaml.Node) (all []entry) {
	if n.Kind != yaml.MappingNode {
		r.problem(n.Line, n.Column, `expected roles with colours, like accent: "#ff8800"`)
		return nil
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		e := entry{n.Content[i], n.Content[i+1]}
		switch key := e.key.Value; {
		case seen[key]:
			r.problem(e.key.Line, e.key.Column, "%q occurs twice", key)
		case e.value.Kind != yaml.ScalarNode:
			r.problem(e.value.Line, e.value.Column, "%s: expected one word", key)
		case e.value.ShortTag() == "!!null": // to YAML, # begins a comment
			r.problem(e.value.Line, e.value.Column, `%s: it is empty: write a colour in quotes, or "" for the terminal's own`, key)
		default:
			all = append(all, e)
		}
		seen[e.key.Value] = true
	}
	return all
}

// base takes the roles of one of ours.
func (r *reader) base(n *yaml.Node) {
	p, err := Load(n.Value)
	if err != nil {
		r.problem(n.Line, n.Column, "base: %v", err)
		return
	}
	p.About = ""
	r.palette = p
}

// set takes over what the file says of one key.
func (r *reader) set(e entry) {
	p, key, value := &r.palette, e.key.Value, e.value.Value
	role := p.roles()[key]
	wrong := func(n *yaml.Node, format string, args ...any) { r.problem(n.Line, n.Column, format, args...) }
	switch {
	case key == "name":
	case key == "about":
		p.About = value
	case key == "dark":
		var err error
		if p.Dark, err = strconv.ParseBool(value); err != nil {
			wrong(e.value, "dark: expected true or false, not %q", value)
		}
	case role == nil:
		wrong(e.key, "there is no role %q: the roles are %s", key, strings.Join(roleNames, ", "))
	case key == "back" && value != "" && !sixDigits.MatchString(value):
		wrong(e.value, `back: expected a colour like "#16181d" (in quotes), not %q`, value)
	case !isColour(value):
		wrong(e.value, `%s: expected a colour like "#8fbf7f" (in quotes) or one of %s, not %q`, key, strings.Join(sixteen[:], ", "), value)
	default:
		*role = value
	}
}

// roles returns pointers to the colours, by their names in files.
func (p *Palette) roles() map[string]*string {
	return map[string]*string{
		"back": &p.Back, "text": &p.Text, "muted": &p.Muted, "subtle": &p.Subtle, "raised": &p.Raised,
		"accent": &p.Accent, "onhigh": &p.OnHigh, "pass": &p.Pass, "fail": &p.Fail, "warn": &p.Warn, "wait": &p.Wait,
		"command": &p.Command, "model": &p.Model, "tool": &p.Tool, "person": &p.Person,
	}
}

// roleNames are the roles in the order of the files.
var roleNames = []string{
	"back", "text", "muted", "subtle", "raised", "accent", "onhigh", "pass", "fail", "warn", "wait",
	"command", "model", "tool", "person",
}

// sixteen are the terminal's sixteen colours in their order.
var sixteen = [...]string{
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright black", "bright red", "bright green", "bright yellow", "bright blue", "bright magenta", "bright cyan", "bright white",
}

var sixDigits = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

func isColour(s string) bool {
	return s == "" || sixDigits.MatchString(s) || slices.Contains(sixteen[:], s)
}

// Folder has a person's own themes: a file NAME.yaml each.
type Folder string

// maxThemeFile is the size of a theme's file in bytes above which it is refused.
const maxThemeFile = 64 << 10

// Load loads the palette of a name: a person's own, or one of ours.
func (f Folder) Load(name string) (Palette, error) {
	if filepath.Base(name) != name {
		return Load(name)
	}
	path := filepath.Join(string(f), name+".yaml")
	source, err := infile.Read(path, maxThemeFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Load(name)
	}
	if err != nil {
		return Palette{}, err
	}
	return Read(path, source)
}

// All loads all palettes that can be chosen. The error says which cannot be read.
func (f Folder) All() (all []Palette, err error) {
	names := Names()
	own, err := filepath.Glob(filepath.Join(string(f), "*.yaml"))
	for _, path := range own {
		if name := strings.TrimSuffix(filepath.Base(path), ".yaml"); !slices.Contains(names, name) {
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
