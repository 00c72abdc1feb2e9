package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFunctionNames: every tool gets a unique function name that models accept (workflow.md §6).
func TestFunctionNames(t *testing.T) {
	long := strings.Repeat("x", 70)
	got := FunctionNames([]string{"list-files", "github/search", "github.search", "github/search", "done", long, long + "y", "größe", ""}, "done")
	want := []string{"list-files", "github_search", "github_search_2", "github_search", "done_2", long[:64], long[:62] + "_2", "gr__e", "_2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
