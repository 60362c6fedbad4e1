#!/usr/bin/env python3
"""Asks a running Prometheus every question that the dashboards ask: panels, variables and annotations.

    grafana/check-queries.py http://127.0.0.1:9090 [--window 60s] [--format text|json] [--wait SECONDS]

Ends with 0 if every query works and has data, 1 if not, 2 if it was called wrongly. A query that may rightly have no data (one
about failures, say) stands in may-be-empty.json with its reason; it must work all the same. With --wait, asks again until all
is well or the time is up. Python 3.9 or later, standard library only.
"""

import argparse
import json
import math
import pathlib
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT_SECONDS = 10
STEP_SECONDS = 1
SCRAPE_SECONDS = 2  # the data source's timeInterval: $__rate_interval is four of these, or more


class Failure(Exception):
    """Prometheus did not answer, or refused the query."""


def seconds(duration):
    match = re.fullmatch(r"(\d+)(s|m|h)", duration)
    if not match:
        raise argparse.ArgumentTypeError("%s (expected: a duration such as 60s)" % duration)
    return int(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2]]


def substitute(expr, variables, window):
    """What Grafana does to a query before it sends it, with `All` chosen in every variable."""
    built_in = {
        "__rate_interval": "%ds" % max(4 * SCRAPE_SECONDS, STEP_SECONDS + SCRAPE_SECONDS),
        "__interval": "%ds" % STEP_SECONDS,
        "__range": "%ds" % window,
        "__range_s": str(window),
    }
    values = {**{name: ".*" for name in variables}, **built_in}

    def value(match):
        name = match[1] or match[2]
        if name not in values:
            raise Failure("$%s: unknown variable (expected: one of %s)" % (name, ", ".join(sorted(values))))
        return values[name]

    return re.sub(r"\$(?:\{(\w+)(?::\w+)?\}|(\w+))", value, expr)


def ask(base, path, parameters):
    """Prometheus' data for a request to its API."""
    url = "%s/api/v1/%s?%s" % (base.rstrip("/"), path, urllib.parse.urlencode(parameters))
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as error:
        try:
            raise Failure(json.load(error).get("error", str(error))) from None
        except ValueError:
            raise Failure(str(error)) from None
    except OSError as error:
        raise Failure("%s: %s" % (base, error)) from None


def shows(series):
    """Whether a series has anything that Grafana would draw: a number, or a native histogram."""
    values = series.get("values") or ([series["value"]] if "value" in series else [])
    if series.get("histograms") or series.get("histogram"):
        return True
    return any(not math.isnan(float(value)) for _, value in values)


def queries(dashboard):
    """(where, kind, expression) of everything that a dashboard asks; kind is range, instant or labels."""
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            kind = "instant" if target.get("instant") else "range"
            yield "%s / %s / %s" % (dashboard["title"], panel["title"], target["refId"]), kind, target["expr"]
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            yield "%s / variable / %s" % (dashboard["title"], variable["name"]), "labels", variable["query"]["query"]
    for annotation in dashboard["annotations"]["list"]:
        if "target" in annotation and annotation.get("expr"):
            yield "%s / annotation / %s" % (dashboard["title"], annotation["name"]), "range", annotation["target"]["expr"]


def run(base, kind, expr, window):
    """How many series (or label values) a query gives that show something."""
    now = time.time()
    if kind == "labels":
        match = re.fullmatch(r"label_values\((.+), (\w+)\)", expr)
        if not match:
            raise Failure("%s (expected: label_values(METRIC, LABEL))" % expr)
        return len(ask(base, "label/%s/values" % match[2], {"match[]": match[1], "start": now - window, "end": now}))
    if kind == "instant":
        data = ask(base, "query", {"query": expr, "time": now})
    else:
        data = ask(base, "query_range", {"query": expr, "start": now - window, "end": now, "step": STEP_SECONDS})
    return sum(map(shows, data["result"])) if data["resultType"] in ("vector", "matrix") else 1


def check(base, dashboards, allowed, window):
    """One line for each query: what it is, how many series it gave, and whether that is right."""
    results = []
    for dashboard in dashboards:
        names = [variable["name"] for variable in dashboard["templating"]["list"]]
        for where, kind, expr in queries(dashboard):
            result = {"where": where, "kind": kind, "expr": expr, "series": 0, "state": "ok"}
            try:
                result["series"] = run(base, kind, substitute(expr, names, window), window)
                if result["series"] == 0:
                    result["state"] = "may be empty" if where in allowed else "empty"
            except Failure as failure:
                result.update(state="error", error=str(failure))
            results.append(result)
    return results


def main():
    parser = argparse.ArgumentParser(description="Runs every query of the dashboards against a running Prometheus.")
    parser.add_argument("prometheus", metavar="PROMETHEUS_URL")
    parser.add_argument("--dashboards", metavar="DIR", type=pathlib.Path, default=HERE / "dashboards")
    parser.add_argument("--window", type=seconds, default=60, help="time to look at, up to now (default: 60s)")
    parser.add_argument("--wait", type=float, default=0, metavar="SECONDS", help="ask again for so long until all is well")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    options = parser.parse_args()
    dashboards = [json.loads(file.read_text()) for file in sorted(options.dashboards.glob("*.json"))]
    if not dashboards:
        parser.error("--dashboards: %s (expected: a folder with dashboards)" % options.dashboards)
    allowed = json.loads((HERE / "may-be-empty.json").read_text())
    known = {where for dashboard in dashboards for where, _, _ in queries(dashboard)}
    if set(allowed) - known:
        parser.error("may-be-empty.json: %s (expected: a query that exists)" % ", ".join(sorted(set(allowed) - known)))

    deadline = time.monotonic() + options.wait
    while True:
        results = check(options.prometheus, dashboards, allowed, options.window)
        bad = [result for result in results if result["state"] in ("empty", "error")]
        if not bad or time.monotonic() > deadline:
            break
        time.sleep(1)
    if options.format == "json":
        print(json.dumps({"format": "herdlab.queries/1", "queries": results}, indent=2))
    else:
        for result in results:
            print("%-12s %4d  %s" % (result["state"], result["series"], result["where"]))
            if result["state"] in ("empty", "error"):
                print("%19s%s" % ("", result.get("error", result["expr"])))
        print("%d queries: %d ok, %d that may be empty, %d empty, %d errors" % (
            len(results), *(sum(r["state"] == s for r in results) for s in ("ok", "may be empty", "empty", "error"))))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
