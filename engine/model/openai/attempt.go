package openai

import (
	"context"
	"net/http"

	"github.com/openai/openai-go/v3/option"
)

// attempt asks the server once and reads what it sends. The error is raw.
func (k *call) attempt(ctx context.Context) error {
	params, err := k.wording.params(k.conf, k.request)
	if err != nil {
		return err
	}
	ctx, watch := listen(ctx, k.conf.Silence)
	defer watch.stop()
	var answer *http.Response
	err = k.api.Post(ctx, "chat/completions", params, &answer,
		option.WithJSONSet("stream", true),
		option.WithHeader("Accept", "text/event-stream"),
		option.WithMiddleware(admit, watch.hear))
	if err == nil {
		err = k.read(answer)
	}
	if err != nil && watch.silent(ctx) {
		return &silence{k.conf.Silence}
	}
	return err
}
