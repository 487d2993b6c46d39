# Two commands are enough: `make run` and `make test`. Both set up what they need first.
# make run LEVEL=1 SEED=7 SPEED=1 RECORD=game.jsonl EMULATOR=1
# make play LEVEL=1 SEED=7 STRENGTH=strong PORT=8200, or LEARN=1 for the lessons

LEVEL ?= 3
SPEED ?= 10
VENV := .venv
BIN := $(VENV)/bin

# Python 3.11 or newer, under whatever name it has here.
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)

# Nothing for root, else sudo; SUDO=doas is another way to be root.
SUDO ?= $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# Where the firmware's toolchain is missing and cannot be installed: "optional" skips its tests, "require" stops.
# On CI, which sets CI, nothing may be skipped.
TAMSK_TOOLCHAIN ?= $(if $(filter-out false 0,$(CI)),require,optional)
export TAMSK_TOOLCHAIN

# sudo make install, as a service; systemd/install.sh says what these are, and more.
PREFIX ?= /opt/tamsk-hw
DESTDIR ?=
EXTRAS ?= pi
WHEELS ?=

# The tests start hundreds of Python processes; none should compile the program and its libraries once more.
unexport PYTHONDONTWRITEBYTECODE

# Install into the virtual environment; where pip fails, one line stands for all that it said.
PIP_INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check
OR_SAY_WHY := >$(VENV)/pip.log 2>&1 || { echo "pip could not install that. It needs a network, once, and room on the disk;" \
	"what it said is in $(VENV)/pip.log." >&2; exit 1; }

# The translations, which are compiled when the program is installed.
CATALOGUES := $(wildcard tamsk_hw/words/catalogues/*/LC_MESSAGES/*.po)

# make test TESTS=tests/game is a part of them.
TESTS ?=

# Tests wait for programs, browsers and clocks: three of them keep two processors busy.
WORKERS ?= $(shell expr 3 \* $$(getconf _NPROCESSORS_ONLN) / 2)

.PHONY: run play hall cluster load check mutants test long lint types toolchain bench vm vm-test vm-soak crowd attacks curves soak fuzz picture size wiring words references lock install uninstall \
	wheels clean boards drawing-tools kicad prints

# Ctrl-C is an ordinary end of a game (130), and no error of make's.
run: $(VENV)/run.stamp $(if $(EMULATOR),toolchain)
	@trap : INT; [ -t 0 ] && web=--web; $(if $(EMULATOR),$(BIN)/python -m tests.emulated,$(BIN)/tamsk-hw) run $$web --level $(LEVEL) --speed $(SPEED) $(if $(SEED),--seed $(SEED)) \
		$(if $(RECORD),--record "$(RECORD)") \
		|| { status=$$?; [ $$status -eq 130 ] || exit $$status; }

# Play in the browser; the program is black.
play: $(VENV)/run.stamp
	@trap : INT; $(BIN)/tamsk-hw play $(if $(LEARN),--learn) --level $(LEVEL) $(if $(SEED),--seed $(SEED)) $(if $(STRENGTH),--strength $(STRENGTH)) \
		$(if $(PORT),--port $(PORT)) || { status=$$?; [ $$status -eq 130 ] || exit $$status; }

# A hall of simulated boards, with mosquitto (docs/hall.md). make hall BOARDS=4 LEVEL=1 SPEED=10; CLUSTER=1 has three brokers.
hall: $(VENV)/$(if $(CLUSTER),cluster,test).stamp
	@trap : INT; $(BIN)/python -m tests.hall $(if $(CLUSTER),--cluster) --boards $(or $(BOARDS),8) --level $(LEVEL) --speed $(if $(filter command,$(origin SPEED)),$(SPEED),1)

# The hall over three brokers, of which each is killed once (docs/hall.md).
cluster: $(VENV)/cluster.stamp
	$(BIN)/pytest -v --override-ini python_files=check_cluster.py tests/hall

# How many boards a hall and its brokers bear (docs/hall.md). make load LOAD='away pixels' is a part.
load: $(VENV)/cluster.stamp
	$(BIN)/python -m tests.hall.load $(LOAD)

test: lint types toolchain
	$(BIN)/pytest -n $(WORKERS) --dist worksteal $(TESTS)

# The other half, which CI runs as well: whole games, programs, pages and drawings in every variant (tests/long.txt).
long: $(VENV)/test.stamp toolchain
	$(BIN)/pytest -n $(WORKERS) --dist worksteal $$(cat tests/long.txt)

# For every save, in 20 s: the rules, the referee, what the board tells and what people see and read. Slow tests are
# left out, and property tests take a tenth of their examples.
check: $(VENV)/test.stamp
	TAMSK_QUICK=1 $(BIN)/pytest -n auto --dist worksteal -m "not slow" tests/game tests/referee tests/scenarios \
		tests/board tests/panel tests/words tests/test_architecture.py

# Changes game, referee and sensing line by line and looks whether a test fails; lists what none notices (tests/README.md).
# make mutants ONLY='tamsk_hw.game.sand*' is a part of it; make mutants SAMPLE=300 SEED=1 a part drawn at random.
mutants: $(VENV)/mutants.stamp
	$(BIN)/python -m tests.mutants $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),'$(ONLY)')

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/test.stamp
	$(BIN)/mypy

toolchain:
	@if [ -z "$(PYTHON)" ]; then echo "tamsk-hw needs Python 3.11 or newer; none was found." >&2; exit 1; fi
	@"$(PYTHON)" tests/firmware/toolchain.py "$(SUDO)"

bench: $(VENV)/test.stamp toolchain
	$(BIN)/python -m tests.bench

# Touch to light with 200 browsers and without. make crowd RUNS=1 is quicker, and says less.
crowd: $(VENV)/test.stamp
	$(BIN)/python -m tests.bench.crowd $(or $(RUNS),5)

# The page under attack beside a game. make attacks RUNS=3 says more.
attacks: $(VENV)/test.stamp
	$(BIN)/python -m tests.bench.attacks $(or $(RUNS),1)

# From which strength on a disturbance breaks the games (docs/design.md, Sensing). make curves CURVE=loss SEEDS=10 is a part.
curves: $(VENV)/test.stamp
	$(BIN)/python -m tests.curves $(CURVE) $(if $(SEEDS),--seeds $(SEEDS))

# Everything with all its seeds and cases (tests/README.md); make soak TESTS=tests/board is a part of it.
soak: $(VENV)/test.stamp toolchain
	TAMSK_SOAK=1 $(BIN)/pytest -n auto --dist worksteal $(TESTS)

# A Debian with the program in QEMU, its board outside (docs/real-linux.md). The first run takes root, to make the image.
# ARCH=arm64 is a Raspberry Pi's kind of processor; BOARD=emulated has the real firmware (make toolchain).
vm vm-test vm-soak: export TAMSK_VM_ARCH = $(ARCH)

vm: $(VENV)/test.stamp
	@$(BIN)/python -m tests.machine $(if $(filter emulated,$(BOARD)),--emulated)

# make vm-test CHECK='power or killed' is a part of it.
vm-test: $(VENV)/test.stamp
	$(BIN)/pytest -v -rP --override-ini python_files='check_*.py' $(if $(CHECK),-k '$(CHECK)') tests/machine

# The same, with games that have several faults; CHECK='several and 11' is one of them.
vm-soak: export TAMSK_SOAK = 1
vm-soak: vm-test

# make fuzz RUNS=5000000 SEED=2
fuzz: $(VENV)/test.stamp toolchain
	$(BIN)/python -m tests.firmware.fuzz --runs $(or $(RUNS),1000000) --seed $(or $(SEED),1)

# Drawings, lists and tables of the boards, from their wiring maps, into build/wiring.
wiring: $(VENV)/test.stamp toolchain
	$(BIN)/python -m wiring.make

# Printed parts (wiring/prints): STL and STEP, written by a CAD kernel and measured, into build/prints. make prints PRINTS='tube-4 cradle' is a part.
prints: $(VENV)/prints.stamp
	$(BIN)/python -m wiring.prints $(PRINTS)

# Circuit boards to order (wiring/boards): drawn and checked by KiCad 6, as Debian 12 has it, into build/boards; and the prints.
# make boards BOARDS='strip-4 hall-disc' is a part, without prints.
boards: $(VENV)/test.stamp $(VENV)/bill.stamp $(if $(BOARDS),,prints) kicad
	$(BIN)/python -m wiring.boards $(BOARDS)

# What draws boards and prints, and has make test check them, where it is there: CI has it.
drawing-tools: kicad $(VENV)/prints.stamp

kicad:
	@/usr/bin/python3 -c 'import pcbnew' 2>/dev/null || { \
		echo "Installing KiCad (half a gigabyte, and what it needs) ..."; \
		$(SUDO) apt-get update -q && $(SUDO) apt-get install -q -y --no-install-recommends \
			kicad kicad-footprints kicad-symbols || { \
			echo "KiCad's pcbnew is missing and apt-get could not install it." >&2; exit 1; }; }

# The interactive bill of materials, for Debian's Python, which has what it needs: so without its dependencies.
$(VENV)/bill.stamp: $(VENV)/pip.stamp
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(VENV)/interactive-bill \
		'InteractiveHtmlBom==2.9.0' && touch $@ || echo "No interactive bill of materials: pip could not fetch it."

# The sentences in the code go to the catalogues of the languages, to be translated there (docs/languages.md).
words: $(VENV)/test.stamp
	$(BIN)/pybabel --quiet extract --mapping-file pyproject.toml --no-default-keywords \
		--keywords "tr marked ntr:1,2 tr_in:1c,2" --add-location file --sort-by-file --no-wrap --project tamsk-hw \
		--output-file $(VENV)/words.pot .
	$(BIN)/pybabel --quiet update --domain tamsk-hw --input-file $(VENV)/words.pot \
		--output-dir tamsk_hw/words/catalogues --previous --ignore-obsolete --ignore-pot-creation-date --no-wrap
	$(BIN)/pybabel --quiet compile --domain tamsk-hw --directory tamsk_hw/words/catalogues

# Pages, schemas and sample configuration that are made from the program's types.
references: $(VENV)/test.stamp
	$(BIN)/python -m tests.docs.references

picture: $(VENV)/test.stamp
	$(BIN)/python -m tests.picture docs/picture.svg
	$(BIN)/python -m tests.scoreboard_picture docs/scoreboard.png

# Size of the package, lines of code by room, and which room imports which.
size: $(VENV)/test.stamp
	@$(BIN)/python -m tests.house

$(VENV)/pip.stamp:
	@if [ -z "$(PYTHON)" ]; then echo "tamsk-hw needs Python 3.11 or newer; none was found." >&2; exit 1; fi
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		lacking="Python's venv module is missing (Debian's python3-venv)"; \
		if ! command -v apt-get >/dev/null; then \
			echo "$$lacking; install it with your system's packages." >&2; exit 1; fi; \
		if ! { [ -z "$(SUDO)" ] || command -v $(firstword $(SUDO)) && $(SUDO) apt-get --version; } >/dev/null; then \
			echo "$$lacking; installing it takes root or $(firstword $(SUDO)): apt-get install python3-venv." >&2; exit 1; fi; \
		echo "Installing python3-venv (Debian keeps it apart from Python) ..."; \
		$(SUDO) apt-get update -q; \
		$(SUDO) apt-get install -q -y python3-venv || { \
			echo "$$lacking; apt-get could not install it." >&2; exit 1; }; }
	@echo "Making a virtual environment in $(VENV) ..."
	@"$(PYTHON)" -m venv $(VENV)
	@touch $@

$(VENV)/run.stamp: $(VENV)/pip.stamp pyproject.toml $(CATALOGUES)
	@echo "Installing tamsk-hw and the libraries it stands on ..."
	@$(PIP_INSTALL) --editable . $(OR_SAY_WHY)
	@touch $@

$(VENV)/test.stamp: $(VENV)/pip.stamp pyproject.toml $(CATALOGUES)
	@echo "Installing tamsk-hw, its libraries and the tools of the tests ..."
	@$(PIP_INSTALL) --editable '.[dev]' $(OR_SAY_WHY)
	@touch $@ $(VENV)/run.stamp

$(VENV)/prints.stamp: $(VENV)/test.stamp
	@echo "Installing the CAD kernel that draws the prints (a gigabyte) ..."
	@$(PIP_INSTALL) --editable '.[dev,prints]' $(OR_SAY_WHY)
	@touch $@

$(VENV)/cluster.stamp: $(VENV)/test.stamp
	@$(PIP_INSTALL) --editable '.[cluster]' $(OR_SAY_WHY)
	@touch $@

$(VENV)/mutants.stamp: $(VENV)/test.stamp
	@echo "Installing the tool that changes the program ..."
	@$(PIP_INSTALL) --editable '.[mutants]' $(OR_SAY_WHY)
	@touch $@

# The versions that make install takes, for every kind of Raspberry Pi and each Python from 3.11 on.
lock: $(VENV)/pip.stamp
	@$(PIP_INSTALL) 'uv>=0.5,<1' $(OR_SAY_WHY)
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade --extra pi --extra pi5 \
		--no-annotate --no-emit-index-url --custom-compile-command 'make lock' \
		--output-file systemd/constraints.txt pyproject.toml

install uninstall wheels:
	@if [ -z "$(PYTHON)" ]; then echo "tamsk-hw needs Python 3.11 or newer; none was found." >&2; exit 1; fi
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" EXTRAS="$(EXTRAS)" WHEELS="$(WHEELS)" PYTHON="$(PYTHON)" \
		sh systemd/install.sh $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
