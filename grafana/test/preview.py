#!/usr/bin/env python3
"""Draws the dashboards' layout with values from a running Prometheus, as HTML, so that a person can judge what a first
screen holds at 1280 px where no Grafana can be had. A stand-in: places, titles, legends, units and data are the
dashboards'; fonts, axes and colours are this script's. Grafana looks better.

    grafana/test/preview.py http://127.0.0.1:9090 OUTPUT_DIR [--window 300s]
    chromium --headless --no-sandbox --disable-gpu --window-size=1280,1200 --screenshot=herd.png OUTPUT_DIR/herd.html
"""

import argparse
import html
import importlib.util
import json
import math
import pathlib
import re
import sys
import time

sys.dont_write_bytecode = True  # leave nothing in the source tree
GRAFANA = pathlib.Path(__file__).resolve().parent.parent
SPEC = importlib.util.spec_from_file_location("check_queries", GRAFANA / "check-queries.py")
CHECK = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(CHECK)

COLUMN, ROW, GAP, TOP = (1280 - 16 - 8) / 24, 38, 8, 96  # pixels; TOP is Grafana's bar and the variables
FIRST_SCREEN_ROWS = 20
PALETTE = ["#73bf69", "#f2cc0c", "#5794f2", "#ff780a", "#f2495c", "#b877d9", "#37872d", "#fade2a", "#8ab8ff", "#ff9830"]
NAMED = {"blue": "#5794f2", "orange": "#ff9830", "red": "#f2495c", "green": "#73bf69", "purple": "#b877d9", "yellow": "#fade2a",
         "text": "#ccccdc", "super-light-blue": "#c0d8ff", "light-green": "#96d98d"}
STYLE = """body{background:#111217;color:#ccccdc;font:12px sans-serif;margin:0;width:1280px;position:relative}
.p{position:absolute;background:#181b1f;border:1px solid #25272c;border-radius:2px;overflow:hidden;box-sizing:border-box}
.t{font-weight:600;font-size:13px;padding:6px 8px 2px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.l{position:absolute;bottom:3px;left:8px;right:8px;height:16px;overflow:hidden;color:#9a9aab;font-size:11px}
.s{text-align:center;position:absolute;left:0;right:0;top:38px;font-weight:600;white-space:nowrap}
.f{position:absolute;left:0;width:1280px;border-top:2px dashed #f2495c;color:#f2495c;font-size:10px;z-index:1;height:0}
.bar{padding:10px 16px;font-size:15px}.v{padding:4px 16px;color:#9a9aab}
table{border-collapse:collapse;width:100%;font-size:11px}td,th{text-align:left;padding:3px 6px;border-bottom:1px solid #25272c;white-space:nowrap}"""


def shown(value, unit, decimals=None):
    """A number as Grafana would write it, roughly."""
    if value is None or math.isnan(value):
        return ""
    if unit == "percentunit":
        return "%.*f%%" % (1 if decimals is None else decimals, value * 100)
    steps = {"s": [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")], "bytes": [(2**30, "GiB"), (2**20, "MiB"), (1024, "KiB")]}.get(unit, [])
    for scale, name in steps:
        if abs(value) >= scale:
            return "%.3g %s" % (value / scale, name)
    text = "%.*f" % (decimals, value) if decimals is not None else "%.4g" % value
    return text + (" req/s" if unit == "reqps" else "")


def legend(template, labels):
    return re.sub(r"\{\{(\w+)\}\}", lambda match: labels.get(match[1], ""), template)


class Screen:
    """One dashboard, its queries answered."""

    def __init__(self, base, dashboard, window):
        self.base, self.dashboard, self.window, self.now = base, dashboard, window, time.time()
        self.names = [variable["name"] for variable in dashboard["templating"]["list"]]

    def ask(self, target, instant):
        expr = CHECK.substitute(target["expr"], self.names, self.window)
        if instant:
            return CHECK.ask(self.base, "query", {"query": expr, "time": self.now})["result"]
        step = max(1, self.window // 300)
        return CHECK.ask(self.base, "query_range", {"query": expr, "start": self.now - self.window, "end": self.now, "step": step})["result"]

    def x(self, at, width):
        return (float(at) - self.now + self.window) / self.window * width

    def draw(self):
        panels = self.dashboard["panels"]
        height = max(p["gridPos"]["y"] + p["gridPos"]["h"] for p in panels) * ROW + TOP + 20
        variables = " ".join("%s: <b>All</b> &nbsp;" % v.get("label", v["name"]) for v in self.dashboard["templating"]["list"][1:])
        parts = ["<!doctype html><meta charset=utf-8><style>%s</style><body style='height:%dpx'>" % (STYLE, height),
                 "<div class=bar>Herdlab / <b>%s</b></div><div class=v>%s</div>" % (self.dashboard["title"], variables),
                 "<div class=f style='top:%dpx'>first screen ends</div>" % (TOP + FIRST_SCREEN_ROWS * ROW)]
        for panel in panels:
            grid = panel["gridPos"]
            width, tall = grid["w"] * COLUMN - GAP, grid["h"] * ROW - GAP
            place = "left:%.0fpx;top:%.0fpx;width:%.0fpx;height:%.0fpx" % (12 + grid["x"] * COLUMN, TOP + grid["y"] * ROW, width, tall)
            body = getattr(self, panel["type"].replace("-", ""))(panel, width, tall)
            parts.append("<div class=p style='%s' title='%s'><div class=t>%s</div>%s</div>" % (
                place, html.escape(panel["description"], True), html.escape(panel["title"]), body))
        return "".join(parts)

    def stat(self, panel, width, tall):
        defaults = panel["fieldConfig"]["defaults"]
        result = self.ask(panel["targets"][0], True)
        if not result:
            return "<div class=s>No data</div>"
        value, colour = float(result[0]["value"][1]), "text"
        for step in defaults.get("thresholds", {}).get("steps", []):
            if step["value"] is None or value >= step["value"]:
                colour = step["color"]
        text = shown(value, defaults.get("unit"), defaults.get("decimals"))
        for mapping in defaults.get("mappings", []):
            if str(int(value)) in mapping["options"]:
                text, colour = mapping["options"][str(int(value))]["text"], mapping["options"][str(int(value))]["color"]
        if panel["options"].get("textMode") == "name":
            text = legend(panel["targets"][0]["legendFormat"], result[0]["metric"])
        size = min(34, int(1.7 * (width - 16) / max(1, len(text))))
        return "<div class=s style='font-size:%dpx;color:%s'>%s</div>" % (size, NAMED[colour], html.escape(text))

    def timeseries(self, panel, width, tall):
        defaults, series = panel["fieldConfig"]["defaults"], []
        overrides = {o["matcher"]["options"]: {p["id"]: p["value"] for p in o["properties"]} for o in panel["fieldConfig"]["overrides"]}
        for target in panel["targets"]:
            series += [(legend(target["legendFormat"], s["metric"]), s["values"]) for s in self.ask(target, False)]
        values = [float(v) for _, points in series for _, v in points if not math.isnan(float(v))]
        if not values:
            return "<div class=s>No data</div>"
        low, high = min(defaults.get("min", min(values)), 0), defaults.get("max") or max(values) * 1.05 or 1
        left, down = 52, tall - 28 - (24 if panel["options"]["legend"]["showLegend"] else 8)
        out, names = [], []
        for i in range(3):
            y = 4 + (down - 8) * i / 2
            out.append("<text x=2 y=%d fill='#9a9aab' font-size=10>%s</text><line x1=%d x2=%d y1=%d y2=%d stroke='#25272c'/>" % (
                y + 4, shown(high - (high - low) * i / 2, defaults.get("unit")), left, width, y, y))
        for index, (name, points) in enumerate(series):
            override = next((o for key, o in overrides.items() if key == name or key[0] == "/" and re.search(key.strip("/"), name)), {})
            colour = NAMED.get(override.get("color", {}).get("fixedColor"), PALETTE[hash(name) % len(PALETTE)])
            dash = " stroke-dasharray='6 4'" if "custom.lineStyle" in override else ""
            run, last = [[]], None
            for at, value in points:
                if last is not None and at - last > 5 * max(1, self.window // 300):
                    run.append([])
                if not math.isnan(float(value)):
                    y = 4 + (down - 8) * (high - min(max(float(value), low), high)) / (high - low)
                    run[-1].append("%.1f,%.1f" % (left + self.x(at, width - left - 6), y))
                last = at
            out += ["<polyline fill=none stroke='%s' stroke-width=%s%s points='%s'/>" % (
                colour, override.get("custom.lineWidth", 1), dash, " ".join(part)) for part in run if part]
            names.append("<span style='color:%s'>━</span> %s&nbsp; " % (colour, html.escape("%s %s" % (name, shown(float(points[-1][1]), defaults.get("unit"))))))
        below = "<div class=l>%s</div>" % "".join(names) if panel["options"]["legend"]["showLegend"] else ""
        return "<svg width=%d height=%d>%s</svg>%s" % (width, down, "".join(out), below)

    def heatmap(self, panel, width, tall):
        target = panel["targets"][0]
        series = [s for s in self.ask(target, False) if "values" in s]
        if not series:
            return "<div class=s>No data that this stand-in can draw</div>"
        high = max(float(v) for s in series for _, v in s["values"]) or 1
        left, tall = 96, tall - 40
        row, cell = tall / len(series), (width - left - 8) / (self.window / max(1, self.window // 300))
        out = []
        for index, one in enumerate(series):
            if index % max(1, math.ceil(len(series) * 11 / tall)) == 0:
                out.append("<text x=2 y=%.1f fill='#9a9aab' font-size=10>%s</text>" % (row * index + 9, html.escape(legend(target["legendFormat"], one["metric"]))))
            for at, value in one["values"]:
                heat = (float(value) / high) ** 0.5
                out.append("<rect x=%.1f y=%.1f width=%.1f height=%.1f fill='rgb(%d,%d,%d)'/>" % (
                    left + self.x(at, width - left - 8), row * index, cell + 0.5, row + 0.3, 250 * heat, 180 * heat**2, 90 * heat * (1 - heat) + 20))
        return "<svg width=%d height=%d>%s</svg>" % (width, tall, "".join(out))

    def statetimeline(self, panel, width, tall):
        labels = panel["transformations"][0]["options"]["keepLabels"]
        left, down, out = 70, tall - 34, []
        cells = sorted((s["values"], s["metric"]) for s in self.ask(panel["targets"][0], False))
        spans = []
        for values, metric in cells:
            for at, _ in values:
                if spans and spans[-1][2] == metric and at - spans[-1][1] <= 2 * max(1, self.window // 300):
                    spans[-1][1] = at
                else:
                    spans.append([at, at, metric])
        for index, label in enumerate(labels):
            out.append("<text x=4 y=%d fill='#9a9aab' font-size=11>%s</text>" % (down / 2 * index + 22, label))
            for begin, end, metric in spans:
                x, to = (left + self.x(t, width - left - 8) for t in (begin, end + 1))
                colour = next((m["options"]["result"]["color"] for m in panel["fieldConfig"]["defaults"]["mappings"] if re.match(m["options"]["pattern"].strip("/"), metric[label])), "purple")
                out.append("<rect x=%.0f y=%.0f width=%.0f height=%.0f fill='%s' opacity=.7 /><text x=%.0f y=%.0f font-size=11 fill='#fff'>%s</text>" % (
                    x, down / 2 * index + 2, to - x - 1, down / 2 - 4, NAMED[colour], x + 4, down / 2 * index + 22, html.escape(metric[label][: int((to - x) / 6)])))
        return "<svg width=%d height=%d>%s</svg>" % (width, down, "".join(out))

    def table(self, panel, width, tall):
        renamed = panel["transformations"][-1]["options"]["renameByName"]
        units = {o["matcher"]["options"]: {p["id"]: p["value"] for p in o["properties"]} for o in panel["fieldConfig"]["overrides"]}
        labels, headings = [k for k in renamed if not k.startswith("Value")], [v for k, v in renamed.items() if k.startswith("Value")]
        lines = {}
        for heading, target in zip(headings, panel["targets"]):
            for one in self.ask(target, True):
                lines.setdefault(tuple(one["metric"].get(label, "") for label in labels), {})[heading] = float(one["value"][1])
        out = "".join("<th>%s</th>" % html.escape(name) for name in [renamed[label] for label in labels] + headings)
        for key, values in sorted(lines.items()):
            cells = ["<td>%s</td>" % html.escape(part) for part in key]
            for heading in headings:
                value, text = values.get(heading), shown(values.get(heading), units[heading]["unit"])
                for mapping in units[heading].get("mappings", []):
                    text = mapping["options"].get(str(int(value or 0)), {}).get("text", text) if value is not None else ""
                cells.append("<td>%s</td>" % html.escape(text))
            out += "<tr>%s</tr>" % "".join(cells)
        return "<table>%s</table>" % out


def main():
    parser = argparse.ArgumentParser(description="Draws the dashboards' layout with real values; a stand-in for Grafana.")
    parser.add_argument("prometheus", metavar="PROMETHEUS_URL")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--window", type=CHECK.seconds, default=300)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for file in sorted((GRAFANA / "dashboards").glob("*.json")):
        screen = Screen(options.prometheus, json.loads(file.read_text()), options.window)
        (options.output / (file.stem + ".html")).write_text(screen.draw())


if __name__ == "__main__":
    main()
