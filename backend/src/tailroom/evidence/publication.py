"""Evidence from publications: configurations with published figures about latencies.

Runs of databases and rows of drives under ACT are judged by every budget. Published percentiles that are
means of several runs count as those of a single run. Notes state such limits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from uuid import UUID, uuid5

from tailroom.catalogue.items import read_items
from tailroom.catalogue.publications.dataset import read_all
from tailroom.domain.claims.claim import (
    PERCENTILE,
    NoStatement,
    PrintedNumber,
    Publication,
    PublishedClaim,
    bounds_of_part,
    by_operation,
    record_of_exceedances,
    record_of_latencies,
)
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.units import NS_PER_HOUR, NS_PER_S, percent_text
from tailroom.domain.verdicts.budget_kinds import Budget, TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence, RateBounds, RunEvidence
from tailroom.domain.verdicts.other_tools import own_operations, read_operation
from tailroom.evidence.source import operations_of

READ, ALL = "read", "all"
_NAMESPACE = UUID("5f0a4c4e-0c5c-5b8e-9d0e-7a11a0000006")
_CLOSED_LOOPS = frozenset({"ycsb", "memtier_benchmark"})
"""Tools whose threads wait for each answer where the document names no target rate."""
CLOCKS_OF_METRICS = {"total": "response", "device": "service", "unstated": "operation"}
"""Clock of published times of drives, by metric class."""


@dataclass(frozen=True, slots=True, eq=False)
class Published:
    """A published configuration as a source of evidence. `operations` have the names that budgets use,
    `rates` are bounds by name of the rate, such as `operations_per_s`, and `note` states the limits of the
    figures.
    """

    identifier: UUID
    label: str
    publication: Publication
    row: str
    """Key of the first row of the document behind this configuration."""
    workload: str
    """The document's name of the workload: a letter of YCSB, or another name."""
    tool: str | None
    operations: tuple[OperationEvidence, ...]
    rates: dict[str, RateBounds]
    note: str
    of_drive: bool
    drive_slug: str | None
    """Slug of the tested drive in the catalogue; None if no drive was tested."""
    closed_loop: bool
    parameters: Mapping[str, str | float | bool] = field(default_factory=dict)
    """Parameters of a drive's load, by the names of tools' results."""
    part_of_all: float | None = None
    """Share of reads among all operations (0 to 1) if the record does not separate reads; else None."""

    @property
    def measured_ns(self) -> int:
        """Longest measured duration of an operation in ns; 0 if none is stated."""
        return max(operation.measured_ns for operation in self.operations)

    @property
    def own_operations(self) -> tuple[str, ...]:
        """Operations that a question about the record's own operation may mean; may be empty."""
        names = [operation.operation for operation in self.operations]
        return own_operations(names, read_operation(self.tool, names, {}, {}))

    def evidence(self, budget: Budget) -> RunEvidence:
        """Return the evidence for a budget. Operations of a tool that waits for answers are marked as closed
        loop, except for transactions, whose stated reason then is the missing percentiles. No document states
        the number of operations, so a PASS is impossible either way.
        """
        operations = self.operations_for(operations_of(budget))
        if self.closed_loop and not isinstance(budget, TransactionBudget):
            operations = tuple(replace(operation, closed_loop=True) for operation in operations)
        return replace(self.evidence_of_all(), operations=operations)

    def evidence_of_all(self) -> RunEvidence:
        """Return the evidence of every operation, none marked as closed loop."""
        return RunEvidence(self.operations, measured_ns=self.measured_ns, rates=self.rates, is_published=True)

    def operations_for(self, names: frozenset[str] | None) -> tuple[OperationEvidence, ...]:
        """Return all operations, for a budget that names these (None: all). If it needs a `read` that the
        record does not separate, one is added, with the bounds that the combined record allows.
        """
        if names is None or self.part_of_all is None or READ not in names:
            return self.operations
        combined = next((operation for operation in self.operations if operation.operation == ALL), None)
        if combined is None or not isinstance(combined.record, KnotsRecord):
            return self.operations
        part = replace(combined, operation=READ, record=bounds_of_part(combined.record, self.part_of_all))
        return (*self.operations, part)


@cache
def published() -> tuple[Published, ...]:
    """Return every configuration of the package's publications, in document order; cached."""
    return tuple(configuration for publication in read_all() for configuration in published_of(publication))


def published_of(publication: Publication) -> Iterator[Published]:
    """Yield the configurations of a document, databases first; claims that bound no latency give none."""
    yield from _runs(publication)
    yield from _drives(publication)


def _runs(publication: Publication) -> Iterator[Published]:
    """Yield runs of databases, from the claims of one workload and configuration, or else of one row."""
    groups: dict[tuple[str | None, str | None, str | None], list[PublishedClaim]] = {}
    for claim in publication.claims:
        if claim.workload is not None and (claim.config is not None or claim.item is not None):
            by_row = None if claim.config is not None else claim.row
            groups.setdefault((claim.workload, claim.config, by_row), []).append(claim)
    for claims in groups.values():
        operations = tuple(_operations(claims))
        if not operations:
            continue
        first = claims[0]
        throughput = next((c.printed for c in claims if c.quantity == "throughput"), None)
        reads = next((c.printed.value for c in claims if c.quantity == "read_share"), None)
        names = [_name(first.item) or first.subject, _workload(first)]
        if first.config is None and first.row_label is not None:
            names.append(first.row_label)
        yield Published(
            identifier=uuid5(_NAMESPACE, f"{publication.slug} {first.key}"),
            label=" · ".join(names),
            publication=publication,
            row=next(c.row for c in claims if c.operation is not None),
            workload=str(first.workload),
            tool=_tool(first),
            operations=operations,
            rates=_rates(throughput),
            note=_note(claims),
            of_drive=False,
            drive_slug=None,
            closed_loop=first.conditions.get("tool") in _CLOSED_LOOPS,
            part_of_all=reads if {operation.operation for operation in operations} == {ALL} else None,
        )


def _operations(claims: Sequence[PublishedClaim]) -> Iterator[OperationEvidence]:
    for name, of_operation in by_operation(claims).items():
        try:
            record = record_of_latencies(of_operation)
        except NoStatement:
            continue
        yield OperationEvidence(name.lower(), "operation", record)


def _drives(publication: Publication) -> Iterator[Published]:
    rows: dict[str, list[PublishedClaim]] = {}
    for claim in publication.claims:
        if claim.quantity == "exceedance" and claim.load is not None and claim.load.multiple is not None:
            rows.setdefault(claim.row, []).append(claim)
    for row, claims in rows.items():
        operations = tuple(_reads_by_clock(claims))
        note = "These are reads of a drive under a fixed load; no database and no network stood before it."
        if operations[0].measured_ns:
            note += f" Their number is that load for {operations[0].measured_ns / NS_PER_HOUR:g} h."
        yield Published(
            identifier=uuid5(_NAMESPACE, f"{publication.slug} {claims[0].key}"),
            label=_drive_label(claims[0]),
            publication=publication,
            row=row,
            workload="act-storage",
            tool=_tool(claims[0]),
            operations=operations,
            rates={},
            note=note,
            of_drive=True,
            drive_slug=claims[0].item,
            closed_loop=False,
            parameters=_load_of(claims[0]),
        )


def _load_of(claim: PublishedClaim) -> dict[str, str | float | bool]:
    stated = {
        "load_multiple": claim.load.multiple if claim.load is not None else None,
        "over_provisioned": claim.conditions.get("over_provisioned"),
        "record_bytes": claim.conditions.get("record_bytes"),
        "act_generation": claim.conditions.get("generation"),
    }
    return {name: value for name, value in stated.items() if isinstance(value, str | int | float)}


def _tool(claim: PublishedClaim) -> str | None:
    tool = claim.conditions.get("tool")
    return tool if isinstance(tool, str) else None


def _reads_by_clock(claims: Sequence[PublishedClaim]) -> Iterator[OperationEvidence]:
    """Yield the reads of a row for each clock. Their number is that of the load over the stated hours."""
    hours, load = claims[0].conditions.get("duration_h"), claims[0].load
    measured_ns = round(float(hours) * NS_PER_HOUR) if isinstance(hours, int | float) else 0
    reads = load.reads_per_s if load is not None else None
    count = round(reads * measured_ns / NS_PER_S) if reads and measured_ns else None
    for name in dict.fromkeys(claim.metric_class or "unstated" for claim in claims):
        of_class = [claim for claim in claims if (claim.metric_class or "unstated") == name]
        record = record_of_exceedances(of_class, count=count)
        yield OperationEvidence(
            READ, CLOCKS_OF_METRICS[name], record, measured_ns=measured_ns, load_per_s=reads
        )


def _drive_label(claim: PublishedClaim) -> str:
    capacity, over = claim.conditions.get("capacity_bytes"), claim.conditions.get("over_provisioned")
    name = _name(claim.item) or claim.subject
    if isinstance(capacity, int | float):
        name = f"{name} {capacity / 1e12:g} TB" if capacity >= 1e12 else f"{name} {capacity / 1e9:g} GB"
    protocol = claim.conditions.get("protocol")
    words = "over-provisioned" if over is True else "not over-provisioned" if over is False else ""
    load = f"ACT {claim.load.multiple:g}x" if claim.load is not None else ""
    return " · ".join(str(part) for part in (name, protocol, load, words) if part)


def _note(claims: Sequence[PublishedClaim]) -> str:
    statistics = [m for c in claims if (m := PERCENTILE.fullmatch(c.statistic or ""))]
    notes = []
    if statistics:
        notes.append(f"The source gives no percentile above p{max(float(m[1]) for m in statistics):g}.")
    else:
        shares = [c.printed.as_printed for c in claims if c.quantity == "share_below"]
        if shares:
            notes.append("The source gives no percentile, only one share under a threshold.")
    runs = claims[0].conditions.get("averaged_runs")
    if isinstance(runs, int | float) and statistics:
        notes.append(f"Its percentiles are means of {runs:g} runs, taken here as those of one.")
    reads = next((c.printed.value for c in claims if c.quantity == "read_share"), None)
    if reads is not None:
        notes.append(f"Reads ({percent_text(reads)}) and writes are not separated.")
    return " ".join(notes)


def _rates(throughput: PrintedNumber | None) -> dict[str, RateBounds]:
    if throughput is None or throughput.lower is None or throughput.upper is None:
        return {}
    return {"operations_per_s": RateBounds(throughput.lower, throughput.upper)}


def _workload(claim: PublishedClaim) -> str:
    letter = claim.workload or ""
    if claim.conditions.get("tool") == "ycsb":
        return f"YCSB {letter}"
    return _name(letter) or letter


def _name(slug: str | None) -> str | None:
    return _names().get(slug) if slug is not None else None


@cache
def _names() -> dict[str, str]:
    return {
        item.named.slug: (
            item.named.name if item.kind == "workload" else f"{item.named.vendor} {item.named.name}"
        )
        for item in read_items()
    }
