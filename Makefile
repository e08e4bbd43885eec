# `make site` and `make test` do all set-up themselves; `make help` lists the rest.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-builtin-rules --no-print-directory
# Without compiled code every process, and each worker of the tests, compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check --no-input

# A text file that is opened without its encoding is a warning, and so a fault, in all tests.
WARNED := PYTHONWARNDEFAULTENCODING=1

# How many damaged exports `make fuzz` reads, and how often `make reproduce` kills each command.
MUTATIONS ?= 10000
KILLS ?= 50

# Which parts of `make truth` are asked for: all of them, unless some are named.
NO_CLAIMS = $(if $(PARTS),$(filter-out claims,$(PARTS)),all)
CLAIMS = $(if $(PARTS),$(filter claims,$(PARTS)),all)

.PHONY: help site docs test test-all engines live lint format messages mutants pictures bench coverage truth power fuzz reproduce \
    lowest newest lock app release clean
.DEFAULT_GOAL := help

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

site: $(VENV)/.runtime ## Build campaigns/ into site/
	@$(BIN)/reportgen build

test: site lint ## Build the site, then run the linters and the quick tests, those in Chromium too
	@.ci/chromium $(BIN)/python
	@$(WARNED) $(BIN)/pytest -n auto --dist worksteal -m "not slow and not elsewhere and not live"

test-all: site $(VENV)/.tests ## Run the tests that `make test` leaves out: slow ones, gamma, LaTeX, more examples of properties
	@.ci/chromium $(BIN)/python
	@.ci/latex
	@.ci/validators $(VENV)
	@$(WARNED) REPORTGEN_INSTALL=1 $(BIN)/pytest -n auto --dist worksteal -m "(slow or hypothesis) and not elsewhere and not live" \
	    --hypothesis-profile=thorough

engines: $(VENV)/.engines ## Count on Spark and in PostgreSQL what is counted here, and compare the bytes
	@.ci/engines $(BIN)/pytest -m elsewhere --durations=8 tests/engines

live: $(VENV)/.tests ## Annotate in the real Label Studio and doccano, pull, build, settle, push and pull again
	@.ci/chromium $(BIN)/python
	@.ci/live $(BIN)/pytest -m live -rA --durations=0 tests/live

docs: $(VENV)/.tests ## Build the documentation into .venv/docs, to be opened from disk
	@$(BIN)/mkdocs build --quiet
	@echo "Written: $(VENV)/docs/index.html"

lint: $(VENV)/.tests ## Run ruff, mypy and import-linter, and follow the links of the documentation
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { echo "Run 'make format'." >&2; exit 1; }
	@$(BIN)/mypy --no-error-summary & types=$$!; \
	    $(BIN)/python -m tests.lint_catalogue; \
	    $(BIN)/lint-imports --no-logo > $(VENV)/imports.txt || { cat $(VENV)/imports.txt; exit 1; }; \
	    $(BIN)/mkdocs build --quiet --strict; \
	    wait $$types

format: $(VENV)/.tests ## Lay out the code as `make lint` wants it
	@$(BIN)/ruff check --quiet --fix-only
	@$(BIN)/ruff format

coverage: $(VENV)/.tests ## Simulate how often intervals hold the true value, for docs/uncertainty.md and judges.md
	@$(BIN)/python -m benchmarks coverage
	@$(BIN)/python -m benchmarks every_figure
	@$(BIN)/python -m benchmarks numbers
	@$(BIN)/python -m benchmarks corrected

truth: $(VENV)/.tests ## Simulate whom findings blame falsely, and miss, and hold every claim; PARTS="drift copies claims": these alone
	@$(if $(NO_CLAIMS),$(BIN)/python -m benchmarks accusations $(filter-out claims,$(PARTS)))
	@$(if $(CLAIMS),REPORTGEN_EVERY_CLAIM=1 $(BIN)/pytest -n auto -v -m slow tests/truth/test_claims.py)

power: $(VENV)/.tests ## Simulate how often tests between versions err, for docs/comparing.md
	@$(BIN)/python -m benchmarks power

bench: $(VENV)/.tests ## Time reportgen against other libraries, as ratios
	@$(BIN)/python -m benchmarks

messages: $(VENV)/.tests ## Collect what pages say, bring the translations up to date and list what has none
	@$(BIN)/python -m tests.messages

mutants: $(VENV)/.tests ## Change 300 rules, one at a time, and list the changes that no quick test of their room notices
	@MUTANTS="$(MUTANTS)" ROOMS="$(ROOMS)" SEED="$(SEED)" PROCESSES="$(PROCESSES)" $(BIN)/python -m tests.mutants

pictures: site $(VENV)/.tests ## Take the pictures of the documentation again, of the site
	@$(BIN)/python -m tests.pictures

fuzz: $(VENV)/.tests ## Read MUTATIONS=10000 damaged exports and campaigns, rebuild what was edited; PEERS=python: beside peers
	@REPORTGEN_FUZZ_CASES=$(MUTATIONS) REPORTGEN_FUZZ_CAMPAIGNS=100 \
	    $(BIN)/pytest -n auto -q tests/readers/test_damaged_exports.py tests/test_damaged_campaigns.py \
	    tests/test_random_edits.py
	@$(if $(PEERS),$(BIN)/python -m benchmarks.beside_peers 1000 "$(PEERS)",echo "NOT COMPARED with peers: PEERS is no Python." >&2)

reproduce: $(VENV)/.tests ## Compare bytes of site and bundles in all environments; kill each command KILLS=50 times; PARTS="bytes kills action"
	@REPORTGEN_KILLS=$(KILLS) .ci/reproduce $(BIN)/python $(PARTS)

lowest: $(VENV)/.runtime ## Verify here what the lowest versions of pyproject.toml make, and there what is made here; TESTS="tests/units": run there too
	@.ci/dependencies lowest "$(PYTHON)" $(BIN)/reportgen

newest: $(VENV)/.runtime ## Report the same of the newest versions, pre-releases too; nothing fails of it
	@.ci/dependencies newest "$(PYTHON)" $(BIN)/reportgen

app: ## Build dist/reportgen, a folder with everything inside that starts `reportgen open` by a double click
	@.ci/app "$(PYTHON)" $(VENV)/app dist
	@echo "Written: dist/reportgen"

release: ## Build and check the wheel, the sdist, notes and a bill of materials in dist/release; nothing is published
	@.ci/release "$(PYTHON)" dist/release $(VERSION)

lock: ## Compile the lock files again, at the newest versions where UPGRADE=1
	@.ci/lock $(if $(UPGRADE),--upgrade)

clean: ## Remove .venv, caches and built packages; site/ stays
	@rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find reportgen tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

# Each stamp is newer than what was installed for it, so that a second `make` installs nothing.
$(VENV)/.created:
	@.ci/venv "$(PYTHON)" $(VENV)
	@touch $@

$(VENV)/.runtime: requirements.lock pyproject.toml $(VENV)/.created
	@echo "Installing what reportgen runs with into $(VENV)"
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.tests: requirements-test.lock $(VENV)/.runtime
	@echo "Installing what the tests need into $(VENV)"
	@$(PIP) install --require-hashes --no-deps -r requirements-test.lock
	@touch $@

$(VENV)/.engines: requirements-engines.lock $(VENV)/.tests
	@echo "Installing what Spark and PostgreSQL need into $(VENV)"
	@$(PIP) install --require-hashes --no-deps -r requirements-engines.lock
	@touch $@
