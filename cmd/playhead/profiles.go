package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"playhead/engine/config"
	"playhead/engine/model"
	"playhead/engine/model/openai"
)

// profiles are the models that can be asked: those that the configuration names, and one
// that is asked when nobody names any.
type profiles struct {
	names []string
	named map[string]*endpoint
	usual *endpoint
}

// An endpoint asks a server for its model, unless a request names another.
type endpoint struct {
	profile config.Profile
	key     string // the variable that has the key; empty: none is sent
	conf    openai.Config
	client  *openai.Client
	wrong   error // why it cannot be asked
}

// profiles are made of the settings, the flags and the environment.
func (o *modelOptions) profiles() *profiles {
	all := &profiles{named: map[string]*endpoint{}}
	for _, p := range o.Models {
		all.names = append(all.names, p.Name)
		all.named[p.Name] = o.endpoint(p)
	}
	all.usual = o.endpoint(o.usual())
	return all
}

// Names are the names of the profiles, in the order of the configuration.
func (p *profiles) Names() []string { return p.names }

// Source asks the profile of a name, or the usual model for an empty one. A model that a
// document names goes before: the profile of that name, else that model on the same server.
func (p *profiles) Source(name string) (model.Source, error) {
	e := p.usual
	if name != "" {
		e = p.named[name]
	}
	if e == nil {
		return nil, usage("the configuration has no model %q", name)
	}
	return asker{p, e}, e.wrong
}

// asker asks an endpoint, and others that requests name.
type asker struct {
	*profiles
	own *endpoint
}

// Reply implements model.Source.
func (a asker) Reply(ctx context.Context, r model.Request, out io.Writer) model.Reply {
	e := a.own
	unmapped := ""
	switch other := a.named[r.Model]; {
	case other != nil:
		e, r.Model = other, other.profile.Model
	case r.Alias && r.Model != "":
		unmapped, r.Model = r.Model, ""
	}
	if e.wrong != nil {
		return model.Reply{Err: e.wrong}
	}
	r.Model = cmp.Or(r.Model, e.profile.Model)
	reply := e.client.Reply(ctx, r, out)
	if price := e.profile.Price; price != nil && r.Model == e.profile.Model && reply.In+reply.Out > 0 {
		cost := price.Of(reply.In, reply.Out)
		reply.Cost = &cost
	}
	if unmapped != "" {
		reply.RunNotes = append(reply.RunNotes, fmt.Sprintf("the configuration has no model %s, so the usual one is asked", unmapped))
	}
	return reply
}

// server reports whether a server to ask is configured, be it without a model.
func (o *modelOptions) server() bool {
	return o.usual().Name != "" || o.baseURL != "" || os.Getenv("OPENAI_BASE_URL") != "" || os.Getenv("OPENAI_API_KEY") != ""
}

// flagged is the source that the command line names, be it by naming a model; empty: none.
func (o *modelOptions) flagged() string {
	if o.source == "" && (o.model != "" || o.baseURL != "") {
		return serverSource
	}
	return o.source
}

// chosen is the source that the command line, the configuration or the environment names.
func (o *modelOptions) chosen() string {
	if name := o.flagged(); name != "" || !o.server() || o.usual().Model == "" {
		return name
	}
	return serverSource
}

// asksServer reports whether replies come from a server when the run begins.
func (o *modelOptions) asksServer() bool {
	kind, _, _ := strings.Cut(o.chosen(), ":")
	return kind == serverSource
}

// client asks the usual model.
func (o *modelOptions) client() (model.Source, error) { return o.profiles().Source("") }

// usual is the profile to ask when nobody names one: that of --model, of the configuration
// or of the environment. A model without a profile is one of the server that would be asked
// otherwise.
func (o *modelOptions) usual() config.Profile {
	name := o.usualName()
	p, own := o.Profile(name)
	if !own {
		p, _ = o.Profile(o.Model)
		p.Model = name
		p.Price = nil
	}
	if o.baseURL != "" {
		p.BaseURL = ""
	}
	return p
}

// usualName is the name of the model to ask when nobody names one, empty where none is named.
func (o *modelOptions) usualName() string { return cmp.Or(o.model, o.Model, os.Getenv("OPENAI_MODEL")) }

// keyNames are the variables of the environment that hold keys, without those that only servers on
// this machine get.
func (o *modelOptions) keyNames() []string {
	var names []string
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasSuffix(name, "_API_KEY") {
			names = append(names, name)
		}
	}
	names = append(names, o.Keys()...)
	local := map[string]bool{}
	for _, p := range append([]config.Profile{{}, o.usual()}, o.Models...) { // the first one is the environment's
		e := o.endpoint(p)
		before, known := local[e.key]
		local[e.key] = e.conf.Local() && (before || !known)
	}
	return slices.DeleteFunc(names, func(name string) bool { return local[name] })
}

// endpoint fills in what a profile leaves open. Only the server of the environment gets the
// key of the environment.
func (o *modelOptions) endpoint(p config.Profile) *endpoint {
	e := &endpoint{profile: p, key: p.Key}
	c := openai.Config{
		BaseURL: p.BaseURL, Model: p.Model,
		Temperature: cmp.Or(o.temperature, p.Temperature), MaxTokens: cmp.Or(o.maxTokens, p.MaxTokens),
		Connect: p.Connect, Silence: p.Silence,
	}
	if p.BaseURL == "" {
		c.BaseURL = cmp.Or(o.baseURL, os.Getenv("OPENAI_BASE_URL"))
		e.key = cmp.Or(p.Key, "OPENAI_API_KEY")
	}
	c.Key = os.Getenv(e.key)
	e.conf, e.client, e.wrong = c, openai.New(c), o.lacks(p, c)
	return e
}

// lacks says what has to be set before a profile can be asked, if anything.
func (o *modelOptions) lacks(p config.Profile, c openai.Config) error {
	switch {
	case p.Key != "" && c.Key == "":
		return usage("the model %s needs a key, and $%s is not set: set it, choose another with --model, or reply yourself with --source manual", p.Name, p.Key)
	case c.Key != "" || c.BaseURL != "":
		if c.Model == "" {
			return usage("no model is named: use --model NAME, or set OPENAI_MODEL")
		}
		return nil
	case len(o.Models) > 0:
		return usage("no model server is configured: choose a model of the configuration with --model, or name the usual one in it with model: %s", o.Models[0].Name)
	default:
		return usage("no model server is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own")
	}
}
