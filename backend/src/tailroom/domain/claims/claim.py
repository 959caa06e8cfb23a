"""Published claims: one printed number each, with its quantity, conditions and place in the document.

Quantities in use (the statistic, threshold, operation and so on say the rest):

* of one table row of a drive under ACT: `exceedance` (share of requests slower than `threshold_ns`),
  `endurance`;
* of database runs: `latency`, `share_below` (share faster than `threshold_ns`), `throughput`, `runtime`,
  `gain` (relative change between two configurations, as the document states it), `update_rate`, `read_rate`;
* of the workload and its data: `object_count`, `object_size`, `operation_count`, `concurrency`,
  `record_count`, `data_volume`, `read_share`, `write_share`, `reads_per_transaction`, `transaction_rate`,
  `write_rate`, `cluster_count`, `node_count`, `run_count`;
* of limits and durations: `criterion` (a limit the document itself sets), `duration`, `ramp_up`, `sla`,
  `over_provisioning`, `write_amplification`, `load`;
* of hardware: `capacity`, `power`, `random_read`, `random_write`, `sequential_read`, `sequential_write`,
  `bandwidth`, `device_latency`, `speed_factor`, `core_count`, `device_count`, `memory`, `transfer_rate`,
  `cpu_usage`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tailroom.domain.claims.printed import PrintedNumber

ConditionValue = str | float | bool | None


@dataclass(frozen=True, slots=True)
class Load:
    """The load at which a number was measured, per drive.

    Each field is None if the document does not state it.
    """

    multiple: float | None = None
    """ACT's load multiple: 1 is 2,000 reads and 1,000 writes of 1.5 KB a second and drive."""
    reads_per_s: float | None = None
    writes_per_s: float | None = None
    operations_per_s: float | None = None
    as_printed: str | None = None
    """The load in the words of the document."""


@dataclass(frozen=True, slots=True)
class PublishedClaim:
    """One printed number.

    `table` is the id of its table; `config` names the measured configuration, None if not stated.
    `conditions` hold further conditions of its row or document, None if not stated: `capacity_bytes`,
    `over_provisioned`, `record_bytes`, `duration_h`, `tool`, `tool_version`, `generation`.
    """

    key: str
    """Unique in its publication and stable: `t2-r14/exceedance/1ms/total`."""
    row: str
    """Key of the table row, such as `t2-r14`; claims with the same key were printed together."""
    table: str
    table_title: str | None
    row_label: str | None
    position: int
    """Place of the claim among the claims of its document, from 0."""
    subject: str
    """Name of the drive, configuration or system that the number is about, as printed."""
    item: str | None
    """Slug of the catalogue item of the subject; None if it is linked to no item."""
    quantity: str
    statistic: str | None
    """`mean` or a percentile such as `p95`, for example; None if the quantity needs none."""
    threshold_ns: int | None
    operation: str | None
    workload: str | None
    metric_class: str | None
    """`total` (time of the whole operation), `device` (time in the drive alone) or `unstated`; None without
    latencies.
    """
    config: str | None
    load: Load | None
    conditions: Mapping[str, ConditionValue]
    printed: PrintedNumber
    test_date_as_printed: str | None


@dataclass(frozen=True, slots=True)
class ClaimTable:
    """A table of a document, or the statements of its text on one subject.

    `title_as_printed` is None without a title. `rows` holds the keys of its rows, as in `PublishedClaim.row`.
    """

    id: str
    title_as_printed: str | None
    title: str
    """Title as this product words it."""
    note: str | None
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Publication:
    """The numbers of a published document; no sentence of it is stored.

    `measurement` holds the conditions of all its measurements by name, `not_disclosed` the facts that it does
    not state.
    """

    slug: str
    title: str
    publisher: str
    kind: str
    """Relation of the publisher to the product: `vendor`, `third_party` or `commissioned` by a vendor."""
    url: str | None
    date_as_printed: str | None
    document: str
    """The document that the numbers were read from."""
    measurement: Mapping[str, ConditionValue]
    not_disclosed: tuple[str, ...]
    tables: tuple[ClaimTable, ...]
    claims: tuple[PublishedClaim, ...]

    def claims_of_row(self, row: str) -> tuple[PublishedClaim, ...]:
        """Return the claims with this row key; empty if there are none."""
        return tuple(claim for claim in self.claims if claim.row == row)
