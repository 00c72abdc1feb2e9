package openai

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
)

// passes reports whether an error may be gone in a while: the server is busy or has failed, or
// the connection has.
func passes(err error) bool {
	var r *refusal
	if errors.As(err, &r) {
		return r.passes()
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

func (r *refusal) passes() bool {
	switch r.status {
	case http.StatusTooManyRequests:
		return !r.spent()
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return r.status == http.StatusRequestTimeout || r.status >= http.StatusInternalServerError
}

// spent reports whether it is an account that has nothing left, which hosted servers tell as
// if they were busy.
func (r *refusal) spent() bool { return r.said.code == "insufficient_quota" }
