package shell

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"playhead/engine/shell/leader"
)

// newJob turns a command into a job. It finds the program, and returns an error for a person if the command
// cannot run.
func newJob(c Command) (leader.Job, error) {
	j := leader.Job{Dir: c.Dir, Env: (&exec.Cmd{Env: c.Env}).Environ(), HasTerminal: !c.UsesPipes, AcceptsInput: c.IsInteractive && !c.UsesPipes || c.Stdin != nil}
	if err := checkNoNUL(c); err != nil {
		return j, err
	}
	if err := checkDir(c.Dir); err != nil {
		return j, err
	}
	path := searchPath(j.Env)
	if len(c.Argv) > 0 {
		j.Argv = c.Argv
		j.Path = findProgram(c.Argv[0], path)
		if j.Path == "" {
			return j, programNotFoundError(c.Argv[0])
		}
		return j, nil
	}
	j.Path = findShell(c.Shell, path)
	if j.Path == "" {
		return j, fmt.Errorf("%s is not on PATH: install it, or correct PATH, which is %q", shellName(c.Shell), path)
	}
	j.Argv = []string{filepath.Base(j.Path), "-c", c.Text}
	return j, nil
}

// ForegroundCmd returns the exec.Cmd of a command that runs in the caller's own terminal, with the
// folder and environment that Start would use.
func ForegroundCmd(c Command) (*exec.Cmd, error) {
	j, err := newJob(c)
	if err != nil {
		return nil, err
	}
	return &exec.Cmd{Path: j.Path, Args: j.Argv, Dir: j.Dir, Env: j.Env}, nil
}

// programNotFoundError returns the error for a program that findProgram did not find: a name that is not on PATH, or
// an absolute path.
func programNotFoundError(name string) error {
	if !filepath.IsAbs(name) {
		return fmt.Errorf("there is no program %q on PATH: install it, or correct PATH or the name", name)
	}
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return fmt.Errorf("the file %q cannot be executed: make it executable, or correct the path", name)
	}
	return fmt.Errorf("there is no program %q: install it, or correct the path", name)
}

// checkNoNUL refuses NUL characters, which would end a string for the system.
func checkNoNUL(c Command) error {
	if i := strings.IndexByte(c.Text, 0); i >= 0 {
		line := 1 + strings.Count(c.Text[:i], "\n")
		return fmt.Errorf("line %d of the command contains a NUL character, which no shell accepts: remove it", line)
	}
	for _, s := range append(append([]string{c.Dir}, c.Argv...), c.Env...) {
		if strings.IndexByte(s, 0) >= 0 {
			return fmt.Errorf("a NUL character cannot be part of an argument, a folder or the environment: remove it from %.40q", s)
		}
	}
	return nil
}

func checkDir(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("the working folder %s does not exist: create it or choose another", dir)
	case err != nil:
		return fmt.Errorf("the working folder cannot be used: %w", err)
	case !info.IsDir():
		return fmt.Errorf("the working folder %s is a file: choose a folder", dir)
	}
	return nil
}

// searchPath returns the PATH that a command will have.
func searchPath(env []string) string {
	for _, e := range env {
		if value, ok := strings.CutPrefix(e, "PATH="); ok {
			return value
		}
	}
	return ""
}

// shellName returns bash if the shell is bash, else sh.
func shellName(shell string) string {
	if shell == "bash" {
		return "bash"
	}
	return "sh"
}

// findShell returns the path of bash if the shell is bash and bash is found, else the path of sh. It
// also looks for sh in /bin.
func findShell(shell, path string) string {
	if shellName(shell) == "bash" {
		if bash := findProgram("bash", path); bash != "" {
			return bash
		}
	}
	if sh := findProgram("sh", path); sh != "" {
		return sh
	}
	return findProgram("/bin/sh", path)
}

// findProgram returns the path of a program, "" if there is none. A name without a slash is looked up in the
// absolute folders of path, a PATH. A relative path is returned unchecked, because the working directory of the
// command decides about it.
func findProgram(name, path string) string {
	if strings.Contains(name, "/") {
		if filepath.IsAbs(name) && !isProgram(name) {
			return ""
		}
		return name
	}
	for _, dir := range filepath.SplitList(path) {
		if file := filepath.Join(dir, name); filepath.IsAbs(dir) && isProgram(file) {
			return file
		}
	}
	return ""
}

// HasProgram reports whether a command that runs in dir with env finds a program.
func HasProgram(name, dir string, env []string) bool {
	if strings.Contains(name, "/") && !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	return findProgram(name, searchPath((&exec.Cmd{Env: env}).Environ())) != ""
}

func isProgram(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// maxArgBytes is the maximum length of one argument on Linux in bytes, with the zero byte at its end.
const maxArgBytes = 128 << 10

// explainStartError explains why the system did not start a job.
func explainStartError(j leader.Job, r leader.Report) error {
	longest := 0
	for _, arg := range j.Argv {
		longest = max(longest, len(arg))
	}
	switch r.Errno {
	case syscall.E2BIG:
		if longest < maxArgBytes {
			return errors.New("the command and its environment are too long for the system: shorten the values of its variables")
		}
		return fmt.Errorf("the command is too long: one argument is %d KiB long, and Linux allows less than 128 KiB: put the command into a script file and run that", longest>>10)
	case syscall.ENOENT:
		return fmt.Errorf("%s cannot be run from %s: the file, or the interpreter in its first line, does not exist", j.Argv[0], workingFolderText(j.Dir))
	case syscall.EACCES:
		return fmt.Errorf("you have no permission to run %s: check its permissions and those of %s", j.Path, workingFolderText(j.Dir))
	}
	return fmt.Errorf("the system did not start %s: %s", j.Path, r.StartError)
}

// workingFolderText returns dir as text for a person.
func workingFolderText(dir string) string {
	if dir == "" {
		return "the working folder"
	}
	return dir
}
