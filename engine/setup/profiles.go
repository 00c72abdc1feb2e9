package setup

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
	"playhead/parse/near"
)

// Profiles are the models that can be asked: those that the configuration names, and one
// that is asked when nobody names any.
type Profiles struct {
	names   []string
	Named   map[string]*Endpoint
	Default *Endpoint
}

// An Endpoint asks a server for its model, unless a request names another.
type Endpoint struct {
	Profile config.Profile
	Key     string // the variable that has the key; empty: none is sent
	Config  openai.Config
	client  *openai.Client
	Err     error // why it cannot be asked
}

// Profiles makes them of the settings, the flags and the environment.
func (o *ModelOptions) Profiles() *Profiles {
	all := &Profiles{Named: map[string]*Endpoint{}}
	for _, p := range o.Config.Models {
		all.names = append(all.names, p.Name)
		all.Named[p.Name] = o.endpoint(p)
	}
	all.Default = o.endpoint(o.defaultProfile())
	return all
}

// Names are the names of the profiles, in the order of the configuration.
func (p *Profiles) Names() []string { return p.names }

// Source asks the profile of a name, or the usual model for an empty one. A model that a
// document names goes before: the profile of that name, else that model on the same server.
func (p *Profiles) Source(name string) (model.Source, error) {
	e, err := p.Default, error(nil)
	if name != "" {
		e, err = p.endpoint(name)
	}
	if err != nil {
		return nil, err
	}
	return asker{p, e}, e.Err
}

// endpoint returns the endpoint that the configuration has under a name.
func (p *Profiles) endpoint(name string) (*Endpoint, error) {
	e := p.Named[name]
	if e == nil {
		return nil, Errorf("the configuration has no model %q: %s", name, near.Hint(name, p.Names()))
	}
	return e, nil
}

// asker asks an endpoint, and others that requests name.
type asker struct {
	*Profiles
	own *Endpoint
}

// Reply implements model.Source.
func (a asker) Reply(ctx context.Context, r model.Request, out io.Writer) model.Reply {
	e, name, unmapped := a.endpointFor(a.own, r.Model, r.Alias)
	if e.Err != nil {
		return model.Reply{Err: e.Err}
	}
	r.Model = name
	reply := e.client.Reply(ctx, r, out)
	if price := e.Profile.Price; price != nil && r.Model == e.Profile.Model && reply.In+reply.Out > 0 {
		cost := price.Of(reply.In, reply.Out)
		reply.Cost = &cost
	}
	if unmapped != "" {
		reply.RunNotes = append(reply.RunNotes, fmt.Sprintf("the configuration has no model %s, so the usual one is asked", unmapped))
	}
	return reply
}

// endpointFor returns the endpoint that a request for a model asks, and the model as that calls it. own is asked for models that
// are no profile's, alias says that the name is good for nothing else: then unmapped is the name.
func (p *Profiles) endpointFor(own *Endpoint, name string, alias bool) (e *Endpoint, model, unmapped string) {
	if e := p.Named[name]; e != nil {
		return e, e.Profile.Model, ""
	}
	if alias && name != "" {
		return own, own.Profile.Model, name
	}
	return own, cmp.Or(name, own.Profile.Model), ""
}

// hasServer reports whether a server to ask is configured, be it without a model.
func (o *ModelOptions) hasServer() bool {
	return o.defaultProfile().Name != "" || o.BaseURL != "" || os.Getenv("OPENAI_BASE_URL") != "" || os.Getenv("OPENAI_API_KEY") != ""
}

// flagSource is the source that the command line names, be it by naming a model; empty: none.
func (o *ModelOptions) flagSource() string {
	if o.Source == "" && (o.Model != "" || o.BaseURL != "") {
		return serverSource
	}
	return o.Source
}

// chosenSource is the source that the command line, the configuration or the environment names.
func (o *ModelOptions) chosenSource() string {
	if name := o.flagSource(); name != "" || !o.hasServer() || o.defaultProfile().Model == "" {
		return name
	}
	return serverSource
}

// asksServer reports whether replies come from a server when the run begins.
func (o *ModelOptions) asksServer() bool {
	kind, _, _ := strings.Cut(o.chosenSource(), ":")
	return kind == serverSource
}

// client asks the usual model.
func (o *ModelOptions) client() (model.Source, error) { return o.Profiles().Source("") }

// defaultProfile is the profile to ask when nobody names one: that of --model, of the configuration
// or of the environment. A model without a profile is one of the server that would be asked
// otherwise.
func (o *ModelOptions) defaultProfile() config.Profile {
	name := o.defaultModel()
	p, own := o.Config.Profile(name)
	if !own {
		p, _ = o.Config.Profile(o.Config.Model)
		p.Model = name
		p.Price = nil
	}
	if o.BaseURL != "" {
		p.BaseURL = ""
	}
	return p
}

// defaultModel is the name of the model to ask when nobody names one, empty where none is named.
func (o *ModelOptions) defaultModel() string {
	return cmp.Or(o.Model, o.Config.Model, os.Getenv("OPENAI_MODEL"))
}

// keyNames are the variables of the environment that hold keys, without those that only servers on
// this machine get.
func (o *ModelOptions) keyNames() []string {
	var names []string
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasSuffix(name, "_API_KEY") {
			names = append(names, name)
		}
	}
	names = append(names, o.Config.Keys()...)
	local := map[string]bool{}
	for _, p := range append([]config.Profile{{}, o.defaultProfile()}, o.Config.Models...) { // the first one is the environment's
		e := o.endpoint(p)
		before, known := local[e.Key]
		local[e.Key] = e.Config.Local() && (before || !known)
	}
	return slices.DeleteFunc(names, func(name string) bool { return local[name] })
}

// endpoint fills in what a profile leaves open. Only the server of the environment gets the
// key of the environment.
func (o *ModelOptions) endpoint(p config.Profile) *Endpoint {
	e := &Endpoint{Profile: p, Key: p.Key}
	c := openai.Config{
		BaseURL: p.BaseURL, Model: p.Model,
		Temperature: cmp.Or(o.Temperature, p.Temperature), MaxTokens: cmp.Or(o.MaxTokens, p.MaxTokens),
		Connect: p.Connect, Silence: p.Silence,
	}
	if p.BaseURL == "" {
		c.BaseURL = cmp.Or(o.BaseURL, os.Getenv("OPENAI_BASE_URL"))
		e.Key = cmp.Or(p.Key, "OPENAI_API_KEY")
	}
	c.Key = os.Getenv(e.Key)
	e.Config, e.client, e.Err = c, openai.New(c), o.problem(p, c)
	return e
}

// problem says what has to be set before a profile can be asked, if anything.
func (o *ModelOptions) problem(p config.Profile, c openai.Config) error {
	switch {
	case p.Key != "" && c.Key == "":
		return Errorf("the model %s needs a key, and $%s is not set: set it, choose another with --model, or reply yourself with --source manual", p.Name, p.Key)
	case c.Key != "" || c.BaseURL != "":
		if c.Model == "" {
			return Errorf("no model is named: use --model NAME, or set OPENAI_MODEL")
		}
		return nil
	case len(o.Config.Models) > 0:
		return Errorf("no model server is configured: choose a model of the configuration with --model, or name the usual one in it with model: %s", o.Config.Models[0].Name)
	default:
		return Errorf("no model server is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own")
	}
}
