package registry

// builtins are the texts that take the place of a prompt that cannot be produced, by
// fallbackKey (spec §4). Keys that differ in their wording alone share one.
var builtins = func() map[string]text {
	out := map[string]text{}
	for keys, s := range builtinTexts {
		for _, key := range keys {
			if key != "" {
				out[key] = parseText(s, inSystem)
			}
		}
	}
	return out
}()

var builtinTexts = map[[8]string]string{
	{"system"}: "You are {uv-agent_name}. Work through the steps that you are given, one at a time. {uv-verdict_criteria}",

	{"initial_iterate"}: "Begin the task. You have at most {uv-max_iterations} iterations: plan what to do first, then do it.",
	{"continuation_iterate"}: "This is iteration {uv-iteration} of {uv-max_iterations}; {uv-remaining} remain. " +
		"Look at what is done, and go on with what is most worth doing.",

	{"initial_manual", "initial_keyword"}: "Begin to work on this: {uv-topic}\nSay {uv-completion_keyword} when it is done, and not before.",
	{"continuation_manual", "continuation_keyword"}: "This is iteration {uv-iteration}. Go on with the task. " +
		"Say {uv-completion_keyword} when it is done, and not before.",

	{"initial_issue", "initial_issue_label_only"}: "Begin to work on issue {uv-issue}: read it, find out what it asks for, and start.",
	{"continuation_issue", "continuation_issue_label_only"}: "This is iteration {uv-iteration} on issue {uv-issue}. " +
		"What came before:\n{uv-previous_summary}\nGo on.",

	{"initial_project"}: "Begin to work on project {uv-project_number}. Its phases are: {uv-phases}. The phase now is {uv-phase}.",
	{"continuation_project"}: "This is iteration {uv-iteration} on project {uv-project_number}, in the phase {uv-phase}. " +
		"What came before:\n{uv-previous_summary}\nGo on.",
	{"continuation_project_preparation", "continuation_project_processing", "continuation_project_review"}: "This is iteration {uv-iteration} on project {uv-project_number}. Go on with this phase.",

	{"initial_structured_signal"}: "Begin the task. When it is done, reply with a JSON object whose signal is {uv-signal_type} " +
		"and that has these fields: {uv-required_fields}.",
	{"continuation_structured_signal"}: "This is iteration {uv-iteration}. What came before:\n{uv-previous_summary}\n" +
		"Go on. When the task is done, reply with a JSON object whose signal is {uv-signal_type}.",

	{"issue_closure_default", "polling_closure_default"}: "The work on issue {uv-issue} is through. Check that nothing is left open, and say whether it can be closed.",
	{
		"project_closure_default", "review_closure_default", "iteration_closure_default", "facilitation_closure_default",
		"project_continuation_closure_default", "statuscheck_continuation_default",
	}: "The work is through. Check that nothing is left open, sum up what was done, and say whether it is complete.",
}
