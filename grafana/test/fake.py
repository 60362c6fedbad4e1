"""A fake herdlab: four HTTP servers on loopback with every metric of the contract (docs/metrics.md) and plausible
numbers, for testing rules and dashboards without a system. Phases of a few seconds. Not a model of anything."""

import http.server
import math
import random
import threading
import time

import exposition
from exposition import Histogram

UNIT = 0.05
PROXIES = ["0", "1", "2", "3"]
BACKENDS = ["10.0.0.%d:%d" % (host, port) for host in (5, 6) for port in range(8000, 8008)]
STUBS = ["stub%d-%d" % (host, i) for host in (1, 2) for i in range(8)]
RATE = 0.8 * len(BACKENDS) / UNIT
# Algorithm, view, mean latency in units, how uneven the backends are.
CELLS = [
    ("round-robin", "local", 2.9, 0.3),
    ("least-conn", "local", 2.5, 0.2),
    ("p2c", "local", 2.6, 0.2),
    ("least-conn", "shared-stale(refresh=4)", 5.2, 1.6),
    ("p2c", "shared-stale(refresh=4)", 2.4, 0.2),
]
BOUNDS = [UNIT * 2 ** (i / 2) for i in range(-6, 17)]
FINE = [1e-6 * 4**i for i in range(10)]
QUANTILES = ["0.5", "0.95", "0.99"]


class System:
    """The state of all processes; any thread, one at a time by its lock."""

    def __init__(self, phase_seconds):
        self.lock = threading.Lock()
        self.random = random.Random(7)
        self.phase_seconds = phase_seconds
        self.start = self.now = time.time()
        self.phase = 0
        self.histograms = {}
        self.counters = {}

    def observe(self, name, labels, value, bounds=None):
        key = (name, tuple(labels.items()))
        if key not in self.histograms:
            self.histograms[key] = Histogram(bounds or BOUNDS)
        self.histograms[key].observe(max(value, 1e-7))

    def add(self, name, labels, amount=1):
        key = (name, tuple(labels.items()))
        self.counters[key] = self.counters.get(key, 0) + amount

    def advance(self):
        """Lets the time since the last scrape pass."""
        now = time.time()
        requests = int(RATE * (now - self.now))
        self.now += requests / RATE
        phase = int((now - self.start) / self.phase_seconds)
        if phase != self.phase:
            self.phase = phase
            self.add("herdlab_phase_switches_total", {})
            for outcome, share in (("sent", 1000), ("completed", 999), ("connect-failed", 1)):
                self.add("herdlab_phase_requests_total", {"outcome": outcome}, share)
            for proxy in PROXIES:
                self.add("herdlab_proxy_switches_total", {"proxy": proxy})
        algorithm, view, mean, _ = self.cell()
        rnd = self.random
        for _ in range(requests):
            proxy, i = rnd.choice(PROXIES), rnd.randrange(len(BACKENDS))
            latency = rnd.expovariate(1 / (mean * UNIT))
            outcome = "ok" if rnd.random() > 0.0005 else "backend-closed"
            cell = {"algorithm": algorithm, "view": view}
            self.add("herdlab_proxy_requests_total", {"proxy": proxy, "backend": BACKENDS[i], "outcome": outcome})
            self.observe("herdlab_proxy_latency_seconds", {"proxy": proxy, **cell}, latency)
            self.observe("herdlab_proxy_pick_seconds", {"proxy": proxy}, rnd.expovariate(1 / 4e-6), FINE)
            self.add("herdlab_backend_requests_total", {"backend": STUBS[i], "outcome": "served"})
            service = rnd.lognormvariate(-0.36, 0.85) * UNIT
            self.observe("herdlab_backend_service_seconds", {"backend": STUBS[i]}, service)
            self.observe("herdlab_backend_wait_seconds", {"backend": STUBS[i]}, latency * 0.6)
            self.add("herdlab_backend_busy_seconds_total", {"backend": STUBS[i]}, service)
            self.observe("herdlab_backend_lateness_seconds", {}, rnd.expovariate(1 / 1e-4), FINE)
            self.add("herdlab_loadgen_requests_total", {"proxy": proxy, "outcome": outcome})
            self.observe("herdlab_loadgen_latency_seconds", cell, latency + 1e-4)
            self.observe("herdlab_loadgen_send_lag_seconds", {}, rnd.expovariate(1 / 8e-5), FINE)
        self.add("herdlab_loadgen_sent_total", {}, requests)
        self.add("herdlab_loadgen_scheduled_total", {}, requests)

    def cell(self):
        return CELLS[self.phase % len(CELLS)]

    def counted(self, name):
        return [(dict(labels), value) for (n, labels), value in self.counters.items() if n == name]

    def measured(self, name):
        return [(dict(labels), value) for (n, labels), value in self.histograms.items() if n == name]

    def families(self, component):
        with self.lock:
            self.advance()
            return getattr(self, component)() + self.process(component)

    def proxy(self):
        algorithm, view, mean, spread = self.cell()
        stale = view.startswith("shared-stale")
        load = [mean * self.random.lognormvariate(-spread**2 / 2, spread) for _ in BACKENDS]
        each = [({"proxy": p, "backend": b}, p, load[i]) for p in PROXIES for i, b in enumerate(BACKENDS)]
        proxies = lambda value: [({"proxy": p}, value) for p in PROXIES]
        return [
            ("herdlab_proxy_requests_total", "counter", "requests", self.counted("herdlab_proxy_requests_total")),
            ("herdlab_proxy_latency_seconds", "histogram", "latency", self.measured("herdlab_proxy_latency_seconds")),
            ("herdlab_proxy_pick_seconds", "histogram", "pick", self.measured("herdlab_proxy_pick_seconds")),
            ("herdlab_proxy_in_flight", "gauge", "in flight", [(l, round(x / 4)) for l, _, x in each]),
            ("herdlab_proxy_view_in_flight", "gauge", "view", [(l, round(x * (0.9 if stale else 0.25))) for l, _, x in each]),
            ("herdlab_proxy_view_age_seconds", "gauge", "age", [({"proxy": p}, self.random.random() * 0.2 if stale else 0) for p in PROXIES]),
            ("herdlab_proxy_view_refresh_seconds", "gauge", "refresh", proxies(0.2 if stale else 0)),
            ("herdlab_proxy_view_refreshes_total", "counter", "refreshes", proxies(int((self.now - self.start) * 5))),
            ("herdlab_proxy_board_connected", "gauge", "board", [({"kind": "redis"}, 1)]),
            ("herdlab_proxy_algorithm_info", "gauge", "algorithm", [
                ({"proxy": p, "algorithm": algorithm, "view": view, "phase": str(self.phase)}, 1) for p in PROXIES]),
            ("herdlab_proxy_switches_total", "counter", "switches",
                self.counted("herdlab_proxy_switches_total") or proxies(0)),
            ("herdlab_proxy_backends", "gauge", "backends", proxies(len(BACKENDS))),
            ("herdlab_proxy_probes_total", "counter", "probes", [({**each, "result": result}, value) for each, value in proxies(7) for result in ("answered", "lost")]),
            ("herdlab_proxy_load_reports_total", "counter", "reports", [({**each, "result": result}, value) for each, value in proxies(7) for result in ("read", "unreadable")]),
            ("herdlab_proxy_idle_notices_total", "counter", "notices", proxies(7)),
            ("herdlab_proxy_idle_streams", "gauge", "backends", proxies(len(BACKENDS))),
            ("herdlab_proxy_attempts_total", "counter", "attempts", [({**each, "kind": kind}, value) for each, value in proxies(7) for kind in ("first", "retry", "hedge", "hedge-won", "over-budget")]),
            ("herdlab_proxy_waiting", "gauge", "requests", proxies(0)),
            ("herdlab_proxy_connections", "gauge", "connections", [({"side": "client"}, 64), ({"side": "backend"}, 128)]),
        ]

    def backend(self):
        _, _, mean, spread = self.cell()
        load = [round(mean * self.random.lognormvariate(-spread**2 / 2, spread)) for _ in STUBS]
        names = ["wait_seconds", "service_seconds", "lateness_seconds"]
        return [
            ("herdlab_backend_requests_total", "counter", "requests", self.counted("herdlab_backend_requests_total")),
            ("herdlab_backend_in_flight", "gauge", "in flight", [({"backend": b}, x) for b, x in zip(STUBS, load)]),
            ("herdlab_backend_busy_seconds_total", "counter", "busy", self.counted("herdlab_backend_busy_seconds_total")),
            ("herdlab_backend_speed", "gauge", "speed", [({"backend": b}, 1) for b in STUBS]),
        ] + [("herdlab_backend_" + n, "histogram", n, self.measured("herdlab_backend_" + n)) for n in names]

    def loadgen(self):
        names = ["requests", "sent", "scheduled"]
        laws = ["latency_seconds", "send_lag_seconds"]
        return [
            ("herdlab_loadgen_in_flight", "gauge", "in flight", [({}, 0)]),
            ("herdlab_loadgen_rate", "gauge", "rate", [({}, RATE)]),
        ] + [("herdlab_loadgen_%s_total" % n, "counter", n, self.counted("herdlab_loadgen_%s_total" % n)) for n in names
        ] + [("herdlab_loadgen_" + n, "histogram", n, self.measured("herdlab_loadgen_" + n)) for n in laws]

    def lab(self):
        algorithm, view, _, _ = self.cell()
        cells = [({"algorithm": a, "view": v}, mean * UNIT) for a, v, mean, _ in CELLS[: self.phase + 1]]
        by_quantile = [({**l, "quantile": q}, -math.log(1 - float(q)) * x) for l, x in cells for q in QUANTILES]
        done = [(labels, value) for labels, value in by_quantile[: 3 * self.phase]]
        times = lambda factor: [(labels, value * factor) for labels, value in done]
        always = lambda value: [(labels, value) for labels, _ in done]
        info = {"phase": str(self.phase), "algorithm": algorithm, "view": view, "proxies": "4", "backends": "16"}
        begun = self.start + self.phase * self.phase_seconds
        return [
            ("herdlab_phase_info", "gauge", "phase", [(info, 1)]),
            ("herdlab_phase_start_timestamp_seconds", "gauge", "start", [({}, begun)]),
            ("herdlab_phase_switches_total", "counter", "switches", self.counted("herdlab_phase_switches_total")),
            ("herdlab_phase_requests_total", "counter", "requests", self.counted("herdlab_phase_requests_total")),
            ("herdlab_model_latency_seconds", "gauge", "model", by_quantile),
            ("herdlab_measured_latency_seconds", "gauge", "measured", times(1.02)),
            ("herdlab_replay_latency_seconds", "gauge", "replay", times(1.01)),
            ("herdlab_twin_latency_seconds", "gauge", "twin", times(1.0)),
            ("herdlab_difference_ratio", "gauge", "difference", always(0.01)),
            ("herdlab_twin_agrees", "gauge", "agrees", always(1)),
            ("herdlab_run_valid", "gauge", "valid", [(l, 1) for l, _ in cells[: self.phase]]),
            ("herdlab_unit_seconds", "gauge", "unit", [({}, UNIT)]),
        ]

    def process(self, component):
        elapsed = self.now - self.start
        return [
            ("herdlab_build_info", "gauge", "build", [({"version": "0.0.0", "component": component}, 1)]),
            ("herdlab_process_cpu_seconds_total", "counter", "cpu", [({}, 0.3 * elapsed)]),
            ("herdlab_gc_pause_seconds_total", "counter", "gc", [({}, 0.002 * elapsed)]),
            ("herdlab_memory_used_bytes", "gauge", "memory", [({}, 6e7 + 1e7 * self.random.random())]),
            ("herdlab_stall_seconds", "gauge", "stall", [({}, 0.002 * self.random.random())]),
            ("herdlab_samples_lost_total", "counter", "lost", [({}, 0)]),
        ]


def serve(system, component):
    """Starts a server for a component's metrics on a free loopback port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            binary = "application/vnd.google.protobuf" in self.headers.get("Accept", "")
            write = exposition.protobuf if binary else exposition.text
            body = write(system.families(component))
            self.send_response(200)
            self.send_header("Content-Type", exposition.PROTOBUF if binary else exposition.TEXT)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
