# What people and CI run. Needs Go and a POSIX shell, nothing else.

GO       ?= go
BIN      := bin/playhead
FUZZTIME ?= 20s
CASES    ?=

# The race detector needs a C compiler; without one the tests run without it.
RACE := $(if $(filter 1,$(shell $(GO) env CGO_ENABLED)),-race)

.PHONY: build test bench lint conformance fuzz screens clean

build:
	$(GO) build -o $(BIN) ./cmd/playhead

# A program under the race detector waits a second before it exits, and the tests
# start hundreds: GORACE shortens that. GOGC saves collections that short programs, and the
# linker, do not need. Tests wait for these programs, so more of them run at once, and in one
# package more, than there are cores. A machine that is busy or slow gets its time. lint runs go vet.
PACKAGES := $(or $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null) + 1 2>/dev/null),2)

test:
	GORACE=atexit_sleep_ms=10 GOGC=400 $(GO) test $(RACE) -vet=off -p $(PACKAGES) -parallel 4 -timeout 30m ./...

# bench measures with the heap setting that the program gives itself (main.go).
bench:
	GOGC=150 $(GO) test -p 1 -run '^$$' -bench . -benchmem ./...

lint:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not gofmt-ed:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# conformance needs a folder of documents: make conformance CASES=path/to/cases
conformance:
	@test -d "$(CASES)/rundown" || { echo "usage: make conformance CASES=DIR, with DIR/rundown/valid and DIR/rundown/invalid"; exit 2; }
	CASES="$(abspath $(CASES))" $(GO) test -count=1 -run '^TestConformance$$' -v ./cmd/playhead ./parse/... ./engine/machine

# fuzz runs every fuzz target of the module for FUZZTIME.
fuzz:
	@for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "== $$pkg $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
	  done; \
	done

# screens takes the screens of README.md and docs/debugging.md anew. Needs tmux.
screens: build
	docs/screen README.md docs/debugging.md

clean:
	rm -rf bin
