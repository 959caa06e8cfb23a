"""The rows of a page of the leaderboard as a table: exactly what is shown, every number in its unit."""

import csv
import io
import math
from typing import Any

from tailroom.domain.units import latency_text
from tailroom.kit.csv_cells import plain_text
from tailroom.ratings.answers.answer import Answer
from tailroom.ratings.answers.order import Selected
from tailroom.ratings.board.withdrawn import Withdrawn
from tailroom.ratings.serialization.rows import Json, loads_of, row_document
from tailroom.storage.run import RETRACTED

_COLUMNS = (
    *("row_id", "drive_slug", "vendor", "drive", "capacity_bytes", "over_provisioning", "usable_ratio"),
    *("metric_class", "generation", "passed_load", "failed_load", "never_tested_above", "rank_best"),
    *("rank_worst", "ranked_among", "violations", "common_load", "common_threshold_ns"),
    *("exceedance_lower_ratio", "exceedance_upper_ratio", "interface", "form_factor", "dwpd", "power_w"),
    *("price", "price_currency", "price_date", "price_source", "price_per_ktps", "watts_per_ktps"),
    *("evidence", "marks", "visibility", "test_count", "withdrawn_load", "withdrawn_at", "withdrawal_reason"),
)
_WITHDRAWN = {name: place for place, name in enumerate(_COLUMNS)}
"""Where the columns are that a withdrawn test still has."""


def leaderboard_csv(answer: Answer, selected: Selected) -> str:
    """The rows of a page as a table: one line a row; for each load a state and the ends of each share.

    Below them what is left of withdrawn tests.
    """
    loads = loads_of(answer, selected.places)
    limits = answer.question.limits
    names = [f"{answer.board.loads[load]:g}x" for load in loads]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    head = list(_COLUMNS)
    for name in names:
        head.append(f"{name} state")
        for limit in limits:
            at = latency_text(limit.threshold_ns)
            head += [f"{name} share at or over {at} lower", f"{name} share at or over {at} upper"]
    writer.writerow(head)
    for place in selected.places:
        row = row_document(answer, place, loads)
        writer.writerow([_cell_text(value) for value in _flat(row, len(limits))])
    for one in selected.withdrawn:
        writer.writerow([_cell_text(value) for value in _flat_withdrawn(one, len(head))])
    return out.getvalue()


def _flat_withdrawn(one: Withdrawn, width: int) -> list[Any]:
    values: list[Any] = [None] * width
    told = {
        "drive_slug": one.drive.slug,
        "vendor": one.drive.vendor,
        "drive": one.drive.name,
        "capacity_bytes": one.capacity_bytes,
        "visibility": RETRACTED,
        "withdrawn_load": one.load_multiple,
        "withdrawn_at": None if one.withdrawn_at is None else one.withdrawn_at.isoformat(),
        "withdrawal_reason": one.reason,
    }
    for name, value in told.items():
        values[_WITHDRAWN[name]] = value
    return values


def _flat(row: Json, limits: int) -> list[Any]:
    rating, rank = row["rating"], row["rank"] or {}
    common, price, op = row["exceedance_at_common"] or {}, row["price"] or {}, row["over_provisioning"]
    values = [
        *(row["row_id"], row["drive"]["slug"], row["drive"]["vendor"], row["drive"]["name"]),
        *(row["capacity_bytes"], op["class"], op["usable_ratio"], row["metric_class"], row["generation"]),
        *(rating["passed_load"], rating["failed_load"], rating["never_tested_above"]),
        *(rank.get("best"), rank.get("worst"), rank.get("among"), "; ".join(rating["violations"])),
        *(common.get("load"), common.get("threshold_ns"), common.get("lower_ratio")),
        *(common.get("upper_ratio"), row["interface"], row["form_factor"], row["dwpd"], row["power_w"]),
        *(price.get("value"), price.get("currency"), price.get("date"), price.get("source")),
        *(row["price_per_ktps"], row["watts_per_ktps"], " ".join(row["evidence"]), " ".join(row["marks"])),
        *(row["visibility"], row["test_count"], None, None, None),
    ]
    for cell in row["cells"]:
        values.append(cell["state"])
        shares = cell["exceedances"] or [{"lower_ratio": None, "upper_ratio": None}] * limits
        for share in shares:
            values += [share["lower_ratio"], share["upper_ratio"]]
    return values


def _cell_text(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula is marked as text."""
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, float) and math.isinf(value):
        return None
    return value
