"""Search for the highest load of a deliberately limited server (`make bench-load-search`).

Valkey and PostgreSQL are limited to a share of one core by a control group, or to a link of a fixed rate: the
loopback of a network namespace. They store nothing on disk, so that no background writing uses that share.
The server and the agent each have a core of their own, and priority over all other processes.

Repeat each search, then probe single loads around the result upwards and downwards, as a manual sweep would.
Control groups and namespaces need root.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import psutil
from backend.bench.agent import AGENT
from backend.bench.databases import postgresql, valkey

PERIOD_US = 10_000
LINK = "16mbit"
"""Rate of the namespace's loopback, which requests and responses share."""
SERVER_CORE, AGENT_CORE = 0, 1
OBJECTIVE = "p99 get < 100ms"
SWEEP_STEP, SWEEP_STEPS = 1.04, 4
"""Ratio of neighbouring loads of the sweep, and the number of loads on each side of the middle."""
FIRST_VERSION = Path("/sys/fs/cgroup/cpu")
SECOND_VERSION = Path("/sys/fs/cgroup")
INSIDE = "TAILROOM_BENCH_INSIDE_NAMESPACE"
Event = dict[str, Any]

PLAN = """workload = "keyvalue"

[keyvalue]
ratio = "1:10"
object_bytes = 100
key_minimum = 0
key_maximum = 99_999
connections = 16
rate_per_s = {rate}
"""


@contextmanager
def control_group(name: str, share: float | None) -> Iterator[Path]:
    """Yield a control group of the highest priority, limited to `share` of one core if given."""
    is_first_version = (FIRST_VERSION / "cpu.cfs_quota_us").exists()
    parent = FIRST_VERSION if is_first_version else SECOND_VERSION
    group = parent / f"tailroom-bench-{name}-{os.getpid()}"
    group.mkdir()
    try:
        (group / ("cpu.shares" if is_first_version else "cpu.weight")).write_text(
            "262144" if is_first_version else "10000"
        )
        if share is not None:
            quota_us = round(PERIOD_US * share)
            if is_first_version:
                (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
                (group / "cpu.cfs_quota_us").write_text(str(quota_us))
            else:
                (group / "cpu.max").write_text(f"{quota_us} {PERIOD_US}")
        yield group
    finally:
        for pid in (group / "cgroup.procs").read_text().split():
            (parent / "cgroup.procs").write_text(pid)
        group.rmdir()


def enter(group: Path, core: int, pid: int) -> None:
    """Move a process into a control group and onto a core."""
    (group / "cgroup.procs").write_text(str(pid))
    os.sched_setaffinity(pid, {core})


def search(agents: Path, folder: Path, target: str, first_per_s: float, words: list[str]) -> list[Event]:
    """Run `tailroom-agent seek`; return its probe events, followed by its result."""
    plan = folder / "plan.toml"
    plan.write_text(PLAN.format(rate=round(first_per_s)))
    number = time.monotonic_ns()
    command = [str(AGENT), "seek", str(plan), "--target", target, "--objective", OBJECTIVE, "--json"]
    command += ["--start", str(first_per_s), "--state", str(folder / f"state-{number}")]
    command += ["--result", str(folder / f"{number}.ndjson"), *words]
    done = subprocess.run(  # noqa: S603 - a fixed command; no threads here
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: enter(agents, AGENT_CORE, os.getpid()),
        env={**os.environ, "XDG_STATE_HOME": str(folder)},
    )
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [event for event in events if event["event"] in ("probe", "search")]


def show(name: str, target: str, share: float, first_per_s: float, args: argparse.Namespace) -> None:
    """Print the bounds found by repeated searches, and the verdicts of the sweep."""
    limit = f"a link of {LINK}" if args.link else f"{share:.2f} of a core"
    print(f"\n{name} with {limit}, {OBJECTIVE}, probes of {args.probe_s} s", flush=True)
    length = ["--probe-s", str(args.probe_s), "--warm-up-s", "3"]
    servers = [each.pid for each in psutil.Process().children(recursive=True)]
    with (
        tempfile.TemporaryDirectory() as place,
        control_group("server", None if args.link else share) as server_group,
        control_group("agent", None) as agent_group,
    ):
        for pid in servers:
            enter(server_group, SERVER_CORE, pid)
        run = partial(search, agent_group, Path(place), target)
        middles = []
        for number in range(args.repeats):
            begun = time.monotonic()
            *probes, result = run(first_per_s, [*length, "--probes", str(args.probes)])
            holds, fails = result["passed"], result["failed"]
            if holds and fails:
                middles.append((holds * fails) ** 0.5)
            apart = f"{100 * (fails / holds - 1):.1f} %" if holds and fails else "open"
            print(
                f"  search {number + 1}: holds {holds}/s, fails {fails}/s, apart {apart}; stated "
                f"{result['surely_passed']} to {result['surely_failed']}; {len(probes)} probes, "
                f"{time.monotonic() - begun:.0f} s, ended by {result['ended_by']}, "
                f"{len(result['changes'])} changes",
                flush=True,
            )
            print("    " + " ".join(f"{probe['load']:.0f}:{probe['word']}" for probe in probes), flush=True)
        if args.sweep and middles:
            middle = sorted(middles)[len(middles) // 2]
            loads = [round(middle * SWEEP_STEP**step) for step in range(-SWEEP_STEPS, SWEEP_STEPS + 1)]
            for way in (loads, loads[::-1]):
                probes = [run(load, [*length, "--top", str(load), "--probes", "0"])[0] for load in way]
                words = [f"{load}:{probe['word']}" for load, probe in zip(way, probes, strict=True)]
                print("  sweep " + " ".join(words), flush=True)


def run_inside_namespace() -> NoReturn:
    """Restart this program in a network namespace whose loopback has the rate of the link."""
    shape = f"ip link set lo up && tc qdisc add dev lo root tbf rate {LINK} burst 64kb latency 10s"
    again = [sys.executable, "-m", "backend.bench.load_search", *sys.argv[1:]]
    command = ["unshare", "--net", "sh", "-c", f'{shape} && exec "$@"', "sh", *again]
    done = subprocess.run(command, check=False, env={**os.environ, INSIDE: "1"})  # noqa: S603 - a fixed command
    sys.exit(done.returncode)


def main() -> None:
    """Search on Valkey and PostgreSQL as the options say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--probe-s", type=int, default=20)
    parser.add_argument("--probes", type=int, default=10)
    parser.add_argument("--only", choices=("valkey", "postgresql"))
    parser.add_argument("--sweep", action="store_true", help="measure loads around the knee by hand, too")
    parser.add_argument("--link", action="store_true", help="limit the link instead of the processor")
    args = parser.parse_args()
    if args.link and INSIDE not in os.environ:
        run_inside_namespace()
    if args.only != "postgresql":
        with valkey() as port:
            show("Valkey", f"redis://127.0.0.1:{port}/0", 0.1, 8_000, args)
    if args.only != "valkey":
        with postgresql() as (port, _):
            show("PostgreSQL", f"postgresql://bench@127.0.0.1:{port}/postgres", 0.2, 2_000, args)


if __name__ == "__main__":
    main()
