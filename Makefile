# `make run` plays, `make test` checks; both install what they need once, into .venv.
PYTHON ?= $(shell python3.11 -c '' 2>/dev/null && echo python3.11 || echo python3)
# The browser of the tests; empty: Chromium's headless shell where there is one, and Chromium itself for the rest.
CHROMIUM ?=
LANGUAGES ?= it ru
unexport PYTHONDONTWRITEBYTECODE  # without bytecode each server of a test compiles the whole program again
ENGINES := tests/kernel tests/tactical tests/strategic $(wildcard tests/test_*.py)

PIP_INSTALL := .venv/bin/python -m pip install -q --disable-pip-version-check
LOCKED := --no-deps --require-hashes --only-binary :all:
PROGRAM := data tactical strategic webapp benchmarks navarch
HTMX := webapp/static/htmx.min.js
PO := $(wildcard webapp/translations/*/LC_MESSAGES/*.po)
MO := $(PO:.po=.mo)

# The system's packages: root (a container) installs them, anybody else is told the command.
INSTALLED_BY_ROOT = test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -y -qq --no-install-recommends

# The proxy of docs/running.md; where it is missing, its tests say so and are left out.
NGINX = test -x /usr/sbin/nginx || command -v nginx >/dev/null || { $(INSTALLED_BY_ROOT) nginx-light >/dev/null; } || \
  echo "nginx is missing: what runs behind it is left out. On Debian: sudo apt-get install nginx-light" >&2

# The builder of docs/operations.md's image, likewise; only root can build here.
BUILDER = test "$$(id -u)" != 0 || { command -v buildah && command -v debootstrap; } >/dev/null || \
  { $(INSTALLED_BY_ROOT) buildah crun debootstrap >/dev/null; } || \
  echo "buildah could not be installed here: the container is left out." >&2

.PHONY: audit browser run test check docs goldens soak load bench lab lint types lock release translations clean
.DELETE_ON_ERROR:

run: .venv/.bytecode-stamp $(MO)
	.venv/bin/navarch serve --demo

test: lint types docs .venv/.bytecode-stamp $(MO)
	TRIES=2 CHROMIUM=$(CHROMIUM) .venv/bin/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --durations=20 -rfER

# Style, types and engines, without a browser: before each commit.
check: lint types docs $(MO)
	.venv/bin/python -m pytest -n 2 --dist loadfile $(ENGINES)

# The docs as a site, in build/site; a link that leads nowhere stops it.
docs: .venv/.test-stamp $(MO)
	@.venv/bin/python tools/site.py
	@.venv/bin/zensical build --strict -f mkdocs.yml > build/docs.log 2>&1 || { cat build/docs.log; exit 1; }

# Wheel, source archive, docs and container in dist, each of them tried; dist/RELEASE.md says how. Ten minutes.
# PYTHONS="/usr/bin/python3.12 /usr/bin/python3.13" tries the wheel with these, too.
release: docs .venv/.bytecode-stamp
	@$(BUILDER)
	PYTHONS="$(PYTHONS)" .venv/bin/python -m tools.release

# Plays the golden games anew; read the diff before it is committed.
goldens: .venv/.test-stamp
	PYTHONPATH=.:tests .venv/bin/python tests/goldens/telling.py $(SYSTEMS)

# The long tests, fifty minutes on two quiet cores; LENGTH=10 plays ten times as much (tests/kit/lengths.py), and
# SOAK="-n 0 -s -k many_rounds" is one of them with its figures (docs/threats.md names them).
soak: .venv/.test-stamp .venv/.bytecode-stamp $(MO)
	@$(NGINX)
	@$(BUILDER)
	CHROMIUM=$(CHROMIUM) .venv/bin/python -m pytest -m soak -n 2 --dist worksteal $(SOAK)

# Repeats the figures of docs/captains.md from their plans; takes a quarter of an hour or more.
lab: .venv/.lab-stamp
	for plan in data/lab/*.toml; do .venv/bin/navarch lab $$plan --resume --out lab/$$(basename $$plan .toml) || exit 1; done

# A hundred tablets over twenty battles for five minutes; LOAD="--seconds 30" for a look, and
# LOAD="--nginx --processes 4 --tablets 600 --battles 120" for a federation.
load: .venv/.test-stamp .venv/.bytecode-stamp $(MO)
	@$(NGINX)
	.venv/bin/python -m benchmarks.load $(LOAD)

bench: .venv/.test-stamp .venv/.bytecode-stamp $(MO)
	.venv/bin/python -m benchmarks

lint: .venv/.test-stamp
	.venv/bin/ruff format --check --quiet .
	.venv/bin/ruff check .

types: .venv/.test-stamp
	.venv/bin/mypy

# Installing -------------------------------------------------------------------------------------------

.venv/pyvenv.cfg:
	@$(PYTHON) -m venv .venv || { \
	  echo "No virtual environment could be made: install Python 3.11 or newer with its venv module" \
	       "(on Debian: apt-get install python3-venv), then run make again." >&2; exit 1; }

.venv/.run-stamp: requirements/run.lock requirements/build.lock pyproject.toml setup.py $(HTMX) | .venv/pyvenv.cfg
	$(PIP_INSTALL) $(LOCKED) -r requirements/run.lock -r requirements/build.lock
	$(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@.venv/bin/python -m compileall -q $(PROGRAM)
	@touch $@

# htmx as its makers release it: npm, from a throw-away environment, compares it with the digest in package-lock.json.
$(HTMX): requirements/package-lock.json | .venv/pyvenv.cfg
	@tools=$$(mktemp -d) && trap 'rm -rf "$$tools"' EXIT && $(PYTHON) -m venv "$$tools" && \
	"$$tools/bin/pip" install -q --disable-pip-version-check $(LOCKED) -r requirements/npm.lock && \
	"$$tools/bin/python" setup.py -q fetch_htmx
	@touch $@

# Bytecode of what has changed: without it, where Python may not write any, each start compiles for a second.
.venv/.bytecode-stamp: .venv/.run-stamp $(shell find $(PROGRAM) -name '*.py')
	@.venv/bin/python -m compileall -q $(PROGRAM)
	@touch $@

.venv/.lab-stamp: requirements/lab.lock .venv/.run-stamp
	$(PIP_INSTALL) $(LOCKED) -r requirements/lab.lock
	@touch $@

.venv/.test-stamp: requirements/test.lock requirements/camera.lock .venv/.run-stamp
	$(PIP_INSTALL) $(LOCKED) -r requirements/camera.lock
	$(PIP_INSTALL) $(LOCKED) --no-binary chess --no-build-isolation -r requirements/test.lock
	@$(MAKE) --no-print-directory browser
	@touch $@

# Chromium, and its headless shell, which takes half the processor time; without the shell Chromium is taken for all.
browser:
	@test -x $(or $(CHROMIUM),/usr/bin/chromium) || \
	{ $(INSTALLED_BY_ROOT) chromium fonts-dejavu-core >/dev/null && test -x $(or $(CHROMIUM),/usr/bin/chromium); } || { \
	  echo "The browser tests need Chromium. Install it and run make again; on Debian:" >&2; \
	  echo "  sudo apt-get install chromium chromium-headless-shell fonts-dejavu-core" >&2; \
	  echo "If it is not /usr/bin/chromium, say where it is: make CHROMIUM=/its/path" >&2; exit 1; }
	@test -n "$(CHROMIUM)" || test -x /usr/bin/chromium-headless-shell || \
	{ $(INSTALLED_BY_ROOT) chromium-headless-shell >/dev/null; } || \
	echo "Chromium's headless shell is missing: the tests take longer. On Debian: sudo apt-get install chromium-headless-shell" >&2

# The compiler of the locks lives in a throw-away environment, so that it never meets the program's.
COMPILE = CUSTOM_COMPILE_COMMAND="make lock" "$$tools/bin/pip-compile" -q --generate-hashes --strip-extras \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options --unsafe-package pip

lock:
	@tools=$$(mktemp -d) && trap 'rm -rf "$$tools"' EXIT && \
	$(PYTHON) -m venv "$$tools" && "$$tools/bin/pip" install -q pip-tools==7.6.2 && cd requirements && \
	$(COMPILE) -o run.lock run.in && $(COMPILE) -o lab.lock lab.in && \
	$(COMPILE) -c run.lock -o camera.lock camera.in && $(COMPILE) -o test.lock test.in && \
	$(COMPILE) -o build.lock build.in && $(COMPILE) -o npm.lock npm.in && \
	! grep -n '://' *.lock package-lock.json

# Asks for advisories on what the locks pin, in a throw-away environment. A failure without a report is one of the network.
audit:
	@tools=$$(mktemp -d) && trap 'rm -rf "$$tools"' EXIT && \
	$(PYTHON) -m venv "$$tools" && "$$tools/bin/pip" install -q --disable-pip-version-check pip-audit==2.10.1 && \
	{ "$$tools/bin/pip-audit" --strict --disable-pip --require-hashes -o "$$tools/found" \
	    $(patsubst %,-r %,$(wildcard requirements/*.lock)); code=$$?; \
	  test ! -e "$$tools/found" || cat "$$tools/found"; \
	  test $$code = 0 || test -s "$$tools/found" || \
	    echo "No advisories can be looked up from here: nothing is known about the libraries, good or bad." >&2; \
	  exit $$code; }

# Languages --------------------------------------------------------------------------------------------

%.mo: %.po | .venv/.run-stamp
	.venv/bin/pybabel -q compile -i $< -o $@

# Collects the sentences of the pages and of the data they show, brings the .po of LANGUAGES up to date, and
# compiles them. What is new stands there untranslated, and a test names it.
translations: .venv/.run-stamp
	.venv/bin/pybabel -q extract -F pyproject.toml --no-location --sort-output \
	  --project=Navarch -o .venv/messages.pot .
	for language in $(LANGUAGES); do \
	  catalogue=webapp/translations/$$language/LC_MESSAGES/messages.po; \
	  mkdir -p $$(dirname $$catalogue); \
	  test -f $$catalogue || .venv/bin/pybabel -q init -i .venv/messages.pot -o $$catalogue -l $$language \
	    || exit 1; \
	  .venv/bin/pybabel -q update -N --ignore-pot-creation-date -i .venv/messages.pot -o $$catalogue -l $$language \
	    || exit 1; \
	  .venv/bin/pybabel -q compile -i $$catalogue -o $${catalogue%.po}.mo || exit 1; \
	done

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f $(MO) .venv/.bytecode-stamp
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
