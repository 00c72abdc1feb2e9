package panes

import (
	"encoding/json"
	"errors"
	"io/fs"

	"playhead/engine/outfile"
	"playhead/parse/infile"
)

// LoadSplit is how the screen was divided when it was left; with an error, as usual.
func LoadSplit(file string) (split Split, err error) {
	data, err := infile.Read(file, infile.State)
	if errors.Is(err, fs.ErrNotExist) {
		return split, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &split)
	}
	if err != nil {
		return Split{}, err
	}
	return split.Sound(), nil
}

// Save keeps the split for the next screen.
func (s Split) Save(file string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return outfile.WriteState(file, data)
}
