package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"playhead/parse/infile"
)

// A long text, such as a tool's result or a reply, occurs in many events: of the action, the step,
// the decision and the variable. It is stored once, in a file named by its hash, and the lines of
// the journal refer to that file. The file contains the inside of a JSON string, so that reading
// restores the line byte for byte.

const (
	// longTextBytes is the length in bytes from which a text is stored in a file.
	longTextBytes = 64 << 10
	// textReferencePrefix is the prefix of a string that refers to a file. A text that happens to begin with
	// it is stored in a file too, however short it is.
	textReferencePrefix = "playhead:text:"
	// maxFileContentBytes limits the content of a file that a run changes, in bytes.
	maxFileContentBytes = 64 << 20
)

// storeTexts replaces the long texts of a line by references to files.
func (r *Run) storeTexts(line []byte) ([]byte, error) {
	if len(line) < longTextBytes && !bytes.Contains(line, []byte(`"`+textReferencePrefix)) {
		return line, nil
	}
	return replaceStrings(line, func(raw []byte) ([]byte, error) {
		if len(raw) < longTextBytes && !bytes.HasPrefix(raw, []byte(textReferencePrefix)) {
			return nil, nil
		}
		name := sha256Hex(raw)
		return []byte(textReferencePrefix + name), r.storeText(name, raw)
	})
}

// storeText writes a text's file, whole or not at all, unless it exists. It refuses a text that could
// not be read back.
func (r *Run) storeText(name string, raw []byte) error {
	if len(raw) > infile.MaxStateFileSize {
		return fmt.Errorf("a text of event %d is %d bytes long; the limit is %d", r.lastSeq+1, len(raw), infile.MaxStateFileSize)
	}
	return r.storeFile(textsDir, name, raw)
}

// StoreFileContent stores the content of a file that the run changes, under its SHA-256 hash.
func (r *Run) StoreFileContent(content []byte) (hash string, err error) {
	hash = sha256Hex(content)
	return hash, r.storeFile(contentsDir, hash, content)
}

// FileContent returns a stored content by its hash.
func (f Folder) FileContent(hash string) ([]byte, error) {
	if !isSHA256Hex(hash) {
		return nil, fmt.Errorf("%q is not the hash of a stored file", hash)
	}
	return f.readStoredFile(contentsDir, hash, maxFileContentBytes, "the stored content of a file")
}

// storeFile writes a file in a subfolder of the run, whole or not at all, unless it exists.
func (r *Run) storeFile(subfolder, name string, raw []byte) error {
	dir := filepath.Join(r.dir, subfolder)
	path := filepath.Join(dir, name)
	if info, err := os.Stat(path); err == nil && info.Size() == int64(len(raw)) {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return describeFullDisk(r.dir, err)
	}
	file, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return describeFullDisk(r.dir, err)
	}
	_, err = file.Write(raw)
	if err == nil && !r.isVolatile {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(describeFullDisk(r.dir, err), os.Remove(file.Name()))
	}
	if r.isVolatile {
		return nil
	}
	return errors.Join(syncDir(dir), syncDir(r.dir))
}

// loadTexts returns a line of the journal with its references replaced by the texts.
func (f Folder) loadTexts(line []byte) ([]byte, error) {
	if !bytes.Contains(line, []byte(`"`+textReferencePrefix)) {
		return line, nil
	}
	return replaceStrings(line, func(raw []byte) ([]byte, error) {
		name, refers := bytes.CutPrefix(raw, []byte(textReferencePrefix))
		if !refers {
			return nil, nil
		}
		return f.readText(string(name))
	})
}

// readText reads a text's file. The journal may come from somebody else, so a name that is not a hash
// is refused.
func (f Folder) readText(name string) ([]byte, error) {
	if !isSHA256Hex(name) {
		return nil, fmt.Errorf("%q is not the hash of a stored text", name)
	}
	return f.readStoredFile(textsDir, name, infile.MaxStateFileSize, "one of the event's stored texts")
}

// readStoredFile reads what storeFile wrote, at most maxBytes, and checks it against its hash. subject is what
// errors are about.
func (f Folder) readStoredFile(dir, hash string, maxBytes int64, subject string) ([]byte, error) {
	raw, err := infile.ReadIn(f.dir, filepath.Join(dir, hash), maxBytes)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", subject, err)
	}
	if sha256Hex(raw) != hash {
		return nil, fmt.Errorf("%s is damaged: %s", subject, filepath.Join(f.dir, dir, hash))
	}
	return raw, nil
}

func isSHA256Hex(name string) bool {
	sum, err := hex.DecodeString(name)
	return err == nil && len(sum) == sha256.Size
}

// replaceStrings replaces the insides of strings in a line of JSON, including keys, by what replace
// returns. If that is nil, the string stays.
func replaceStrings(line []byte, replace func(raw []byte) ([]byte, error)) ([]byte, error) {
	var out []byte
	from := 0
	for at := 0; at < len(line); at++ {
		if line[at] != '"' {
			continue
		}
		begin := at + 1
		at = closingQuote(line, begin)
		text, err := replace(line[begin:at])
		if err != nil {
			return nil, err
		}
		if text != nil {
			out = append(append(out, line[from:begin]...), text...)
			from = at
		}
	}
	if from == 0 {
		return line, nil
	}
	return append(out, line[from:]...), nil
}

// closingQuote returns the index of the quote that ends a string, or the length of the line.
func closingQuote(line []byte, at int) int {
	for ; at < len(line) && line[at] != '"'; at++ {
		if line[at] == '\\' {
			at++
		}
	}
	return min(at, len(line))
}
