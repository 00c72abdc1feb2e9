package setup

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"playhead/engine/config"
	"playhead/engine/model"
	"playhead/parse/near"
)

// Endpoints are the models that can be asked: those that the configuration names, and a default.
type Endpoints struct {
	profileNames []string
	ByName       map[string]*Endpoint
	Default      *Endpoint
}

// An Endpoint is a server and the model that it is asked for if a request names no other.
type Endpoint struct {
	Profile        config.Profile
	APIKeyVariable string // the name of the variable with the key; empty: no key is sent
	Config         model.ServerConfig
	server         func() model.Server // makes the client of the server, once
	Err            error               // why it cannot be asked
}

// Endpoints returns the endpoints from the settings, the flags and the environment.
func (o *ModelOptions) Endpoints() *Endpoints {
	all := &Endpoints{ByName: map[string]*Endpoint{}}
	for _, p := range o.Config.Profiles {
		all.profileNames = append(all.profileNames, p.Name)
		all.ByName[p.Name] = o.newEndpoint(p)
	}
	all.Default = o.newEndpoint(o.defaultProfile())
	return all
}

// ProfileNames returns the names of the profiles, in the order of the configuration.
func (endpoints *Endpoints) ProfileNames() []string { return endpoints.profileNames }

// Source returns a source that asks the named profile, or the default model for "". If a document
// names a model, that takes precedence: as the name of a profile, else as a model of the same
// server.
func (endpoints *Endpoints) Source(name string) (model.ReplySource, error) {
	e, err := endpoints.Default, error(nil)
	if name != "" {
		e, err = endpoints.endpointNamed(name)
	}
	if err != nil {
		return nil, err
	}
	return endpointReplySource{endpoints, e}, e.Err
}

// endpointNamed returns the endpoint with a name of the configuration.
func (endpoints *Endpoints) endpointNamed(name string) (*Endpoint, error) {
	e := endpoints.ByName[name]
	if e == nil {
		return nil, Errorf("the configuration has no model %q: %s", name, near.Suggestion(name, endpoints.ProfileNames()))
	}
	return e, nil
}

// endpointReplySource asks one endpoint, and other endpoints that requests name.
type endpointReplySource struct {
	*Endpoints
	endpoint *Endpoint
}

// Reply implements model.ReplySource.
func (s endpointReplySource) Reply(ctx context.Context, r model.Request, out io.Writer) model.Reply {
	e, name, unmapped := s.endpointFor(s.endpoint, r.ModelName, r.IsModelAlias)
	if e.Err != nil {
		return model.Reply{Err: e.Err}
	}
	r.ModelName = name
	reply := e.server().Reply(ctx, r, out)
	if price := e.Profile.Price; price != nil && r.ModelName == e.Profile.ModelName && reply.InputTokens+reply.OutputTokens > 0 {
		cost := price.CostOf(reply.InputTokens, reply.OutputTokens)
		reply.CostUSD = &cost
	}
	if unmapped != "" {
		reply.OncePerRunWarnings = append(reply.OncePerRunWarnings, fmt.Sprintf("the configuration has no model %s: %s is asked instead", unmapped, name))
	}
	return reply
}

// endpointFor returns the endpoint for a request, and the model's name on that server. own is asked
// for models that are not profiles. If alias is set, such a name means nothing to a server, so
// own's model is asked and unmapped is the name.
func (endpoints *Endpoints) endpointFor(own *Endpoint, name string, alias bool) (e *Endpoint, model, unmapped string) {
	if e := endpoints.ByName[name]; e != nil {
		return e, e.Profile.ModelName, ""
	}
	if alias && name != "" {
		return own, own.Profile.ModelName, name
	}
	return own, cmp.Or(name, own.Profile.ModelName), ""
}

// hasServer reports whether a server is configured, even one without a model.
func (o *ModelOptions) hasServer() bool {
	return o.defaultProfile().Name != "" || o.BaseURL != "" || os.Getenv("OPENAI_BASE_URL") != "" || os.Getenv("OPENAI_API_KEY") != ""
}

// flagReplySource returns the reply source that the flags choose, directly or by naming a model, "" if
// they choose none.
func (o *ModelOptions) flagReplySource() string {
	if o.ReplySource == "" && (o.Model != "" || o.BaseURL != "") {
		return serverReplySourceName
	}
	return o.ReplySource
}

// chosenReplySource returns the reply source that the flags, the configuration or the environment
// choose, "" if they choose none.
func (o *ModelOptions) chosenReplySource() string {
	if name := o.flagReplySource(); name != "" || !o.hasServer() || o.defaultProfile().ModelName == "" {
		return name
	}
	return serverReplySourceName
}

// asksServer reports whether the first reply source is a server.
func (o *ModelOptions) asksServer() bool {
	kind, _, _ := strings.Cut(o.chosenReplySource(), ":")
	return kind == serverReplySourceName
}

// defaultModelReplySource returns a reply source that asks the default model of the configuration.
func (o *ModelOptions) defaultModelReplySource() (model.ReplySource, error) {
	return o.Endpoints().Source("")
}

// defaultProfile returns the profile to ask if a request names none: that of --model, of the
// configuration or of the environment. A model without a profile belongs to the server that would
// be asked otherwise.
func (o *ModelOptions) defaultProfile() config.Profile {
	name := o.defaultModel()
	p, own := o.Config.ProfileNamed(name)
	if !own {
		p, _ = o.Config.ProfileNamed(o.Config.DefaultModel)
		p.ModelName = name
		p.Price = nil
	}
	if o.BaseURL != "" {
		p.BaseURL = ""
	}
	return p
}

// defaultModel returns the name of the model to ask if a request names none, "" if there is none.
func (o *ModelOptions) defaultModel() string {
	return cmp.Or(o.Model, o.Config.DefaultModel, os.Getenv("OPENAI_MODEL"))
}

// apiKeyVariables returns the names of the environment variables that hold keys, except keys that are only
// sent to servers on this machine.
func (o *ModelOptions) apiKeyVariables() []string {
	var names []string
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasSuffix(name, "_API_KEY") {
			names = append(names, name)
		}
	}
	names = append(names, o.Config.APIKeyVariables()...)
	local := map[string]bool{}
	for _, p := range append([]config.Profile{{}, o.defaultProfile()}, o.Config.Profiles...) { // the empty profile is that of the environment
		e := o.newEndpoint(p)
		before, known := local[e.APIKeyVariable]
		local[e.APIKeyVariable] = e.Config.IsLocal() && (before || !known)
	}
	return slices.DeleteFunc(names, func(name string) bool { return local[name] })
}

// newEndpoint completes a profile from flags and environment. The environment's key is sent only to
// the environment's server.
func (o *ModelOptions) newEndpoint(p config.Profile) *Endpoint {
	e := &Endpoint{Profile: p, APIKeyVariable: p.APIKeyVariable}
	c := model.ServerConfig{
		BaseURL: p.BaseURL, DefaultModel: p.ModelName,
		Temperature: cmp.Or(o.Temperature, p.Temperature), MaxReplyTokens: cmp.Or(o.MaxTokens, p.MaxReplyTokens),
		ConnectTimeout: p.ConnectTimeout, SilenceTimeout: p.SilenceTimeout,
	}
	if p.BaseURL == "" {
		c.BaseURL = cmp.Or(o.BaseURL, os.Getenv("OPENAI_BASE_URL"))
		e.APIKeyVariable = cmp.Or(p.APIKeyVariable, "OPENAI_API_KEY")
	}
	c.APIKey = os.Getenv(e.APIKeyVariable)
	e.Config, e.Err = c, o.endpointProblem(p, c)
	e.server = sync.OnceValue(func() model.Server { return o.NewModelServer(c) })
	return e
}

var errNoModelNamed = Errorf("no default model is configured: use --model NAME, or set OPENAI_MODEL")

// endpointProblem returns an error that says what has to be set before a profile can be asked, nil if
// nothing.
func (o *ModelOptions) endpointProblem(p config.Profile, c model.ServerConfig) error {
	switch {
	case p.APIKeyVariable != "" && c.APIKey == "":
		return Errorf("the model %s needs an API key, but $%s is not set: set it, choose another model with --model, or reply yourself with --source manual", p.Name, p.APIKeyVariable)
	case c.APIKey != "" || c.BaseURL != "":
		if c.DefaultModel == "" {
			return errNoModelNamed
		}
		return nil
	case len(o.Config.Profiles) > 0:
		return Errorf("no default model is configured: choose a model with --model, or write \"model: %s\" into the configuration file", o.Config.Profiles[0].Name)
	default:
		return Errorf("no model server is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own")
	}
}
