"""Fail the n-th system call of each command that writes, for each n, and count what held.

python -m tests.faults.system_calls --json OUT        everything
python -m tests.faults.system_calls --only encode     scenarios whose names begin so
python -m tests.faults.system_calls --without memory  all kinds of faults but this one
python -m tests.faults.system_calls --what limits     full disks and other limits, no single calls
python -m tests.faults.system_calls --tries 40        at most so many of each scenario
"""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from tests.faults.injection import LIBRARY, Fault, Injector, compiled, faults_at, preloaded
from tests.faults.limits import limits, small_disk
from tests.faults.report import print_report, save_rows

SLOW_TRIES = 150  # of a scenario that takes seconds
EXAMPLES = 3  # of a row of the report


def main():
    options = chosen_options()
    if LIBRARY not in os.environ:
        with tempfile.TemporaryDirectory() as folder:
            again = ["-m", "tests.faults.system_calls", *sys.argv[1:]]
            sys.exit(preloaded(again, compiled(folder)).returncode)
    os.environ.pop("LD_PRELOAD", None)  # of programs that a command starts
    from tests.faults.scenarios import SCENARIOS

    injector, rows = Injector(), []
    for scenario in SCENARIOS:
        if scenario.name.startswith(tuple(options.only)):
            start = time.monotonic()
            rows += rows_of(scenario, tried(scenario, injector, options))
            save_rows(rows, options.json)
            print(f"{scenario.name}: {time.monotonic() - start:.0f} s", flush=True)
    print_report(rows, options.json)


def chosen_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, help="file for the counts")
    parser.add_argument("--only", nargs="*", default=[""], help="how names of scenarios begin")
    parser.add_argument("--without", nargs="*", default=[], help="kinds of faults to leave out")
    parser.add_argument("--what", choices=["calls", "limits", "both"], default="both")
    parser.add_argument("--tries", type=int, default=10**9, help="of each scenario, at most")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of tries")
    return parser.parse_args()


def tried(scenario, injector, options):
    """Return, for each fault of a scenario, its kind, how the command ended, and what broke."""
    from tests.faults.trial import Bench

    results = []
    parent = Path("/dev/shm") if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=parent) as folder, small_disk(folder) as is_mounted:
        bench = Bench(scenario, injector, folder)
        for kind, fault in chosen_faults(bench.kinds, is_mounted, scenario, options):
            outcome = bench.outcome(fault)
            if outcome is not None:
                results.append((kind, *outcome))
                for law in outcome[1]:
                    print(f"  {scenario.name}, {kind}, {fault}: {law}", flush=True)
        os.chdir("/")
    return results


def chosen_faults(kinds, is_mounted, scenario, options):
    """Return the kinds and faults to try: all, or a sample if there are too many."""
    of_calls = [
        ("kill" if fault.is_kill else kind.name.lower(), fault)
        for at, kind in enumerate(kinds, 1)
        for fault in faults_at(at, kind)
    ]
    of_limits = [(limit.name, Fault(0, limit=limit)) for limit in limits(is_mounted)]
    faults = {"calls": of_calls, "limits": of_limits, "both": of_calls + of_limits}[options.what]
    faults = [one for one in faults if one[0] not in options.without]
    most = min(options.tries, SLOW_TRIES if scenario.is_slow else options.tries)
    if most < len(faults):
        faults = Random(options.seed).sample(faults, most)
    return faults


def rows_of(scenario, results):
    """Return a row of the report for each kind of fault."""
    return [
        {
            "what": f"{scenario.name}, {kind}",
            "tried": sum(one[0] == kind for one in results),
            "failed": sum(one[0] == kind and bool(one[2]) for one in results),
            "endings": dict(Counter(str(one[1]) for one in results if one[0] == kind)),
            "examples": [law for one in results if one[0] == kind for law in one[2]][:EXAMPLES],
        }
        for kind in dict.fromkeys(one[0] for one in results)
    ]


if __name__ == "__main__":
    main()
