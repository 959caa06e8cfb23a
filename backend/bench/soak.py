"""Run the whole product for hours and check that no resource grows without bound.

Load it with 50 simulated agents and a real agent, uploads, readers, open pages, and regular backups and
retention. Sample the memory and open files of each process role, database connections, dead rows, the delay
of judging, the agent's spool and the disk. Write a picture and a table. Exit with 1 if a figure has grown
beyond its bound, an acknowledged message is missing, or work was given up. Run with `make bench-soak
HOURS=8`.
"""

import argparse
import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import psutil
from backend.bench.ingest import machine
from backend.bench.simulate_fleet import record
from backend.bench.soak_course import Bound, Growth, growth_of, picture, table
from backend.bench.soak_traffic import Traffic, folder_bytes
from backend.chaos.product import Product, running_product
from sqlalchemy import text

from tailroom.kit.lanes import LANES

_ROLES: dict[str, Callable[[str], bool]] = {
    "API": lambda command: "tailroom.cli.main serve" in command,
    "judging": lambda command: "--queues judging" in command,
    "background": lambda command: "--queues uploads" in command,
    "beat": lambda command: "tailroom_workers.app:app" in command and " beat " in command,
    "Valkey": lambda command: "valkey-server" in command,
    "PostgreSQL": lambda command: "postgres" in command,
}
_FOLDERS = ("postgres", "valkey", "log")
_MB = 2**20
_SAMPLES = 180
_FIGURES = """
SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()),
       (SELECT coalesce(sum(n_dead_tup), 0) / greatest(sum(n_live_tup + n_dead_tup), 1)
          FROM pg_stat_user_tables),
       (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relname IN ('work', 'work_turn')),
       pg_database_size(current_database()),
       (SELECT coalesce(sum(size), 0) FROM pg_ls_waldir()),
       (SELECT count(*) FROM work WHERE given_up_at IS NOT NULL),
       (SELECT coalesce(sum(n_tup_ins), 0) FROM pg_stat_user_tables WHERE relname LIKE 'interval%')
"""
_LATE = """
SELECT lane, max(extract(epoch FROM now() - due_at)) FROM work
 WHERE due_at < now() AND claim_id IS NULL AND given_up_at IS NULL GROUP BY lane
"""


class Course:
    """Sampled figures over time, by chart and line."""

    def __init__(self, product: Product, traffic: Traffic) -> None:
        self.at_s: list[float] = []
        self.panels: dict[str, dict[str, list[float]]] = {}
        self.given_up = 0.0
        self._busy_s: dict[tuple[str, int], list[float]] = {}
        self._product, self._traffic = product, traffic

    def sample(self) -> None:
        """Sample every figure once."""
        memory, files = self._processes()
        with self._traffic.database.transaction() as session:
            row = session.execute(text(_FIGURES)).one()
            late_s = {lane: float(seconds) for lane, seconds in session.execute(text(_LATE))}
        connections, dead, queue, database, log, self.given_up, stored = map(float, row)
        disk = {name: folder_bytes(self._traffic.home / name) for name in _FOLDERS}
        disk["other"] = folder_bytes(self._traffic.home) - sum(disk.values())
        disk["postgres"] -= int(database + log)
        self.at_s.append(time.monotonic())
        for role, value in memory.items():
            self._add(f"memory of {role} (MB)", role, value / _MB)
        for role, value in files.items():
            self._add("open files", role, value)
        self._add("connections", "all", connections)
        self._add("dead rows (share)", "all", dead)
        self._add("table of work (MB)", "all", queue / _MB)
        for lane in LANES:
            self._add("oldest due work (s)", lane, late_s.get(lane, 0.0))
        self._add("spool of the agent (MB)", "all", folder_bytes(self._traffic.spool) / _MB)
        for folder, size in disk.items():
            self._add("disk but for tables and log (MB)", folder, size / _MB)
        self._add("log of PostgreSQL (MB)", "all", log / _MB)
        self._add("tables (MB)", "all", database / _MB)
        self._add("intervals taken in", "all", stored)

    def _processes(self) -> tuple[dict[str, float], dict[str, float]]:
        """Return the memory in bytes and the open files of each role, and record processor times."""
        memory, files = dict.fromkeys(_ROLES, 0.0), dict.fromkeys(_ROLES, 0.0)
        for child in psutil.Process(self._product.process.pid).children(recursive=True):
            try:
                command = " ".join(child.cmdline())
                if "keeper.py" in command:
                    continue
                role = next((name for name, is_it in _ROLES.items() if is_it(command)), None)
                if role is not None:
                    memory[role] += child.memory_full_info().uss
                    files[role] += child.num_fds()
                    times = child.cpu_times()
                    self._busy_s.setdefault((role, child.pid), []).append(times.user + times.system)
            except psutil.Error:
                continue
        return memory, files

    def cores(self) -> dict[str, float]:
        """Return the cores used by each role on average, from the first and last sample of each process."""
        lasted_s = self.at_s[-1] - self.at_s[0]
        cores = dict.fromkeys(_ROLES, 0.0)
        for (role, _), readings in self._busy_s.items():
            cores[role] += (readings[-1] - readings[0]) / lasted_s
        return cores

    def _add(self, panel: str, line: str, value: float) -> None:
        self.panels.setdefault(panel, {}).setdefault(line, []).append(value)

    def growths(self) -> list[Growth]:
        """Return the growth of every figure that has a bound."""
        bounds = {
            **{f"memory of {role} (MB)": Bound(16, 0.1) for role in _ROLES},
            "open files": Bound(10, 0.1),
            "connections": Bound(4, 0.1),
            "dead rows (share)": Bound(0.1),
            "table of work (MB)": Bound(4, 0.25),
            "oldest due work (s)": Bound(5),
            "spool of the agent (MB)": Bound(4),
            "disk but for tables and log (MB)": Bound(32, 0.1),
            "log of PostgreSQL (MB)": Bound(128, 0.25),
        }
        growths = []
        for panel, lines in self.panels.items():
            for line, values in lines.items():
                if panel in bounds:
                    name = panel if len(lines) == 1 else f"{panel}, {line}"
                    unit = panel.rpartition("(")[2].rstrip(")") if panel.endswith(")") else ""
                    growths.append(
                        growth_of(name, unit.replace("share", ""), self.at_s, values, bounds[panel])
                    )
        return growths


async def _sample_regularly(course: Course, every_s: float, over: asyncio.Event) -> None:
    """Sample until `over` is set.

    A sample that has begun is completed, because an aborted sample would have a time without figures.
    """
    while not over.is_set():
        await asyncio.to_thread(course.sample)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(over.wait(), every_s)


async def _soak(course: Course, traffic: Traffic, options: argparse.Namespace, seconds: float) -> None:
    """Run the traffic for `seconds` while sampling."""
    over = asyncio.Event()
    sampling = asyncio.create_task(_sample_regularly(course, max(2.0, seconds / _SAMPLES), over))
    await traffic.run(options.agents, options.readers, options.pages, seconds)
    over.set()
    await sampling


def main() -> int:
    """Run the soak, write picture and table; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--agents", type=int, default=50, help="simulated ones")
    parser.add_argument("--pace", type=float, default=1.0, help="share of an agent's own pace, up to 1")
    parser.add_argument("--readers", type=int, default=20)
    parser.add_argument("--pages", type=int, default=20, help="live pages that are open")
    parser.add_argument("--folder", type=Path, default=Path("target/soak"), help="for picture and table")
    options = parser.parse_args()
    seconds, about = 3600 * options.hours, machine()
    with tempfile.TemporaryDirectory(prefix="tailroom-soak-") as name:
        recording = record(Path(name), 30)
    with running_product() as product:
        traffic = Traffic(product, recording, options.pace, max(60.0, min(seconds / 8, 3600.0)))
        course = Course(product, traffic)
        asyncio.run(_soak(course, traffic, options, seconds))
    growths, counted = course.growths(), traffic.counted
    lasted = (course.at_s[-1] - course.at_s[0]) / 60
    title = (
        f"Soak of {lasted:.0f} minutes: {options.agents} agents at {options.pace:g} of their pace,"
        f" {options.readers} readers, {options.pages} open pages"
    )
    done = ", ".join(f"{what} {count:,}" for what, count in sorted(counted.items()))
    problems = [
        f"{growth.name} has grown by {growth.grown:.3g} {growth.unit}"
        for growth in growths
        if growth.is_too_much
    ]
    problems += [f"work given up: {course.given_up:.0f}"] if course.given_up else []
    problems += [f"{what}: {count}" for what, count in counted.items() if what.endswith(" failed")]
    text_of_it = (
        f"# {title}\n\n"
        + ", ".join(f"{key} {value}" for key, value in about.items())
        + f".\n\n{done}.\n\nCores: "
        + ", ".join(f"{role} {share:.3f}" for role, share in course.cores().items())
        + f".\n\n{table(growths)}\n\n"
        + ("Too much: " + "; ".join(problems) if problems else "Nothing has grown beyond its bound.")
        + "\n"
    )
    options.folder.mkdir(parents=True, exist_ok=True)
    stem = options.folder / f"{datetime.now(UTC):%Y-%m-%d}-soak"
    stem.with_suffix(".md").write_text(text_of_it)
    stem.with_suffix(".svg").write_text(picture(title, course.at_s, course.panels, growths))
    print(text_of_it)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
