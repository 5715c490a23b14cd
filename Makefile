# `make demo` and `make test` set up everything they need in .venv, from Python, git and make alone.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready
PACK   := runtime/curated.cablepack

CODEC := $(VENV)/codec
CARGO := $(shell command -v cargo)
RUST  := cd codec-rs && PYO3_PYTHON=$(CURDIR)/$(BIN)/python cargo

.PHONY: demo test lint types unit native lint-native unit-native codec codec-wheel fuzz-codec evidence bench bench-peers fuzz differential goldens pack clean editors docs

demo: $(READY) $(PACK)
	$(BIN)/python -m cablese.bench.demo

# Everything in Python, and where there is cargo, the native part and everything with it.
test: lint types unit $(if $(CARGO),native)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/cablese fmt --check rules rules/extra

types: $(READY)
	$(BIN)/basedpyright

unit: $(READY) $(PACK)
	CABLESE_PURE=1 $(BIN)/pytest -n 2 -rs

native: lint-native unit-native

lint-native: $(READY)
	$(RUST) fmt --check
	$(RUST) clippy -q --all-targets -- -D warnings
	$(RUST) test -q

unit-native: $(CODEC) $(PACK)
	CABLESE_TEST_NATIVE=1 $(BIN)/pytest -n 2 -rs

# The optional native part, built for speed and installed into .venv. Needs cargo.
codec: $(CODEC)

$(CODEC): $(READY) codec-rs/Cargo.toml codec-rs/Cargo.lock codec-rs/pyproject.toml $(wildcard codec-rs/src/*.rs codec-rs/src/*/*.rs)
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop -q --release -m codec-rs/Cargo.toml
	touch $@

# Its wheel, installed into a fresh environment of each Python here that is new enough.
codec-wheel: $(READY)
	rm -rf build/wheels
	$(BIN)/maturin build -q --release -m codec-rs/Cargo.toml -i $(BIN)/python -o build/wheels
	$(BIN)/python -m tests.native.try_wheel build/wheels

# Its functions on inputs that a fuzzer makes up, FUZZ_SECONDS each. Needs cargo-fuzz and a nightly toolchain.
fuzz-codec:
	cd codec-rs && for target in $$(cargo +nightly fuzz list); do \
	  cargo +nightly fuzz run $$target -- -max_total_time=$(FUZZ_SECONDS) || exit 1; done

# Every test of every rule that ships, with every mutation of every example: some minutes.
evidence: $(READY) $(PACK)
	$(BIN)/cablese test rules

# Regenerates every golden: visible texts, token counts, rendered diagnostics.
goldens: $(READY) $(PACK)
	$(BIN)/pytest -n 2 --snapshot-update

bench: $(READY) $(PACK)
	$(BIN)/python -m cablese.bench

# Other compressors on the same inputs. Installs each into .venv/peers once: some 600 MB, most of it headroom-ai's.
bench-peers: $(READY) $(PACK)
	$(BIN)/python -m cablese.bench.peers

# Long runs, bounded in time: FUZZ_SECONDS each.
FUZZ_SECONDS ?= 60
fuzz: $(READY) $(PACK)
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS)

# The counters against tiktoken: a million random texts, and every code point in five contexts (some 40 minutes).
DIFFERENTIAL_SECONDS ?= 3600
differential: $(READY) $(if $(CARGO),$(CODEC))
	$(if $(CARGO),$(BIN)/python tests/tokens/long_differential.py --native --seconds $(DIFFERENTIAL_SECONDS))
	$(BIN)/python tests/tokens/long_differential.py --seconds $(DIFFERENTIAL_SECONDS)

# The engine of VS Code, with which the tests look at the colours of rule files. Needs npm.
editors: editors/node_modules/.package-lock.json

editors/node_modules/.package-lock.json: editors/package.json editors/package-lock.json
	npm ci --prefix editors --no-audit --no-fund
	touch $@

# The pages as a site, in build/site; a link that leads nowhere is an error.
docs: $(READY)
	$(BIN)/mkdocs build --strict

pack: $(PACK)

$(PACK): $(READY) $(wildcard rules/*.cable rules/*/*.cable rules/examples/*/* rules/extra/examples/*/* dsl/*.py dsl/*.lark compiler/*.py compiler/patterns/*.py)
	$(BIN)/python -m cablese.compiler.curated

$(READY): pyproject.toml setup.py
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	mkdir -p $(VENV)/paths && ln -sfn ../.. $(VENV)/paths/cablese
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info runtime/*.cablepack runtime/tokens/data/*.table
