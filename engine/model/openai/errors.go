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
	"playhead/engine/sanitize"
)

// explain returns the reason why a call failed, for a person. Text of the server is not sanitized:
// callers pass it to safeError.
func (k *call) explain(err error) string {
	var r *refusal
	var sink *sinkError
	switch {
	case errors.As(err, &r):
		return k.explainRefusal(r)
	case errors.As(err, &sink):
		return "it cannot be stored: " + sink.Error()
	case errors.Is(err, bufio.ErrTooLong):
		return "the server sent a piece that is too long"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return k.base.Host + " closed the connection"
	}
	return k.explainConnection(err)
}

// explainConnection explains network errors. Other errors lose only their URL.
func (k *call) explainConnection(err error) string {
	host := k.base.Host
	var unknown *net.DNSError
	var untrusted *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	var sending *url.Error
	switch {
	case errors.As(err, &unknown):
		return "the host " + unknown.Name + " is not found: " + unknown.Err
	case errors.Is(err, syscall.ECONNREFUSED):
		return "no server answers at " + host + ": connection refused. Is the server running?"
	case errors.As(err, &untrusted):
		return "the certificate of " + host + " is not trusted: " + untrusted.Err.Error()
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &plain):
		return host + " does not speak TLS: should the base URL begin with http://?"
	case errors.Is(err, errConnect), errors.As(err, &sending) && sending.Timeout():
		return "no connection to " + host + " within " + seconds(k.conf.Connect)
	}
	return unwrapURL(err).Error()
}

// unwrapURL takes off the method and URL, in which there may be a password.
func unwrapURL(err error) error {
	var sending *url.Error
	if errors.As(err, &sending) {
		return sending.Err
	}
	return err
}

// seconds writes a limit.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}

// withDetail adds what a server said to what we say.
func withDetail(text, detail string) string {
	if detail == "" {
		return text
	}
	return fmt.Sprintf("%s: %s", text, detail)
}

const longestError = 300 // characters

// safeError makes an error of a text that may come from a server: one line, without control
// characters and without the key, at most longestError long. It removes the key before it cuts,
// because half a key would remain.
func (c Config) safeError(text string) error {
	if !logs.Short(c.Key) {
		text = logs.NewSecrets([]string{c.Key, url.QueryEscape(c.Key)}).Text(text)
	}
	line := oneSpaced(sanitize.Plain(text))
	if runes := []rune(line); len(runes) > longestError {
		line = string(runes[:longestError-1]) + "…"
	}
	return errors.New(line)
}

func oneSpaced(line string) string { return strings.Join(strings.Fields(line), " ") }

// explainRefusal explains an answer that is not a reply.
func (k *call) explainRefusal(r *refusal) string {
	message := r.fault.message
	switch r.status {
	case 0:
		return withDetail("the server reports an error", message)
	case http.StatusOK:
		return withDetail("the server did not send a stream but "+r.kind(), message)
	case http.StatusUnauthorized:
		if k.conf.Key == "" {
			return withDetail("the server asks for a key, and none is set", message)
		}
		return withDetail("the server does not accept the key", message)
	case http.StatusForbidden:
		return withDetail("the server does not allow it", message)
	case http.StatusNotFound:
		return k.explainMissing(r)
	case http.StatusTooManyRequests:
		return k.explainBusy(r)
	}
	return withDetail(statusText(r), message)
}

// statusText describes a status that needs no explanation beyond its number.
func statusText(r *refusal) string {
	switch {
	case r.status >= 500:
		return fmt.Sprintf("the server failed (%d)", r.status)
	case r.status >= 400:
		return fmt.Sprintf("the server refuses the request (%d)", r.status)
	case r.status >= 300:
		return fmt.Sprintf("the server redirects elsewhere (%d), %s: is the base URL right?", r.status, r.header.Get("Location"))
	}
	return fmt.Sprintf("the server answered with status %d", r.status)
}

// explainMissing explains a 404: the server has no such model, or no such path.
func (k *call) explainMissing(r *refusal) string {
	if r.fault.isStandard && strings.Contains(strings.ToLower(r.fault.message), "model") {
		return withDetail(fmt.Sprintf("the server has no model %q", k.request.Model), r.fault.message)
	}
	at := hidePassword(k.base.JoinPath("chat/completions"))
	return withDetail("there is nothing at "+at+" (404), and base URLs mostly end in /v1", r.fault.message)
}

func (k *call) explainBusy(r *refusal) string {
	if r.isOutOfQuota() {
		return withDetail("the account has no credit left", r.fault.message)
	}
	if retryAfter(r) > longestPause {
		return withDetail("the server limits requests (429) and asks to wait for more than 10 minutes", r.fault.message)
	}
	return withDetail("the server limits requests (429)", r.fault.message)
}

// kind returns the content type of an answer without its parameters.
func (r *refusal) kind() string {
	kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	if kind == "" {
		return "something else"
	}
	return kind
}

// isTemporary reports whether an error may be gone in a while: the server is busy or has failed, or
// the connection has.
func isTemporary(err error) bool {
	var r *refusal
	if errors.As(err, &r) {
		return r.isTemporary()
	}
	var untrusted *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	switch {
	case errors.As(err, &untrusted), errors.As(err, &plain), errors.Is(err, http.ErrSchemeMismatch):
		return false
	case errors.Is(err, errEarly), errors.Is(err, io.ErrUnexpectedEOF):
		return true
	}
	var sending *url.Error // which is a net.Error too
	var network net.Error
	return errors.As(err, &sending) || errors.As(err, &network)
}

func (r *refusal) isTemporary() bool {
	switch r.status {
	case http.StatusTooManyRequests:
		return !r.isOutOfQuota()
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return r.status == http.StatusRequestTimeout || r.status >= http.StatusInternalServerError
}

// isOutOfQuota reports whether it is an account that has nothing left, which hosted servers tell as
// if they were busy.
func (r *refusal) isOutOfQuota() bool { return r.fault.code == "insufficient_quota" }
