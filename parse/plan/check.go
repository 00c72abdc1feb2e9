package plan

// Check is one of the things that an outcome was judged by, and what was found.
type Check struct {
	Text    string `json:"text"`
	Verdict Result `json:"verdict"` // Passed, Failed or Unverified
	Detail  string `json:"detail,omitempty"`
}

// Unverified is the verdict of a Check that nobody has said anything of.
const Unverified Result = "unverified"
