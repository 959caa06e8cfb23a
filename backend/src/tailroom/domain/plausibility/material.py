"""Input of the checks from claims: rows of drive tests, and series of database runs.

Extraction is by quantity, statistic, operation, limit and load, never by the name of a document.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from tailroom.domain.claims.claim import PrintedNumber, Publication, PublishedClaim, Relation
from tailroom.domain.plausibility.finding import NumberBounds

TOTAL, DEVICE, UNSTATED = "total", "device", "unstated"
ALL = "ALL"
ACT = "act"
"""Name of the tool in claims."""
COPIES = "namespace.replication-factor"
"""Field of a fact: copies of each object."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that a document states about a catalogue item (drive, server, database)."""

    item: str
    field: str
    printed: PrintedNumber
    conditions: Mapping[str, str | float | bool | None] = dataclass_field(default_factory=dict)
    source: str | None = None
    """Slug of the publication that states it."""
    named: str | None = None
    """Display name of the item."""

    @property
    def name(self) -> str:
        """The name of the item in sentences."""
        return self.named or self.item

    @property
    def ends(self) -> NumberBounds:
        """The number with its bounds, which are None for an approximate number."""
        return NumberBounds.of(self.printed)


@dataclass(frozen=True, slots=True)
class DriveRow:
    """A drive tested at a load, with its shares of slow operations. `shares` maps a clock (latency counted:
    `total`, `device`, `unstated`) to limits in ns, and these to the share over the limit and the key of its
    claim.
    """

    row: str
    """Key of the table row in which the claims were printed."""
    subject: str
    item: str | None
    """Slug of the catalogue item; None if it is linked to none."""
    capacity: str | None
    """Capacity as printed."""
    usable_bytes: float | None
    """Capacity in bytes without the over-provisioned share; None if not stated."""
    over_provisioned: bool | None
    load: float | None
    """Multiple of the load of ACT; None if not stated."""
    operations_per_s: float | None
    """Reads and writes together; None if not stated."""
    load_as_printed: str | None
    date: str | None
    """Date of the test as printed."""
    tool: str | None
    shares: Mapping[str, Mapping[int, tuple[NumberBounds, str]]]

    @property
    def drive(self) -> str:
        """The drive, with its capacity if the subject does not name it."""
        if self.capacity is None or self.capacity in self.subject:
            return self.subject
        return f"{self.subject} {self.capacity}"

    @property
    def set_up(self) -> str:
        """The drive and its over-provisioning in words."""
        words = {True: ", over-provisioned", False: ", not over-provisioned", None: ""}
        return self.drive + words[self.over_provisioned]

    @property
    def label(self) -> str:
        """The drive, its over-provisioning and its load in words."""
        return f"{self.set_up}, {self.load:g}x" if self.load is not None else self.set_up

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the claims of the row."""
        return tuple(key for shares in self.shares.values() for _, key in shares.values())

    @property
    def overall(self) -> tuple[str, Mapping[int, tuple[NumberBounds, str]]]:
        """The clock that criteria use, `total`, else `unstated`, else `device`, with its shares, if any."""
        for name in (TOTAL, UNSTATED, DEVICE):
            if name in self.shares:
                return name, self.shares[name]
        return UNSTATED, {}


def drive_rows(publication: Publication) -> list[DriveRow]:
    """Return the rows that print shares over limits at a load, in document order; empty if none does."""
    rows: dict[str, list[PublishedClaim]] = {}
    for claim in publication.claims:
        if claim.quantity == "exceedance" and claim.threshold_ns is not None and claim.load is not None:
            rows.setdefault(claim.row, []).append(claim)
    return [_drive_row(claims) for claims in rows.values()]


def _drive_row(claims: Sequence[PublishedClaim]) -> DriveRow:
    first = claims[0]
    shares: dict[str, dict[int, tuple[NumberBounds, str]]] = {}
    for claim in claims:
        place = shares.setdefault(claim.metric_class or UNSTATED, {})
        if claim.threshold_ns is not None and claim.printed.value is not None:
            place[claim.threshold_ns] = (NumberBounds.of(claim.printed), claim.key)
    conditions = first.conditions
    capacity = _number(conditions.get("capacity_bytes"))
    ratio = _number(conditions.get("over_provisioning_ratio"))
    over = conditions.get("over_provisioned")
    load = first.load
    return DriveRow(
        row=first.row,
        subject=first.subject,
        item=first.item,
        capacity=_text(conditions.get("capacity_as_printed")),
        usable_bytes=None if capacity is None else capacity * (1.0 - (ratio or 0.0)),
        over_provisioned=over if isinstance(over, bool) else None,
        load=load.multiple if load else None,
        operations_per_s=load.operations_per_s if load else None,
        load_as_printed=load.as_printed if load else None,
        date=first.test_date_as_printed,
        tool=_text(conditions.get("tool")),
        shares=shares,
    )


@dataclass(frozen=True, slots=True)
class RunSeries:
    """The published claims of a workload on a configuration."""

    config: str | None
    workload: str | None
    mix: str | None
    """The mix as printed: `95% Read / 5% Update`."""
    claims: tuple[PublishedClaim, ...]

    @property
    def label(self) -> str:
        """The workload and the configuration, as far as stated."""
        return " ".join(part for part in (self.workload, self.config) if part)

    def claim(
        self, quantity: str, statistic: str | None = None, operation: str | None = None
    ) -> PublishedClaim | None:
        """Return the only claim with a number of this quantity, statistic, operation (None: any)."""
        matches = [
            claim
            for claim in self.claims
            if claim.quantity == quantity
            and (statistic is None or claim.statistic == statistic)
            and (operation is None or claim.operation == operation)
            and claim.printed.value is not None
        ]
        return matches[0] if len(matches) == 1 else None

    @property
    def operations(self) -> list[str]:
        """Names of the operations with latencies, each once."""
        return list(
            dict.fromkeys(c.operation for c in self.claims if c.quantity == "latency" and c.operation)
        )

    @property
    def parts(self) -> list[tuple[float, PublishedClaim]]:
        """Each operation's share of the mix, with the claim of its mean latency. A printed mean of all
        operations (`ALL`) comes alone, with the share 1. Else the list is empty if the mix or one of the
        means is not stated.
        """
        means = {name: self.claim("latency", "mean", name) for name in self.operations}
        combined = means.get(ALL)
        if combined is not None:
            return [(1.0, combined)]
        shares = [(share, means.get(name)) for name, share in mix_of(self.mix or "").items()]
        if not shares or any(claim is None for _, claim in shares):
            return []
        return [(share, claim) for share, claim in shares if claim is not None]


_MIX = re.compile(r"(\d+(?:\.\d+)?)\s*%\s*([A-Za-z][A-Za-z-]*)")


def mix_of(text: str) -> dict[str, float]:
    """Return the share by operation of a text such as `95% Read / 5% Update`, if they add up to 1."""
    shares = {name.upper(): float(number) / 100.0 for number, name in _MIX.findall(text)}
    return shares if abs(sum(shares.values()) - 1.0) < 1e-9 else {}


def run_series(publication: Publication) -> list[RunSeries]:
    """Return the measured claims grouped by configuration and workload; claims without a workload are left
    out. If any row prints throughput and latency together, each row is a series of its own. Measured are
    throughput, runtime, latencies, shares below a limit and object sizes.
    """
    measured = [
        claim
        for claim in publication.claims
        if claim.quantity in {"throughput", "runtime", "latency", "share_below", "object_size"}
        and claim.workload is not None
        and claim.printed.value is not None
    ]
    places: dict[tuple[str | None, str | None, str | None], list[PublishedClaim]] = {}
    together = _are_rows_runs(measured)
    for claim in measured:
        place = (claim.config, claim.workload, claim.row if together else None)
        places.setdefault(place, []).append(claim)
    return [
        RunSeries(config, workload, _text(claims[0].conditions.get("workload_as_printed")), tuple(claims))
        for (config, workload, _), claims in places.items()
    ]


def _are_rows_runs(claims: Iterable[PublishedClaim]) -> bool:
    """Return whether any row prints throughput and latency together, so that each row is a run of its own."""
    kinds = {(claim.row, claim.quantity) for claim in claims}
    return any((row, "throughput") in kinds and (row, "latency") in kinds for row, _ in kinds)


def claims_about(publication: Publication, *names: str) -> list[PublishedClaim]:
    """Return the claims about any of these quantities that state a number, in document order, if any."""
    return [c for c in publication.claims if c.quantity in names and c.printed.value is not None]


def device_share(publication: Publication) -> float:
    """Return the share of the data that devices serve, as the document states it; 1 if it does not."""
    volumes = claims_about(publication, "data_volume")
    return next(
        (c.printed.value for c in volumes if c.statistic == "share" and c.printed.value is not None), 1.0
    )


def limits_of(publication: Publication) -> tuple[dict[int, float], bool]:
    """Return the document's own limits (ns → share, may be empty), and whether its rows have to keep them.
    They have to if every limit is printed as `less than` or `at most`; `more than 5 %` is a level of concern.
    """
    claims = [c for c in claims_about(publication, "criterion") if c.threshold_ns is not None]
    limits = {
        c.threshold_ns: c.printed.value for c in claims if c.threshold_ns and c.printed.value is not None
    }
    keep = bool(claims) and all(c.printed.comparison in {Relation.LESS, Relation.AT_MOST} for c in claims)
    return limits, keep


def label_of(claim: PublishedClaim) -> str:
    """Return the label of the claim's table row, or the key of a row without a label."""
    return claim.row_label or claim.row


def facts_of(facts: Iterable[Fact], item: str | None, name: str) -> list[Fact]:
    """Return the facts about a field of an item (a slug) that state a number; empty if none does."""
    return [f for f in facts if f.item == item and f.field == name and f.printed.value is not None]


@dataclass(frozen=True, slots=True)
class Drives:
    """The drives of a configuration: slug of the model, number, bytes of each, slug of the server."""

    item: str
    count: float
    each: NumberBounds | None
    server: str | None


def drives_of(publication: Publication, item: str | None, facts: Sequence[Fact]) -> Drives | None:
    """Return the tested drives of an item (a slug), or None without an item or without a stated number. If
    the item itself states no number, it is drives of each server × servers, with one server if not stated.
    """
    if item is None:
        return None
    counts = facts_of(facts, item, "device_count")
    if counts and counts[0].printed.value:
        server = counts[0].conditions.get("tested_in")
        return Drives(item, counts[0].printed.value, None, server if isinstance(server, str) else None)
    tested = [f for f in facts if f.conditions.get("tested_in") == publication.slug]
    per_node = [f for f in tested if f.field == "data_drive_count" and f.printed.value]
    if not per_node or not per_node[0].printed.value:
        return None
    role = per_node[0].conditions.get("role")
    nodes = [f for f in tested if f.field == "node_count" and f.conditions.get("role") == role]
    each = [f for f in tested if f.field == "data_drive_capacity"]
    number = per_node[0].printed.value * ((nodes[0].printed.value or 1.0) if nodes else 1.0)
    return Drives(item, number, each[0].ends if each else None, per_node[0].item)


def tested_drives(publication: Publication, facts: Sequence[Fact]) -> Drives | None:
    """Return the drives (`drives_of`) that the first claim with the condition `drive` names, if any."""
    stated = (c.conditions["drive"] for c in publication.claims if c.conditions.get("drive") is not None)
    item = next(stated, None)
    return drives_of(publication, item if isinstance(item, str) else None, facts)


def _number(value: str | float | bool | None) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text(value: str | float | bool | None) -> str | None:
    return value if isinstance(value, str) else None
