# shellcheck shell=bash
# What the scripts of this folder share; sourced by them from the top of the source tree.

# The classic builder takes base images that were made locally from every store, needs no plug-in, and is
# what Compose 1.29.2 uses through Docker's own API.
export DOCKER_BUILDKIT=0 COMPOSE_DOCKER_CLI_BUILD=0

note() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
}

fail() {
  note "$*"
  exit 1
}

# Packages of Debian, with the lists fetched once.
install_packages() {
  note "installing $*"
  {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
  } >/dev/null 2>&1 || fail "cannot install $*"
}

# Command $1, from Debian's package $2 if it is missing.
need() {
  command -v "$1" >/dev/null || install_packages "$2"
}

# Prints the folder of a JDK 25 or later.
find_jdk() {
  local candidate version
  for candidate in "${JDK:-}" "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    [[ -x $candidate/bin/javac && -r $candidate/release ]] || continue
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$candidate/release")
    if ((${version:-0} >= 25)); then
      echo "$candidate"
      return
    fi
  done
  return 1
}

# Sets the variables of .env: the tags of the images, among others. What the environment says wins, as in Compose.
read_versions() {
  local name value
  while IFS='=' read -r name value; do
    if [[ $name =~ ^[A-Z_]+$ && -z ${!name:-} ]]; then declare -g "$name=$value"; fi
  done <.env
}

# Compose, whichever there is: the plug-in (v2), or the program of its own (1.29.2, which Debian has).
compose() {
  if docker compose version >/dev/null 2>&1; then
    docker compose "$@"
  else
    need docker-compose docker-compose
    docker-compose "$@"
  fi
}

# The Compose file with all variables filled in, as JSON. 1.29.2 prints YAML alone, and brings the module to read it.
compose_json() {
  if docker compose version >/dev/null 2>&1; then
    docker compose config --format json
  else
    compose config | /usr/bin/python3 -c 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)'
  fi
}
