package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// mistyped is how the library says that a value has another shape than it should have.
var mistyped = regexp.MustCompile(`(?s)^(line \d+): cannot unmarshal !!(\w+).* into (\S+)`)

// tagged are the shapes of YAML's values by their tags.
var tagged = map[string]string{"seq": "a list", "map": "a mapping", "int": "a number", "float": "a number", "bool": "true or false"}

// Shape says what is wrong with YAML that was decoded, in one line and without the names of types.
func Shape(err error) error {
	var types *yaml.TypeError
	if !errors.As(err, &types) || len(types.Errors) == 0 {
		return err
	}
	m := mistyped.FindStringSubmatch(types.Errors[0])
	if m == nil {
		return errors.New(types.Errors[0])
	}
	return fmt.Errorf("%s: this is %s, and should be %s", m[1], cmp.Or(tagged[m[2]], "a text"), wanted(m[3]))
}

// wanted is the shape that a value of a Go type has in YAML.
func wanted(goType string) string {
	switch {
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	case strings.HasPrefix(goType, "map["), strings.HasPrefix(goType, "struct"):
		return "a mapping"
	case goType == "bool":
		return "true or false"
	}
	return "a text"
}
