"""The measured loads of a suite, each from the stored answers about its run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tailroom.analysis.drive_counters import figure_out
from tailroom.analysis.figures import FiguresOut
from tailroom.analysis.pictures import FIGURES, PERCENTILES, picture_of
from tailroom.analysis.schemas import CurveOut, PercentilesOut
from tailroom.domain.drive_counters.of_test import figures_of_drives, has_throttled
from tailroom.domain.drive_counters.summary import CounterFigure, DriveSummary
from tailroom.domain.units import NS_PER_S
from tailroom.judging.drive_counters import drive_summaries
from tailroom.kit.transactions import Transactions
from tailroom.qualification.schemas import SuiteLatencyOut, SuiteLoadOut
from tailroom.storage.run import Run

_KIB = 1024
_QUANTILES = (("p50", 0.5), ("p99", 0.99), ("p999", 0.999))


@dataclass(frozen=True, slots=True)
class MeasuredLoad:
    """A measured load of a suite, which is a run, with the counters of its drives."""

    step: str
    planned: int | None
    """Number of loads that its step has by the plan; None if not stated."""
    out: SuiteLoadOut
    counters: tuple[CounterFigure, ...]
    """Figures of the drive counters over all drives of the run."""
    drives: tuple[DriveSummary, ...]
    missed: int
    """Number of operations that failed, timed out or did not end; twice if measured by two kinds of time."""

    @property
    def is_throttled(self) -> bool:
        """Whether the counters of any drive show that it slowed itself down by heat; False if unknown."""
        return any(has_throttled(drive.known("throttled_s")) for drive in self.drives)

    def written(self, key: str) -> CounterFigure | None:
        """Return a figure of the drive counters, such as `host_written_bytes`; None unless the run has one
        drive that has this figure.
        """
        return self.drives[0].known(key) if len(self.drives) == 1 else None


def measured_load(transactions: Transactions, organisation_id: UUID, run: Run) -> MeasuredLoad | None:
    """Return the measured load of a finished run; None if no operation has samples in its stored figures. Its
    rate adds up, over its operations, the completed operations divided by the time for which each was
    measured.
    """
    stated: Mapping[str, Any] = run.plan["qualify"]
    load = stated["load"]
    figures = FiguresOut.model_validate_json(picture_of(transactions, organisation_id, run.run_id, FIGURES))
    if not any(operation.samples for operation in figures.operations):
        return None
    curves = PercentilesOut.model_validate_json(
        picture_of(transactions, organisation_id, run.run_id, PERCENTILES)
    )
    with transactions() as session:
        drives = drive_summaries(session, run)
    counters = figures_of_drives(drives)
    completed = {(curve.operation, curve.clock): curve.count or 0 for curve in curves.curves}
    per_s = sum(
        completed.get((operation.operation, operation.clock), 0) * NS_PER_S / operation.measured_ns
        for operation in figures.operations
        if operation.measured_ns > 0
    )
    out = SuiteLoadOut(
        run_id=run.run_id,
        number=stated["number"],
        block_bytes=load["block_bytes"],
        read_pct=load["read_pct"],
        depth=load["depth"],
        access=load["access"],
        idle_before_s=load.get("idle_before_s", 0),
        text=load_text(load),
        per_s=per_s,
        bytes_per_s=per_s * load["block_bytes"],
        written_bytes=load["block_bytes"]
        * sum(count for (operation, _), count in completed.items() if operation != "read"),
        latencies=[_latency(curve) for curve in curves.curves],
        counters=[figure_out(figure) for figure in counters],
    )
    missed = sum(curve.miss_count for curve in curves.curves)
    return MeasuredLoad(stated["step"], stated.get("of"), out, counters, drives, missed)


def _latency(curve: CurveOut) -> SuiteLatencyOut:
    """Return the percentiles of a curve in ns; None for a quantile that the curve does not reach."""
    at = {point.quantile: point for point in curve.points}
    ends: dict[str, int | None] = {}
    for name, quantile in _QUANTILES:
        point = at.get(quantile)
        ends[f"{name}_lower_ns"] = None if point is None else point.lower_ns
        ends[f"{name}_upper_ns"] = None if point is None else point.upper_ns
    return SuiteLatencyOut.model_validate(
        {"operation": curve.operation, "count": curve.count or 0, "max_ns": curve.max_ns, **ends}
    )


def block_text(block_bytes: float) -> str:
    """Return a block size as text in the largest whole unit: `512 B`, `4 KiB`, `1 MiB`."""
    size = round(block_bytes)
    if size >= _KIB * _KIB and size % (_KIB * _KIB) == 0:
        return f"{size // (_KIB * _KIB)} MiB"
    return f"{size // _KIB} KiB" if size % _KIB == 0 else f"{size} B"


def load_text(load: Mapping[str, Any]) -> str:
    """Return a load as text: `4 KiB, random 65 % reads, 32 under way`, or `ACT 3x`."""
    if "act_load" in load:
        return f"ACT {load['act_load']:g}x"
    read_pct = load["read_pct"]
    operations = {100: "reads", 0: "writes"}.get(read_pct, f"{read_pct} % reads")
    idle_s = load.get("idle_before_s", 0)
    idle = f", after {idle_s} s without any" if idle_s else ""
    durable = ", each durable before the next" if load.get("is_durable") else ""
    block = block_text(load["block_bytes"])
    return f"{block}, {load['access']} {operations}, {load['depth']} under way{idle}{durable}"
