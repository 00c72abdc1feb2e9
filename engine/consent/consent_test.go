package consent

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"playhead/parse/plan"
)

var place = ToolPlace{ProjectRoot: "/home/u/project", RealProjectRoot: "/data/project", WorkingDir: "/home/u/project/sub"}

// outcome returns a verdict as one word.
func outcome(v Verdict) string {
	switch {
	case v.RefusalReason != "":
		return "refused"
	case v.NeedsApproval:
		return "asks"
	}
	return "allowed"
}

func bash(command string) string {
	args, _ := json.Marshal(map[string]string{"command": command})
	return string(args)
}

// TestModes: each permission mode allows, refuses or asks about the tools that the table says.
func TestModes(t *testing.T) {
	calls := [][2]string{{plan.ToolRead, `{"file_path":"a"}`}, {plan.ToolGrep, `{"pattern":"x"}`}, {plan.ToolTodo, `{}`}, {plan.ToolWrite, `{"file_path":"a"}`}, {plan.ToolEdit, `{"file_path":"a"}`}, {plan.ToolBash, bash("ls")}}
	for mode, want := range map[plan.PermissionMode]string{
		plan.PlanOnlyMode: "allowed allowed allowed refused refused refused", plan.VerificationMode: "allowed allowed allowed refused refused asks",
		plan.AskMode: "allowed allowed allowed asks asks asks", "": "allowed allowed allowed asks asks asks",
		plan.AcceptEditsMode: "allowed allowed allowed allowed allowed asks", plan.BypassMode: "allowed allowed allowed allowed allowed asks",
	} {
		var got []string
		for _, c := range calls {
			got = append(got, outcome(JudgeCall(plan.Permissions{Mode: mode}, place, "local", c[0], c[1])))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s", mode, text)
		}
	}
}

// TestCanNeedApproval: the mode and the approval policy decide which tools can need a person's approval.
func TestCanNeedApproval(t *testing.T) {
	for mode, want := range map[plan.PermissionMode][2]string{ // under the policies once and each
		plan.PlanOnlyMode: {"", ""}, plan.VerificationMode: {"Bash", "Bash"}, plan.AskMode: {"Write Edit Bash", "Write Edit Bash"}, "": {"Write Edit Bash", "Write Edit Bash"},
		plan.AcceptEditsMode: {"Bash", "Write Edit Bash"}, plan.BypassMode: {"Bash", "Write Edit Bash"},
	} {
		for i, each := range []bool{false, true} {
			var got []string
			for _, tool := range plan.LocalTools {
				if CanNeedApproval(plan.Permissions{Mode: mode}, "local/"+tool, each) {
					got = append(got, tool)
				}
			}
			if text := strings.Join(got, " "); text != want[i] {
				t.Errorf("%s, each %t: %s", mode, each, text)
			}
		}
	}
}

// TestUnreadable: a call whose arguments cannot be read is refused in every mode.
func TestUnreadable(t *testing.T) {
	for tool, args := range map[string]string{
		plan.ToolBash: `{"command":"gh issue close 1","path":5}`, plan.ToolWrite: `{"file_path":"a","pattern":5}`, plan.ToolEdit: `[]`, plan.ToolRead: `{"file_path":{}}`,
	} {
		for _, mode := range []plan.PermissionMode{plan.PlanOnlyMode, plan.AskMode, plan.AcceptEditsMode, plan.BypassMode} {
			if got := outcome(JudgeCall(plan.Permissions{Mode: mode}, place, "local", tool, args)); got != "refused" {
				t.Errorf("%s %s is %s in %s", tool, args, got, mode)
			}
		}
	}
}

// TestPaths: RelativeToRoot refuses paths outside the project root, and relative paths start in the working folder.
func TestPaths(t *testing.T) {
	for name, want := range map[string]string{
		"a.txt": "sub/a.txt", "../a.txt": "a.txt", "/home/u/project/x/../y": "y", "/data/project/z": "z", ".": "sub",
		"../../other": "error", "/etc/passwd": "error", "/home/u/project2/a": "error", "a\x00b": "error", "/home/u/project/../x": "error",
	} {
		got, err := place.RelativeToRoot(name)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
	for rel, want := range map[string]string{"sub/a": "a", "a": "../a", "sub": ".", "subway/a": "../subway/a"} {
		if got := place.RelativeToWorkingDir(rel); got != want {
			t.Errorf("%s is %s", rel, got)
		}
	}
	elsewhere := ToolPlace{ProjectRoot: "/r", WorkingDir: "/elsewhere"}
	if got, err := elsewhere.RelativeToRoot("a"); got != "a" || err != nil || elsewhere.RelativeToWorkingDir("a") != "a" {
		t.Errorf("%s %v", got, err)
	}
}

// TestPatterns: a pattern allows one simple command, or the paths that it matches.
func TestPatterns(t *testing.T) {
	p := plan.Permissions{Mode: plan.AcceptEditsMode, ToolPatterns: map[string][]string{
		plan.ToolBash: {"git status:*", "go test ./...", "npm run 'a b':*"}, plan.ToolEdit: {"src/**", "*.md"},
	}}
	for command, want := range map[string]string{
		"git status": "asks", "git status -s": "asks", `git "status" -s`: "asks", "go test ./...": "asks", "npm run 'a b' c": "asks",
		"git": "refused", "git statusx": "refused", "git log": "refused", "go test ./... -v": "refused",
		"git status; rm -rf x": "refused", "git status && ls": "refused", "git status | sh": "refused", "git status > x": "refused", "git status &": "refused",
		"git status $(ls)": "refused", "git status `ls`": "refused", "git status $X": "refused", "X=1 git status": "refused", "! git status": "refused",
		"(git status)": "refused", "git status\nls": "refused", "git status <(ls)": "refused", "git status <<< x": "refused", "git 'status": "refused", "": "refused",
		"env git status": "refused", "git status {a,--x}": "refused", "git status ${X:-$(ls)}": "refused",
	} {
		if got := outcome(JudgeCall(p, place, "local", plan.ToolBash, bash(command))); got != want {
			t.Errorf("%s: %s", command, got)
		}
	}
	for name, want := range map[string]string{"../.git/hooks/pre-commit": "asks", "../.git/config": "asks", "x/.GIT/config": "asks", "../.gitignore": "allowed", ".git": "asks", "a.git/b": "allowed"} {
		for _, mode := range []plan.PermissionMode{plan.AcceptEditsMode, plan.BypassMode} {
			if got := outcome(JudgeCall(plan.Permissions{Mode: mode}, place, "local", plan.ToolWrite, fmt.Sprintf(`{"file_path":%q}`, name))); got != want {
				t.Errorf("%s in mode %s: %s", name, mode, got)
			}
		}
	}
	for name, want := range map[string]string{"../src/a/b.go": "allowed", "../README.md": "allowed", "a.go": "refused", "../src/../x.go": "refused", "../docs/a.md": "refused"} {
		if got := outcome(JudgeCall(p, place, "Local", plan.ToolEdit, fmt.Sprintf(`{"file_path":%q}`, name))); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestPrefix: an approval for the run covers the commands with the same prefix, if the prefix alone is safe.
func TestPrefix(t *testing.T) {
	for command, want := range map[string]string{
		"go test ./...": "Bash go test", "go test -run X": "Bash go test", "ls": "Bash ls", "git  status": "Bash git status",
		"go test; rm -rf /": "Bash go test; rm -rf /", "go test | tee x": "Bash go test | tee x", "bash -c 'rm x'": "Bash bash -c 'rm x'",
		"sudo rm x": "Bash sudo rm x", "A=1 go test": "Bash A=1 go test", "'git status' x": "Bash 'git status' x", "go test > x": "Bash go test > x", "go $X": "Bash go $X",
		"/usr/bin/git status": "Bash /usr/bin/git status", "grep -rn x": "Bash grep -rn", "make test": "Bash make test", "npm run build": "Bash npm run",
	} {
		if v := JudgeCall(plan.Permissions{}, place, "local", plan.ToolBash, bash(command)); v.ApprovalKey != want {
			t.Errorf("%s: %q", command, v.ApprovalKey)
		}
	}
	// A command that can run code from its arguments is approved exactly as it is written.
	for _, command := range []string{
		"git -c core.pager=x log", "git --exec-path=x status", "git submodule foreach ls", "git rebase --exec ls", "git grep -Oless x", "git config core.hooksPath x",
		"python3.12 -c x", "/opt/python3 a.py", "bash -c ls", "env ls x", "xargs rm -f", "find . -exec rm", "find . -name x", "node -e x", "nodejs a.js", "perl a b",
		"awk x y", "sed -i x", "npm exec x", "npx x y", "docker run x", "uv run x", "go run .", "go test -exec sh", "go test ./... -exec=sh", "go vet -vettool=x ./...",
		"rsync a b -e ssh", "tar xf a --to-command=sh", "make test SHELL=sh", "make test --eval=x", "unknown -c x", "unknown --eval x", "nice make test", "ssh host ls",
		"docker container ls", "podman compose up", "scp a b -o ProxyCommand=x",
		"git grep {-Osh,x}", "g{it,x} status", "git statu*", "git ~", "ls", "go",
	} {
		if v := JudgeCall(plan.Permissions{}, place, "local", plan.ToolBash, bash(command)); v.ApprovalKey != "Bash "+command || v.ApprovalLabel != "exactly this command" {
			t.Errorf("%s: %q, %s", command, v.ApprovalKey, v.ApprovalLabel)
		}
	}
	if v := JudgeCall(plan.Permissions{}, place, "local", plan.ToolBash, bash("go test")); v.ApprovalLabel != "commands that begin with go test" {
		t.Error(v.ApprovalLabel)
	}
	if v := JudgeCall(plan.Permissions{}, place, "local", plan.ToolWrite, `{"file_path":"a/b.txt"}`); v.ApprovalKey != "files sub/a" || v.ApprovalLabel != "changes to files directly in sub/a/" {
		t.Errorf("%+v", v)
	}
}

// TestLongCommands: JudgeCall examines a command of very many words without taking minutes.
func TestLongCommands(t *testing.T) {
	place := ToolPlace{ProjectRoot: "/p", WorkingDir: "/p"}
	for _, command := range []string{
		"env " + strings.Repeat("curl ", 20_000), "env " + strings.Repeat("gh ", 20_000), "env curl" + strings.Repeat("{,}", 14),
		"echo" + strings.Repeat(" {1..9}{1..9}{1..9}{1..9}{1..9}", 100),
	} {
		if v := JudgeCall(plan.Permissions{}, place, "local", plan.ToolBash, bash(command)); !v.NeedsApproval || v.RefusalReason != "" {
			t.Errorf("%.40s: %+v", command, v)
		}
	}
	if v := JudgeCall(plan.Permissions{}, place, "local", plan.ToolBash, bash("env curl a curl api.github.com")); v.RefusalReason == "" {
		t.Error("a call of the API by the second client is not refused")
	}
}

// TestClosingCommandsAreRefused: commands that end or publish something are refused in every step.
func TestClosingCommandsAreRefused(t *testing.T) {
	for command, refused := range map[string]bool{
		"gh issue close 1": true, "gh issue reopen 1": true, "gh -R o/r issue delete 1": true, "gh issue -R o/r transfer 1 x": true, "gh pr merge --squash 3": true,
		"gh pr ready": true, "gh pr close 1": true, "gh release create v1": true, "gh release edit v1": true, "gh api repos/o/r/issues/1": true,
		"cd x && gh issue close 1": true, "(gh pr merge 1)": true, "echo $(gh issue close 1)": true, "bash -c 'gh issue close 1'": true, "env A=1 gh issue close 1": true,
		"gh issue {close,1}": true, "{gh,issue,close}": true, "python3.12 -c 'gh issue close 1'": true, "A=1 gh issue close 1": true, "sudo -u x gh pr merge": true, "xargs gh issue close": true, "/usr/bin/gh issue close 1": true, `g"h" issue cl\ose 1`: true,
		"curl -X PATCH https://api.github.com/repos/o/r/issues/1": true, `curl -d '{"state":"closed"}' https://x.example`: true, "if true; then gh issue close 1; fi": true,
		"glab mr merge 1": true, "eval 'gh issue close 1'": true, "bash -c \"bash -c 'gh pr merge 1'\"": true, "gh api graphql": true,
		`curl -d "{\"state\":\"closed\"}" https://x.example`: true, `curl -d {\"state\":\"closed\"} https://x.example`: true, "curl -X PUT 'https://x.example/1?state_event=close'": true, "http PATCH https://x.example/1 state=closed": true,
		`echo '{"state": "closed"}' | curl -d @- https://x.example`: true, "curl -d @- https://x.example <<E\n{\"state\": \"closed\"}\nE": true, "http PATCH https://x.example <<< '{\"state\":\"closed\"}'": true,
		"tea pulls merge 1": true, "tea pull close 1": true, "tea issues close 1": true, "glab mr accept 1": true,
		"gh issue list --state=closed": false, "git commit -m 'state: closed'": false, "grep -rn 'state: closed' .": false, "curl 'https://x.example/issues?state=closed'": false, "tea pulls list": false,
		"gh issue view 1": false, "gh pr create": false, "gh issue comment 1 -b 'close it'": false, "gh pr list": false, "go test ./...": false, "gh release list": false,
		"git commit -m 'gh issue close'": false, "curl https://example.org": false, "gh issue list --state open": false, "gh": false, "gh pr checkout 5": false, "": false,
	} {
		for _, mode := range []plan.Permissions{{Mode: plan.BypassMode}, {Mode: plan.BypassMode, MayUseClosureTools: true}} {
			v := JudgeCall(mode, place, "local", plan.ToolBash, bash(command))
			if (v.RefusalReason != "") != refused {
				t.Errorf("%s: %q", command, v.RefusalReason)
			}
		}
	}
}

// TestServers: tools of servers need approval, and tools that end something are refused outside closure steps.
func TestServers(t *testing.T) {
	for _, c := range []struct {
		p    plan.Permissions
		tool string
		want string
	}{
		{plan.Permissions{Mode: plan.PlanOnlyMode}, "search", "asks"}, {plan.Permissions{Mode: plan.AcceptEditsMode}, "githubIssueClose", "refused"},
		{plan.Permissions{Mode: plan.AcceptEditsMode, MayUseClosureTools: true}, "githubPrMerge", "asks"}, {plan.Permissions{}, "githubReleaseCreate", "asks"},
	} {
		if got := outcome(JudgeCall(c.p, place, "gh", c.tool, "{}")); got != c.want {
			t.Errorf("%v %s: %s", c.p, c.tool, got)
		}
	}
}
