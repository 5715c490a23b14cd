# `make demo` and `make test` set up everything they need in .venv, from Python, git and make alone.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready
PACK   := runtime/curated.cablepack

CODEC := $(VENV)/codec

.PHONY: demo test lint types unit codec evidence bench bench-peers fuzz differential goldens record pack clean editors

demo: $(READY) $(PACK)
	$(BIN)/python -m cablese.bench.demo

test: lint types unit

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/cablese fmt --check rules rules/extra

types: $(READY)
	$(BIN)/basedpyright

unit: $(READY) $(PACK)
	$(BIN)/pytest -n 2 -rs

# The optional native part, built for speed and installed into .venv. Needs cargo.
codec: $(CODEC)

$(CODEC): $(READY) codec-rs/Cargo.toml codec-rs/Cargo.lock codec-rs/pyproject.toml $(wildcard codec-rs/src/*.rs codec-rs/src/*/*.rs)
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop -q --release -m codec-rs/Cargo.toml
	touch $@

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

# The counter against tiktoken: a million random texts, and every code point in five contexts (some 40 minutes).
DIFFERENTIAL_SECONDS ?= 3600
differential: $(READY)
	$(BIN)/python tests/tokens/long_differential.py --seconds $(DIFFERENTIAL_SECONDS)

# The engine of VS Code, with which the tests look at the colours of rule files. Needs npm.
editors: editors/node_modules/.package-lock.json

editors/node_modules/.package-lock.json: editors/package.json editors/package-lock.json
	npm ci --prefix editors --no-audit --no-fund
	touch $@

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
