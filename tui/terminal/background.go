package terminal

import "time"

// Patience is how long a terminal is waited for that is asked what background it has.
const Patience = time.Second

// Silent says that it has not told by then: many never do, and count as dark. What it tells
// later is still heard.
type Silent struct{}
