package openai_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"playhead/engine/model"
)

// TestRefused: errors after which another attempt cannot help are reported without a retry.
func TestRefused(t *testing.T) {
	page := "<!DOCTYPE html>\n<html><head><title>403 Forbidden &amp; closed</title></head><body>" + strings.Repeat("x\x1b[2J\n", 1<<15) + "</body></html>"
	for name, c := range map[string]struct {
		answer answer
		want   string
	}{
		"key refused":      {status(401, `{"error":{"message":"Incorrect API key provided: `+key+`","code":"invalid_api_key"}}`), "the server does not accept the API key: Incorrect API key provided: •••"},
		"key in a URL":     {status(401, "no: "+url.QueryEscape(key)), "the server does not accept the API key: no: •••"},
		"key in controls":  {status(400, "sk-sec\x1b[1mret-0123\x00456789/+"), "the server refuses the request (400): •••"},
		"key at the cut":   {status(400, strings.Repeat("x ", 130)+key), "the server refuses the request (400): " + strings.Repeat("x ", 130) + "•…"},
		"forbidden page":   {status(403, page, "Content-Type", "text/html"), "the server does not allow this request (403): 403 Forbidden & closed"},
		"page, no title":   {status(400, "<html>"), "the server refuses the request (400): the server sent a web page"},
		"unknown, hosted":  {status(404, `{"error":{"message":"The model 'm-1' does not exist","code":"model_not_found"}}`), `the server has no model "m-1": The model 'm-1' does not exist`},
		"unknown, vLLM":    {status(404, `{"object":"error","message":"The model m-1 does not exist.","code":404}`), `the server has no model "m-1": The model m-1 does not exist.`},
		"unknown, Ollama":  {status(404, `{"error":"model 'm-1' not found"}`), `the server has no model "m-1": model 'm-1' not found`},
		"wrong path":       {status(404, "404 page not found"), "there is nothing at http://models.test/v1/chat/completions (404; check the base URL, which usually ends in /v1): 404 page not found"},
		"spent":            {status(429, `{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}`), "the account has no credit left: You exceeded your quota"},
		"detail":           {status(422, `{"detail":"no such thing"}`), "the server refuses the request (422): no such thing"},
		"odd JSON":         {status(400, `{"x":1}`), `the server refuses the request (400): {"x":1}`},
		"empty":            {status(400, ""), "the server refuses the request (400)"},
		"redirect":         {status(302, "", "Location", "https://elsewhere.test/"), "the server redirects (302) to https://elsewhere.test/ (check the base URL)"},
		"no stream, page":  {status(200, "<html><title>Log in</title>", "Content-Type", "text/html; charset=utf-8"), "the server sent text/html instead of a stream: Log in"},
		"no stream, JSON":  {status(200, `{"error":{"message":"overloaded"}}`, "Content-Type", "application/json"), "the server sent application/json instead of a stream: overloaded"},
		"no stream, empty": {status(204, ""), "the server answered with status 204"},
		"error at once":    {stream(`{"error":{"message":"no memory","code":"x"}}`), "the server reports an error: no memory"},
		"error event":      {sent("text/event-stream", "event: error\ndata: {\"message\":\"no memory\"}\n\n"), "the server reports an error: no memory"},
		"garbled at once":  {stream(`{"choices":`), "the server sent something that is not part of a reply"},
		"other types":      {stream(`{"choices":[{"delta":{"content":7}}]}`), "the server sent something that is not part of a reply"},
		"not implemented":  {status(501, "no"), "the server failed (501): no"},
		"waits too long":   {status(429, "", "Retry-After", "86400"), "the server limits requests (429) and demands a pause of more than 10 minutes"},
		"long":             {status(400, strings.Repeat("é ", 500)), "the server refuses the request (400): " + strings.Repeat("é ", 130) + "é…"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := serve(t, c.answer)
				r := s.ask(t, model.Request{})
				if r.Err == nil || r.Err.Error() != c.want || r.Text != "" || r.IsCancelled {
					t.Errorf("got  %v\nwant %v\n%+v", r.Err, c.want, r)
				}
				if len(s.requests()) != 1 {
					t.Errorf("%d calls", len(s.requests()))
				}
			})
		})
	}
}

func TestNoKey(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := serve(t, status(401, `{"error":{"message":"You didn't provide an API key."}}`))
		s.APIKey = ""
		if r := s.ask(t, model.Request{}); r.Err == nil || r.Err.Error() != "the server asks for an API key, but none is set (set OPENAI_API_KEY, or set \"key\" in the configuration file to the name of another environment variable): You didn't provide an API key." {
			t.Error(r.Err)
		}
	})
}

func TestBrokenInTheMiddle(t *testing.T) {
	reset := func(w http.ResponseWriter, r *http.Request) {
		stream(text("Hel"))(w, r)
		panic(http.ErrAbortHandler)
	}
	for name, c := range map[string]struct {
		answer answer
		want   string
	}{
		"ends early":    {stream(text("Hel")), "the reply was cut off: the server ended the reply before it was complete"},
		"mid-event":     {sent("text/event-stream", "data: "+text("Hel")+"\n\ndata: {\"choi"), "the reply was cut off: the server ended the reply before it was complete"},
		"connection":    {reset, "the reply was cut off: models.test closed the connection"},
		"error":         {stream(text("Hel"), `{"error":{"message":"overloaded","code":503}}`), "the reply was cut off: the server failed (503): overloaded"},
		"garbled":       {stream(text("Hel"), `{"choices":[{"delta":`), "the reply was cut off: the server sent something that is not part of a reply"},
		"huge piece":    {stream(text("Hel"), text(strings.Repeat("x", 5<<20))), "the reply was cut off: one chunk of the server's reply is too long"},
		"after a while": {sent("text/event-stream", "data: "+text("Hel")+"\n\nretry: 5\n\n"), "the reply was cut off: the server ended the reply before it was complete"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := serve(t, c.answer)
				r := s.ask(t, model.Request{})
				if r.Err == nil || r.Err.Error() != c.want || r.Text != "Hel" || r.FinishReason != "" || len(s.requests()) != 1 {
					t.Errorf("%d calls, %+v", len(s.requests()), r)
				}
			})
		})
	}
}
