package setup

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"

	"github.com/adrg/xdg"

	"playhead/engine/journal"
	"playhead/engine/outfile"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// What a run's folder has of where its replies come from, beside the journal.
const (
	memoryFile    = "setup.json"
	repliesCopy   = "replies.yaml"   // a copy of what --replies named
	recordingCopy = "recording.yaml" // a copy of the recording beside the document
)

// memory is what a run remembers of the flags and settings that it was started or resumed
// with, so that it goes on the same. It names keys by their variables only.
type memory struct {
	Config      string   `json:"config,omitempty"` // the file that --config named, absolute
	Source      string   `json:"source,omitempty"` // of replies; empty: nobody chose one
	Model       string   `json:"model,omitempty"`
	BaseURL     string   `json:"base_url,omitempty"` // that --base-url named
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   int      `json:"max_tokens,omitempty"`
	Approve     string   `json:"approve,omitempty"` // that --approve named

	replies, recording []byte // the files as they were read; nil: there is none
}

// readMemory reads what a run remembers. An older run remembers nothing.
func readMemory(run journal.Folder) (m memory, err error) {
	data, err := infile.Read(filepath.Join(run.Dir(), memoryFile), infile.State)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		return m, fmt.Errorf("run %s: cannot tell how it was set up: %w", run.ID(), err)
	}
	return m, nil
}

// keep writes it to the run's folder, without secrets.
func (m memory) keep(run *journal.Run) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{memoryFile: append(data, '\n'), repliesCopy: m.replies, recordingCopy: m.recording} {
		if data == nil {
			continue
		}
		masked := []byte(run.MaskedText(string(data)))
		if err := outfile.Replace(filepath.Join(run.Dir(), name), masked, 0o600); err != nil {
			return fmt.Errorf("cannot keep how the run is set up: %w", err)
		}
	}
	return nil
}

// record puts the model options into a memory. source is the one to begin with.
func (o *ModelOptions) record(m *memory, source string) {
	if o.chosenSource() != "" || source == recordedSource {
		m.Source = source
	}
	if o.Model != "" || o.hasServer() {
		m.Model = o.defaultModel()
	}
	m.BaseURL, m.Temperature, m.MaxTokens = withoutKey(o.BaseURL), o.Temperature, o.MaxTokens
	m.Config = o.ConfigFile
	if path, err := filepath.Abs(o.ConfigFile); m.Config != "" && err == nil {
		m.Config = path
	}
}

// restore sets what the flags do not say to what a run remembers.
func (o *ModelOptions) restore(m memory) {
	if o.remembered = o.flagSource() == ""; o.remembered {
		o.Source = m.Source
	}
	if _, elsewhere := o.Config.Profile(o.Model); !elsewhere { // a profile has a server of its own
		o.Model, o.BaseURL = cmp.Or(o.Model, m.Model), cmp.Or(o.BaseURL, m.BaseURL)
	}
	o.Temperature, o.MaxTokens = cmp.Or(o.Temperature, m.Temperature), cmp.Or(o.MaxTokens, m.MaxTokens)
}

// copyIn is the path of a copy in a run's folder, empty where it has none.
func copyIn(run *journal.Run, name string) string {
	if run == nil {
		return ""
	}
	if path := filepath.Join(run.Dir(), name); isFile(path) {
		return path
	}
	return ""
}

// withoutKey is an address without what may be secret in it.
func withoutKey(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}

// StateFile is the file in which something about the document at path is kept.
func StateFile(what, path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(abs))
	name := fmt.Sprintf("%s-%x.json", plan.Slug(filepath.Base(abs)), sum[:6])
	return filepath.Join(xdg.StateHome, "playhead", what, name), nil
}
