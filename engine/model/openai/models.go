package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3/option"

	"playhead/engine/model"
)

// maxList is how much of a list of models is read, in bytes.
const maxList = 8 << 20

// Models lists the names of the models that the server has. An error that is model.ErrNoList says that the server
// answers and does not tell; any other, why it cannot be asked.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	if c.configError != nil {
		return nil, c.configError
	}
	var answer *http.Response
	err := c.api.Get(ctx, "models", nil, &answer, option.WithMiddleware(admitJSON))
	var names []string
	if err == nil {
		names, err = readModels(answer.Body)
	}
	var r *refusal
	switch k := (&call{Client: c}); {
	case err == nil, errors.Is(err, model.ErrNoList):
		return names, err
	case errors.As(err, &r) && !r.isFailure():
		return nil, fmt.Errorf("%w (%d)", model.ErrNoList, r.status)
	default:
		return nil, c.conf.safeError(k.explain(err))
	}
}

// isFailure reports whether a refused list means that replies will be refused, too. It is not one if
// the key is valid for replies only, or if the server has no list.
func (r *refusal) isFailure() bool {
	switch r.status {
	case http.StatusUnauthorized, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// admitJSON is HTTP middleware that lets answers through and turns errors into a refusal.
func admitJSON(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	answer, err := next(r)
	if err != nil || answer.StatusCode == http.StatusOK {
		return answer, err
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, maxErrorText)) // the status says enough
	return nil, &refusal{answer.StatusCode, answer.Header, text, readFault(text)}
}

// readModels reads a list of models. llama.cpp answers to any name, whatever it lists.
func readModels(body io.ReadCloser) ([]string, error) {
	defer body.Close()
	var list struct {
		Data []struct {
			ID    string
			Owner string `json:"owned_by"`
		}
	}
	if err := json.NewDecoder(io.LimitReader(body, maxList)).Decode(&list); err != nil || len(list.Data) == 0 {
		return nil, model.ErrNoList
	}
	names := make([]string, len(list.Data))
	for i, m := range list.Data {
		if m.Owner == "llamacpp" {
			return nil, model.ErrNoList
		}
		names[i] = m.ID
	}
	return names, nil
}

// HasModel reports whether a name is one of those that a server lists. Ollama lists the tag that a name without one means.
func HasModel(names []string, name string) bool {
	for _, n := range names {
		if n == name || strings.TrimSuffix(n, ":latest") == name {
			return true
		}
	}
	return false
}
