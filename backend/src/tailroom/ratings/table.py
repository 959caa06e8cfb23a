"""A page of the leaderboard as CSV, every number in its unit.

This is the only definition of the columns; the page exports the same file.
"""

import csv
import io
import math
from collections.abc import Sequence
from typing import Any

from tailroom.domain.units import latency_text
from tailroom.kit.csv_cells import plain_text
from tailroom.ratings.counters import COUNTER_COLUMNS, counter_cells
from tailroom.ratings.documents import Json, row_document
from tailroom.ratings.load_table import LoadTable
from tailroom.ratings.withdrawn import Withdrawn
from tailroom.storage.run import RETRACTED

CSV = "text/csv; charset=utf-8"
_COLUMNS = (
    *("row_id", "drive_slug", "vendor", "drive", "capacity_bytes", "over_provisioning", "usable_ratio"),
    *("metric_class", "generation", "passed_load", "passed_strength", "failed_load", "failed_strength"),
    *("never_tested_above", "rank_best", "rank_worst", "ranked_among", "unranked_reason", "violations"),
    *("common_load", "common_threshold_ns"),
    *("exceedance_lower_ratio", "exceedance_upper_ratio", "interface", "form_factor", "dwpd", "power_w"),
    *("price", "price_currency", "price_date", "price_source", "price_per_ktps", "watts_per_ktps"),
    *("evidence", "marks", "visibility", "test_count"),
    *("standing", "testers", "firmwares", "tested_year", "published_year", "longest_test_ns", "tested_by"),
    *("runs_made", "runs_published"),
    *COUNTER_COLUMNS,
    *("withdrawn_load", "withdrawn_at", "withdrawal_reason"),
)
_INDEX_OF = {name: index for index, name in enumerate(_COLUMNS)}
"""Index of each column, for the columns that a withdrawn test fills."""


_OF_CELL = ("state", "words", "observed lower", "observed upper", "proven lower", "proven upper")


def leaderboard_csv(table: LoadTable, withdrawn: Sequence[Withdrawn]) -> str:
    """Return the rows of a page as CSV.

    Each row has for each load its verdict and bounds, and the bounds of each share. Withdrawn tests follow.
    """
    limits = table.ratings.question.limits
    head = list(_COLUMNS)
    for load in table.loads:
        head += [f"{load:g}x {name}" for name in _OF_CELL]
        for limit in limits:
            share = f"{load:g}x share at or over {latency_text(limit.threshold_ns)}"
            head += [f"{share} lower", f"{share} upper"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(head)
    for place in range(len(table.rows)):
        writer.writerow([_cell_text(value) for value in _flat(row_document(table, place), len(limits))])
    for test in withdrawn:
        writer.writerow([_cell_text(value) for value in _flat_withdrawn(test, len(head))])
    return out.getvalue()


def _flat_withdrawn(test: Withdrawn, width: int) -> list[Any]:
    values: list[Any] = [None] * width
    by_column = {
        "drive_slug": test.drive.slug,
        "vendor": test.drive.vendor,
        "drive": test.drive.name,
        "capacity_bytes": test.capacity_bytes,
        "visibility": RETRACTED,
        "withdrawn_load": test.load_multiple,
        "withdrawn_at": None if test.withdrawn_at is None else test.withdrawn_at.isoformat(),
        "withdrawal_reason": test.reason,
    }
    for name, value in by_column.items():
        values[_INDEX_OF[name]] = value
    return values


def _flat(row: Json, limits: int) -> list[Any]:
    rating, rank = row["rating"], row["rank"] or {}
    common, price, op = row["exceedance_at_common"] or {}, row["price"] or {}, row["over_provisioning"]
    values = [
        *(row["row_id"], row["drive"]["slug"], row["drive"]["vendor"], row["drive"]["name"]),
        *(row["capacity_bytes"], op["class"], op["usable_ratio"], row["metric_class"], row["generation"]),
        *(rating["passed_load"], rating["passed_strength"], rating["failed_load"]),
        *(rating["failed_strength"], rating["never_tested_above"], rank.get("best"), rank.get("worst")),
        *(rank.get("among"), row["unranked_reason"], "; ".join(rating["violations"])),
        *(common.get("load"), common.get("threshold_ns"), common.get("lower_ratio")),
        *(common.get("upper_ratio"), row["interface"], row["form_factor"], row["dwpd"], row["power_w"]),
        *(price.get("value"), price.get("currency"), price.get("date"), price.get("source")),
        *(row["price_per_ktps"], row["watts_per_ktps"], " ".join(row["evidence"]), " ".join(row["marks"])),
        *(row["visibility"], row["test_count"], row["standing"]["standing"], row["standing"]["testers"]),
        *("; ".join(row["firmwares"]), row["tested_year"], row["published_year"], row["longest_test_ns"]),
        *("; ".join(row["tested_by"]), row["standing"]["runs_made"], row["standing"]["runs_published"]),
        *(*counter_cells(row["counters"]), None, None, None),
    ]
    for cell in row["cells"]:
        bounds = [cell[scope] or {} for scope in ("observed", "proven")]
        values += [cell["state"], cell["words"]]
        values += [scope.get(end) for scope in bounds for end in ("lower", "upper")]
        shares = cell["exceedances"] or [{"lower_ratio": None, "upper_ratio": None}] * limits
        for share in shares:
            values += [share["lower_ratio"], share["upper_ratio"]]
    return values


def _cell_text(value: Any) -> Any:
    """Return a value for a spreadsheet: a text that looks like a formula is marked as text."""
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, float) and math.isinf(value):
        return None
    return value
