# need COMMAND[=PACKAGE]...: install what of a group of commands is missing; a failure is told, and the tests of what
# stays missing fail by name, which says more than a failing apt does.

install() {
  local sudo=""
  [ "$(id -u)" = 0 ] || sudo="sudo -n"
  { $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "$@"; } \
    >/dev/null || echo "could not install: $*" >&2
}

need() {
  local one missing=()
  for one in "$@"; do command -v "${one%%=*}" >/dev/null || missing+=("${one#*=}"); done
  [ "${#missing[@]}" -eq 0 ] || install "${missing[@]}"
}

# browser FOLDER: playwright, by which tests drive Chromium, in a folder of its own.
browser() {
  [ -d "$1/playwright" ] || .venv/bin/pip install -q --target "$1" playwright==1.65.2
}
