#!/bin/sh
# Installs tamsk-hw as a service, or takes it away: `make install`, `make uninstall` and `make wheels` call this.
#
# usage: install.sh install|uninstall|wheels, with these variables:
#   PREFIX    the program's folder; what is below it belongs to this script
#   DESTDIR   a folder below which everything goes, for packages; then nothing on this computer is started or made
#   PYTHON    the Python, 3.11 or newer, that the program is to run on
#   EXTRAS    extras of the package to install, as pi or pi,pi5; may be empty
#   WHEELS    a folder with wheels of everything; then nothing is fetched from the package index
#
# Both can be run again at any time. The new program is complete before it takes the old one's place.
set -eu
umask 022 # what is installed is for every user, whatever root's own umask is

unit=tamsk-hw.service
page=tamsk-hw-web.service
hall=tamsk-hw@.service
source=$(cd -- "$(dirname -- "$0")/.." && pwd)
: "${PREFIX:=/opt/tamsk-hw}" "${DESTDIR:=}" "${PYTHON:=python3}" "${EXTRAS=pi}" "${WHEELS:=}"

# The versions of all libraries, so that an update elsewhere breaks nobody's board; make lock writes it.
constraints=$source/systemd/constraints.txt

# Below /usr/local/lib; files of the same name in /etc, as people write them, come before these.
units=$DESTDIR/usr/local/lib/systemd/system
rules=$DESTDIR/usr/local/lib/udev/rules.d
users=$DESTDIR/usr/local/lib/sysusers.d
command=$DESTDIR/usr/local/bin/tamsk-hw
configuration=$DESTDIR/etc/tamsk-hw/config.toml
program=$DESTDIR$PREFIX

say() { printf '%s\n' "$*"; }
refuse() {
	say "tamsk-hw: $*" >&2
	exit 1
}

check_places() {
	for place in "$PREFIX" ${DESTDIR:+"$DESTDIR"}; do
		case $place in
		*[!A-Za-z0-9/._+-]* | *//* | */../* | */.. | */) refuse "$place: a full path of plain characters is needed" ;;
		/*) ;;
		*) refuse "$place: a full path is needed, one that begins with /" ;;
		esac
	done
	case $PREFIX in
	/*/*) ;;
	*) refuse "$PREFIX: a folder of its own is needed, as /opt/tamsk-hw" ;;
	esac
	if [ -z "$DESTDIR" ] && [ "$(id -u)" != 0 ]; then
		refuse "this takes root: sudo make $1, or give a DESTDIR"
	fi
}

check_python() {
	"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
		refuse "PYTHON=$PYTHON: Python 3.11 or newer is needed"
	"$PYTHON" -c 'import ensurepip, venv' 2>/dev/null ||
		refuse "Python's venv module is missing: apt install python3-venv"
}

# Read by lgpio's setup.py: build it with the library in its source, which Debian does not have.
export PYPI=1

# On a Raspberry Pi three libraries of the extra pi come as source on every platform.
check_compiler() {
	case ",$EXTRAS," in
	*,pi,*) ;;
	*) return 0 ;;
	esac
	"$PYTHON" -c 'import os, platform, sys, sysconfig
print(platform.machine(), "%d.%d" % sys.version_info[:2], 64 if sys.maxsize > 2**32 else 32)
print(os.path.join(sysconfig.get_path("include"), "Python.h"))' >"$scratch/python"
	{
		read -r machine version bits
		read -r header
	} <"$scratch/python"
	case $machine in
	aarch64 | armv7l) ;;
	*) return 0 ;;
	esac
	say "RPi.GPIO, rpi_ws281x and spidev are built from source, which needs a compiler and Python.h."
	swig=
	# Not by the machine's name: a 32-bit system on a 64-bit kernel, as Raspberry Pi OS has, says aarch64.
	if [ "$bits" = 32 ]; then
		case $version in
		3.11 | 3.12) ;;
		*)
			swig=swig
			say "This is a 32-bit system with Python $version, for which gpiod and lgpio have no wheel either:"
			say "they are built, too, which takes long and needs swig. A 64-bit system has wheels of them."
			;;
		esac
	fi
	lacking=
	command -v cc >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 || lacking="gcc libc6-dev"
	[ -e "$header" ] || lacking="${lacking:+$lacking }python3-dev"
	[ -z "$swig" ] || command -v swig >/dev/null 2>&1 || lacking="${lacking:+$lacking }swig"
	[ -z "$lacking" ] || refuse "a compiler, Python.h or swig is missing: sudo apt install $lacking"
}

# The service sees no home folders (ProtectHome).
check_python_is_seen() {
	case $("$PYTHON" -c 'import os, sys; print(os.path.realpath(sys._base_executable))') in
	/home/* | /root/* | /run/user/*)
		refuse "PYTHON=$PYTHON is in a home folder, which the service cannot see: add PYTHON=/usr/bin/python3" ;;
	esac
}

# Without what a build leaves in the folder, which would go along, and without leaving anything there.
copy_source() {
	mkdir -p "$1"
	cp -R "$source/pyproject.toml" "$source/setup.py" "$source/README.md" "$source/LICENSE" "$source/tamsk_hw" \
		"$source/wiring" "$1"
}

make_program() {
	new=$program/venv.new
	rm -rf "$new"
	install -d "$program"
	say "Making a virtual environment in $program/venv ..."
	"$PYTHON" -m venv "$new"
	if [ -n "$WHEELS" ]; then
		say "Installing tamsk-hw from the wheels in $WHEELS ..."
		"$new/bin/python" -m pip --quiet --disable-pip-version-check install \
			--constraint "$constraints" --no-index --find-links "$WHEELS" "tamsk-hw${EXTRAS:+[$EXTRAS]}"
	else
		say "Installing tamsk-hw and the libraries it stands on ..."
		copy_source "$scratch/source"
		"$new/bin/python" -m pip --quiet --disable-pip-version-check install \
			--constraint "$constraints" "$scratch/source${EXTRAS:+[$EXTRAS]}"
	fi
	# pip has written down where Python is now. The program finds the one beside itself, wherever the tree stands.
	# shellcheck disable=SC2016  # for the shell that runs the program
	{
		say '#!/bin/sh'
		say "'''exec' \"\$(dirname -- \"\$(readlink -f -- \"\$0\")\")/python\" \"\$0\" \"\$@\""
		say "' '''"
		tail -n +2 "$new/bin/tamsk-hw"
	} >"$scratch/tamsk-hw"
	cat "$scratch/tamsk-hw" >"$new/bin/tamsk-hw"
	rm -rf "$program/venv.old"
	[ ! -e "$program/venv" ] || mv "$program/venv" "$program/venv.old"
	mv "$new" "$program/venv"
	rm -rf "$program/venv.old"
}

put_files() {
	install -d "$units" "$rules" "$users" "$(dirname -- "$command")" "$(dirname -- "$configuration")"
	for each in "$unit" "$page" "$hall"; do
		sed "s|/opt/tamsk-hw/|$PREFIX/|" "$source/systemd/$each" >"$scratch/$each"
		install -m 644 "$scratch/$each" "$units/$each"
	done
	install -m 644 "$source/systemd/99-tamsk-board.rules" "$rules/99-tamsk-board.rules"
	install -m 644 "$source/systemd/tamsk-hw.sysusers.conf" "$users/tamsk-hw.conf"
	ln -sfn "$PREFIX/venv/bin/tamsk-hw" "$command"
	if [ -e "$configuration" ]; then
		say "Kept as it is: $configuration"
	else
		# A service is there for a board, not for the simulated one.
		sed 's|^#port = "none"$|port = "/dev/tamsk-board"|' "$source/systemd/config.toml" >"$scratch/config.toml"
		install -m 644 "$scratch/config.toml" "$configuration"
		say "New: $configuration"
	fi
}

has_systemd() { [ -z "$DESTDIR" ] && [ -d /run/systemd/system ]; }

reload() {
	has_systemd || return 0
	systemctl daemon-reload
	# A board that is plugged in already gets its name, too.
	if ! udevadm control --reload || ! udevadm trigger --subsystem-match=tty; then
		say "udev does not answer: the board's name changes when the computer is started anew." >&2
	fi
}

install_all() {
	check_places install
	check_python
	[ -n "$DESTDIR" ] || check_python_is_seen
	[ -z "$WHEELS" ] || [ -d "$WHEELS" ] || refuse "WHEELS=$WHEELS: no such folder; make wheels makes it"
	[ -n "$WHEELS" ] || check_compiler
	make_program
	put_files
	if [ -n "$DESTDIR" ]; then
		say "Installed below $DESTDIR; nothing was started, and no user made."
		return
	fi
	systemd-sysusers "$users/tamsk-hw.conf"
	setpriv --reuid=tamsk-hw --regid=tamsk-hw --clear-groups "$command" --version >/dev/null ||
		refuse "the service's user cannot start $command: let every user read $PREFIX and the folders above it"
	reload
	if has_systemd; then
		systemctl enable --quiet "$unit" "$page"
		systemctl restart "$page"
		systemctl try-restart "tamsk-hw@*"
		if systemctl --quiet is-active "$unit"; then
			systemctl restart "$unit"
			say "Installed; the service runs anew, and goes on with a game that was not finished."
		else
			say "Installed; the service starts with the computer. Look at the configuration (tamsk-hw config check),"
			say "then start it now: systemctl start tamsk-hw"
		fi
	else
		say "Installed; systemd does not run here, so nothing was enabled."
	fi
}

uninstall_all() {
	check_places uninstall
	for each in "$unit" "$page"; do
		if has_systemd && [ -e "$units/$each" ]; then
			systemctl disable --quiet --now "$each"
		fi
	done
	if has_systemd && [ -e "$units/$hall" ]; then
		systemctl disable --quiet --now tamsk-hw@mqtt tamsk-hw@hall
	fi
	rm -f "$units/$unit" "$units/$page" "$units/$hall" "$rules/99-tamsk-board.rules" "$users/tamsk-hw.conf"
	if [ "$(readlink "$command")" = "$PREFIX/venv/bin/tamsk-hw" ]; then
		rm -f "$command"
	fi
	rm -rf "$program/venv" "$program/venv.new" "$program/venv.old"
	if [ -d "$program" ]; then
		rmdir --ignore-fail-on-non-empty "$program"
	fi
	reload
	say "tamsk-hw is uninstalled. Left as they are:"
	say "  $DESTDIR/var/lib/tamsk-hw   the games and the calibration, if there are any"
	say "  $DESTDIR/etc/tamsk-hw   the configuration"
	[ -n "$DESTDIR" ] || say "  the users tamsk-hw, to whom the games belong, and tamsk-hw-web"
}

collect_wheels() {
	check_python
	check_compiler
	: "${WHEELS:=$source/build/wheels}"
	say "Collecting wheels in $WHEELS ..."
	"$PYTHON" -m venv "$scratch/venv"
	copy_source "$scratch/source"
	mkdir -p "$WHEELS"
	rm -f "$WHEELS"/tamsk_hw-*.whl
	"$scratch/venv/bin/python" -m pip --quiet --disable-pip-version-check wheel \
		--constraint "$constraints" --wheel-dir "$WHEELS" "$scratch/source${EXTRAS:+[$EXTRAS]}"
	say "They fit this kind of computer and this Python. Install with: make install WHEELS=$WHEELS"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch" "$program/venv.new"' EXIT
trap 'exit 1' HUP INT TERM
case ${1:-} in
install) install_all ;;
uninstall) uninstall_all ;;
wheels) collect_wheels ;;
*) refuse "usage: install.sh install|uninstall|wheels" ;;
esac
