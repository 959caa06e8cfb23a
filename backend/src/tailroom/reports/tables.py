"""A report for programs: every figure as a row of CSV, and a description of the run as JSON-LD (schema.org).

Numbers have all their digits, in the unit that the name of their quantity ends in.
"""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from tailroom.kit.csv_cells import plain_text
from tailroom.reports.content import Report, Subject
from tailroom.reports.words import answer_of

COLUMNS = ("kind", "subject", "operation", "clock", "quantity", "asked", "lower", "upper", "lower_limit",
           "upper_limit", "verdict")  # fmt: skip


def csv_of(report: Report) -> str:
    """`verdict` rows (headline), `limit` rows (of a verdict), `figure` and `percentile` rows."""
    target = io.StringIO()
    writer = csv.DictWriter(target, COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    for subject in report.subjects:
        for row in _rows(subject):
            writer.writerow({name: _cell(value) for name, value in row.items()})
    return target.getvalue()


def json_ld_of(report: Report, place: str) -> str:
    """A `Dataset` of schema.org. `place` is the address of the installation."""
    subject = report.subjects[0]
    lead = subject.lead
    address = f"{place}{report.address}"
    document = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "@id": address,
        "url": address,
        "name": subject.title,
        "description": answer_of(lead) if lead else "Nothing was judged.",
        "measurementTechnique": f"Tailroom, method {report.method_version}",
        "variableMeasured": [
            {
                "@type": "PropertyValue",
                "name": f"{one.operation} {one.clock} {figure.quantity}",
                "minValue": figure.lower,
                **({} if figure.upper is None else {"maxValue": figure.upper}),
            }
            for one in subject.figures
            for figure in one.figures
        ],
        "distribution": [
            {
                "@type": "DataDownload",
                "encodingFormat": kind,
                "contentUrl": f"{place}/api/v1{report.address}/{name}",
            }
            for kind, name in (("text/csv", "report.csv"), ("text/html", "report.html"))
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _rows(subject: Subject) -> Iterator[dict[str, Any]]:
    about = {"subject": subject.run_id or subject.title}
    for verdict in subject.verdicts:
        name, head = verdict["budget"]["name"], verdict.get("headline") or {}
        ends = {"asked": head.get("asked"), "lower": head.get("lower"), "upper": head.get("upper")}
        yield about | {"kind": "verdict", "quantity": name, "verdict": verdict["verdict"], **ends}
        for row in verdict["rows"]:
            at = row["quantity"] or f"share_at_{row['threshold_ns']}_ns"
            yield about | {
                "kind": "limit",
                "operation": row["operation"],
                "clock": row["clock"],
                "quantity": f"{name}:{at}",
                "asked": row["limit"],
                "lower": row["value_lower"],
                "upper": row["value_upper"],
                "verdict": row["verdict"],
            }
    for one in subject.figures:
        place = about | {"kind": "figure", "operation": one.operation, "clock": one.clock}
        for figure in one.figures:
            ends = {"lower": figure.lower, "upper": figure.upper}
            limits = {"lower_limit": figure.lower_limit, "upper_limit": figure.upper_limit}
            yield place | {"quantity": figure.quantity} | ends | limits
    for curve in subject.curves:
        place = about | {"kind": "percentile", "operation": curve.operation, "clock": curve.clock}
        for point in curve.points:
            ends = {"lower": point.lower_ns, "upper": point.upper_ns}
            yield place | {"quantity": f"latency_quantile_{point.quantile!r}_ns"} | ends


def _cell(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula stays text."""
    if isinstance(value, str):
        return plain_text(value)
    return "" if value is None else value
