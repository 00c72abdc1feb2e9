package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptServe starts a model server whose replies describe their request: serve NAME [MODEL...] sets NAME to its base
// URL and lists the models, if any. It refuses the prompt "Refuse this once" once.
func scriptServe(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: serve NAME [MODEL...]")
	}
	var refused atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			listModels(w, args[1:])
			return
		}
		body, _ := io.ReadAll(r.Body) // a truncated body is invalid JSON, which echo reports
		if strings.Contains(string(body), "Refuse this once") && refused.CompareAndSwap(false, true) {
			http.Error(w, `{"error": {"message": "not today"}}`, http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		echo(w, r)
	}))
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL+"/v1")
}

// listModels answers with a list of models, or with status 404 if there is none.
func listModels(w http.ResponseWriter, names []string) {
	if len(names) == 0 {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	list := map[string][]map[string]string{}
	for _, name := range names {
		list["data"] = append(list["data"], map[string]string{"id": name})
	}
	_ = json.NewEncoder(w).Encode(list) // fails only if the client has gone
}

func echo(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Model       string
		Temperature *float64
		Max         int `json:"max_completion_tokens"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	said := fmt.Sprintf("model %s, key %q, at most %d", asked.Model, r.Header.Get("Authorization"), asked.Max)
	if asked.Temperature != nil {
		said += fmt.Sprintf(", temperature %g", *asked.Temperature)
	}
	text, _ := json.Marshal(said) // a string always encodes
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"model\":%q,\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":\"stop\"}]}\n\n", asked.Model, text)
	fmt.Fprint(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":4120,\"completion_tokens\":812}}\n\ndata: [DONE]\n\n")
}
