"""Fail the n-th system call of each command that writes, for each n, and count what held.

python -m tests.faults.system_calls --json OUT        everything
python -m tests.faults.system_calls --only encode     scenarios with this word in their names
python -m tests.faults.system_calls --most 40         at most so many tries of each scenario
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from tests.faults.injection import LIBRARY, Fault, Injector, compiled, faults_at, preloaded
from tests.faults.limits import limits, small_disk

SLOW_TRIES = 150  # of a scenario that takes seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, help="file to write all results into")
    parser.add_argument("--only", default="", help="a part of the names of scenarios")
    parser.add_argument("--most", type=int, default=10**9, help="tries of each scenario")
    parser.add_argument("--seed", type=int, default=1, help="which tries are chosen")
    options = parser.parse_args()
    if LIBRARY not in os.environ:
        with tempfile.TemporaryDirectory() as folder:
            again = ["-m", "tests.faults.system_calls", *sys.argv[1:]]
            sys.exit(preloaded(again, compiled(folder)).returncode)
    sys.exit(run(options))


def run(options):
    """Try all scenarios; return 1 if a law was broken."""
    os.environ.pop("LD_PRELOAD")  # of programs that a command starts
    from tests.faults.scenarios import SCENARIOS

    chosen = [scenario for scenario in SCENARIOS if options.only in scenario.name]
    injector, results = Injector(), []
    print(f"{'scenario':24} {'kind':9} {'tried':>6} {'held':>6} {'failed':>6}")
    for scenario in chosen:
        start = time.monotonic()
        found = tried(scenario, injector, options)
        results += found
        print_table(scenario, found, time.monotonic() - start)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    broken = [one for one in results if one["broken"]]
    print(f"{len(results)} tries, {len(results) - len(broken)} held, {len(broken)} failed")
    return int(bool(broken))


def tried(scenario, injector, options):
    """Return what each fault of a scenario did."""
    from tests.faults.trial import Bench

    results = []
    parent = Path("/dev/shm") if Path("/dev/shm").is_dir() else None
    with (
        tempfile.TemporaryDirectory(dir=parent) as folder,
        small_disk(folder) as is_mounted,
    ):
        bench = Bench(scenario, injector, folder)
        faults = [
            (kind.name.lower(), fault)
            for at, kind in enumerate(bench.kinds, 1)
            for fault in faults_at(at, kind)
        ]
        most = min(options.most, SLOW_TRIES) if scenario.is_slow else options.most
        if most < len(faults):
            faults = sorted(Random(options.seed).sample(faults, most), key=lambda one: one[1].at)
        faults += [(limit.name, Fault(0, limit=limit)) for limit in limits(is_mounted)]
        for kind, fault in faults:
            broken = bench.violations(fault)
            if broken is None:
                continue
            facts = {"scenario": scenario.name, "kind": kind, "fault": str(fault)}
            results.append({**facts, "broken": broken})
            for law in broken:
                print(f"  {scenario.name}, {kind}, {fault}: {law}", flush=True)
        os.chdir("/")
    return results


def print_table(scenario, results, seconds):
    totals = Counter(one["kind"] for one in results)
    failed = Counter(one["kind"] for one in results if one["broken"])
    for kind, count in totals.items():
        print(f"{scenario.name:24} {kind:9} {count:6} {count - failed[kind]:6} {failed[kind]:6}")
    print(f"{scenario.name:24} {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
