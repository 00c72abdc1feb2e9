package setup

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"playhead/engine/config"
	"playhead/engine/model"
)

// TestProfiles: a model of a document is the profile with that name, or else a model of the current server. The price
// is that of the model that replied.
func TestProfiles(t *testing.T) {
	t.Setenv("SMALL_KEY", "k-small")
	t.Setenv("NO_SUCH_KEY", "")
	profile := func(name, key string, price float64) config.Profile {
		return config.Profile{Name: name, BaseURL: "http://models.test", APIKeyVariable: key, ModelName: "m-" + name, Price: &config.TokenPrice{InputPrice: price, OutputPrice: price}}
	}
	var o ModelOptions
	o.NewModelServer = func(c model.ServerConfig) model.Server { return echoServer{config: c} }
	o.Config.DefaultModel = "small"
	o.Config.Profiles = []config.Profile{profile("small", "SMALL_KEY", 1), profile("sonnet", "", 10), profile("closed", "NO_SUCH_KEY", 1)}
	all := o.Endpoints()
	if names := all.ProfileNames(); !slices.Equal(names, []string{"small", "sonnet", "closed"}) {
		t.Error(names)
	}
	for _, c := range []struct {
		source, asked, want string
		cost                float64 // 0 if it is unknown
	}{
		{"", "", `model m-small, key "k-small"`, 0.004932},
		{"", "sonnet", `model m-sonnet, key ""`, 0.04932},
		{"", "m-small", `model m-small, key "k-small"`, 0.004932},
		{"", "opus", `model opus, key "k-small"`, 0},
		{"sonnet", "", `model m-sonnet, key ""`, 0.04932},
		{"sonnet", "small", `model m-small, key "k-small"`, 0.004932},
		{"sonnet", "opus", `model opus, key ""`, 0},
		{"", "closed", "the model closed needs an API key, but $NO_SUCH_KEY is not set", 0},
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
		t.Errorf("an alias without a profile: %s %v", r.Text, r.OncePerRunWarnings)
	}
	for name, want := range map[string]string{"closed": "$NO_SUCH_KEY is not set", "none": `has no model "none"`} {
		if _, err := all.Source(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// echoServer replies with the model and the key of the request.
type echoServer struct {
	model.Server
	config model.ServerConfig
}

func (s echoServer) Reply(_ context.Context, r model.Request, _ io.Writer) model.Reply {
	return model.Reply{Text: fmt.Sprintf("model %s, key %q", r.ModelName, s.config.APIKey), InputTokens: 4120, OutputTokens: 812}
}
