"""Writes cpython-golden.csv: what CPython's random.Random gives for each draw.

    python3 cpython-golden.py > cpython-golden.csv

Every seed's lines come from one generator, in order, the draws in turn, so a draw that takes one word
too many shows at once. Floats are printed by repr, which loses no bit.
"""
import platform
import random
import sys

SEEDS = [0, 1, 2, 42, -42, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 1234567890123456789,
         -9876543210, 2**63 - 1, -2**63]
BOUNDS = [1, 2, 3, 16, 17, 64, 1000, 2**30, 2**31 - 1]
ROUNDS = 100  # 100 rounds take about 900 words: the state of 624 is made anew at least once

print("# CPython", platform.python_version(), "on", platform.system(), platform.machine())
print("seed,draw,argument,value")
for seed in SEEDS:
    r = random.Random(seed)
    for i in range(ROUNDS):
        bound = BOUNDS[i % len(BOUNDS)]
        print(f"{seed},random,,{r.random()!r}")
        print(f"{seed},expovariate,12.8,{r.expovariate(12.8)!r}")
        print(f"{seed},below,{bound},{r.randrange(bound)}")
        print(f"{seed},choice,{i + 1},{r.choice(range(i + 1))}")
        print(f"{seed},lognormvariate,,{r.lognormvariate(-0.36, 0.85)!r}")
sys.stdout.flush()
