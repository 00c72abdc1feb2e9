package main

import "github.com/atotto/clipboard"

// systemClipboard writes to the system's clipboard; nil where no program for that is
// installed.
func systemClipboard() func(text string) error {
	if clipboard.Unsupported {
		return nil
	}
	return clipboard.WriteAll
}
