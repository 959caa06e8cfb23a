"""Measure ACT's load by the agent, on a file and on a loop device, and by ACT's own `act_storage`.

`act_storage` of https://github.com/aerospike/act is not part of this repository; `--act-storage PATH` names a
separately built program. It needs a device, so it is compared on the loop device only, which needs root.
"""

import contextlib
import json
import math
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

LOAD = 10
READS_PER_S = 2_000 * LOAD
WRITES_PER_S = 1_000 * LOAD
_SECONDS_BEFORE = 2.0


@contextlib.contextmanager
def loop_device(backing: Path) -> Iterator[Path | None]:
    """Yield a loop device over a file with direct I/O, or None without root or where none can be set up."""
    if os.geteuid() != 0 or not shutil.which("losetup"):
        yield None
        return
    done = subprocess.run(  # noqa: S603
        ["losetup", "--find", "--show", "--direct-io=on", str(backing)],  # noqa: S607
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        yield None
        return
    device = Path(done.stdout.strip())
    try:
        yield device
    finally:
        subprocess.run(["losetup", "--detach", str(device)], check=False)  # noqa: S603, S607


def place(folder: Path, device: Path | None) -> list[str]:
    """Return the agent's arguments for the target: a new file, or the loop device, allowed and confirmed."""
    if device is None:
        return ["--file", str(folder / "act.dat"), "--size", "1G"]
    size = subprocess.run(  # noqa: S603
        ["blockdev", "--getsize64", str(device)],  # noqa: S607
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    allowed = folder / "allowed-devices"
    allowed.write_text(f"{device.name}:{size}\n")
    allowed.chmod(0o600)
    words = ["--devices", str(device), "--allow-list", str(allowed)]
    return [*words, "--confirm-serial", f"{device.name}:{size}"]


def by_agent(agent: Path, folder: Path, device: Path | None, seconds: int, engine: str) -> dict[str, float]:
    """Run the agent's storage load; return its rate error, lateness, processor time and resident memory."""
    command = [str(agent), "act", "--load", f"{LOAD}x", *place(folder, device), "--json"]
    command += ["--duration-s", str(seconds), "--histogram-every-s", "5", "--engine", engine]
    command += ["--spool", str(folder / "spool"), "--result", str(folder / "run.ndjson")]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # noqa: S603
    began: tuple[float, float] | None = None
    ended, last, resident = (0.0, 0.0), {}, 0
    for line in child.stdout or ():
        event = json.loads(line)
        if event["event"] == "progress" and event["operation"] == "read":
            last = event
            # The time of a thread that has ended is no longer in the sum: ignore a sample below the previous
            # sample.
            if (used := processor_s(child.pid)) >= ended[0]:
                ended = used, event["elapsed_s"]
                began = began or ended
            resident = max(resident, resident_bytes(child.pid))
    child.wait()
    finish = json.loads((folder / "run.ndjson").read_text().splitlines()[-1])["finish"]
    intended, done = totals(folder / "run.ndjson")
    (folder / "run.ndjson").unlink()
    cpu = (ended[0] - began[0]) / (ended[1] - began[1]) if began and ended > began else math.nan
    return {
        "rate_error_pct": abs(done / intended - 1) * 100,
        "late_p99_us": last["lateness_p99_ns"] / 1e3,
        "cpu_pct": cpu * 100,
        "resident_mb": resident / 1e6,
        "completed": float(finish["outcome"] == "completed"),
    }


def by_act(act_storage: Path, folder: Path, device: Path, seconds: int) -> dict[str, float]:
    """Run ACT with its defaults; return the processor time and rate error in percent."""
    config = folder / "act.conf"
    config.write_text(
        f"device-names: {device}\ntest-duration-sec: {seconds}\nread-reqs-per-sec: {READS_PER_S}\n"
        f"write-reqs-per-sec: {WRITES_PER_S}\nreport-interval-sec: 1\n"
    )
    with (folder / "act.log").open("w") as log:
        child = subprocess.Popen([str(act_storage), str(config)], stdout=log)  # noqa: S603
        time.sleep(_SECONDS_BEFORE)
        began, before = time.monotonic(), processor_s(child.pid)
        time.sleep(seconds - 2 * _SECONDS_BEFORE)
        cpu = (processor_s(child.pid) - before) / (time.monotonic() - began)
        child.wait()
    counted = [line for line in (folder / "act.log").read_text().splitlines() if line.startswith("reads (")]
    done = int(counted[-1].partition("(")[2].split()[0]) if counted else 0
    return {"rate_error_pct": abs(done / (READS_PER_S * seconds) - 1) * 100, "cpu_pct": cpu * 100}


def totals(path: Path) -> tuple[int, int]:
    """Return the intended and the finished reads of a result file, from series 1, the histograms of reads."""
    intended = done = 0
    for line in path.read_text().splitlines():
        for interval in json.loads(line).get("intervals", ()):
            if interval["series"] == 1:
                intended += interval["target_count"]
                done += interval["count"] + interval["errors"] + interval["timeouts"]
    return intended, done


def processor_s(pid: int) -> float:
    """Return the processor seconds of a process's threads, or NaN if a thread or the process has ended."""
    try:
        return sum(by_thread(pid).values())
    except OSError:
        return math.nan


def by_thread(pid: int) -> dict[tuple[str, str], float]:
    """Return the processor seconds of each thread by (thread ID, name), from the scheduler's counters."""
    by_name = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        used_ns = int((task / "schedstat").read_text().split()[0])
        by_name[task.name, (task / "comm").read_text().strip()] = used_ns / 1e9
    return by_name


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process in bytes, or 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
