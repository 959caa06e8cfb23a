"""A page of the leaderboard as CSV; the name of a column with a unit ends with that unit.

The columns are defined only here.
"""

import csv
import io
import math
from collections.abc import Sequence
from typing import Any

from tailroom.domain.units import latency_text
from tailroom.kit.encodings import csv_text
from tailroom.ratings.counters import COUNTER_COLUMNS, counter_cells
from tailroom.ratings.documents import row_document
from tailroom.ratings.drives import Json
from tailroom.ratings.load_table import LoadTable
from tailroom.storage.run import RETRACTED

CSV = "text/csv; charset=utf-8"
_COLUMNS = (
    *("row_id", "drive_slug", "vendor", "drive", "capacity_bytes", "over_provisioning", "usable_ratio"),
    *("metric_class", "generation", "usable_cluster", "record_bytes"),
    *("passed_load", "passed_strength", "failed_load", "failed_strength"),
    *("never_tested_above", "rank_best", "rank_worst", "ranked_among", "unranked_reason", "violations"),
    *("common_load", "common_threshold_ns"),
    *("exceedance_lower_ratio", "exceedance_upper_ratio", "interface", "form_factor", "dwpd", "power_w"),
    *("price_lower", "price_upper", "price_currency", "price_per", "price_region", "price_date"),
    *("price_source", "price_per_ktps_lower", "price_per_ktps_upper", "watts_per_ktps"),
    *("price_per_thousand_transactions_lower", "price_per_thousand_transactions_upper"),
    "watts_per_thousand_transactions",
    *("evidence", "marks", "visibility", "test_count"),
    *("standing", "testers", "firmwares", "tested_year", "published_year", "longest_test_ns", "tested_by"),
    *("runs_made", "runs_published"),
    *COUNTER_COLUMNS,
    *("withdrawn_load", "withdrawn_at", "withdrawal_reason"),
)
_SAME_NAMES = (
    *("row_id", "capacity_bytes", "metric_class", "generation", "usable_cluster", "record_bytes"),
    "unranked_reason",
    *("interface", "form_factor", "dwpd", "power_w", "watts_per_ktps", "watts_per_thousand_transactions"),
    *("visibility", "test_count", "tested_year", "published_year", "longest_test_ns"),
)
"""Columns that have the name and the value of a field of the row."""
_SCOPES = ("observed", "proven")


def leaderboard_csv(table: LoadTable, withdrawn: Sequence[Json]) -> str:
    """Return the rows of a page as CSV, with state, words and bounds at each load, then withdrawn tests."""
    limits_ns = [limit.threshold_ns for limit in table.ratings.question.limits]
    columns = [*_COLUMNS, *(name for load in table.loads for name in _load_columns(load, limits_ns))]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\r\n")
    writer.writeheader()
    for index in range(len(table.rows)):
        row = row_document(table, index)
        cells = _row_cells(row)
        for load, cell in zip(table.loads, row["cells"], strict=True):
            cells |= _load_cells(load, cell, limits_ns)
        writer.writerow({name: _cell_text(value) for name, value in cells.items()})
    for test in withdrawn:
        writer.writerow({name: _cell_text(value) for name, value in _withdrawn_cells(test).items()})
    return out.getvalue()


def _load_columns(load: float, limits_ns: Sequence[int]) -> list[str]:
    ends = ("lower", "upper")
    bounds = [f"{load:g}x {scope} {end}" for scope in _SCOPES for end in ends]
    shares = [f"{_share_column(load, limit_ns)} {end}" for limit_ns in limits_ns for end in ends]
    return [f"{load:g}x state", f"{load:g}x words", *bounds, *shares]


def _share_column(load: float, limit_ns: int) -> str:
    return f"{load:g}x share at or over {latency_text(limit_ns)}"


def _load_cells(load: float, cell: Json, limits_ns: Sequence[int]) -> Json:
    values: Json = {f"{load:g}x state": cell["state"], f"{load:g}x words": cell["words"]}
    for scope in _SCOPES:
        bounds = cell[scope] or {}
        values |= {f"{load:g}x {scope} {end}": bounds.get(end) for end in ("lower", "upper")}
    for limit_ns, share in zip(limits_ns, cell["exceedances"] or (), strict=False):
        column = _share_column(load, limit_ns)
        values |= {f"{column} lower": share["lower_ratio"], f"{column} upper": share["upper_ratio"]}
    return values


def _withdrawn_cells(test: Json) -> Json:
    drive, withdrawn_at = test["drive"], test["withdrawn_at"]
    return {
        "drive_slug": drive["slug"],
        "vendor": drive["vendor"],
        "drive": drive["name"],
        "capacity_bytes": test["capacity_bytes"],
        "visibility": RETRACTED,
        "withdrawn_load": test["load"],
        "withdrawn_at": None if withdrawn_at is None else withdrawn_at.isoformat(),
        "withdrawal_reason": test["reason"],
    }


def _row_cells(row: Json) -> Json:
    rating, standing, rank = row["rating"], row["standing"], row["rank"] or {}
    common, price = row["exceedance_at_common"] or {}, row["price"] or {}
    costs = {name: row[name] or {} for name in ("price_per_ktps", "price_per_thousand_transactions")}
    return {
        **{name: row[name] for name in _SAME_NAMES},
        "drive_slug": row["drive"]["slug"],
        "vendor": row["drive"]["vendor"],
        "drive": row["drive"]["name"],
        "over_provisioning": row["over_provisioning"]["class"],
        "usable_ratio": row["over_provisioning"]["usable_ratio"],
        "passed_load": rating["passed_load"],
        "passed_strength": rating["passed_strength"],
        "failed_load": rating["failed_load"],
        "failed_strength": rating["failed_strength"],
        "never_tested_above": rating["never_tested_above"],
        "violations": "; ".join(rating["violations"]),
        "rank_best": rank.get("best"),
        "rank_worst": rank.get("worst"),
        "ranked_among": rank.get("among"),
        "common_load": common.get("load"),
        "common_threshold_ns": common.get("threshold_ns"),
        "exceedance_lower_ratio": common.get("lower_ratio"),
        "exceedance_upper_ratio": common.get("upper_ratio"),
        **{
            f"price_{name}": price.get(name)
            for name in ("lower", "upper", "currency", "per", "region", "date", "source")
        },
        **{f"{name}_{end}": cost.get(end) for name, cost in costs.items() for end in ("lower", "upper")},
        "evidence": " ".join(row["evidence"]),
        "marks": " ".join(row["marks"]),
        "standing": standing["standing"],
        "testers": standing["testers"],
        "runs_made": standing["runs_made"],
        "runs_published": standing["runs_published"],
        "firmwares": "; ".join(row["firmwares"]),
        "tested_by": "; ".join(row["tested_by"]),
        **counter_cells(row["counters"]),
    }


def _cell_text(value: Any) -> Any:
    """Return a value for CSV: a text like a formula is escaped, infinity becomes None (an empty cell)."""
    if isinstance(value, str):
        return csv_text(value)
    if isinstance(value, float) and math.isinf(value):
        return None
    return value
