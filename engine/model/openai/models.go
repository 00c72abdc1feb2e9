package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/openai/openai-go/v3/option"

	"playhead/engine/model"
)

// maxModelListBytes limits how much of a list of models is read, in bytes.
const maxModelListBytes = 8 << 20

// ListModels implements model.Server.
func (c *Client) ListModels(ctx context.Context) ([]string, error) {
	if c.configError != nil {
		return nil, c.configError
	}
	var answer *http.Response
	err := c.apiClient.Get(ctx, "models", nil, &answer, option.WithMiddleware(rejectErrorStatus))
	var names []string
	if err == nil {
		names, err = parseModelList(answer.Body)
	}
	var r *serverError
	switch {
	case err == nil, errors.Is(err, model.ErrNoModelList):
		return names, err
	case errors.As(err, &r) && !r.affectsReplies():
		return nil, fmt.Errorf("%w (%d)", model.ErrNoModelList, r.httpStatus)
	default:
		return nil, c.config.safeError((&modelCall{Client: c}).explainError(err))
	}
}

// affectsReplies reports whether the refusal of a list means that replies will be refused too. The key may
// be valid only for replies, or the server may have no list.
func (s *serverError) affectsReplies() bool {
	switch s.httpStatus {
	case http.StatusUnauthorized, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// rejectErrorStatus is HTTP middleware that lets answers with status 200 through and turns all others into a
// serverError.
func rejectErrorStatus(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	answer, err := next(r)
	if err != nil || answer.StatusCode == http.StatusOK {
		return answer, err
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, maxErrorBytes)) // without the text, the status still explains the error
	return nil, &serverError{answer.StatusCode, answer.Header, text, parseErrorDetails(text)}
}

// parseModelList reads a list of models. It ignores the list of llama.cpp, which accepts any name.
func parseModelList(body io.ReadCloser) ([]string, error) {
	defer body.Close()
	var list struct {
		Data []struct {
			ID    string
			Owner string `json:"owned_by"`
		}
	}
	if err := json.NewDecoder(io.LimitReader(body, maxModelListBytes)).Decode(&list); err != nil || len(list.Data) == 0 {
		return nil, model.ErrNoModelList
	}
	names := make([]string, len(list.Data))
	for i, m := range list.Data {
		if m.Owner == "llamacpp" {
			return nil, model.ErrNoModelList
		}
		names[i] = m.ID
	}
	return names, nil
}
