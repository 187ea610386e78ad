# Every target sets up its own virtual environment; a second run reuses it.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.graphla-installed

.PHONY: demo test test-all rest kernels check count-tests networkx docs dist clean

demo: $(STAMP)  ## analyse real and generated graphs, verify every result, write a picture
	$(BIN)/python examples/demo.py

# Numba compiles faster with this level; the other targets compile as users do.
test: export NUMBA_OPT ?= 1
test: kernels  ## four to eight minutes on two cores: everything once; it prints what it leaves to test-all
	$(BIN)/python -m pytest -n auto --no-loadscope-reorder -m "not thorough" $(TRACED)

test-all:  ## test with line coverage (tests/tracing.py), then the rest
	$(MAKE) test NUMBA_OPT=3 TRACED="--cov --cov-report="
	$(MAKE) rest

rest: export NUMBA_OPT := 3
rest: kernels  ## after test-all's first step: what it leaves out, the native kernels uncompiled, NetworkX's suite
	@test -f .coverage || { echo 'run `make test-all`: coverage is that of both its steps'; exit 1; }
	$(BIN)/python -m pytest -n auto --hypothesis-profile=same -m "thorough or drawn" --cov --cov-append --cov-report=
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n auto -m "not thorough" --ignore tests/native/cuda tests/native graphla/native tests/io/text
	$(BIN)/python -m tests.interop.networkx.suite --whole --without-many-trees -n auto
	$(BIN)/python -m tests.coverage_of_folders

kernels: $(STAMP)  ## compile the CUDA kernels of the tests for the simulators, where there is no GPU
	$(BIN)/python -m tests.cuda.kernel_units

check: $(STAMP)  ## within three minutes: lint, types, layers, spelling, every algorithm once, tests of what changed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/codespell graphla tests examples benchmarks docs README.md CONTRIBUTING.md CHANGELOG.md
	$(BIN)/python -m pytest -n auto tests/test_every_algorithm.py
	$(BIN)/python -m tests.changed

count-tests: $(STAMP)  ## no folder has fewer tests than its golden number
	$(BIN)/python -m tests.golden.counts

networkx: $(STAMP)  ## NetworkX's own tests with its calls sent to graphla: those of our functions, then all
	$(BIN)/python -m tests.interop.networkx.suite
	$(BIN)/python -m tests.interop.networkx.suite --whole -n auto

docs: $(STAMP)  ## the documentation site in site/; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

dist: $(STAMP)  ## wheel and sdist in dist/, installed into a fresh environment and smoke-tested there
	rm -rf dist build/fresh
	$(BIN)/python -m build --outdir dist
	$(PYTHON) -m venv build/fresh
	build/fresh/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	build/fresh/bin/python -I tests/installed.py

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(STAMP)

clean:
	rm -rf $(VENV) demo site dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .cache
