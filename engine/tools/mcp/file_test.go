package mcp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	good := "{\"other\": 1, \"mcpServers\": {\n\t\"a\": {\"command\": \"x\", \"args\": [\"-y\"], \"env\": {\"K\": \"v\"}, \"disabled\": false},\n\t\"b c\": {\"type\": \"http\", \"url\": \"http://h/\", \"headers\": {\"A\": \"b\"}}}}"
	specs, err := parseFile("f.json", []byte(good))
	want := []ServerSpec{
		{Name: "a", File: "f.json", Line: 2, Command: "x", Args: []string{"-y"}, Env: map[string]string{"K": "v"}},
		{Name: "b c", File: "f.json", Line: 3, Type: "http", URL: "http://h/", Headers: map[string]string{"A": "b"}},
	}
	if err != nil || cmp.Diff(want, specs) != "" {
		t.Errorf("%v %s", err, cmp.Diff(want, specs))
	}
	bad := map[string]string{
		"":                                 "f.json:1:1: this is not JSON: unexpected end",
		"{\n  \"ä\": 1,\n}":                "f.json:3:1: this is not JSON: invalid character '}'",
		"[]":                               "f.json:1:1: the content of the file must be a JSON object",
		`{"mcpServers": null}`:             "f.json:1:16: mcpServers must be a JSON object",
		"{\"mcpServers\": {\n \"ä\": {}}}": `f.json:2:2: the server "ä" has neither a command nor a url`,
		"{\"mcpServers\": {\n \"a\": 3}}":  `f.json:2:7: the server "a" must be an object, but is a JSON number`,
		"{\"mcpServers\": {\"a\": {\"command\": \"x\",\n  \"args\": \"y\"}}}": `f.json:2:13: args of the server "a" must be a list of strings, but is a JSON string`,
		`{"mcpServers": {"a": {"command": "x", "env": {"PORT": 80}}}}`:        `a value in env of the server "a" must be a string, but is a JSON number`,
		`{"mcpServers": {"a": {"command": "x", "url": "y"}}}`:                 `the server "a" has a command and a url`,
	}
	for text, want := range bad {
		if _, err := parseFile("f.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v\nwant %s", text, err, want)
		}
	}
}

// TestRead: if several servers have the same name, the one in the earlier file counts.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	var places []ServerFileLocation
	for name, text := range map[string]string{
		"1": `{"mcpServers": {"a": {"command": "first"}}}`,
		"2": `{"mcpServers": {"a": {"command": "second"}, "A": {"url": "http://h"}}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"none", "1", "2"} {
		places = append(places, ServerFileLocation{filepath.Join(dir, name), "/start/" + name})
	}
	specs, broken := ReadFiles(places)
	if broken != nil || len(specs) != 2 || specs[0].Command != "first" || specs[0].Dir != "/start/1" || specs[1].Name != "A" {
		t.Errorf("%+v, %v", specs, broken)
	}
	wrong := filepath.Join(dir, "wrong")
	if err := os.WriteFile(wrong, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	specs, broken = ReadFiles(append([]ServerFileLocation{{dir, ""}, {wrong, ""}}, places...))
	if len(broken) != 2 || broken[0].File != dir || broken[1].File != wrong || len(specs) != 2 {
		t.Errorf("a folder, and a file that is not JSON, among others: %+v, %v", specs, broken)
	}
}

func TestExpand(t *testing.T) {
	env := map[string]string{"SET": "value", "EMPTY": "", "TRICK": "${SET}"}
	lookup := func(name string) (string, bool) {
		v, ok := env[name]
		return v, ok
	}
	s := ServerSpec{
		Name: "n", File: "f", Line: 7, Command: "${SET}/x", Args: []string{"${EMPTY}", "${EMPTY:-other}", "${NONE:-}", "$SET ${1}", "${TRICK}"},
		Env: map[string]string{"K": "a ${SET}"}, URL: "${NONE:-http://h}", Headers: map[string]string{"H": "${SET:-x}"},
	}
	got, err := s.Expand(lookup)
	want := ServerSpec{
		Name: "n", File: "f", Line: 7, Command: "value/x", Args: []string{"", "other", "", "$SET ${1}", "${SET}"},
		Env: map[string]string{"K": "a value"}, URL: "http://h", Headers: map[string]string{"H": "value"},
	}
	if err != nil || cmp.Diff(want, got) != "" || s.Args[0] != "${EMPTY}" {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
	s.Env["K"] = "${NONE}"
	if _, err := s.Expand(lookup); err == nil || !strings.Contains(err.Error(), `f:7: the tool server "n" needs the environment variable NONE`) {
		t.Errorf("%v", err)
	}
}

// TestVisible: the visible environment shows references to variables, or a placeholder, instead of secrets.
func TestVisible(t *testing.T) {
	s := ServerSpec{
		Env:     map[string]string{"GITHUB_TOKEN": "sesame-open", "MY_KEY": "${MY_KEY}", "OLD_KEY": "${OLD_KEY:-open-sesame}", "PATH": "/bin", "A_KEY": "short"},
		Headers: map[string]string{"Authorization": "Bearer sesame-bear", "Accept": "application/json"},
	}
	if diff := cmp.Diff([]string{"A_KEY=•••", "GITHUB_TOKEN=•••", "MY_KEY=${MY_KEY}", "OLD_KEY=${OLD_KEY:-•••}", "PATH=/bin"}, s.VisibleEnv()); diff != "" {
		t.Error(diff)
	}
	s.Env["MY_KEY"] = "longest-"
	for _, want := range []string{"sesame-open", "longest-", "sesame-bear", "Bearer sesame-bear"} {
		if NameIndex(s.Secrets(), want) < 0 {
			t.Errorf("%q is not a secret", want)
		}
	}
	if len(s.Secrets()) != 5 {
		t.Errorf("%q", s.Secrets())
	}
}

// FuzzParse: whatever a file contains, each of its servers has either a program or a URL, and an error names the file.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"mcpServers": {"a": {"command": "x", "args": ["${A:-b}"]}, "b": {"url": "h", "headers": {"x": "y"}}}}`))
	f.Add([]byte(`{"mcpServers": {"a": {"command": 1}}}`))
	f.Add([]byte("{\"mcpServers\": {\"\\u00e4\": {}, \"a\\\"b\": []}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		specs, err := parseFile("f.json", data)
		if err != nil && !strings.HasPrefix(err.Error(), "f.json:") {
			t.Errorf("an error without a place: %v", err)
		}
		for _, s := range specs {
			if s.StartsProgram() == (s.URL != "") || s.Line < 1 {
				t.Errorf("%+v", s)
			}
			_, _ = s.Expand(func(string) (string, bool) { return "", false })
			s.VisibleEnv()
		}
	})
}
