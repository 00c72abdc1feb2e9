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
	"playhead/engine/model"
	"playhead/engine/outfile"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// The files in a run's folder, besides the journal, that say where its replies come from.
const (
	settingsFile      = "setup.json"
	repliesCopyFile   = "replies.yaml"   // a copy of the file in --replies
	recordingCopyFile = "recording.yaml" // a copy of the recording beside the document
)

// savedSettings is what a run stores about the flags and settings with which it was started or resumed, so
// that it continues in the same way. Keys are stored as names of variables only.
type savedSettings struct {
	Config      string   `json:"config,omitempty"` // the file in --config, absolute
	ReplySource string   `json:"source,omitempty"` // the reply source; empty: nobody chose one
	Model       string   `json:"model,omitempty"`
	BaseURL     string   `json:"base_url,omitempty"` // the value of --base-url
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   int      `json:"max_tokens,omitempty"`
	Approve     string   `json:"approve,omitempty"` // the value of --approve

	RepliesSince int `json:"replies_since,omitempty"` // the number of events that were recorded when the replies in --replies or --source were given

	replies, recording []byte // the files as they were read; nil: there is none
}

// readSettings reads the saved settings of a run. They are empty for a run of an older version of Playhead.
func readSettings(run journal.Folder) (m savedSettings, err error) {
	data, err := infile.Read(filepath.Join(run.Dir(), settingsFile), infile.MaxStateFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		return m, fmt.Errorf("run %s: cannot read its settings: %w", run.ID(), err)
	}
	return m, nil
}

// write writes the settings and the copies of files to the run's folder, with secrets masked.
func (s savedSettings) write(run *journal.Run) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{settingsFile: append(data, '\n'), repliesCopyFile: s.replies, recordingCopyFile: s.recording} {
		if data == nil {
			continue
		}
		masked := []byte(run.MaskText(string(data)))
		if err := outfile.ReplaceFile(filepath.Join(run.Dir(), name), masked, 0o600); err != nil {
			return fmt.Errorf("cannot store the settings of the run: %w", err)
		}
	}
	return nil
}

// storeIn stores the model options in the settings. source is the reply source with which the run
// begins.
func (o *ModelOptions) storeIn(m *savedSettings, source string) {
	if o.chosenReplySource() != "" || source == recordingReplySourceName {
		m.ReplySource = source
	}
	if o.Model != "" || o.hasServer() {
		m.Model = o.defaultModel()
	}
	m.BaseURL, m.Temperature, m.MaxTokens = withoutURLSecrets(o.BaseURL), o.Temperature, o.MaxTokens
	m.Config = o.ConfigFile
	if path, err := filepath.Abs(o.ConfigFile); m.Config != "" && err == nil {
		m.Config = path
	}
}

// restoreFrom completes the flags with the settings that a run has stored.
func (o *ModelOptions) restoreFrom(m savedSettings) {
	if o.isReplySourceSaved = o.flagReplySource() == ""; o.isReplySourceSaved {
		o.ReplySource = m.ReplySource
	}
	if _, isProfile := o.Config.ProfileNamed(o.Model); !isProfile { // a profile has its own server
		o.Model, o.BaseURL = cmp.Or(o.Model, m.Model), cmp.Or(o.BaseURL, m.BaseURL)
	}
	o.Temperature, o.MaxTokens = cmp.Or(o.Temperature, m.Temperature), cmp.Or(o.MaxTokens, m.MaxTokens)
}

// HasManualReplies reports whether a person gives the replies of a run, and none are prepared.
func HasManualReplies(run journal.Folder) bool {
	m, err := readSettings(run)
	return err == nil && m.isManual(run)
}

// isManual reports whether a person gives the replies of the run, and none are prepared.
func (s savedSettings) isManual(run journal.Folder) bool {
	return s.ReplySource == model.ManualReplySource && !isFile(filepath.Join(run.Dir(), repliesCopyFile))
}

// copyPathIn returns the path of the named copy in a run's folder, "" if there is no run or no such copy.
func copyPathIn(run *journal.Run, name string) string {
	if run == nil {
		return ""
	}
	if path := filepath.Join(run.Dir(), name); isFile(path) {
		return path
	}
	return ""
}

// withoutURLSecrets returns a URL without the parts that may be secret.
func withoutURLSecrets(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}

// StateFilePath returns the path of a file for persistent data about the document at path. kind is the kind of
// data, and the name of the folder of such files.
func StateFilePath(kind, path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(abs))
	name := fmt.Sprintf("%s-%x.json", plan.Slug(filepath.Base(abs)), sum[:6])
	return filepath.Join(xdg.StateHome, "playhead", kind, name), nil
}
