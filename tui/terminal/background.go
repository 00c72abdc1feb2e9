package terminal

import "time"

// AnswerTime is how long a terminal is waited for that is asked what background it has.
const AnswerTime = time.Second

// NoAnswer says that it has not told by then: many never do, and count as dark. What it tells
// later is still heard.
type NoAnswer struct{}
