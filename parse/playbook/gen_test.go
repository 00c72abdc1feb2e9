package playbook

import (
	"fmt"
	"strings"
)

// typical returns a playbook of about size bytes with the proportions of real ones and without warnings.
func typical(size int) []byte {
	var b strings.Builder
	b.WriteString("# A typical playbook\n\nWhat a team asks a model on release day.\n\n## SYSTEM\n\nYou are brief.\n\n" +
		"## INPUTS\n\n- `part` (string): What is released\n- `depth` (enum: quick, deep): How much is said\n\n")
	for n := 1; b.Len() < size; n++ {
		text := typicalSteps[n%len(typicalSteps)]
		b.WriteString(strings.ReplaceAll(text, "@@", fmt.Sprint(n)))
	}
	b.WriteString("## ARTIFACTS\n\ntype: markdown\n")
	return []byte(b.String())
}

var typicalSteps = []string{`## STEP @@: Look at part @@

Read what there is on {{part}} and find the three things that matter most to a
reader who has no time. For each of them give:

- a sentence that says what it is
- why it matters to the reader
- one number or example, with where it is from

Leave out what was said in the last release, what is only planned, and what nobody
outside the team can check. Where two sources differ, name both and say which of
them you trust more, and why. Keep the order: the most important one comes first.

Answer with the list, then with an object like this:

` + "```json\n{\"score\": 3, \"reason\": \"what the score rests on\"}\n```" + `

@output(score_@@: number, extract:"score")

`, `## STEP @@: Go into part @@

Weigh what was found on {{part}} so far, in the light of the release of last year.
Say what is better, what is worse, and what nobody can tell yet. Use the numbers
that are there, and do not invent any.

` + "```if depth == \"deep\"```" + `

### STEP @@a: All of it

Say all there is to say on {{part}}, with a table:

| thing | weight | from | since when | who knows more |
|-------|--------|------|------------|----------------|

1. Strengths, with what they rest on
2. Weaknesses and risks, with what would make them smaller
3. How it compares with what others have
4. What it will look like in three years

@output(view_@@)

` + "```else```" + `

### STEP @@b: In short

Say it in three sentences, and in a table of two columns: what it is, and what it
is worth. No introduction, no summary.

@output(view_@@)

` + "```endif```" + `

`, `## STEP @@: Ask about part @@

Write what a person has to know to decide on {{part}}: the three points, the table,
and the one question that is open. Half a page is enough.

@elicit(select, "What is to be done with {{part}}?", "release it", "wait", "ask again")
@output(choice_@@)

`, `## STEP @@: Fetch part @@

@tool(tracker, list_issues, {"query": "{{part}} is:open", "labels": ["release", "blocker"], "sort": "updated", "limit": 20})
@output(issues_@@)

`}
