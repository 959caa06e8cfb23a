"""A report for programs: every figure as a row of CSV, and a description of the run as JSON-LD (schema.org).

Numbers have all their digits, in the unit of the quantity's suffix. `shown` and `shown_with_confidence` are
the same bounds rounded outward, as pages and reports show them.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from tailroom.domain.units import latencies
from tailroom.domain.verdicts.headline import scope_text, words_of_document
from tailroom.kit.encodings import csv_text
from tailroom.reports.content import Report, ReportSubject
from tailroom.reports.words import answer_of, bounds_of, row_of

COLUMNS = ("kind", "subject", "operation", "clock", "quantity", "asked", "lower", "upper", "lower_limit",
           "upper_limit", "verdict", "strength", "words", "shown", "shown_with_confidence")  # fmt: skip


def csv_of(report: Report) -> str:
    """Return the report as CSV, with rows of the kinds `verdict`, `limit`, `figure` and `percentile`."""
    target = io.StringIO()
    writer = csv.DictWriter(target, COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    for subject in report.subjects:
        for row in _rows(subject):
            writer.writerow({name: _cell(value) for name, value in row.items()})
    return target.getvalue()


def json_ld_of(report: Report, installation: str) -> str:
    """Return the first subject of a report as a `Dataset` of schema.org; further subjects are left out.

    `installation` is the start of the installation's address. The report must have an `address`.
    """
    subject = report.subjects[0]
    lead = subject.lead
    address = f"{installation}{report.address}"
    document = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "@id": address,
        "url": address,
        "name": subject.title,
        "description": f"{words_of_document(lead)}: {answer_of(lead)}" if lead else "Nothing was judged.",
        "measurementTechnique": f"Tailroom, method {report.method_version}",
        "variableMeasured": [
            {
                "@type": "PropertyValue",
                "name": f"{operation.operation} {operation.clock} {figure.quantity}",
                "minValue": figure.lower,
                **({} if figure.upper is None else {"maxValue": figure.upper}),
            }
            for operation in subject.figures
            for figure in operation.figures
        ],
        "distribution": [
            {
                "@type": "DataDownload",
                "encodingFormat": kind,
                "contentUrl": f"{installation}/api/v1{report.address}/{name}",
            }
            for kind, name in (("text/csv", "report.csv"), ("text/html", "report.html"))
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _rows(subject: ReportSubject) -> Iterator[dict[str, Any]]:
    subject_name = {"subject": subject.run_id or subject.title}
    for verdict in subject.verdicts:
        name, head = verdict["budget"]["name"], verdict.get("headline") or {}
        bounds = {"asked": head.get("asked"), "lower": head.get("lower"), "upper": head.get("upper")}
        keys = subject_name | {"kind": "verdict", "quantity": name}
        yield keys | bounds | _word(verdict) | _scopes(verdict)
        for row in verdict["rows"]:
            yield subject_name | _limit(name, row)
    for operation in subject.figures:
        keys = subject_name | {"kind": "figure", "operation": operation.operation, "clock": operation.clock}
        for figure in operation.figures:
            bounds = {"lower": figure.lower, "upper": figure.upper}
            limits = {"lower_limit": figure.lower_limit, "upper_limit": figure.upper_limit}
            shown = {"shown": bounds_of(figure.quantity, figure.lower, figure.upper)}
            if figure.lower_limit is not None:
                with_confidence = bounds_of(figure.quantity, figure.lower_limit, figure.upper_limit)
                shown["shown_with_confidence"] = with_confidence
            yield keys | {"quantity": figure.quantity} | bounds | limits | shown
    for curve in subject.curves:
        keys = subject_name | {"kind": "percentile", "operation": curve.operation, "clock": curve.clock}
        for point in curve.points:
            bounds = {"lower": point.lower_ns, "upper": point.upper_ns}
            shown = {"shown": latencies(point.lower_ns, point.upper_ns)}
            yield keys | {"quantity": f"latency_quantile_{point.quantile!r}_ns"} | bounds | shown


def _word(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "verdict": answer["verdict"],
        "strength": answer.get("strength"),
        "words": words_of_document(answer),
    }


def _scopes(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of the bounds in the run and with confidence; empty for a method before 8."""
    if verdict.get("proven") is None:
        return {}
    return {
        "lower_limit": verdict["proven"]["lower"],
        "upper_limit": verdict["proven"]["upper"],
        "shown": scope_text(verdict, "observed"),
        "shown_with_confidence": scope_text(verdict, "proven"),
    }


def _limit(budget_name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    at, shown = row["quantity"] or f"share_at_{row['threshold_ns']}_ns", row_of(row)
    return {
        "kind": "limit",
        "operation": row["operation"],
        "clock": row["clock"],
        "quantity": f"{budget_name}:{at}",
        "asked": row["limit"],
        "lower": row.get("observed_lower"),
        "upper": row.get("observed_upper"),
        "lower_limit": row["value_lower"],
        "upper_limit": row["value_upper"],
        "shown": shown.in_run,
        "shown_with_confidence": shown.proven,
        **_word(row),
    }


def _cell(value: Any) -> Any:
    """Return a value as written to CSV: None is empty, and spreadsheets do not read any text as a formula."""
    if isinstance(value, str):
        return csv_text(value)
    return "" if value is None else value
