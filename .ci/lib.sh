# Shared by the stages: the checkout's root, and packages. POSIX sh.
cd "$(dirname "$0")/.."

jobs=$(nproc 2>/dev/null || echo 2)

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    return 1
  fi
}

missing_packages() {
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || printf '%s ' "$package"
  done
}

apt_install() {
  # shellcheck disable=SC2086 # a list of names
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $1 </dev/null
}

# need PACKAGE…: installs what is missing; says what is missing where that is not possible.
need() {
  command -v apt-get >/dev/null 2>&1 || {
    echo "not a Debian system: install the counterparts of: $*"
    return 0
  }
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  as_root apt-get update -q </dev/null || true
  apt_install "$missing" || {
    echo "cannot install: $missing (no root, no sudo, or no network)"
    return 1
  }
}

# may_use PACKAGE…: like need, but the stage goes on without them.
may_use() {
  need "$@" >/dev/null 2>&1 || true
}

packages_build='cmake ninja-build g++ libfmt-dev libspdlog-dev libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libxxhash-dev'
packages_test="$packages_build catch2 libbenchmark-dev jq"

# configure FOLDER OPTION…: with ccache where it is installed. A folder that was made for another checkout is made anew.
configure() {
  folder=$1
  shift
  if [ -f "$folder/CMakeCache.txt" ] && ! grep -qx "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  if command -v ccache >/dev/null 2>&1; then
    set -- "$@" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
  fi
  cmake -G Ninja -S . -B "$folder" "$@"
}

# unpack_valijson FOLDER: the JSON Schema validator of the tests. Its package depends on every JSON library that it can
# adapt, so the headers are unpacked below the build folder instead of installed.
unpack_valijson() {
  [ ! -d "$1/valijson/usr/include" ] || return 0
  [ ! -f /usr/include/valijson/validator.hpp ] || return 0
  command -v apt-get >/dev/null 2>&1 || return 0
  mkdir -p "$1/valijson"
  (cd "$1/valijson" && apt-get download -q libvalijson-dev </dev/null && dpkg-deb -x libvalijson-dev_*.deb .) ||
    echo "libvalijson-dev cannot be had: the schema test is left out"
}
