#!/usr/bin/env python3
"""What deploy/test-compose.sh asserts of a running system, asked of its Prometheus, of the lab's page and of the results
that the lab has written. A step that does not hold says what it saw and ends with 1. Standard library alone.
"""

import argparse
import json
import math
import pathlib
import socket
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

ANSWER_SECONDS = 10
# How far the measured quantiles may be from the replay's.
REPLAY_TOLERANCE = {"p50": 0.05, "p95": 0.03, "p99": 0.03}
# A twin disagrees by chance in one of a hundred comparisons; more than that many disagreements are expected
# once in a thousand test runs.
TWIN_CHANCE = 0.01
RARE = 0.001
SCRAPE_BYTES = 1_000_000
# Under 60 s where nothing else runs; a bound of patience, not of speed.
FIRST_SECONDS = 240


class Failure(Exception):
    """What was asserted does not hold."""


class TooFew(Failure):
    """Too little was valid for the assertion to be made: the machine was too busy with other things."""


def get(url, headers=None):
    request = urllib.request.Request(url, headers=headers or {})
    with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
        return answer.read()


class Prometheus:
    """A running Prometheus."""

    def __init__(self, base):
        self.base = base

    def query(self, expr):
        """Labels and value of each series of an instant query."""
        url = self.base + "/api/v1/query?" + urllib.parse.urlencode({"query": expr})
        result = json.loads(get(url))["data"]["result"]
        return [(series["metric"], float(series["value"][1])) for series in result]

    def value(self, expr, otherwise=0.0):
        """The one value of a query."""
        series = self.query(expr)
        return series[0][1] if series else otherwise


def await_that(what, seconds, look):
    """Polls until `look` answers something true, and returns that; what it last saw stands in the failure."""
    end = time.monotonic() + seconds
    seen = None
    while True:
        try:
            done, seen = look()
            if done:
                print(f"  {what}: {seen}", flush=True)
                return seen
        except (urllib.error.URLError, OSError, ValueError, KeyError) as e:
            seen = e
        if time.monotonic() >= end:
            raise Failure(f"{what}: {seen} after {seconds:.0f} s")
        time.sleep(1)


def pairs(words):
    return {key: int(value) for key, value in (word.split("=") for word in words)}


# ---- One function for each thing that is asserted.


def config(_, __):
    """No port beyond loopback, every image with a tag, no password in the file. Reads the configuration on stdin."""
    compose = json.load(sys.stdin)
    for name, service in sorted(compose["services"].items()):
        image = service["image"]
        if ":" not in image or image.endswith(":latest"):
            raise Failure(f"{name}: image {image} (expected: a tag)")
        for port in service.get("ports", []):
            address = port.get("host_ip") if isinstance(port, dict) else port.split(":")[0]
            if address != "127.0.0.1":
                raise Failure(f"{name}: published on {port} (expected: 127.0.0.1)")
        for key in service.get("environment", {}):
            if "PASSWORD" in key.upper():
                raise Failure(f"{name}: {key} (expected: no password in the file)")
        if not service.get("healthcheck") and not service.get("build"):
            raise Failure(f"{name}: no health check")
    if not compose["networks"]["data"].get("internal"):
        raise Failure("network data: not internal")
    print(f"  {len(compose['services'])} services")


def wait_first(prometheus, words):
    """Seconds from `up`, which began at the first number of seconds and had ended at the second, to data."""
    began, now = map(int, words)
    start = time.monotonic() - (now - began)
    samples = "count(herdlab_backend_requests_total)"
    latency = "sum(histogram_count(herdlab_loadgen_latency_seconds)) or sum(herdlab_loadgen_latency_seconds_count)"
    for what, expr in (("samples", samples), ("latency", latency)):
        await_that(f"first {what}", FIRST_SECONDS, lambda e=expr: (prometheus.value(e) > 0, prometheus.value(e)))
        print(f"  {time.monotonic() - start:.0f} s from up to the first {what}")


def targets(prometheus, words):
    """As many targets of each component as given, all up."""
    for component, count in pairs(words).items():
        expr = f'count(up{{component="{component}"}} == 1)'
        await_that(f"targets of {component} that are up", 90, lambda e=expr, c=count: (prometheus.value(e) == c, prometheus.value(e)))
    # One that has just come may miss its first scrapes.
    await_that("targets that are down", 60, lambda: (prometheus.value("count(up == 0)") == 0, prometheus.query("up == 0")))


def scrapes(prometheus, words):
    """Size of a proxy's scrape, asked at its address as Prometheus asks; time as Prometheus saw it."""
    accept = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"
    for form, headers in (("protobuf", {"Accept": accept}), ("text", {})):
        size = len(get(f"http://{words[0]}:9400/metrics", headers))
        print(f"  a proxy's scrape as {form}: {size} bytes (at most {SCRAPE_BYTES})")
        if size > SCRAPE_BYTES:
            raise Failure(f"scrape: {size} bytes (expected: at most {SCRAPE_BYTES})")
    for quantile in (0.5, 0.99):
        expr = f'max(quantile_over_time({quantile}, scrape_duration_seconds{{component="proxy"}}[1m]))'
        print(f"  scrape time of a proxy, quantile {quantile} of a minute: {prometheus.value(expr) * 1000:.1f} ms")


def switches(prometheus, words):
    """The number of switches grows by as many as the first word says, within as many seconds as the second."""
    count, bound = map(int, words)
    first = await_that("phases", bound, lambda: (prometheus.query("herdlab_phase_switches_total"), prometheus.value("herdlab_phase_switches_total")))
    await_that(
        "switches of the tour",
        bound,
        lambda: (prometheus.value("herdlab_phase_switches_total") >= first + count, prometheus.value("herdlab_phase_switches_total")),
    )
    await_that(
        "proxies that run the phase's algorithm",
        30,
        lambda: (prometheus.value("count(herdlab_proxy_algorithm_info * on (algorithm, view) group_left () herdlab_phase_info)") > 0, "all"),
    )


def finished(page):
    return json.loads(get(page + "/state"))["finished"]


def phases(options, words):
    """As many phases finished as the first word says, within as many seconds as the second."""
    count, bound = map(int, words)
    await_that("finished phases", bound, lambda: (len(finished(options.page)) >= count, len(finished(options.page))))


def phases_from_now(options, words):
    # The page of a lab that was started again takes a moment.
    now = await_that("phases until now", 120, lambda: (True, len(finished(options.page))))
    phases(options, [str(now + int(words[0])), words[1]])


def phase_of(prometheus, words):
    """What runs now has the number of proxies or backends given, within the seconds given."""
    label, number = words[0].split("=")
    expr = f'count(herdlab_phase_info{{{label}="{number}"}})'
    await_that(
        f"phase with {label}={number}", int(words[1]), lambda: (prometheus.value(expr) == 1, prometheus.query("herdlab_phase_info"))
    )


def sharing(prometheus, words):
    """As many proxy processes as given get requests, none less than half of an equal share."""
    count = int(words[0])
    rates = "sum by (instance) (rate(herdlab_proxy_requests_total[15s]))"

    def look():
        seen = sorted(value for _, value in prometheus.query(rates) if value > 0)
        return len(seen) == count and seen[0] >= 0.5 * sum(seen) / count, [round(value, 1) for value in seen]

    await_that("requests/s of each proxy", 60, look)


def board(prometheus, words):
    """Whether the proxies say that the board is there: 1 or 0."""
    connected = int(words[0])
    expr = 'herdlab_proxy_board_connected{kind="redis"}'

    def look():
        values = [value for _, value in prometheus.query(expr)]
        return bool(values) and all(value == connected for value in values), values

    await_that("board connected, by proxy", 60, look)


def serving(prometheus, _):
    """Requests complete, and none has failed in the last seconds."""
    ok = 'sum(rate(herdlab_loadgen_requests_total{outcome="ok"}[5s]))'
    failed = 'sum(rate(herdlab_loadgen_requests_total{outcome!="ok"}[5s])) or vector(0)'
    await_that("requests/s that complete, and that fail", 60, lambda: (
        prometheus.value(ok) > 0 and prometheus.value(failed) == 0,
        (round(prometheus.value(ok), 1), round(prometheus.value(failed), 1)),
    ))


def served_by(prometheus, words):
    """The process at this address serves requests."""
    expr = f'sum(rate(herdlab_backend_requests_total{{instance="{words[0]}:9400",outcome="served"}}[10s]))'
    await_that(f"requests/s served by {words[0]}", 60, lambda: (prometheus.value(expr) > 0, round(prometheus.value(expr), 1)))


def cells(folder):
    """The cells of every cycle in a folder of results, in the order of playing."""
    documents = sorted(pathlib.Path(folder).rglob("summary.json"))
    return [cell for document in documents for cell in json.loads(document.read_text())["cells"]]


def by_chance(comparisons):
    """Most disagreements that are not surprising among so many comparisons."""
    tail, most = 1.0, -1
    while tail >= RARE:
        most += 1
        tail -= math.comb(comparisons, most) * TWIN_CHANCE**most * (1 - TWIN_CHANCE) ** (comparisons - most)
    return most


def fidelity(_, words):
    """The table of phases; in valid ones the replay is near and the twin agrees; four kinds of phase were valid."""
    valid_kinds, wrong, disagreements, comparisons = set(), [], [], 0
    print("  algorithm    view                      valid  measured p50/p95/p99      off the replay by %     twin agrees")
    for cell in cells(words[0]):
        kind = f"{cell['algorithm']} {cell['view']}"
        measured, replay, twin = cell.get("measured"), cell.get("replay"), cell.get("twin")
        if not measured or not replay:
            print(f"  {kind}: nothing measured: {cell['verdict']['reasons']}")
            continue
        off = {q: measured[q] / replay[q] - 1 for q in REPLAY_TOLERANCE}
        agrees = {q: twin[q].get("agrees") for q in REPLAY_TOLERANCE} if twin else {}
        valid = cell["verdict"]["valid"]
        print(
            f"  {cell['algorithm']:<12} {cell['view']:<26}{'yes' if valid else 'no ':<6}"
            + " / ".join(f"{measured[q]:.2f}" for q in off)
            + "   "
            + " / ".join(f"{100 * off[q]:+.1f}" for q in off)
            + "   "
            + " / ".join(str(agrees.get(q, "-")) for q in off)
            + ("" if valid else f"   {cell['verdict']['reasons'][0]}")
        )
        if not valid:
            continue
        valid_kinds.add(kind)
        wrong += [f"{kind}: {q} {100 * off[q]:+.1f} %" for q in off if abs(off[q]) > REPLAY_TOLERANCE[q]]
        comparisons += len(agrees)
        disagreements += [f"{kind}: {q}" for q, agreed in agrees.items() if agreed is False]
    if wrong:
        raise Failure(f"off the replay: {wrong} (expected: at most 5/3/3 %)")
    if len(disagreements) > by_chance(comparisons):
        raise Failure(f"the twin disagrees: {disagreements} of {comparisons} (expected: at most {by_chance(comparisons)})")
    if len(valid_kinds) < 4:
        raise TooFew(f"valid kinds of phase: {sorted(valid_kinds)} (expected: 4 or more)")
    print(f"  {len(disagreements)} of {comparisons} twin comparisons disagree (at most {by_chance(comparisons)} by chance)")


def accounted(_, words):
    """In the last phases, as many as given, what was sent is what completed and what failed by each cause."""
    last = cells(words[0])[-int(words[1]) :]
    if len(last) < int(words[1]):
        raise Failure(f"phases: {len(last)} in {words[0]} (expected: {words[1]} or more)")
    failures = 0
    for cell in last:
        accounts = cell["accounting"]
        failed = sum(accounts["failed"].values())
        failures += failed
        print(f"  {cell['algorithm']} {cell['view']}: sent {accounts['sent']}, completed {accounts['completed']}, failed {accounts['failed']}")
        if accounts["sent"] != accounts["completed"] + failed or accounts["sent"] != cell["requests"]:
            raise Failure(f"accounts: {accounts} of {cell['requests']} (expected: sent = requests = completed + failed)")
    if sum(last[-1]["accounting"]["failed"].values()) > 0:
        raise Failure("requests still fail in the last phase (expected: only around the kill)")
    print(f"  {failures} requests failed in all")


def free_port(_, __):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        print(probe.getsockname()[1])


WITH_PROMETHEUS = [wait_first, targets, scrapes, switches, phase_of, sharing, board, serving, served_by]
WITH_PAGE = [phases, phases_from_now]
WITHOUT = [config, fidelity, accounted, free_port]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prometheus", default="http://127.0.0.1:9090")
    parser.add_argument("--page", default="http://127.0.0.1:8090")
    parser.add_argument("step", choices=[f.__name__.replace("_", "-") for f in WITH_PROMETHEUS + WITH_PAGE + WITHOUT])
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    step = globals()[options.step.replace("-", "_")]
    try:
        step(Prometheus(options.prometheus) if step in WITH_PROMETHEUS else options, options.words)
    except Failure as e:
        print(f"live: {options.step}: {e}", file=sys.stderr)
        sys.exit(3 if isinstance(e, TooFew) else 1)


main()
