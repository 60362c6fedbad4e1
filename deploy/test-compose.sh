#!/usr/bin/env bash
# Proves docker-compose.yml by running it: every service but Grafana, whose image cannot be made locally.
#
#   deploy/test-compose.sh [STEP...]     default: all steps, in the order below
#
#   images    base images, jars of this source tree, the four images
#   config    both files and the profile load; nothing is published beyond 127.0.0.1; every image has a tag
#   up        all services become healthy; time from `up` to the first samples and to the first latency
#   targets   Prometheus scrapes every process; size and time of a scrape
#   panels    every query of every dashboard has data
#   switch    the phases change by themselves
#   fidelity  in valid phases the replay is within 5/3/3 % at p50/p95/p99 and the twin agrees
#   scale     --scale proxy=8: eight proxies are found, and all of them get requests
#   board     Redis away: requests go on, the proxies say so; Redis back: they recover
#   kill      one backend's and one proxy's container killed: every request that was sent is accounted for
#   pinned    the override with pinned cores: each container has the cores of .env
#   wiremock  the profile: mappings are served behind the queues
#   usage     memory of each container, and docker-compose ps
#   swarm     the same file as a stack on a one-node Swarm
#
# Takes all down at its end, also when a step failed; logs are in deploy/target/logs then. Needs root, control groups and
# Debian (or Docker and Compose): where it cannot run it says so in one line, and ends with 0.
#
#   CYCLES    cycles of six phases that the step fidelity plays at most (3)
#   KEEP=1    leave the services running, to look at or to run single steps on
#   PHASE     length of a phase (30s)      UNIT      length of a unit (50ms)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/lib.sh
source deploy/lib.sh

all_steps=(images config up targets panels switch fidelity scale board kill usage pinned wiremock swarm)
logs=deploy/target/logs
project=herdlab-test
services=(backend-stub proxy loadgen lab redis prometheus)
files=()
dockerd=

export COMPOSE_PROJECT_NAME=$project
export JARS_FROM=eclipse-temurin:25-jre
export PHASE=${PHASE:-30s} UNIT=${UNIT:-50ms}
# The local image holds Debian's Prometheus.
export PROMETHEUS_CONFIG=prometheus.yml

# ---- What it runs on.

cannot() {
  echo "compose: skipped: $1"
  exit 0
}

start_docker() {
  [[ $EUID -eq 0 ]] || cannot "not root"
  [[ -w /sys/fs/cgroup ]] || cannot "no control groups"
  docker info >/dev/null 2>&1 && return
  command -v dockerd >/dev/null || install_packages docker.io docker-compose iptables
  dockerd >"$logs/dockerd" 2>&1 &
  dockerd=$!
  local waited=0
  until docker info >/dev/null 2>&1; do
    kill -0 "$dockerd" 2>/dev/null || cannot "dockerd does not start here: $(tail -1 "$logs/dockerd" | cut -c1-200)"
    ((waited++ < 60)) || cannot "dockerd does not answer within 60 s"
    sleep 1
  done
}

# Whatever is up, down; what failed has left its logs.
finish() {
  local status=$?
  set +e
  if ((status != 0)); then keep_logs; fi
  if [[ -z ${KEEP:-} ]]; then
    if docker info >/dev/null 2>&1; then
      compose --profile wiremock down -v --remove-orphans >/dev/null 2>&1
      leave_swarm
    fi
    if [[ -n $dockerd ]]; then
      kill "$dockerd"
      wait "$dockerd" 2>/dev/null
    fi
  fi
  exit "$status"
}

keep_logs() {
  local container
  for container in $(docker ps -a --format '{{.Names}}'); do
    docker logs "$container" >"$logs/$container" 2>&1
    docker inspect "$container" --format '{{json .State}}' >>"$logs/$container" 2>&1
  done
  compose ps >"$logs/ps" 2>&1
  note "logs: $logs"
}

live() {
  python3 deploy/live.py --prometheus "http://127.0.0.1:$PROMETHEUS_PORT" --page "http://127.0.0.1:$PAGE_PORT" "$@"
}

# The id of one container of a service.
container() {
  compose ps -q "$1" | head -1
}

# The port on this machine of a service that runs already, else any free one.
port_of() {
  local id
  id=$(docker ps -q --filter "label=com.docker.compose.project=$project" --filter "label=com.docker.compose.service=$1")
  if [[ -n $id ]]; then
    docker port "$id" "$2" | head -1 | sed 's/.*://'
  else
    python3 deploy/live.py free-port
  fi
}

# Brings all services up, with what else `up` is told; what stood before goes on where nothing of it changes.
#   bring_up [UP-OPTION...]
bring_up() {
  compose "${files[@]}" up -d "$@" "${services[@]}" >/dev/null 2>"$logs/up" || {
    cat "$logs/up" >&2
    fail "up failed"
  }
}

# The number of seconds in a duration such as 30s.
seconds() {
  echo "${1%s}"
}

# What the lab has written, copied to a folder that is printed.
results() {
  rm -rf deploy/target/results
  mkdir -p deploy/target
  docker cp -q "$(container lab):/results" deploy/target/results 2>/dev/null ||
    docker cp "$(container lab):/results" deploy/target/results >/dev/null
  echo deploy/target/results
}

# ---- The steps. Each ends the script when what it asserts does not hold.

step_images() {
  deploy/base-images.sh || cannot "the base images are not to be had"
  JAVA_HOME=$(find_jdk) ./herdlab --help >/dev/null
  compose build -q 2>&1 | grep -v -E '^(DEPRECATED|  |$)' || true
  local name
  for name in proxy backend-stub loadgen lab; do
    docker image inspect "herdlab-$name:$IMAGE_TAG" >/dev/null || fail "no image of $name"
    [[ $(docker run --rm --entrypoint id "herdlab-$name:$IMAGE_TAG" -u) == 10001 ]] || fail "$name runs as root"
  done
}

step_config() {
  compose config -q
  compose -f docker-compose.yml -f docker-compose.pinned.yml config -q
  compose --profile wiremock config -q
  compose_json | python3 deploy/live.py config
}

step_up() {
  local began=$SECONDS
  bring_up
  live wait-first "$began" "$SECONDS"
  local service id
  for service in "${services[@]}"; do
    for id in $(compose ps -q "$service"); do await_health "$service" "$id"; done
  done
  compose ps
}

await_health() {
  local waited=0 health=
  until [[ $health == healthy ]]; do
    health=$(docker inspect --format '{{.State.Health.Status}}' "$2")
    ((waited++ < 120)) || fail "$1: not healthy within 120 s: $health"
    sleep 1
  done
}

step_targets() {
  live targets proxy=4 backend=2 loadgen=1 lab=1
  live scrapes "$(docker inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$(container proxy)")"
}

step_panels() {
  grafana/check-queries.py "http://127.0.0.1:$PROMETHEUS_PORT" --wait 180
}

step_switch() {
  live switches 2 $((3 * $(seconds "$PHASE") + 60))
}

step_fidelity() {
  # Cycles of six phases, until enough of them were valid: the machine decides how many that takes, and what is not
  # valid says nothing of the fidelity. A valid phase that is off fails at once.
  local cycle status
  for ((cycle = 1; cycle <= ${CYCLES:-3}; cycle++)); do
    live phases-from-now 6 $((7 * $(seconds "$PHASE") + 60))
    status=0
    python3 deploy/live.py fidelity "$(results)" || status=$?
    if ((status == 0)); then return; fi
    if ((status != 3)); then fail "fidelity"; fi
  done
  echo "NOT JUDGED: too few phases were valid in ${CYCLES:-3} cycles; this machine does other things"
}

step_scale() {
  bring_up --no-recreate --scale proxy=8
  live targets proxy=8
  live phase-of proxies=8 $((4 * $(seconds "$PHASE") + 60))
  live sharing 8
}

step_board() {
  local id
  id=$(container redis)
  docker stop -t 2 "$id" >/dev/null
  live board 0
  live serving
  docker start "$id" >/dev/null
  live board 1
  live serving
}

step_kill() {
  local proxies
  proxies=$(compose ps -q proxy | wc -l)
  live phases-from-now 1 $((2 * $(seconds "$PHASE") + 60))
  docker kill "$(container backend-stub)" >/dev/null
  docker kill "$(container proxy)" >/dev/null
  live phases-from-now 4 $((6 * $(seconds "$PHASE") + 60))
  python3 deploy/live.py accounted "$(results)" 4
  live phase-of backends=8 1
  live phase-of proxies=$((proxies - 1)) 1
  bring_up --no-recreate --scale proxy=4
  live phase-of backends=16 $((4 * $(seconds "$PHASE") + 60))
}

step_usage() {
  compose ps
  docker stats --no-stream --format 'table {{.Name}}\t{{.MemUsage}}\t{{.CPUPerc}}'
}

step_pinned() {
  files=(-f docker-compose.yml -f docker-compose.pinned.yml)
  bring_up --scale proxy=4
  local service cores
  for service in proxy:CPUS_PROXIES backend-stub:CPUS_BACKENDS loadgen:CPUS_LOADGEN lab:CPUS_OTHERS; do
    cores=${service#*:}
    [[ $(docker inspect --format '{{.HostConfig.CpusetCpus}}' "$(container "${service%:*}")") == "${!cores}" ]] ||
      fail "${service%:*}: not on the cores ${!cores}"
  done
  live serving
}

step_wiremock() {
  files=(--profile wiremock)
  services+=(backend-wiremock)
  bring_up --scale backend-stub=0 --scale proxy=4
  # Past the phases in which backends came and went.
  live phases-from-now 2 $((4 * $(seconds "$PHASE") + 120))
  live phase-of backends=16 $((4 * $(seconds "$PHASE") + 120))
  live serving
  docker exec "$(container backend-wiremock)" healthy 9100
  live served-by "$(docker inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$(container backend-wiremock)")"
}

step_swarm() {
  compose --profile wiremock down -v --remove-orphans >/dev/null 2>&1
  docker swarm init --advertise-addr 127.0.0.1 >/dev/null
  WITHOUT=grafana deploy/swarm.sh up "$project" >/dev/null
  local waited=0
  until ! docker stack services "$project" --format '{{.Replicas}}' | grep -q -v -E '^([0-9]+)/\1$'; do
    ((waited++ < 180)) || {
      docker stack ps "$project" --no-trunc >&2
      fail "swarm: not all tasks run within 180 s"
    }
    sleep 1
  done
  docker stack services "$project"
  # Asked from inside: nothing is published.
  [[ -z $(docker stack services "$project" --format '{{.Ports}}' | tr -d '\n ') ]] || fail "swarm: something is published"
  local answer='' prometheus
  prometheus=$(docker ps -q --filter "name=${project}_prometheus")
  waited=0
  until [[ $answer == *'=> 8 @'* ]]; do
    answer=$(docker exec "$prometheus" promtool query instant http://127.0.0.1:9090 'count(up{component!=""} == 1)' 2>&1) || true
    ((waited++ < 60)) || fail "swarm: targets that are up: $answer (expected: 8)"
    sleep 1
  done
  leave_swarm
}

leave_swarm() {
  [[ $(docker info --format '{{.Swarm.LocalNodeState}}' 2>/dev/null) == active ]] || return 0
  docker stack rm "$project" >/dev/null 2>&1 || true
  docker swarm leave --force >/dev/null
}

# ---- Which steps, and the order.

steps=("$@")
if ((${#steps[@]} == 0)); then steps=("${all_steps[@]}"); fi
for step in "${steps[@]}"; do
  declare -F "step_$step" >/dev/null || fail "step: $step (expected: one of ${all_steps[*]})"
done

mkdir -p "$logs"
trap finish EXIT
start_docker
need python3 python3
read_versions
PROMETHEUS_PORT=$(port_of prometheus 9090)
PAGE_PORT=$(port_of lab 8090)
export PROMETHEUS_PORT PAGE_PORT
for step in "${steps[@]}"; do
  printf '\n-- compose: %s\n' "$step"
  "step_$step"
done
printf '\ncompose: %s steps passed\n' "${#steps[@]}"
