"""Real agents whose latencies follow from a seed: a disturbed run must end as an undisturbed one."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

from backend.chaos.owners import Owner
from backend.chaos.product import AGENT, Product, await_answer

PLAN = """title = "{title}"
workload = "act-storage"
duration_s = {duration_s}
histogram_every_s = 2
[act_storage]
path = "/nonexistent/unused.dat"
engine = "null"
load_multiple = 1.0
seed = {seed}
"""
_SHIFTED_CLOCK = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
"""Debian's package `faketime`: a wall clock for one process, which can be set while it runs."""
_DELIVERED_WITHIN_S = 900.0
_JUDGED_WITHIN_S = 600.0
"""Long, because what is tried is whether anything is lost: a process takes minutes to start on a machine at
work on other things.
"""
_IDENTITY = frozenset({"verdict_id", "run_id", "computed_at", "busy_ratio"})
"""What two runs of one plan may differ in: ids, times of computing, processor time of the generator."""


class AgentRun:
    """One run of the agent, from its start until everything is delivered."""

    def __init__(
        self,
        product: Product,
        backend_url: str,
        name: str,
        seed: int,
        duration_s: int,
        *,
        owner: Owner,
        moves_clock: bool = False,
    ) -> None:
        self.seed, self.owner, self.was_killed = seed, owner, False
        self._product = product
        self._folder = product.folder / name
        self._spool = self._folder / "spool"
        self._spool.mkdir(parents=True)
        plan = self._folder / "plan.toml"
        plan.write_text(PLAN.format(title=name, duration_s=duration_s, seed=seed))
        self._environment = os.environ | {
            "TAILROOM_BACKEND_URL": backend_url,
            "TAILROOM_TOKEN_FILE": str(owner.token_file),
        }
        self._clock = self._folder / "clock"
        if moves_clock and _SHIFTED_CLOCK is not None:
            self._clock.write_text("+0s\n")
            self._environment |= {
                "LD_PRELOAD": str(_SHIFTED_CLOCK),
                "FAKETIME_TIMESTAMP_FILE": str(self._clock),
                "FAKETIME_CACHE_DURATION": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            }
        self._events, self._complaint = self._folder / "events", self._folder / "complaint"
        self._process = self._start(
            "run", "--plan", str(plan), "--progress", "json", "--deliver-wait-s", "180"
        )

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        with self._events.open("ab") as events, self._complaint.open("ab") as complaint:
            command = [str(AGENT), *arguments, "--spool", str(self._spool)]
            return subprocess.Popen(command, env=self._environment, stdout=events, stderr=complaint)  # noqa: S603

    @property
    def run_id(self) -> str | None:
        """The run's id, as soon as it has begun."""
        for line in self._events.read_text().splitlines():
            event = json.loads(line)
            if event.get("event") == "started":
                run_id: str = event["run_id"]
                return run_id
        return None

    def set_clock(self, ahead_s: int) -> bool:
        """Set the wall clock of the agent, if it has a clock of its own and is running."""
        self._clock.write_text(f"{ahead_s:+d}s\n")
        return _SHIFTED_CLOCK is not None and self._process.poll() is None

    def kill(self) -> bool:
        """Kill the agent like a power cut, if it is running; its measurements are in its spool."""
        if self.run_id is None or self._process.poll() is not None:
            return False
        self._process.kill()
        self._process.wait()
        self.was_killed = True
        return True

    def deliver(self) -> str:
        """Wait until everything is delivered; return the problem, or an empty text."""
        until = time.monotonic() + _DELIVERED_WITHIN_S
        code = self._process.wait(_DELIVERED_WITHIN_S)
        again = self.was_killed or code == 3
        while again:  # it had given up for now: the spool has the rest
            code = self._start("drain").wait(_DELIVERED_WITHIN_S)
            again = code == 3 and time.monotonic() < until
        return f"the agent ended with {code}: {self._complaint.read_text()[-500:]}" if code else ""

    def result(self) -> "RunResult":
        """Return the judged result of the product. Raise TimeoutError."""
        path = f"/api/v1/runs/{self.run_id}"

        def judged() -> Any:
            run = self._product.get(path, self.owner.headers)
            final = run["verdicts"] and not any(verdict["provisional"] for verdict in run["verdicts"])
            return run if run["state"] == "finished" and final else None

        return RunResult(await_answer(judged, _JUDGED_WITHIN_S, f"{path} is judged"))


class RunResult:
    """A judged run, without what differs from run to run."""

    def __init__(self, run: dict[str, Any]) -> None:
        self.outcome: str = run["outcome"]
        self.missing: list[Any] = run["missing"]
        self.received = [series["received_count"] for series in run["series"]]
        self.expected = [series["contiguous_seq"] + 1 for series in run["series"]]
        self.verdicts = _without_identity(run["verdicts"])

    def problems(self, undisturbed: "RunResult", *, was_killed: bool) -> list[str]:
        """Return lost, doubled and differently judged data. A killed agent's run is cut short, or was killed
        after its end and was only delivered.
        """
        problems = []
        if self.missing:
            problems.append(f"lost: {self.missing}")
        if self.received != self.expected:
            problems.append(f"stored {self.received} intervals of {self.expected}")
        if was_killed and self.outcome == "interrupted":
            return problems
        if self.outcome != undisturbed.outcome:
            problems.append(f"ended as {self.outcome}")
        elif (self.received, self.verdicts) != (undisturbed.received, undisturbed.verdicts):
            problems.append("its verdicts differ from those of the undisturbed run")
        return problems


def _without_identity(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_identity(item) for item in value]
    if isinstance(value, dict):
        return {name: _without_identity(item) for name, item in value.items() if name not in _IDENTITY}
    return value
