# Tasks of the eomc project itself: set up, test, lint, regenerate.
# Not the Makefile of emitted code (that one is written beside each emitted model) and no part of the installed package.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Not all of what is installed is compiled to bytecode, which takes as long as the rest: Python does so as it imports.
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile
WORKERS ?= 2

RUNTIME := $(VENV)/.installed-runtime
DEVELOPMENT := $(VENV)/.installed-development
DOCUMENTATION := $(VENV)/.installed-documentation

# The peers of `make bench` have an environment of their own: they are 2 GB, and choose versions of NumPy and LLVM.
PEERS := .venv-bench
BENCHMARK := $(PEERS)/.installed-bench

SECONDS ?= 60

unexport PYTHONDONTWRITEBYTECODE  # pytest would rewrite all tests anew in each worker, and each interpreter compile eomc

.DEFAULT_GOAL := help
.PHONY: help demo test fuzz install lint type format golden generated wheel bench docs clean ci

help:  ## print this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(RUNTIME)  ## derive, build and run a rolling disk and a spherical pendulum; writes a plot
	@$(BIN)/python docs/demo.py

test: $(DEVELOPMENT)  ## run all tests (sets up what is missing)
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

fuzz: $(DEVELOPMENT)  ## random mechanisms, trees and expressions against the reference and mpmath: make fuzz SECONDS=1200 SEED=0
	@$(BIN)/python tests/fuzz/campaign.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

install: $(DEVELOPMENT)  ## make .venv and install eomc in it, editable, with the tools of a developer

lint: $(DEVELOPMENT)  ## ruff: rules and format, nothing is changed
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

type: $(DEVELOPMENT)  ## mypy, strict
	@$(BIN)/mypy

format: $(DEVELOPMENT)  ## ruff: mend what can be mended, format
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

golden: $(DEVELOPMENT)  ## compare what is emitted with generated/
	@$(BIN)/python -m pytest tests/golden

generated: $(RUNTIME)  ## rewrite generated/ and the C in README.md
	@$(BIN)/python tests/golden/regenerate.py

wheel: $(DEVELOPMENT)  ## build dist/*.whl, install it in a clean venv, render one model there
	@rm -rf dist
	@$(BIN)/python -m hatchling build -t wheel -d dist
	@EOMC_WHEEL=$$(echo dist/*.whl) $(BIN)/python -m pytest tests/project/test_packaging.py

bench: $(BENCHMARK)  ## eomc beside its peers, one table: make bench ROWS="panda ur5" FIGURES="rhs jacobian" FLAGS=c99
	@$(PEERS)/bin/python benchmarks/table.py $(if $(ROWS),--rows "$(ROWS)") $(if $(FIGURES),--columns "$(FIGURES)") \
	  $(if $(FLAGS),--flags $(FLAGS)) $(if $(MATH),--math $(MATH)) $(if $(LIMIT),--limit $(LIMIT)) $(if $(AGAIN),--again) $(if $(OUTPUT),--output "$(OUTPUT)")

docs: $(DOCUMENTATION)  ## build the documentation into build/docs/html; needs node and KaTeX
	@$(BIN)/python docs/site/build.py build/docs

clean:  ## remove what was built; keeps .venv and .venv-bench
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find generator tests docs benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

ci:  ## everything that must hold before a change lands; make ci STAGE=fuzz: one long proof whole
	@bash .ci/run $(STAGE)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "eomc needs Python 3.11 or newer; say which with: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "$(PYTHON) -m venv failed; on Debian: apt-get install python3-venv" >&2; rm -rf $(VENV); exit 1; }

$(RUNTIME): pyproject.toml | $(BIN)/python
	@echo "installing eomc into $(VENV)"
	@$(INSTALL) --editable '.[plot]'
	@touch $@

$(DEVELOPMENT): pyproject.toml | $(BIN)/python
	@echo "installing eomc and its developer's tools into $(VENV)"
	@$(INSTALL) --editable '.[dev]'
	@touch $(RUNTIME) $@

$(DOCUMENTATION): pyproject.toml | $(BIN)/python
	@echo "installing eomc and what builds its documentation into $(VENV)"
	@$(INSTALL) --editable '.[docs]'
	@touch $(RUNTIME) $@

$(BENCHMARK): pyproject.toml
	@echo "installing eomc and its peers into $(PEERS)"
	@[ -x $(PEERS)/bin/python ] || $(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip --disable-pip-version-check install --quiet --editable '.[plot]'
	@$(PEERS)/bin/python benchmarks/install_peers.py $@
