package config

import (
	"math"
	"time"

	"go.yaml.in/yaml/v3"
)

// Profile is a model on a server, by a name of the person's choice. The zero value of a
// field is the default.
type Profile struct {
	Name        string
	BaseURL     string   // empty: the server that the environment names
	Key         string   // the name of an environment variable, never the key itself
	Model       string   // as the server calls it
	Price       *Price   // nil: not known
	Temperature *float64 // nil: the server's own
	MaxTokens   int      // of a reply
	Connect     time.Duration
	Silence     time.Duration // how long the server may send nothing
}

// Price is what a million tokens cost, in USD.
type Price struct {
	In, Out float64
}

// Of is what a reply costs, in USD to nine places.
func (p Price) Of(in, out int) float64 {
	millionths := float64(in)*p.In + float64(out)*p.Out
	return math.Round(millionths*1e3) / 1e9
}

// models reads the profiles.
func (c *Config) models(r *reader, _ string, n *yaml.Node) {
	r.each(n, func(key, value *yaml.Node) {
		p := Profile{Name: key.Value}
		if p.Name == "" {
			r.problem(key, "a profile has a name")
		}
		if r.mapping(value, p.fields()) && !has(value, "model") {
			r.problem(key, p.Name+": a profile says which model it is: model: NAME")
		}
		c.Models = append(c.Models, p)
	})
}

func (p *Profile) fields() table {
	return table{
		"base_url":    set(&p.BaseURL, address),
		"key":         set(&p.Key, variable),
		"model":       set(&p.Model, text),
		"price":       p.price,
		"temperature": set(&p.Temperature, optional(temperature)),
		"max_tokens":  set(&p.MaxTokens, count),
		"timeout": func(r *reader, _ string, n *yaml.Node) {
			r.mapping(n, table{"connect": set(&p.Connect, duration), "silence": set(&p.Silence, duration)})
		},
	}
}

func (p *Profile) price(r *reader, key string, n *yaml.Node) {
	p.Price = &Price{}
	parts := table{"in": set(&p.Price.In, amount), "out": set(&p.Price.Out, amount)}
	if r.mapping(n, parts) && !(has(n, "in") && has(n, "out")) {
		r.problem(n, key+": what is sent and what is received both have a price: {in: 0.15, out: 0.60}")
	}
}
