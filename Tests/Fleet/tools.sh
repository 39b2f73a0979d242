# What the scripts of this folder share: tools that they install, and the program that they try.
# Python's packages are installed in .build-tools beside this file; Debian's by apt-get, as root.
python=python3
# Ends when something cannot be had.
skip() {
  echo "SKIPPED: $1"
  exit 77
}
# Installs Debian's package for a program: debian PROGRAM PACKAGE.
debian() {
  command -v "$1" >/dev/null && return
  [ "$(id -u)" -eq 0 ] || skip "$1 is missing (apt-get install $2)"
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$2"; } >/dev/null 2>&1 ||
    skip "$2 could not be installed"
}
# Installs packages of Python: package MODULE PACKAGES.
package() {
  python="$here/.build-tools/bin/python"
  [ -x "$python" ] || python3 -m venv "$here/.build-tools" >/dev/null || skip "there is no python3-venv"
  "$python" -c "import $1" 2>/dev/null ||
    "$python" -m pip install --quiet --disable-pip-version-check "${@:2}" >/dev/null 2>&1 ||
    skip "${*:2} could not be installed"
}
# Runs a module of this folder on the program in --binary, or on the one that is built here.
run_module() {
  local module="$1"
  shift
  case " $* " in
  *" --binary "* | *" --binary="*) ;;
  *)
    swift build --package-path "$here/../.." --product migrate >/dev/null
    set -- "$@" --binary "$(swift build --package-path "$here/../.." --show-bin-path)/migrate"
    ;;
  esac
  export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here"
  exec "$python" -m "$module" "$@"
}
