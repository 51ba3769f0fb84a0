# make demo    install into .venv and show what numberline does
# make check   install into .venv and run linters, types and the quick tests, in under a minute
# make test    install into .venv and run all checks
# make docs    install into .venv and build the documentation into site/
# make fuzz    fuzz every reader of files, a minute each; SECONDS=600 for longer
# make torture try what tests/faults and tests/native can break, an hour; writes docs/reliability.md
# make wheel   build dist/: a source distribution, and a wheel that was installed and tested
# make clean   remove what the others made
PYTHON ?= python3
VENV := .venv
SECONDS := 60
PIP := $(VENV)/bin/python -m pip --quiet --disable-pip-version-check
SOURCES := pyproject.toml constraints.txt CMakeLists.txt README.md $(shell find src native -type f -not -name '*.pyc')

.PHONY: demo check lint test docs fuzz torture wheel clean

demo: $(VENV)/installed
	$(VENV)/bin/numberline demo
	@echo "(to have numberline on your path: . $(VENV)/bin/activate)"

check: lint
	$(VENV)/bin/pytest --quick

test: lint
	tools/install_chromium.sh
	$(VENV)/bin/pytest

lint: $(VENV)/installed-for-development
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

docs: $(VENV)/installed-for-docs
	rm -rf site build/doctrees
	$(VENV)/bin/sphinx-build --quiet --fail-on-warning --keep-going \
		--conf-dir docs/site --doctree-dir build/doctrees . site
	@echo "built; open $(CURDIR)/site/index.html"

fuzz: $(VENV)/installed-for-fuzzing
	tests/fuzz/run.sh $(SECONDS)
	for target in $$($(VENV)/bin/python -m tests.fuzz.targets); do \
		$(VENV)/bin/python -m tests.fuzz.guided $$target $(SECONDS) || exit 1; done

torture: $(VENV)/installed-for-development
	$(VENV)/bin/python -m tests.faults.torture

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# A wheel is built and installed, as a user would, so that tests see what users get.
$(VENV)/installed: $(SOURCES) | $(VENV)/bin/python
	@echo "installing numberline into $(VENV)"
	$(PIP) install -c constraints.txt .
	@touch $@

$(VENV)/installed-for-development: $(SOURCES) | $(VENV)/bin/python
	@echo "installing numberline and what its tests need into $(VENV)"
	$(PIP) install -c constraints.txt '.[dev,torch,sentence-transformers]'
	@touch $@ $(VENV)/installed

$(VENV)/installed-for-fuzzing: $(SOURCES) | $(VENV)/bin/python
	@echo "installing numberline and what fuzzing needs into $(VENV)"
	$(PIP) install -c constraints.txt '.[fuzz]'
	@touch $@ $(VENV)/installed

$(VENV)/installed-for-docs: $(SOURCES) | $(VENV)/bin/python
	@echo "installing what the documentation needs into $(VENV)"
	$(PIP) install -c constraints.txt '.[docs]'
	@touch $@ $(VENV)/installed

wheel:
	$(PYTHON) tools/build_release.py

clean:
	rm -rf $(VENV) build dist site numberline-demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
