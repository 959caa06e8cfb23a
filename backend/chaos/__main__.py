"""Rounds until so many faults happened (`make test-chaos`); exit code 1 where anything was lost."""

import argparse
import sys
import time

from backend.chaos.trial import trial


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=100, help="at least so many faults")
    parser.add_argument("--seed", type=int, default=1, help="decides every fault and its moment")
    parser.add_argument("--duration-s", type=int, default=12, help="length of each run")
    parser.add_argument("--fault-share", type=float, default=0.25, help="share of requests that meet a fault")
    parser.add_argument("--kills", type=int, default=3, help="processes killed in a round")
    parser.add_argument(
        "--minutes", type=float, default=600, help="longest time; then it says how far it came"
    )
    parser.add_argument(
        "--disk-mib", type=int, help="the product's own disk, which is full at times; needs root, to mount it"
    )
    parser.add_argument(
        "--citus", help="coordinator of a cluster on this machine, whose nodes are killed too"
    )
    options = parser.parse_args()
    disk_bytes = None if options.disk_mib is None else options.disk_mib << 20
    until = time.monotonic() + 60 * options.minutes
    with trial(
        options.seed,
        duration_s=options.duration_s,
        fault_share=options.fault_share,
        kills=options.kills,
        disk_bytes=disk_bytes,
        citus=options.citus,
    ) as running:
        while running.report.faults.total() < options.faults and time.monotonic() < until:
            running.round()
            print(running.report, flush=True)
            if running.report.problems:
                break
        for problem in running.report.problems:
            print(problem)
        print(f"seed {options.seed}: {running.report}")
        return int(bool(running.report.problems))


if __name__ == "__main__":
    sys.exit(main())
