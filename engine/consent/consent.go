// Package consent judges the calls that models make of Playhead's own tools: what a step's mode and
// the patterns of its agent's file allow, what a person is asked about, and what is refused
// (agent-tools.md, Consent). It is pure and does not access files.
package consent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"playhead/parse/plan"
)

// ToolPlace says where the tools of a run work.
type ToolPlace struct {
	ProjectRoot     string // the folder that contains all files, absolute; "": unknown
	RealProjectRoot string // ProjectRoot without symbolic links; "": the same
	WorkingDir      string // the working folder of commands, to which relative paths refer
}

// RelativeToRoot returns the path of a call relative to the root, with slashes. A relative path is relative to the
// working folder or, if that is not below the root, to the root. The error tells the model that the path leads out
// of the root by its text alone. Symbolic links are not followed.
func (p ToolPlace) RelativeToRoot(name string) (string, error) {
	if strings.ContainsRune(name, 0) {
		return "", fmt.Errorf("the path has a NUL character")
	}
	full := name
	if !filepath.IsAbs(name) {
		full = filepath.Join(p.WorkingDir, name)
		if _, err := pathBelowRoot(p, p.WorkingDir); err != nil {
			full = filepath.Join(p.ProjectRoot, name)
		}
	}
	return pathBelowRoot(p, full)
}

// RelativeToWorkingDir is the inverse of RelativeToRoot: it returns rel relative to the working folder, or as it is
// if that folder is not below the root.
func (p ToolPlace) RelativeToWorkingDir(rel string) string {
	dir, err := pathBelowRoot(p, p.WorkingDir)
	if err != nil {
		return rel
	}
	short, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(rel))
	if err != nil {
		return rel
	}
	return filepath.ToSlash(short)
}

// pathBelowRoot returns an absolute path relative to the root, with slashes.
func pathBelowRoot(p ToolPlace, full string) (string, error) {
	for _, root := range []string{p.ProjectRoot, p.RealProjectRoot} {
		if root == "" {
			continue
		}
		if rel, err := filepath.Rel(root, full); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), nil
		}
	}
	return "", fmt.Errorf("%s is outside the project root %s: only files inside it can be used", full, p.ProjectRoot)
}

// Verdict says what happens to a call.
type Verdict struct {
	RefusalReason string // why it is not allowed, for the model and the person; "": it is allowed
	NeedsApproval bool   // the mode requires that a person is asked
	IsReadOnly    bool   // it only reads below the root or keeps a to-do list, so no policy asks about it
	ApprovalKey   string // identifies what an approval for the run covers
	ApprovalLabel string // the same for the person: commands that begin with git status, files in src/
}

// toolArguments are arguments of Playhead's own tools. A call in which one of them is no text is refused. Consent
// depends on FilePath and Command.
type toolArguments struct {
	FilePath string `json:"file_path"`
	Path     string `json:"path"`
	Pattern  string `json:"pattern"`
	Command  string `json:"command"`
}

// JudgeCall judges the call of a tool, of Playhead or of another server. args is a JSON object.
func JudgeCall(p plan.Permissions, place ToolPlace, server, tool, args string) Verdict {
	if !plan.IsLocalServer(server) {
		key := server + "/" + tool
		v := Verdict{NeedsApproval: true, ApprovalKey: key, ApprovalLabel: "calls to " + tool}
		if plan.IsClosureTool(tool) && p.Mode != "" && !p.MayUseClosureTools {
			v.RefusalReason = tool + " is a tool for issues, pull requests or releases: only a closure step may call it"
		}
		return v
	}
	var a toolArguments
	if err := json.Unmarshal([]byte(args), &a); err != nil {
		return Verdict{RefusalReason: "the arguments of " + tool + " cannot be read: " + err.Error()}
	}
	switch tool {
	case plan.ToolBash:
		return judgeCommand(p, a.Command)
	case plan.ToolWrite, plan.ToolEdit:
		return judgeFileChange(p, place, tool, a.FilePath)
	case plan.ToolRead:
		return judgeRead(p, place, tool, a.FilePath)
	}
	return Verdict{IsReadOnly: true}
}

// CanNeedApproval reports whether a person can be asked to approve calls of a tool in a mode. name is the
// document's name for the tool. If each is set, the policy also asks about calls that the mode allows.
func CanNeedApproval(p plan.Permissions, name string, each bool) bool {
	switch tool := plan.LocalToolName(name); tool {
	case "":
		return true
	case plan.ToolBash:
		return p.Mode != plan.PlanOnlyMode
	case plan.ToolWrite, plan.ToolEdit:
		asks, allows := p.Mode == plan.AskMode || p.Mode == "", p.Mode == plan.AcceptEditsMode || p.Mode == plan.BypassMode
		return asks || each && allows
	}
	return false
}

// DescribeMode returns what a mode allows, for a person.
func DescribeMode(m plan.PermissionMode) string {
	m = cmp.Or(m, plan.AskMode)
	text := "mode " + string(m) + ": " + map[plan.PermissionMode]string{
		plan.PlanOnlyMode:     "the model can read files; it cannot change files or run commands",
		plan.VerificationMode: "the model can read files; it cannot change files; commands need your approval",
		plan.AskMode:          "the model can read files; file changes and commands need your approval",
		plan.AcceptEditsMode:  "the model can read and change files; commands need your approval",
		plan.BypassMode:       "the model can read and change files; commands still need your approval",
	}[m]
	if m != plan.PlanOnlyMode {
		text += `, unless the approval policy is "none"`
	}
	return text
}

// IsPathAllowed reports whether patterns allow a path, which is relative to the root and has slashes. If
// there are no patterns, all paths are allowed.
func IsPathAllowed(patterns []string, rel string) bool {
	for _, pattern := range patterns {
		if match, err := doublestar.Match(pattern, rel); err == nil && match {
			return true
		}
	}
	return len(patterns) == 0
}

func judgeRead(p plan.Permissions, place ToolPlace, tool, name string) Verdict {
	v := Verdict{IsReadOnly: true}
	if _, err := judgePath(p, place, tool, name); err != nil {
		v.RefusalReason = err.Error()
	}
	return v
}

// judgePath returns a path relative to the root, or an error that says why the tool may not use it.
func judgePath(p plan.Permissions, place ToolPlace, tool, name string) (string, error) {
	rel, err := place.RelativeToRoot(name)
	if err != nil {
		return "", err
	}
	if !IsPathAllowed(p.ToolPatterns[tool], rel) {
		return "", PatternError(tool, rel, p.ToolPatterns[tool])
	}
	return rel, nil
}

// PatternError returns the error for a path or command, what, that the patterns of a tool do not allow.
func PatternError(tool, what string, patterns []string) error {
	return fmt.Errorf("%s is not allowed for %s: the agent file allows only %s", tool, what, strings.Join(patterns, ", "))
}

func judgeFileChange(p plan.Permissions, place ToolPlace, tool, name string) Verdict {
	rel, err := judgePath(p, place, tool, name)
	if err != nil {
		return Verdict{RefusalReason: err.Error()}
	}
	folder := path.Dir(rel)
	v := Verdict{ApprovalKey: "files " + folder, ApprovalLabel: "changes to files directly in " + folder + "/"}
	if folder == "." {
		v.ApprovalLabel = "changes to files directly in the project root"
	}
	switch p.Mode {
	case plan.PlanOnlyMode, plan.VerificationMode:
		v.RefusalReason = fmt.Sprintf("this step may not change files: its mode is %s", p.Mode)
	case plan.AcceptEditsMode, plan.BypassMode:
		v.NeedsApproval = isInGitFolder(rel)
	default:
		v.NeedsApproval = true
	}
	return v
}

// isInGitFolder reports whether a path is below a .git folder. The next git command would execute a hook or
// an alias written there.
func isInGitFolder(rel string) bool {
	return slices.ContainsFunc(strings.Split(rel, "/"), func(name string) bool { return strings.EqualFold(name, ".git") })
}

func judgeCommand(p plan.Permissions, command string) Verdict {
	c := parseCommand(command)
	v := Verdict{NeedsApproval: true, ApprovalKey: "Bash " + cmp.Or(c.approvalPrefix, command), ApprovalLabel: c.approvalLabel()}
	only := p.ToolPatterns[plan.ToolBash]
	switch reason := c.closingRefusal(); {
	case p.Mode == plan.PlanOnlyMode:
		v.RefusalReason = "this step may not run commands: its mode is plan"
	case reason != "":
		v.RefusalReason = reason
	case len(only) > 0 && !c.isAllowed(only):
		v.RefusalReason = PatternError(plan.ToolBash, "this command", only).Error() + "; use one simple command per call"
	}
	return v
}
