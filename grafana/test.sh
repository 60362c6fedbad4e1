#!/usr/bin/env bash
# Checks the Prometheus configuration, its rules, and the dashboards. Needs Prometheus 2.42 or later, Node 18 or later
# with npm, and Python 3.9 or later. A tool that is missing skips its checks, and fails where CI is true.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
PATH=$PATH:/usr/bin:/usr/sbin

step() {
  printf -- '-- %s\n' "$*"
}

has() {
  local tool
  for tool in "$@"; do
    if ! command -v "$tool" >/dev/null; then
      if [[ ${CI:-} == true ]]; then
        echo "$tool: not found (expected: on the PATH)" >&2
        exit 2
      fi
      echo "skipped: no $tool here"
      return 1
    fi
  done
}

step "configuration and rules"
if has promtool; then
  promtool check config --lint=all --lint-fatal prometheus/prometheus.yml
  promtool test rules prometheus/tests/*.test.yml
fi

step "dashboards are what the sources give"
if has npm; then
  npm ci --silent
  npm run --silent check
fi

step "dashboards' rules"
if has node; then
  node --test test/
fi

step "every query, in a real Prometheus"
if has prometheus python3; then
  python3 test/scrape.py
fi
