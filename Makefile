# Eight verbs. Each sets up what it needs: a virtual environment in .venv, from PyPI.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: demo test soak conformance bench docs lint build

# A source distribution cannot hold links to folders: there they are made.
FOLDERS := $(addprefix src/morenashi/,server indexer migrations)

$(FOLDERS):
	ln -s ../../$(@F) $@

src/morenashi/dictionaries:
	ln -s ../../data/$(@F) $@

$(VENV)/.base: pyproject.toml | $(FOLDERS) src/morenashi/dictionaries
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.test: $(VENV)/.base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group test
	touch $@

$(VENV)/.bench: $(VENV)/.base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	touch $@

demo: $(VENV)/.base
	$(BIN)/python -m benchmarks.demo

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Compiled once, and not by each of the workers that start at the same time.
test: lint
	$(BIN)/python -m compileall -q server indexer
	$(BIN)/python -m pytest

soak: $(VENV)/.test
	$(BIN)/python -m pytest --soak -o faulthandler_timeout=3600

# The official suite and the Inspector, from npm; with AGENTS=1 Claude Code and Codex as well.
conformance: $(VENV)/.test
	cd tests/conformance && npm install --no-audit --no-fund --no-package-lock
	$(if $(AGENTS),cd tests/conformance/agents && npm install --no-audit --no-fund --no-package-lock)
	$(BIN)/python -m pytest -n 0 -rs --conformance tests/conformance

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/.base
	$(BIN)/python -m docs.generate

build: $(VENV)/.test
	$(BIN)/python -m build
	$(BIN)/python deploy/bundle.py dist/morenashi-$$($(BIN)/morenashi --version | cut -d' ' -f2)-py3-none-any.whl
