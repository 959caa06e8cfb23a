"""The first measurement: plans of its two runs, their display, and waiting for final verdicts.

Two runs by the real agent: a device run at the ACT model's load 1x, and a fraud run, whose transactions make
250 reads each of a separate Valkey, not of the broker. The fraud run begins 105 transactions a second, which
is 3,150 in all. At least 2,995, all of them in time, show 99.9 % with 95 % confidence.
"""

import json
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from uuid_utils import uuid7

from tailroom.domain import act
from tailroom.embedded.console import Console
from tailroom.embedded.local_api import ApiUnavailable
from tailroom.embedded.machine_checks import MeasureFolder
from tailroom.embedded.private_file import write_private
from tailroom.embedded.process import ProcessError, Specification, SupervisedProcess
from tailroom.embedded.words import backend_line, progress_line

if TYPE_CHECKING:
    from tailroom.embedded.product import Product
    from tailroom.embedded.valkey import EmbeddedValkey

READS_PER_TRANSACTION = 250
WINDOW_NS = 1_000_000_000
"""Time that a fraud transaction has for its reads."""
TRANSACTIONS_PER_S = 105.0
HISTOGRAM_EVERY_S = 2
_PLAIN_LINE_EVERY_S = 5.0
_VERDICT_WITHIN_S = 300.0
_DELIVERED, _NOT_DELIVERED = 0, 3
"""Exit codes of the agent: measured and delivered, or measured and not delivered completely."""
_ENGINES = ("auto", "io_uring", "sync", "null")


@dataclass(frozen=True, slots=True)
class Measurement:
    """Parameters of both runs, with defaults for a first try. Raise ValueError for an unknown engine."""

    duration_s: int = 30
    """Duration of each run."""
    engine: str = "auto"
    """How the device is read; `null` reads no device."""
    keys: int = 100_000
    """Number of keys loaded for the fraud run."""

    def __post_init__(self) -> None:
        if self.engine not in _ENGINES:
            raise ValueError(f"the engine {self.engine!r} is not one of {', '.join(_ENGINES)}")


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A plan of a run for the agent, and how its progress is shown."""

    name: str
    """Short name for files and messages."""
    document: Mapping[str, Any]
    """The plan, as written to its TOML file."""
    duration_s: int
    limits_ns: Collection[int]
    """Progress shows the shares of operations over these limits."""
    arguments: Sequence[str] = ()
    """Further arguments of `tailroom-agent run`."""

    @property
    def title(self) -> str:
        """Title of the run, from its plan."""
        return str(self.document["title"])


def device_run(measurement: Measurement, measure_folder: MeasureFolder) -> PlannedRun:
    """Return the plan of the device run at load 1x of the ACT model, on a file in `measure_folder`."""
    document = {
        "title": "First measurement: device, ACT model at 1x",
        "workload": "act-storage",
        "duration_s": measurement.duration_s,
        "histogram_every_s": HISTOGRAM_EVERY_S,
        "act_storage": {
            "path": str(measure_folder.path / "act.dat"),
            "file_size_bytes": measure_folder.file_size_bytes,
            "load_multiple": 1.0,
            "record_bytes": 1536,
            "large_block_bytes": 131072,
            "defrag_lwm_pct": 50,
            "engine": measurement.engine,
            "direct_io": True,
            "limits_ns": list(act.LIMITS_NS),
            "seed": 1,
        },
    }
    return PlannedRun("device", document, measurement.duration_s, act.LIMITS_NS)


def fraud_run(measurement: Measurement, valkey: "EmbeddedValkey", password_file: Path) -> PlannedRun:
    """Return the plan of the fraud run on a throw-away Valkey, whose password `password_file` holds."""
    document = {
        "title": "First measurement: fraud check, 250 reads in 1 s",
        "workload": "fraud",
        "fraud": {
            "objects": measurement.keys,
            "object_bytes": 1024,
            "replication_factor": 1,
            "reads_per_transaction": READS_PER_TRANSACTION,
            "window_ms": WINDOW_NS // 1_000_000,
            "connections": 4,
            "ramp_s": 0,
            "measure_s": measurement.duration_s,
            "phases": [{"name": "steady", "reads_per_s": TRANSACTIONS_PER_S * READS_PER_TRANSACTION}],
        },
    }
    arguments = (
        *("--target", f"redis://{valkey.address}", "--password-file", str(password_file)),
        *("--histogram-every-s", str(HISTOGRAM_EVERY_S)),
    )
    return PlannedRun("fraud", document, measurement.duration_s, (WINDOW_NS,), arguments)


class AgentRun:
    """One run of the agent against the API of this machine, shown on the terminal."""

    def __init__(self, product: "Product", agent: Path, planned: PlannedRun) -> None:
        self._product = product
        self._console: Console = product.console
        self._agent = agent
        self._planned = planned
        self.run_id = UUID(str(uuid7()))
        self._operation: object = None
        self._backend_state: str | None = None
        self._last_line_at = 0.0

    @property
    def title(self) -> str:
        """The title of the run."""
        return self._planned.title

    @property
    def link(self) -> str:
        """The address of the run's page."""
        return f"{self._product.api.origin}/runs/{self.run_id}"

    def measure(self, announced: Callable[[], None]) -> bool:
        """Run the agent to its end; return whether everything was delivered to the API.

        `announced` is called once when the run's page exists, or never if the agent ends before. Raise
        ProcessError if the agent fails.
        """
        plan_path = self._product.folders.measure / f"{self._planned.name}.toml"
        write_private(plan_path, to_toml(self._planned.document))
        process = self._product.start_measuring(self._specification(plan_path))
        is_announced = False
        for event in _events(process):
            is_announced = is_announced or self._announce_if_ready(announced)
            self._show(event)
        self._console.live("")
        code = process.wait(30.0)
        if code not in {_DELIVERED, _NOT_DELIVERED}:
            output = process.log_tail(6) or "it said nothing"
            raise ProcessError(f"the {self._planned.name} run failed (agent's exit code {code}): {output}")
        return code == _DELIVERED

    def _announce_if_ready(self, announced: Callable[[], None]) -> bool:
        try:
            self._product.api.get(f"/api/v1/runs/{self.run_id}")
        except ApiUnavailable:
            return False
        announced()
        return True

    def _show(self, event: Mapping[str, Any]) -> None:
        """Show one event of the agent: preparation, progress, or a change of its connection to the API."""
        match event.get("event"):
            case "preparing":
                self._console.live(f"    {event.get('text', 'preparing')}")
            case "backend" if event.get("state") != self._backend_state:
                # The first event reports that the API was reached; only changes are shown.
                if self._backend_state is not None:
                    self._console.line(f"    {backend_line(event)}")
                self._backend_state = str(event.get("state"))
            case "progress" if event.get("operation") == self._shown_operation(event):
                text = progress_line(event, self._planned.duration_s, self._planned.limits_ns)
                self._console.live(f"    {text}")
                if not self._console.is_live and time.monotonic() - self._last_line_at >= _PLAIN_LINE_EVERY_S:
                    self._last_line_at = time.monotonic()
                    self._console.line(f"    {text}")

    def _shown_operation(self, event: Mapping[str, Any]) -> object:
        """Return the operation of the first event with shares over the limits; None until known."""
        if self._operation is None:
            limits = self._planned.limits_ns
            if any(int(threshold) in limits for threshold, _ in event.get("over") or []):
                self._operation = event.get("operation")
        return self._operation

    def verdicts(self) -> dict[str, Any]:
        """Return JSON of the finished run with final verdicts. Raise TimeoutError after five minutes."""
        answer: dict[str, Any] = self._product.api.wait_for(
            f"/api/v1/runs/{self.run_id}", _is_decided, within_s=_VERDICT_WITHIN_S
        )
        return answer

    def _specification(self, plan_path: Path) -> Specification:
        folders = self._product.folders
        return Specification(
            argv=[
                *(str(self._agent), "run", "--plan", str(plan_path), "--run-id", str(self.run_id)),
                *("--backend", self._product.api.origin, "--token-file", str(folders.token)),
                *("--spool", str(folders.spool), "--progress", "json"),
                *self._planned.arguments,
            ],
        )


def drain(product: "Product", agent: Path) -> bool:
    """Send measurements that an earlier agent did not deliver; return whether all are delivered now.

    True if there are none. Raise ProcessError if the agent cannot be started, TimeoutError if it hangs.
    """
    folders = product.folders
    if not any(folders.spool.iterdir()):
        return True
    specification = Specification(
        argv=[
            *(str(agent), "drain", "--spool", str(folders.spool)),
            *("--backend", product.api.origin, "--token-file", str(folders.token)),
        ],
    )
    process = product.start_measuring(specification)
    process.output.read()
    return process.wait(60.0) == _DELIVERED


def to_toml(document: Mapping[str, Any]) -> str:
    """Return a plan as TOML: plain values first, then a table for each mapping, with inline tables inside."""
    plain = [
        f"{name} = {_toml_value(value)}" for name, value in document.items() if not isinstance(value, dict)
    ]
    tables = [
        f"\n[{name}]\n" + "\n".join(f"{key} = {_toml_value(inner)}" for key, inner in value.items())
        for name, value in document.items()
        if isinstance(value, dict)
    ]
    return "\n".join([*plain, *tables]) + "\n"


def _toml_value(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {_toml_value(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    # JSON's strings, numbers and booleans are TOML's too, as long as nothing but ASCII is escaped.
    return json.dumps(value, ensure_ascii=False)


def _events(process: SupervisedProcess) -> Iterator[dict[str, Any]]:
    for line in process.output:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            yield event


def _is_decided(run: Any) -> bool:
    verdicts = run["verdicts"]
    return (
        run["state"] == "finished"
        and bool(verdicts)
        and not any(verdict["provisional"] for verdict in verdicts)
    )
