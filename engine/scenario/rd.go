package scenario

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// RDCommandName is the name under which the program has to act as RunRDCommand.
const RDCommandName = "rd"

// RunRDCommand runs the command rd, which code blocks of a scenario find first on their PATH, and returns its
// exit status. "rd echo" prints its arguments and exits with the given result, and "rd prompt"
// shows a text. The attempt is the value of PLAYHEAD_ATTEMPT.
func RunRDCommand(args []string, attempt string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		switch args[0] {
		case "echo":
			return runRDEcho(args[1:], attempt, stdout, stderr)
		case "prompt":
			fmt.Fprintf(stdout, "```prompt\n%s\n```\n", strings.Join(args[1:], " "))
			return 0
		}
	}
	return printRDUsage(stderr)
}

func printRDUsage(stderr io.Writer) int {
	fmt.Fprintln(stderr, "rd: a scenario supports only rd echo [WORD…] [--result pass|fail]… and rd prompt TEXT…")
	return 2
}

// runRDEcho exits with the result at the attempt's index: the last one if there are fewer, pass if there
// are none.
func runRDEcho(args []string, attempt string, stdout, stderr io.Writer) int {
	words, results, ok := parseEchoArgs(args)
	if !ok {
		return printRDUsage(stderr)
	}
	fmt.Fprintln(stdout, strings.Join(words, " "))
	if len(results) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(attempt)
	if results[min(max(n, 0), len(results)-1)] == StatusFail {
		return 1
	}
	return 0
}

func parseEchoArgs(args []string) (words, results []string, ok bool) {
	for i := 0; i < len(args); i++ {
		value, given := strings.CutPrefix(args[i], "--result=")
		if (args[i] == "--result" || args[i] == "-r") && i+1 < len(args) {
			i++
			value, given = args[i], true
		}
		switch {
		case !given:
			words = append(words, args[i])
		case value != StatusPass && value != StatusFail:
			return nil, nil, false
		default:
			results = append(results, value)
		}
	}
	return words, results, true
}

// linkRDCommand creates a folder in which rd is the given program.
func linkRDCommand(dir, program string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.Symlink(program, filepath.Join(dir, RDCommandName))
}
