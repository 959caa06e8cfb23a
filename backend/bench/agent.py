"""Measure the agent on this machine and compare it with fio (`make bench-agent`).

Repeat each measurement with the tools alternating, so that other load on the machine affects all of them
alike, and print medians and ratios. Without fio, skip the comparison with fio.
"""

import argparse
import json
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from backend.bench.agent_act import by_act, by_agent, loop_device
from backend.bench.agent_counters import show_counters
from backend.bench.agent_streaming import show_streaming

ROOT = Path(__file__).resolve().parents[2]
AGENT = ROOT / "target" / "release" / "tailroom-agent"
BINARY_GOAL_BYTES = 10_000_000
# Files in memory: reading them is so fast that the tool is the bottleneck, not a drive.
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder for files of our own


def run(command: list[str], **options: Any) -> tuple[str, float]:
    """Run a command; return its output, and the processor seconds of the command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(  # noqa: S603 - a fixed command
        command, check=True, capture_output=True, text=True, **options
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def agent_closed(path: Path, seconds: int, depth: int, engine: str) -> dict[str, float]:
    """Return rate and processor time (µs per read) of the agent's 4 KiB random reads at a fixed depth."""
    command = [str(AGENT), "bench", "--file", str(path), "--seconds", str(seconds), "--depth", str(depth)]
    text, cpu_s = run([*command, "--engine", engine])
    document = json.loads(text)
    return {"iops": document["iops"], "cpu_us": cpu_s * 1e6 / document["operations"]}


def fio_closed(path: Path, seconds: int, depth: int, *options: str) -> dict[str, float]:
    """Return rate and processor time (µs per read) of fio's 4 KiB random reads at a fixed depth."""
    command = [
        "fio",
        "--name=bench",
        f"--filename={path}",
        "--rw=randread",
        "--bs=4k",
        "--ioengine=io_uring",
        "--direct=1",
    ]
    command += [
        f"--iodepth={depth}",
        "--numjobs=1",
        "--thread",
        f"--runtime={seconds}",
        "--time_based",
        *options,
    ]
    text, cpu_s = run([*command, "--output-format=json", "--readonly"])
    read = json.loads(text[text.index("{") :])["jobs"][0]["read"]
    return {"iops": read["iops"], "cpu_us": cpu_s * 1e6 / read["total_ios"]}


def interleaved(rounds: int, **tools: Callable[[], dict[str, float]]) -> dict[str, dict[str, list[float]]]:
    """Run the tools `rounds` times in rotating order; return the values of each tool's figures."""
    figures: dict[str, dict[str, list[float]]] = {name: {} for name in tools}
    order = list(tools)
    for turn in range(rounds):
        first = turn % len(order)
        for name in order[first:] + order[:first]:
            for key, value in tools[name]().items():
                figures[name].setdefault(key, []).append(value)
    return figures


def median(values: list[float]) -> float:
    """Return the median of the finite values, or NaN without any."""
    finite = [value for value in values if math.isfinite(value)]
    return statistics.median(finite) if finite else float("nan")


def show(title: str, measured: dict[str, dict[str, list[float]]]) -> None:
    """Print the median and every value of each tool's figures."""
    print(f"\n{title}")
    for name, figures in measured.items():
        for key, values in figures.items():
            single = " ".join(f"{value:,.2f}" for value in values)
            print(f"  {name:<18} {key:<16} {median(values):>14,.2f}   ({single})")


def ratio(figures: dict[str, dict[str, list[float]]], key: str, tool: str, reference: str) -> None:
    """Print a tool's ratio to the reference: the median over rounds, and each round's ratio."""
    ratios = [a / b for a, b in zip(figures[tool][key], figures[reference][key], strict=True)]
    rounds = " ".join(f"{value:.2f}" for value in ratios)
    print(f"  {tool} / {reference}: {key} {median(ratios):.2f}   ({rounds})")


def beside_fio(title: str, data: Path, options: argparse.Namespace, depth: int) -> None:
    """Print random reads by the agent, by plain fio, and by fio with registered buffers and files."""
    fixed = ("--fixedbufs=1", "--registerfiles=1")
    figures = interleaved(
        options.rounds,
        agent=partial(agent_closed, data, options.seconds, depth, "auto"),
        fio=partial(fio_closed, data, options.seconds, depth),
        fio_fixed=partial(fio_closed, data, options.seconds, depth, *fixed),
    )
    show(f"4 KiB random reads, {title}, O_DIRECT", figures)
    for reference in ("fio", "fio_fixed"):
        ratio(figures, "iops", "agent", reference)
        ratio(figures, "cpu_us", "agent", reference)


def main() -> None:
    """Build the test file and print all measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument(
        "--place", type=Path, default=Path(os.environ.get("TAILROOM_MEASURE_DIR", tempfile.gettempdir()))
    )
    parser.add_argument("--counters", action="store_true", help="only what reading drive counters costs")
    parser.add_argument("--act-storage", type=Path, help="ACT's own program, built elsewhere")
    options = parser.parse_args()
    if not AGENT.exists():
        sys.exit("the agent is not built: cargo build --release --package tailroom-agent")
    load, when = os.getloadavg()[0], time.strftime("%Y-%m-%d %H:%M")
    print(f"{os.uname().release}, {os.cpu_count()} processors, load {load:.1f}, {when}")
    size = AGENT.stat().st_size
    print(f"binary {size / 1e6:.1f} MB (goal: {BINARY_GOAL_BYTES / 1e6:.0f})")
    print(run([str(AGENT), "selftest"])[0], end="")
    with tempfile.TemporaryDirectory(dir=options.place) as name:
        folder = Path(name)
        data = folder / "data"
        with data.open("wb") as file:
            for _ in range(256):
                file.write(os.urandom(1 << 22))
            os.fsync(file.fileno())
        with (
            tempfile.TemporaryDirectory(dir=MEMORY) as memory,
            loop_device(Path(shutil.copy(data, memory))) as device,
        ):
            show_counters(AGENT, folder, device, 8 * options.rounds * options.seconds)
        if options.counters:
            return
        if shutil.which("fio"):
            for depth in (1, 32):
                beside_fio(f"closed queue of {depth}", data, options, depth)
            with tempfile.TemporaryDirectory(dir=MEMORY) as memory:
                beside_fio("closed queue of 32 in memory", Path(shutil.copy(data, memory)), options, 32)
        else:
            print("fio is not installed: not compared")
        beside_sync("ACT 10x on a file", folder, None, options)
        with loop_device(data) as device:
            if device is None:
                print("\nno loop device (not root): ACT is not measured there")
            else:
                beside_sync("ACT 10x on a loop device", folder, device, options)
    show_streaming(AGENT, min(options.rounds, 3), 30, median)


def beside_sync(title: str, folder: Path, device: Path | None, options: argparse.Namespace) -> None:
    """Print ACT's load by the best engine, by the synchronous engine, and by ACT itself if available."""
    seconds = 4 * options.seconds
    tools = {
        "auto": partial(by_agent, AGENT, folder, device, seconds, "auto"),
        "sync": partial(by_agent, AGENT, folder, device, seconds, "sync"),
    }
    if options.act_storage and device:
        tools["act_6"] = partial(by_act, options.act_storage, folder, device, seconds)
    figures = interleaved(min(options.rounds, 3), **tools)
    show(title, figures)
    for reference in list(tools)[1:]:
        ratio(figures, "cpu_pct", "auto", reference)


if __name__ == "__main__":
    main()
