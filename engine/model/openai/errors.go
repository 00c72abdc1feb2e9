package openai

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"playhead/engine/logs"
	"playhead/engine/model"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// explainError returns why a call failed, for a person. Text from the server is not sanitized: callers pass
// the result to safeError.
func (m *modelCall) explainError(err error) string {
	var r *serverError
	var output *outputError
	switch {
	case errors.As(err, &r):
		return m.explainServerError(r)
	case errors.As(err, &output):
		return "the reply cannot be stored: " + output.Error()
	case errors.Is(err, bufio.ErrTooLong):
		return "one chunk of the server's reply is too long"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return m.baseURL.Host + " closed the connection"
	}
	return m.explainConnection(err)
}

// explainConnection explains network errors. Other errors remain as they are, without their URL.
func (m *modelCall) explainConnection(err error) string {
	host := m.baseURL.Host
	var unknown *net.DNSError
	var untrusted *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	var sending *url.Error
	switch {
	case errors.As(err, &unknown):
		return "the host " + unknown.Name + " was not found: " + unknown.Err
	case errors.Is(err, syscall.ECONNREFUSED):
		return "no server answers at " + host + ": connection refused (is the server running?)"
	case errors.As(err, &untrusted):
		return "the certificate of " + host + " is not trusted: " + untrusted.Err.Error()
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &plain):
		return host + " does not speak TLS: should the base URL begin with http://?"
	case errors.Is(err, errConnectTimeout), errors.As(err, &sending) && sending.Timeout():
		return "no connection to " + host + " within " + formatSeconds(m.config.ConnectTimeout)
	}
	return removeURLFromError(err).Error()
}

// removeURLFromError returns an error without its HTTP method and URL, because the URL may contain a password.
func removeURLFromError(err error) error {
	var sending *url.Error
	if errors.As(err, &sending) {
		return sending.Err
	}
	return err
}

// formatSeconds returns a duration in seconds as text.
func formatSeconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}

// withDetail adds the message of a server to a text.
func withDetail(text, detail string) string {
	if detail == "" {
		return text
	}
	return fmt.Sprintf("%s: %s", text, detail)
}

const maxErrorChars = 299 // characters before an ellipsis

// safeError returns an error with a text that may come from a server: one line of at most maxErrorChars
// characters, without control characters and without the API key. It removes the key before it cuts
// the text, because otherwise half a key could remain.
func (c config) safeError(text string) error {
	if !logs.IsShortSecret(c.APIKey) {
		text = logs.NewSecrets([]string{c.APIKey, url.QueryEscape(c.APIKey)}).MaskText(text)
	}
	return errors.New(plan.CutText(collapseSpaces(sanitize.Plain(text)), maxErrorChars))
}

func collapseSpaces(line string) string { return strings.Join(strings.Fields(line), " ") }

// explainServerError explains an answer that is not a reply.
func (m *modelCall) explainServerError(r *serverError) string {
	message := r.details.message
	switch r.httpStatus {
	case 0:
		return withDetail("the server reports an error", message)
	case http.StatusOK:
		return withDetail("the server sent "+r.contentType()+" instead of a stream", message)
	case http.StatusUnauthorized:
		if m.config.APIKey == "" {
			return withDetail("the server asks for an API key, but none is set (set OPENAI_API_KEY, or set \"key\" in the configuration file to the name of another environment variable)", message)
		}
		return withDetail("the server does not accept the API key", message)
	case http.StatusForbidden:
		return withDetail("the server does not allow this request (403)", message)
	case http.StatusNotFound:
		return m.explainNotFound(r)
	case http.StatusTooManyRequests:
		return m.explainRateLimit(r)
	}
	return withDetail(statusText(r), message)
}

// statusText describes a status that needs no explanation beyond its number.
func statusText(r *serverError) string {
	switch {
	case r.httpStatus >= 500:
		return fmt.Sprintf("the server failed (%d)", r.httpStatus)
	case r.httpStatus >= 400:
		return fmt.Sprintf("the server refuses the request (%d)", r.httpStatus)
	case r.httpStatus >= 300:
		return fmt.Sprintf("the server redirects (%d) to %s (check the base URL)", r.httpStatus, r.header.Get("Location"))
	}
	return fmt.Sprintf("the server answered with status %d", r.httpStatus)
}

// explainNotFound explains a 404: the server has no such model, or no such path.
func (m *modelCall) explainNotFound(r *serverError) string {
	if r.details.isStandard && strings.Contains(strings.ToLower(r.details.message), "model") {
		return withDetail(fmt.Sprintf("the server has no model %q", m.request.ModelName), r.details.message)
	}
	at := model.ServerConfig{BaseURL: m.baseURL.JoinPath("chat/completions").String()}.PublicURL()
	return withDetail("there is nothing at "+at+" (404; check the base URL, which usually ends in /v1)", r.details.message)
}

func (m *modelCall) explainRateLimit(r *serverError) string {
	if r.isOutOfQuota() {
		return withDetail("the account has no credit left", r.details.message)
	}
	if retryAfter(r) > maxRetryPause {
		return withDetail("the server limits requests (429) and demands a pause of more than 10 minutes", r.details.message)
	}
	return withDetail("the server limits requests (429)", r.details.message)
}

// contentType returns the content type of an answer without its parameters.
func (s *serverError) contentType() string {
	kind, _, _ := strings.Cut(s.header.Get("Content-Type"), ";")
	if kind == "" {
		return "a response without a content type"
	}
	return kind
}

// isTemporary reports whether a later attempt may succeed, because the server was busy, the server
// failed or the connection failed.
func isTemporary(err error) bool {
	var r *serverError
	if errors.As(err, &r) {
		return r.isTemporary()
	}
	var untrusted *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	switch {
	case errors.As(err, &untrusted), errors.As(err, &plain), errors.Is(err, http.ErrSchemeMismatch):
		return false
	case errors.Is(err, errIncompleteReply), errors.Is(err, io.ErrUnexpectedEOF):
		return true
	}
	var sending *url.Error // a *url.Error is a net.Error too
	var network net.Error
	return errors.As(err, &sending) || errors.As(err, &network)
}

func (s *serverError) isTemporary() bool {
	switch s.httpStatus {
	case http.StatusTooManyRequests:
		return !s.isOutOfQuota()
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return s.httpStatus == http.StatusRequestTimeout || s.httpStatus >= http.StatusInternalServerError
}

// isOutOfQuota reports whether the account has no credit left. Hosted servers report this with the same
// status as being busy.
func (s *serverError) isOutOfQuota() bool { return s.details.code == "insufficient_quota" }
