package plan

// PlainText is the type of final output that a document says nothing of.
const PlainText = "text"

// artifacts are the types of final output that Plan.Artifact can name, and the
// suffix of a file that holds one.
var artifacts = map[string]string{
	"markdown": ".md", "json": ".json", "mermaid": ".mmd", "chartjs": ".json",
	"html_css": ".html", "javascript": ".js", "typescript": ".ts",
}

// ArtifactSuffix is the suffix of the file that a run's final output is saved in.
// known is false for what is no artifact type; such output is plain text.
func ArtifactSuffix(kind string) (suffix string, known bool) {
	if s, ok := artifacts[kind]; ok {
		return s, true
	}
	return ".txt", false
}
