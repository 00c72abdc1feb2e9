package mcp

//lint:file-ignore SA1019 the protocol is giving messages up, and servers still send them

import (
	"encoding/json"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// grave are the levels of messages that a person should know of.
var severe = []sdk.LoggingLevel{"warning", "error", "critical", "alert", "emergency"}

// handleLogMessage writes a log message to the log, and keeps a grave one with the call.
func (sv *server) handleLogMessage(params sdk.Params) {
	p, message := params.(*sdk.LoggingMessageParams)
	if !message {
		return
	}
	text, plain := p.Data.(string)
	if !plain {
		data, err := json.Marshal(p.Data)
		if err != nil {
			return
		}
		text = string(data)
	}
	sv.log.note("%s: %s", p.Level, text)
	if slices.Contains(severe, p.Level) {
		sv.ears.addRemark(fmt.Sprintf("the tool server %s says: %s", quote(sv.spec.Name), brief(text, maxReported)))
	}
}
