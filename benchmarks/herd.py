#!/usr/bin/env python3
"""The herd model as a plain, single-threaded Python program: the yardstick for `herdlab study herd`.

It follows the description of the published program (docs: "herd, exactly") with the standard library alone,
and prints the same cells as `herdlab study herd --format json`:

    benchmarks/herd.py                                 # all 60 runs of 300 000 requests, one after the other
    benchmarks/herd.py --proxies 1,16 --seeds 0        # a few of them
"""

import argparse
import heapq
import json
import random
import sys

MU, SIGMA = -0.36, 0.85


def least_conn(rng, counts, proxy):
    least = min(counts)
    return rng.choice([b for b, count in enumerate(counts) if count == least])


def p2c(rng, counts, proxy):
    first = rng.randrange(len(counts))
    second = rng.randrange(len(counts))
    return second if counts[second] < counts[first] else first


def uniform(rng, counts, proxy):
    return rng.randrange(len(counts))


def round_robin(proxies, backends):
    cursors = [0] * proxies

    def pick(rng, counts, proxy):
        backend = cursors[proxy]
        cursors[proxy] = (backend + 1) % backends
        return backend

    return pick


def run(algorithm, proxies, backends, rho, requests, warmup, seed):
    """One run: the latencies of all requests after the warm-up, sorted, in units."""
    rng = random.Random(seed)
    pick = {
        "least-conn": lambda: least_conn,
        "p2c": lambda: p2c,
        "random": lambda: uniform,
        "round-robin": lambda: round_robin(proxies, backends),
    }[algorithm]()
    counts = [[0] * backends for _ in range(proxies)]  # in flight, as each proxy sees its own
    free = [0.0] * backends  # when each backend will have done all it has
    running = []  # (finish, proxy, backend)
    latencies = []
    now = 0.0
    rate = backends * rho
    for i in range(requests):
        now += rng.expovariate(rate)
        while running and running[0][0] <= now:
            _, proxy, backend = heapq.heappop(running)
            counts[proxy][backend] -= 1
        proxy = rng.randrange(proxies)
        backend = pick(rng, counts[proxy], proxy)
        finish = max(now, free[backend]) + rng.lognormvariate(MU, SIGMA)
        free[backend] = finish
        counts[proxy][backend] += 1
        heapq.heappush(running, (finish, proxy, backend))
        if i >= warmup:
            latencies.append(finish - now)
    latencies.sort()
    return latencies


def numbers(text):
    return [int(part) for part in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--proxies", type=numbers, default=[1, 4, 16, 64])
    parser.add_argument("--algorithms", type=lambda text: text.split(","), default=["round-robin", "least-conn", "p2c"])
    parser.add_argument("--seeds", type=numbers, default=[0, 1, 2, 3, 4])
    parser.add_argument("--backends", type=int, default=16)
    parser.add_argument("--rho", type=float, default=0.8)
    parser.add_argument("--requests", type=int, default=300_000)
    parser.add_argument("--warmup", type=int, default=20_000)
    options = parser.parse_args()
    cells = []
    for proxies in options.proxies:
        for algorithm in options.algorithms:
            for seed in options.seeds:
                latencies = run(
                    algorithm, proxies, options.backends, options.rho, options.requests, options.warmup, seed
                )
                cells.append(
                    {
                        "algorithm": algorithm,
                        "proxies": proxies,
                        "backends": options.backends,
                        "rho": options.rho,
                        "requests": options.requests,
                        "warmup": options.warmup,
                        "seed": seed,
                        **{
                            name: latencies[int(len(latencies) * q)]
                            for name, q in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
                        },
                    }
                )
    json.dump({"format": "herdlab.study/1", "study": "herd", "cells": cells}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
