package setup

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"playhead/engine/config"
	"playhead/engine/model"
)

// TestProfiles: a model that a document names is a profile of that name, else one of the
// server that is asked. The price is that of the model that replied.
func TestProfiles(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(replyWithRequest))
	defer server.Close()
	t.Setenv("SMALL_KEY", "k-small")
	t.Setenv("NO_SUCH_KEY", "")
	profile := func(name, key string, price float64) config.Profile {
		return config.Profile{Name: name, BaseURL: server.URL, APIKeyVariable: key, ModelName: "m-" + name, Price: &config.TokenPrice{InputPrice: price, OutputPrice: price}}
	}
	var o ModelOptions
	o.Config.DefaultModel = "small"
	o.Config.Profiles = []config.Profile{profile("small", "SMALL_KEY", 1), profile("sonnet", "", 10), profile("closed", "NO_SUCH_KEY", 1)}
	all := o.Endpoints()
	if names := all.ProfileNames(); !slices.Equal(names, []string{"small", "sonnet", "closed"}) {
		t.Error(names)
	}
	for _, c := range []struct {
		source, asked, want string
		cost                float64 // 0: not known
	}{
		{"", "", `model m-small, key "Bearer k-small"`, 0.004932},
		{"", "sonnet", `model m-sonnet, key ""`, 0.04932},
		{"", "m-small", `model m-small, key "Bearer k-small"`, 0.004932},
		{"", "opus", `model opus, key "Bearer k-small"`, 0},
		{"sonnet", "", `model m-sonnet, key ""`, 0.04932},
		{"sonnet", "small", `model m-small, key "Bearer k-small"`, 0.004932},
		{"sonnet", "opus", `model opus, key ""`, 0},
		{"", "closed", "the model closed needs a key, and $NO_SUCH_KEY is not set", 0},
	} {
		source, err := all.Source(c.source)
		if err != nil {
			t.Fatal(err)
		}
		r := source.Reply(t.Context(), model.Request{ModelName: c.asked, Prompt: "x", ShowNotice: func(model.Notice) {}}, io.Discard)
		said := r.Text
		if r.Err != nil {
			said = r.Err.Error()
		}
		if !strings.HasPrefix(said, c.want) || (r.CostUSD == nil) != (c.cost == 0) || r.CostUSD != nil && *r.CostUSD != c.cost {
			t.Errorf("%q asked for %q: %s, cost %v", c.source, c.asked, said, r.CostUSD)
		}
	}
	usual, _ := all.Source("")
	r := usual.Reply(t.Context(), model.Request{ModelName: "opus", IsModelAlias: true, Prompt: "x", ShowNotice: func(model.Notice) {}}, io.Discard)
	if !strings.HasPrefix(r.Text, "model m-small") || len(r.OncePerRunWarnings) != 1 || !strings.Contains(r.OncePerRunWarnings[0], "no model opus: m-small is asked") {
		t.Errorf("an alias that nothing maps: %s %v", r.Text, r.OncePerRunWarnings)
	}
	for name, want := range map[string]string{"closed": "$NO_SUCH_KEY is not set", "none": `has no model "none"`} {
		if _, err := all.Source(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// replyWithRequest replies with the model and key that it was asked with.
func replyWithRequest(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Model string }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	text, _ := json.Marshal(fmt.Sprintf("model %s, key %q", asked.Model, r.Header.Get("Authorization"))) // a text is one
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"model\":%q,\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":\"stop\"}]}\n\n", asked.Model, text)
	fmt.Fprint(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":4120,\"completion_tokens\":812}}\n\ndata: [DONE]\n\n")
}
