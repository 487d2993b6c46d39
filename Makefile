# Two commands are enough: `make run` and `make test`. Both set up what they need first.
# make run LEVEL=1 SEED=7 SPEED=1 MISCHIEF=0.2 RECORD=game.jsonl

LEVEL ?= 3
SPEED ?= 10
VENV := .venv
BIN := $(VENV)/bin

# Python 3.11 or newer, under whatever name it has here.
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)

# What the firmware's tests need besides Python (Debian's names).
TOOLCHAIN := gcc libc6-dev gcc-avr avr-libc binutils-avr libsimavr-dev libelf-dev

.PHONY: run test lint types toolchain bench soak picture clean

run: $(VENV)/run.stamp
	@$(BIN)/tamsk-hw run --level $(LEVEL) --speed $(SPEED) $(if $(SEED),--seed $(SEED)) \
		$(if $(MISCHIEF),--mischief $(MISCHIEF)) $(if $(RECORD),--record "$(RECORD)")

test: lint types toolchain
	$(BIN)/pytest -n auto

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/test.stamp
	$(BIN)/mypy

toolchain:
	@if command -v avr-gcc >/dev/null && command -v cc >/dev/null && [ -e /usr/include/simavr/sim_avr.h ]; then :; \
	elif command -v apt-get >/dev/null; then \
		echo "Installing the firmware's toolchain and emulator library: $(TOOLCHAIN) ..."; \
		sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
		$$sudo apt-get update -q && $$sudo apt-get install -q -y --no-install-recommends $(TOOLCHAIN); \
	else \
		echo "The firmware's tests need avr-gcc, a C compiler and libsimavr; install them with your system's packages." >&2; \
	fi

bench: $(VENV)/test.stamp
	$(BIN)/python -m tests.bench

soak: $(VENV)/test.stamp
	TAMSK_SOAK=1 $(BIN)/pytest -n auto

picture: $(VENV)/test.stamp
	$(BIN)/python -m tests.picture docs/picture.svg

$(VENV)/pip.stamp:
	@if [ -z "$(PYTHON)" ]; then echo "tamsk-hw needs Python 3.11 or newer; none was found." >&2; exit 1; fi
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		if command -v apt-get >/dev/null; then \
			echo "Installing python3-venv (Debian keeps it apart from Python) ..."; \
			if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -q -y python3-venv; \
			else sudo apt-get update -q && sudo apt-get install -q -y python3-venv; fi; \
		else echo "Python's venv module is missing; install it with your system's packages." >&2; exit 1; fi; }
	@echo "Making a virtual environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/run.stamp: $(VENV)/pip.stamp pyproject.toml
	@echo "Installing tamsk-hw and the libraries it stands on ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/test.stamp: $(VENV)/pip.stamp pyproject.toml
	@echo "Installing tamsk-hw, its libraries and the tools of the tests ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/run.stamp

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
