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
	"syscall"
	"time"
)

// explain says in words for a person why a call failed. What others said is in it as it came.
func (k *call) explain(err error) string {
	var r *refusal
	var sink *sinkError
	switch {
	case errors.As(err, &r):
		return k.explainRefusal(r)
	case errors.As(err, &sink):
		return "it cannot be kept: " + sink.Error()
	case errors.Is(err, bufio.ErrTooLong):
		return "the server sent a piece that is too long"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return k.base.Host + " closed the connection"
	}
	return k.explainConnection(err)
}

// explainConnection does so for what came from the network, and the rest.
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
		return "nothing answers at " + host + ": connection refused. Is the server running?"
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
