package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"unicode/utf8"

	"playhead/parse/infile"
)

// maxFileBytes is the maximum size of a file, in bytes.
const maxFileBytes = 1 << 20

// ServerFileName is the name of files that describe servers.
const ServerFileName = ".mcp.json"

// ServerFileLocation is a possible file of servers, and the folder in which its programs start.
type ServerFileLocation struct{ File, Dir string }

// ServerSpec describes a server in a file: a program to start, or a URL.
type ServerSpec struct {
	Name    string            `json:"-"`
	File    string            `json:"-"`
	Line    int               `json:"-"`
	Dir     string            `json:"-"` // the folder in which the program starts
	Type    string            `json:"type"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Problem error             `json:"-"` // why the server cannot be used as described
}

// StartsProgram reports whether the server is a program to start.
func (s ServerSpec) StartsProgram() bool { return s.Command != "" }

// A ServerFileError says what is wrong with a file of servers. None of its servers is known then.
type ServerFileError struct {
	File         string
	Line, Column int
	Message      string
}

// Error gives file, line and column.
func (e *ServerFileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// ReadFiles returns the servers of the files that exist. If several servers have the same name, the first counts.
// broken has an error for each file that cannot be read.
func ReadFiles(places []ServerFileLocation) (all []ServerSpec, broken []*ServerFileError) {
	for _, p := range places {
		specs, err := readFile(p.File)
		var wrong *ServerFileError
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case errors.As(err, &wrong):
			broken = append(broken, wrong)
		case err != nil:
			broken = append(broken, &ServerFileError{p.File, 1, 1, "the file with the tool servers cannot be read: " + err.Error()})
		}
		for _, s := range specs {
			if !slices.ContainsFunc(all, func(o ServerSpec) bool { return o.Name == s.Name }) {
				s.Dir = p.Dir
				all = append(all, s)
			}
		}
	}
	return all, broken
}

func readFile(name string) ([]ServerSpec, error) {
	data, err := infile.Read(name, maxFileBytes)
	if err != nil {
		return nil, err
	}
	return parseFile(name, data)
}

// parseFile parses the content of a file of servers. The error is a *ServerFileError.
func parseFile(name string, data []byte) ([]ServerSpec, error) {
	f := specFile{name, data}
	var whole json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, &whole); errors.As(err, &syntax) {
		return nil, f.errorAt(int(syntax.Offset)-1, "this is not JSON: %s", syntax)
	}
	top, err := f.members(0, data, "the content of the file")
	if err != nil {
		return nil, err
	}
	var specs []ServerSpec
	for _, m := range top {
		if m.key != "mcpServers" {
			continue
		}
		servers, err := f.members(m.valueOffset, m.value, "mcpServers")
		if err != nil {
			return nil, err
		}
		for _, sv := range servers {
			s, err := f.parseSpec(sv)
			if err != nil {
				return nil, err
			}
			specs = append(specs, s)
		}
	}
	return specs, nil
}

// specFile is a file that is being read.
type specFile struct {
	name string
	data []byte
}

// jsonMember is a key of an object and its value, which begins at an offset.
type jsonMember struct {
	key         string
	keyOffset   int
	value       json.RawMessage
	valueOffset int
}

// members returns the members of the object in raw, which is valid JSON and begins at the offset at of the file. It
// returns an error if raw, which the error calls what, is not an object.
func (f specFile) members(at int, raw []byte, what string) ([]jsonMember, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, f.errorAt(at, "%s must be a JSON object", what)
	}
	var out []jsonMember
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := jsonMember{key: key.(string), keyOffset: at + bytes.LastIndexByte(raw[:d.InputOffset()-1], '"')}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		m.valueOffset = at + int(d.InputOffset()) - len(m.value)
		out = append(out, m)
	}
	return out, nil
}

// parseSpec reads one server.
func (f specFile) parseSpec(m jsonMember) (ServerSpec, error) {
	s := ServerSpec{Name: m.key, File: f.name}
	s.Line, _ = f.lineAndColumn(m.keyOffset)
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(m.value, &s); errors.As(err, &wrong) {
		what := "the server " + quote(m.key)
		if wrong.Field != "" {
			what = fmt.Sprintf("%s of %s", wrong.Field, what)
		}
		if wrong.Type.Kind() == reflect.String && slices.Contains([]string{"args", "env", "headers"}, wrong.Field) {
			what = "a value in " + what
		}
		return s, f.errorAt(m.valueOffset+max(0, int(wrong.Offset)-1), "%s must be %s, but is a JSON %s", what, kindNames[wrong.Type.Kind()], wrong.Value)
	}
	switch {
	case s.Command == "" && s.URL == "":
		return s, f.errorAt(m.keyOffset, "the server %s has neither a command nor a url: give it one", quote(m.key))
	case s.Command != "" && s.URL != "":
		return s, f.errorAt(m.keyOffset, "the server %s has a command and a url: leave one out", quote(m.key))
	}
	return s, nil
}

// kindNames are names for the types of a ServerSpec's fields.
var kindNames = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Slice: "a list of strings", reflect.Map: "an object of strings", reflect.Struct: "an object",
}

// errorAt returns an error at an offset of the file.
func (f specFile) errorAt(at int, format string, args ...any) error {
	line, column := f.lineAndColumn(at)
	return &ServerFileError{f.name, line, column, fmt.Sprintf(format, args...)}
}

// lineAndColumn returns the line, and the column in characters, of an offset.
func (f specFile) lineAndColumn(at int) (line, column int) {
	before := f.data[:min(max(at, 0), len(f.data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])
}
