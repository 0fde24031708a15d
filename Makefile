# What each target is for stands in CONTRIBUTING.md. Everything runs with Go alone; race also needs a C compiler.
GO       ?= go
FUZZTIME ?= 10s
RUNS     ?= 2000
SEED     ?= 1
CORPUS   ?= fixtures
SAMPLE   := fixtures/openhands/sample/native
# No version control state goes into a binary, so that it depends on the source alone.
BUILD    := -trimpath -buildvcs=false
# Packages whose tests can rewrite what they compare with.
UPDATES  = $(sort $(dir $(shell grep -rl --include='*_test.go' 'flag.Bool."update"' .)))

.PHONY: build demo test race vet lint golden docs docs-check fuzz chaos bench check clean

build:
	CGO_ENABLED=0 $(GO) build $(BUILD) -o bin/ctx ./cmd/ctx

demo: build
	@mkdir -p out
	bin/ctx convert $(SAMPLE) -o out/demo --check --force
	@echo
	bin/ctx validate out/demo

test:
	$(GO) test ./...

# The race detector links C code: without a compiler there is nothing to run, and this says so.
race:
	@if command -v "$$($(GO) env CC)" >/dev/null 2>&1; then \
	  echo "CGO_ENABLED=1 $(GO) test -race -timeout 20m ./..."; CGO_ENABLED=1 $(GO) test -race -timeout 20m ./...; \
	else echo "race: skipped, there is no C compiler ($$($(GO) env CC))"; fi

vet:
	$(GO) vet ./...

lint: vet
	$(GO) tool staticcheck ./...
	@bad=$$($(GO) tool gofumpt -l cmd converter formats internal registry schemas validator); \
	  if [ -n "$$bad" ]; then echo "not formatted with gofumpt:"; echo "$$bad"; exit 1; fi
	$(GO) test ./internal/layers

# Rewrites the expected files. Read every difference against the native data before you commit it.
golden:
	$(GO) test $(UPDATES) -run Golden -update

# Rewrites docs/rules.md, docs/entries.md and the transcript in README.md.
docs:
	$(GO) test ./cmd/ctx -run '^TestGeneratedDocs$$' -count=1 -update

docs-check:
	$(GO) test ./cmd/ctx -run '^TestGeneratedDocs$$' -count=1

fuzz:
	@set -e; for package in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
	    echo "$$package $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package; \
	  done; done

# Flags of a run are make variables. What breaks a law is kept below out/chaos.
chaos:
	@mkdir -p bin
	@CGO_ENABLED=0 $(GO) build $(BUILD) -o bin/chaos ./internal/chaos
	bin/chaos -runs $(RUNS) -seed $(SEED) -corpus $(CORPUS)

bench:
	$(GO) run ./internal/bench

# The expected files are compared by the tests themselves; fixtures-unchanged shows that no test wrote into them.
check: build
	@$(MAKE) --no-print-directory lint
	@before=$$(find fixtures docs -type f -exec cksum {} + | LC_ALL=C sort); \
	  $(MAKE) --no-print-directory test race docs-check && \
	  after=$$(find fixtures docs -type f -exec cksum {} + | LC_ALL=C sort); \
	  if [ "$$before" != "$$after" ]; then echo "check: fixtures or docs changed while the tests ran"; exit 1; fi
	@echo "check: ok"

clean:
	rm -rf bin out
