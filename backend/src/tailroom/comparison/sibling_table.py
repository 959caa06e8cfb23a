"""Units of campaigns against their siblings as CSV."""

import csv
import io

from tailroom.comparison.sibling_schemas import SiblingsOut
from tailroom.kit.encodings import csv_text

_COLUMNS = (
    *("unit", "agent", "device", "run_id", "measured_s", "unit_effect", "quantity", "value", "siblings"),
    *("ratio", "ratio_lower", "ratio_upper", "effect", "differs_in", "reason"),
)


def table(siblings: SiblingsOut) -> str:
    """Return the units as CSV, a row for each unit and quantity, or for a unit or agent without result."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for unit in siblings.units:
        causes = "; ".join(
            f"{cause.name}: {cause.value} ({cause.usual} on {cause.siblings - cause.same_siblings} of"
            f" {cause.siblings} siblings)"
            for cause in unit.causes
        )
        names = [csv_text(cell) for cell in (unit.name, unit.agent, unit.device or "")]
        unit_cells = (*names, unit.run_id, unit.measured_ns / 1e9, unit.effect)
        texts = (csv_text(causes), csv_text(unit.reason))
        if not unit.deviations:
            rows.writerow((*unit_cells, *[""] * 7, *texts))
        for row in unit.deviations:
            numbers = (row.value, row.siblings, row.ratio, row.ratio_lower, row.ratio_upper)
            rows.writerow((*unit_cells, row.quantity, *numbers, row.effect, *texts))
    for agent in siblings.not_measured:
        name = csv_text(agent.agent)
        rows.writerow((name, name, *[""] * 3, "not measured", *[""] * 8, csv_text(agent.reason)))
    return text.getvalue()
