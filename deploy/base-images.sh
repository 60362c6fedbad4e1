#!/usr/bin/env bash
# Makes the images that the Dockerfile and docker-compose.yml start from, where they cannot be pulled: an
# image that is here already is kept, one that the registry gives is pulled, and what is left is made from
# Debian's packages and this machine's own JDK, under the same names. Run as root; the second run takes no time.
#
#   deploy/base-images.sh [--maven]
#
#   --maven     also the image that builds the jars inside Docker (not needed with jars built on the host)
#
#   NO_PULL=1   do not ask the registry
#   JDK         a JDK 25 to put into the images (default: JAVA_HOME, then /usr/lib/jvm)
#
# What is made locally carries the label dev.herdlab.local-base, and holds Debian's versions of Redis and
# Prometheus, which may be older than the tag says: for tests, not for publishing. Grafana is not packaged by
# Debian: where its image cannot be had, every other service can still be started.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/lib.sh
source deploy/lib.sh

suite=bookworm
root_image=herdlab-local/debian:$suite
label=dev.herdlab.local-base
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

# True if image $1 is here, or the registry gives it.
is_available() {
  docker image inspect "$1" >/dev/null 2>&1 && return
  [[ -z ${NO_PULL:-} ]] && timeout 300 docker pull -q "$1" >/dev/null 2>&1
}

# A minimal Debian, which the others are made from.
debian_root() {
  docker image inspect "$root_image" >/dev/null 2>&1 && return
  command -v debootstrap >/dev/null || install_packages debootstrap
  local root=$scratch/root
  note "debootstrap of $suite (about a minute)"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$scratch/debootstrap.log" 2>&1 ||
    fail "debootstrap: $(tail -1 "$scratch/debootstrap.log")"
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root"/usr/share/doc/* "$root"/usr/share/man/*
  printf 'APT::Install-Recommends "false";\n' >"$root/etc/apt/apt.conf.d/90minimal"
  tar -C "$root" --one-file-system --exclude='./dev/*' --exclude='./proc/*' --exclude='./sys/*' -c . |
    docker import -c "LABEL $label=$suite" -c 'CMD ["bash"]' - "$root_image" >/dev/null
}

# Image $1 from the Dockerfile on stdin, which may use the minimal Debian alone.
from_dockerfile() {
  local log=$scratch/build.log
  note "making $1"
  # On the host's network: what reaches Debian's mirror here may not be reached from a bridge.
  docker build --network host --label "$label=$suite" -t "$1" - >"$log" 2>&1 || {
    tail -20 "$log" >&2
    fail "cannot make $1"
  }
}

redis_image() {
  from_dockerfile "$1" <<DOCKERFILE
FROM $root_image
RUN apt-get update -qq && apt-get install -y -qq redis-server && rm -rf /var/lib/apt/lists/*
USER redis
WORKDIR /tmp
EXPOSE 6379
CMD ["redis-server"]
DOCKERFILE
}

# With the entry point, the user and the paths of the published image.
prometheus_image() {
  from_dockerfile "$1" <<DOCKERFILE
FROM $root_image
RUN apt-get update -qq && apt-get install -y -qq prometheus && rm -rf /var/lib/apt/lists/* \
 && install -d -o nobody -g nogroup /prometheus
USER nobody
WORKDIR /prometheus
VOLUME /prometheus
EXPOSE 9090
ENTRYPOINT ["/bin/prometheus"]
CMD ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]
DOCKERFILE
}

# This machine's JDK where the published image has its own; without sources and headers. Links are followed: Debian
# keeps the trusted certificates outside of the JDK, and the image trusts whom this machine trusts.
jdk_image() {
  local jdk context=$scratch/jdk
  jdk=$(find_jdk) || fail "no JDK 25 found: set JDK or JAVA_HOME to one"
  mkdir -p "$context"
  cat >"$context/Dockerfile" <<DOCKERFILE
FROM $root_image
COPY jdk /opt/java/openjdk
ENV JAVA_HOME=/opt/java/openjdk PATH=/opt/java/openjdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    LANG=C.UTF-8
CMD ["java", "--version"]
DOCKERFILE
  note "making $1 from $jdk"
  tar -c --dereference -C "$context" Dockerfile -C "$jdk" --exclude=./lib/src.zip --exclude=./include --exclude=./man \
    --exclude=./demo --transform 's,^\.,jdk,' . |
    docker build --label "$label=$suite" -t "$1" - >"$scratch/build.log" 2>&1 || {
    tail -20 "$scratch/build.log" >&2
    fail "cannot make $1"
  }
}

maven_image() {
  from_dockerfile "$1" <<DOCKERFILE
FROM $java_image
RUN apt-get update -qq && apt-get install -y -qq maven && rm -rf /var/lib/apt/lists/*
CMD ["mvn"]
DOCKERFILE
}

# Image $1, made by $2 where it is not to be had.
ensure() {
  is_available "$1" && return
  debian_root
  "$2" "$1"
}

with_maven=
for argument; do
  case $argument in
    --maven) with_maven=yes ;;
    *) fail "argument: $argument (expected: --maven)" ;;
  esac
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
docker info >/dev/null 2>&1 || fail "no Docker daemon answers"
read_versions

java_image=eclipse-temurin:25-jre
ensure "$java_image" jdk_image
ensure "redis:$REDIS_TAG" redis_image
ensure "prom/prometheus:$PROMETHEUS_TAG" prometheus_image
if [[ -n $with_maven ]]; then ensure maven:3-eclipse-temurin-25 maven_image; fi
