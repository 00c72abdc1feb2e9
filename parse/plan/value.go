package plan

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// ValueFromJSON decodes a JSON text and keeps numbers as written. The value of "" is nil.
func ValueFromJSON(text string) (value any, err error) {
	if text == "" {
		return nil, nil
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	err = dec.Decode(&value)
	return value, err
}

// ValueText returns a variable's value as text for prompts, conditions and the screen. Strings stay as
// they are, nil is "", whole numbers have no exponent, and anything else is JSON.
func ValueText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		if math.Abs(v) < 1e21 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	text, err := EncodeJSON(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// ParseNumber parses a decimal number, with blanks around it. ok is false for anything else, such as a hexadecimal number,
// digits with underscores, infinity or NaN.
func ParseNumber(text string) (n float64, ok bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) && !strings.ContainsAny(text, "xXpP_")
}

// PlainTextType is the default type of the final output.
const PlainTextType = "text"

// artifactSuffixes maps the types that Plan.ArtifactType can name to file suffixes.
var artifactSuffixes = map[string]string{
	"markdown": ".md", "json": ".json", "mermaid": ".mmd", "chartjs": ".json",
	"html_css": ".html", "javascript": ".js", "typescript": ".ts",
}

// ArtifactSuffix returns the suffix of the file for the final output. An unknown type is saved as
// plain text.
func ArtifactSuffix(kind string) (suffix string, known bool) {
	if s, ok := artifactSuffixes[kind]; ok {
		return s, true
	}
	return ".txt", false
}

// VisibleText returns a value for display on one line. It quotes an empty value, and one whose whitespace, line ends
// or control characters would not show.
func VisibleText(text string) string {
	if text == "" || text != strings.Join(strings.Fields(text), " ") || strings.ContainsFunc(text, unicode.IsControl) {
		return strconv.Quote(text)
	}
	return text
}

// VisibleLines is like VisibleText for a display of several lines: a text that has several stays as it is.
func VisibleLines(text string) string {
	if strings.Contains(strings.TrimSpace(text), "\n") {
		return text
	}
	return VisibleText(text)
}
