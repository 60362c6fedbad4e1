#!/usr/bin/env python3
"""Runs the real Prometheus with the committed configuration (its targets replaced by a fake system on loopback), and
asks every query of the dashboards: once with native histograms, once with classic ones. About half a minute.

    grafana/test/scrape.py [--keep SECONDS]   # --keep leaves it running for so long, to look at
"""

import argparse
import contextlib
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.dont_write_bytecode = True  # leave nothing in the source tree
import fake  # noqa: E402

GRAFANA = pathlib.Path(__file__).resolve().parent.parent
COMPONENTS = {"proxy": "proxy", "backend-stub": "backend", "loadgen": "loadgen", "lab": "lab"}
PHASE_SECONDS = 4
READY_SECONDS = 30


def configuration(ports):
    """prometheus.yml with a static target in the place of each dns_sd_configs entry, and nothing else changed."""
    text = (GRAFANA / "prometheus" / "prometheus.yml").read_text()
    text = text.replace("- rules/*.yml", "- %s/rules/*.yml" % (GRAFANA / "prometheus"))
    pattern = re.compile(r"    dns_sd_configs:\n      - names: \[([a-z-]+)\]\n        type: A\n        port: 9400\n        refresh_interval: \d+s\n")
    text, replaced = pattern.subn(
        lambda match: '    static_configs: [{targets: ["127.0.0.1:%d"]}]\n' % ports[match[1]], text)
    if replaced != len(ports):
        raise SystemExit("prometheus.yml: %d targets replaced (expected: %d)" % (replaced, len(ports)))
    return text


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def prometheus(binary, config, flags):
    """A Prometheus that scrapes; yields its address. It and its data are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="herdlab-prometheus-") as folder:
        file = pathlib.Path(folder, "prometheus.yml")
        file.write_text(config)
        address = "127.0.0.1:%d" % free_port()
        log = pathlib.Path(folder, "log")
        with log.open("w") as output:
            process = subprocess.Popen(
                [binary, "--config.file=%s" % file, "--storage.tsdb.path=%s/data" % folder, "--web.listen-address=%s" % address, *flags],
                stdout=output, stderr=subprocess.STDOUT)
        try:
            deadline = time.monotonic() + READY_SECONDS
            while True:
                with contextlib.suppress(OSError):
                    urllib.request.urlopen("http://%s/-/ready" % address, timeout=2)
                    break
                if process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit("prometheus does not start:\n%s" % log.read_text())
                time.sleep(0.1)
            yield "http://%s" % address
        finally:
            process.terminate()
            process.wait(timeout=READY_SECONDS)


def native(url):
    """Whether the latency law has been scraped as a native histogram, as classic buckets, or both."""
    query = "%s/api/v1/query?query=count(herdlab_loadgen_latency_seconds%s)"
    found = []
    for name, suffix in (("native", ""), ("classic", "_bucket")):
        with urllib.request.urlopen(query % (url, suffix)) as response:
            if b'"value"' in response.read():
                found.append(name)
    return " and ".join(found)


def undocumented():
    """Metrics that only one of the fake and docs/metrics.md knows: the fake must stay what the contract says."""
    text = (GRAFANA.parent / "docs" / "metrics.md").read_text()
    documented = {name for name in re.findall(r"herdlab_[a-z0-9_]+", text) if not re.search("_(bucket|sum|count)$", name)}
    system = fake.System(PHASE_SECONDS)
    faked = {name for component in COMPONENTS.values() for name, *_ in system.families(component)}
    return sorted(faked ^ documented)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=float, default=0, metavar="SECONDS")
    options = parser.parse_args()
    binary = shutil.which("prometheus")
    if not binary:
        print("prometheus: not found (expected: on the PATH)", file=sys.stderr)
        return 2
    status = 0
    if undocumented():
        print("not in both docs/metrics.md and the fake: %s" % ", ".join(undocumented()), file=sys.stderr)
        status = 1
    for kind, flags in (("classic", []), ("native", ["--enable-feature=native-histograms"])):
        system = fake.System(PHASE_SECONDS)
        servers = {service: fake.serve(system, component) for service, component in COMPONENTS.items()}
        ports = {service: server.server_address[1] for service, server in servers.items()}
        with prometheus(binary, configuration(ports), flags) as url:
            print("== %s histograms, %s" % (kind, url), flush=True)
            status |= subprocess.call([str(GRAFANA / "check-queries.py"), url, "--wait", "120"])
            scraped = native(url)
            if scraped != kind:
                print("latency was scraped as: %s (expected: %s)" % (scraped, kind), file=sys.stderr)
                status |= 1
            time.sleep(options.keep)
        for server in servers.values():
            server.shutdown()
            server.server_close()
    return status


if __name__ == "__main__":
    sys.exit(main())
