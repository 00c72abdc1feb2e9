// Package prompt asks a person in lines what must be known before a run: which document or run to open,
// whether its commands may run, where replies come from, and the values of its inputs.
package prompt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"playhead/engine/host"
	"playhead/engine/sanitize"
	"playhead/tui/lines"
)

// Prompt asks a person who types lines.
type Prompt struct {
	In          io.Reader
	Out         io.Writer
	EchoesLines bool                          // print the lines that are read, because no terminal has shown them
	HideInput   func() (restore func())       // hides what is typed until restore is called
	PrintNote   func(format string, a ...any) // prints a message that is not an error
}

// errQuit reports that the person quits instead of answering.
var errQuit = errors.New("quit")

// askLine asks until a line is an answer. Of the commands with a colon, only :quit works here; others print
// a help text. takes describes the possible answers in that text.
func (p *Prompt) askLine(question, takes string, read func() (string, error)) (string, error) {
	for {
		fmt.Fprintf(p.Out, "%s ", question)
		line, err := read()
		if line != "" && errors.Is(err, io.EOF) { // the last line counts too
			err = nil
		}
		switch line = strings.TrimSpace(line); {
		case err != nil:
			fmt.Fprintln(p.Out) // end the line of the question
			return "", err
		case !strings.HasPrefix(line, ":"):
			return line, nil
		case line == ":quit":
			return "", errQuit
		}
		fmt.Fprintf(p.Out, "  Type %s, or :quit to quit. Other commands work once the run has started.\n", takes)
	}
}

// ChooseNumber asks the person to choose one of n numbered lines; enter takes the first. With describe, a
// question mark before a number prints more about it.
func (p *Prompt) ChooseNumber(n int, describe func(i int) []string) (int, error) {
	takes, expected := fmt.Sprintf("1-%d, enter for 1", n), fmt.Sprintf("a number from 1 to %d (enter alone means 1)", n)
	if describe != nil {
		takes, expected = takes+", ?1 to describe 1", expected+", ?1 to describe 1"
	}
	for {
		word, err := p.askLine("["+takes+"]", expected, p.readAndEchoLine)
		if err != nil {
			return 0, err
		}
		number, asks := strings.CutPrefix(word, "?")
		i, err := strconv.Atoi(strings.TrimSpace(number))
		switch fits := err == nil && i >= 1 && i <= n; {
		case word == "":
			return 0, nil
		case fits && asks && describe != nil:
			fmt.Fprintln(p.Out, strings.Join(describe(i-1), "\n"))
		case fits && !asks:
			return i - 1, nil
		default:
			fmt.Fprintf(p.Out, "  %q is not a number from 1 to %d.\n", sanitize.Plain(word), n)
		}
	}
}

// readAndEchoLine reads a line, and prints it if no terminal has shown it.
func (p *Prompt) readAndEchoLine() (string, error) {
	line, err := readLine(p.In)
	if line != "" && p.EchoesLines {
		fmt.Fprintln(p.Out, sanitize.Plain(strings.TrimSpace(line)))
	}
	return line, err
}

// maxLineBytes is the maximum length of a line in bytes.
const maxLineBytes = 1 << 20

// readLine reads a line byte by byte, and nothing after it, because other code reads what follows.
func readLine(in io.Reader) (string, error) {
	var line []byte
	for one := make([]byte, 1); ; {
		n, err := in.Read(one)
		switch {
		case len(line) > maxLineBytes:
			return "", errors.New("the line is too long")
		case n > 0 && one[0] == '\n':
			return string(line), nil
		case n > 0:
			line = append(line, one[0])
		case err != nil:
			return string(line), err
		}
	}
}

// HideTyping hides what a person types at a terminal until restore is called. If a signal arrives that
// ends the program, it restores the terminal and calls onSignal.
func HideTyping(in io.Reader, onSignal func(syscall.Signal)) (restore func()) {
	terminal, is := in.(*os.File)
	if !is {
		return func() {}
	}
	show := lines.HideEcho(int(terminal.Fd()))
	signals, read := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, host.EndingSignals...)
	go func() {
		select {
		case sig := <-signals:
			show()
			onSignal(sig.(syscall.Signal))
		case <-read:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(read)
		show()
	}
}
