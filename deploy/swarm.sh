#!/usr/bin/env bash
# The testbed as a Swarm stack, from the same docker-compose.yml.
#
#   deploy/swarm.sh render               prints the stack file, and on stderr what Swarm does not do
#   deploy/swarm.sh up [STACK]           deploys it (default name: herdlab) on the Swarm that this daemon is in
#   deploy/swarm.sh down [STACK]         removes it
#
#   WITHOUT      services to leave out, with spaces between: those whose image cannot be had
#
# Nothing is published: Swarm ignores host addresses, and would open Grafana, Prometheus and the lab's page to the
# world. docs/scaling.md says how to reach them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=deploy/lib.sh
source deploy/lib.sh

render() {
  need python3 python3
  compose_json | python3 deploy/swarm.py
}

command=${1:-}
stack=${2:-herdlab}
case $command in
  render) render ;;
  up)
    file=$(mktemp)
    trap 'rm -f "$file"' EXIT
    render >"$file"
    # Images of this machine alone have no digest to resolve.
    docker stack deploy --resolve-image "${RESOLVE_IMAGE:-never}" --compose-file "$file" "$stack"
    ;;
  down) docker stack rm "$stack" ;;
  *) fail "command: ${command:-none} (expected: render, up or down)" ;;
esac
