"""What the benchmark scripts share: processes that are started, watched through /proc, and always ended.

Linux and Python 3.9 or later, standard library alone. Python is used for benchmarks only; Herdlab itself needs none.
"""

import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
HERDLAB = str(ROOT / "herdlab")

TICK_SECONDS = 1 / os.sysconf("SC_CLK_TCK")
PR_SET_PDEATHSIG = 1
COMPILER = re.compile(r"^C[12] Compiler")  # names of the JVM's compiler threads
END_BOUND_SECONDS = 10
START_BOUND_SECONDS = 60

OK, INTERNAL, USAGE, NOT_VALID, LIMIT = 0, 1, 2, 3, 4  # exit codes, as herdlab's own


def fail(message, code=USAGE):
    """Ends the script with one line."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    raise SystemExit(code)


def note(line):
    """A word about progress, where results do not go."""
    print(line, file=sys.stderr, flush=True)


def unwind_on_signals():
    """Lets INT, TERM and HUP unwind the script, so that everything it started is ended."""

    def stop(number, frame):
        raise SystemExit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


def end_quietly_on_closed_output():
    """As other command-line programs do when a reader such as head has seen enough."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def need(program, package):
    """The path of a program, or the end of the script with one line that says what to install."""
    path = shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/local/sbin")
    if not path:
        fail(f"{program}: not found (expected: Debian's package {package}; no service has to run)")
    return path


def build():
    """Builds Herdlab if its sources are newer, so that no build falls into a measurement."""
    if subprocess.run([HERDLAB, "--help"], stdout=subprocess.DEVNULL).returncode != 0:
        fail("herdlab does not build")


def free_ports(count):
    """Ports of loopback that are free now. Somebody else may take one before it is bound; start again then."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def die_with_parent():
    # Even if this script is killed, nothing it started stays.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Child:
    """One process that was started here, ended by its id."""

    def __init__(self, name, command, log, cores=None):
        self.name = name
        self.log = log
        pinned = ["taskset", "-c", cores] if cores else []
        with open(log, "wb") as errors:
            self.process = subprocess.Popen(
                pinned + command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                preexec_fn=die_with_parent,
            )

    @property
    def pid(self):
        return self.process.pid

    def read_json(self):
        """The ready line of a Herdlab component."""
        line = self.process.stdout.readline()
        if not line:
            self._gone()
        reply = json.loads(line)
        self.admin = reply.get("admin")
        return reply

    def ask(self, method, path, body=None):
        """Asks a Herdlab component on its admin port, whose ready line has been read; bytes of the answer."""
        url = f"http://127.0.0.1:{self.admin}{path}"
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, method=method), timeout=60) as answer:
                return answer.read()
        except urllib.error.HTTPError as refused:
            fail(f"{self.name}: {json.loads(refused.read())['error']}", INTERNAL)
        except OSError:
            self._gone()

    def await_port(self, port):
        """Waits until it listens."""
        until = time.monotonic() + START_BOUND_SECONDS
        while time.monotonic() < until:
            if self.process.poll() is not None:
                self._gone()
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        fail(f"{self.name}: does not listen on port {port} after {START_BOUND_SECONDS} s", INTERNAL)

    def _gone(self):
        said = pathlib.Path(self.log).read_text(errors="replace").strip().splitlines()
        fail(f"{self.name}: has ended ({said[-1] if said else 'without a word'})", INTERNAL)

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(END_BOUND_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Children:
    """All that was started, with a folder for configurations and logs; both are gone at the end."""

    def __enter__(self):
        unwind_on_signals()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="herdlab-benchmark-"))
        self.all = []
        return self

    def __exit__(self, *_):
        for child in reversed(self.all):
            child.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, name, command, cores=None):
        child = Child(name, command, self.folder / f"{name}-{len(self.all)}.log", cores)
        self.all.append(child)
        return child

    def end(self, child):
        child.end()
        self.all.remove(child)

    def component(self, name, sets, cores=None):
        """A component of Herdlab, ready; and the line by which it said so."""
        command = [HERDLAB, name]
        for one in sets:
            command += ["--set", one]
        child = self.start(name, command, cores)
        return child, child.read_json()

    def cpu_seconds(self):
        return sum(cpu_seconds(child.pid) for child in self.all)


def tree(pid):
    """A process and those that it started, as far as they live."""
    found = [pid]
    for parent in found:
        try:
            for children in pathlib.Path(f"/proc/{parent}/task").glob("*/children"):
                found += [int(child) for child in children.read_text().split()]
        except OSError:
            pass  # it has just ended
    return found


def cpu_seconds(pid):
    """User and system time of a process and all that it started, to the nanosecond: their CPU clocks."""
    seconds = 0.0
    for each in tree(pid):
        try:
            # What clock_getcpuclockid(3) returns for a process on Linux.
            seconds += time.clock_gettime((~each << 3) | 2)
        except OSError:
            pass  # it has just ended
    return seconds


def busy_seconds():
    """CPU time of the whole machine that was not idle, since it was started."""
    fields = pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    user, nice, system, _, _, irq, softirq, steal = (int(field) for field in fields[:8])
    return (user + nice + system + irq + softirq + steal) * TICK_SECONDS


def spread(values):
    """`median (least..greatest)`."""
    median, least, most = (
        f"{value:.0f}" if value >= 1000 else f"{value:.4g}"
        for value in (statistics.median(values), min(values), max(values))
    )
    return f"{median} ({least}..{most})"


def table(rows):
    """Rows of texts as lines, the first column to the left and all others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths)))
        for row in rows
    )
