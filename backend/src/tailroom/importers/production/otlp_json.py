"""OTLP metrics as JSON: an export request as a document, or one a line, as a collector's file exporter writes
them. The console of SDKs writes the same with other names.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.problems import Problems
from tailroom.importers.production.points import CUMULATIVE, DELTA, Point, Points, shown_value, stream_of
from tailroom.importers.source import Source

_MOST_BYTES = 32 << 20
"""Of a document of many lines."""
_TEMPORALITIES = {
    "AGGREGATION_TEMPORALITY_CUMULATIVE": CUMULATIVE,
    "AGGREGATION_TEMPORALITY_DELTA": DELTA,
}
_NO_VALUE = 1


def take_json(source: Source, points: Points) -> None:
    """Add the histogram points of a file to `points`. Raise ContentUnreadable where it is no JSON."""
    for document in _documents(source, points.problems):
        _take(document, points)


def _documents(source: Source, problems: Problems) -> Iterator[Mapping[str, Any]]:
    """Yield the export requests of a file: one a line, or a document of many lines."""
    decoder = msgspec.json.Decoder()
    is_first = True
    for line_no, line in source.lines():
        if not line.strip():
            continue
        try:
            value = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            if is_first:
                yield _whole(source, decoder)
                return
            problems.add("line", "the line is no JSON; its points were left out", line_no, error=True)
            continue
        is_first = False
        if isinstance(value, dict):
            yield value


def _whole(source: Source, decoder: "msgspec.json.Decoder[Any]") -> Mapping[str, Any]:
    """Return the export request of a file that is a single document. Raise ContentUnreadable."""
    try:
        value = decoder.decode(source.whole(_MOST_BYTES))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ContentUnreadable(f"{source.name} is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise ContentUnreadable(f"{source.name} is no export request of OTLP")
    return value


def _list(value: object, *names: str) -> list[Mapping[str, Any]]:
    """Return the objects of the list under the first of these keys that has a list; empty if none has.
    Consoles of SDKs write keys with underscores.
    """
    for name in names:
        held = value.get(name) if isinstance(value, dict) else None
        if isinstance(held, list):
            return [item for item in held if isinstance(item, dict)]
    return []


def _take(document: Mapping[str, Any], points: Points) -> None:
    """Add the points of an export request, and report metrics that are no histograms."""
    others = 0
    for resource_metrics in _list(document, "resourceMetrics", "resource_metrics"):
        resource = resource_metrics.get("resource")
        of_resource = _json_attributes(resource.get("attributes") if isinstance(resource, dict) else None)
        for scope_metrics in _list(resource_metrics, "scopeMetrics", "scope_metrics"):
            scope = scope_metrics.get("scope")
            for metric in _list(scope_metrics, "metrics"):
                others += not _take_json_metric(metric, of_resource, repr(scope), points)
    points.report_other_metrics(others)


def _take_json_metric(
    metric: Mapping[str, Any], of_resource: Mapping[str, str], scope: str, points: Points
) -> bool:
    """Add the points of a metric; return False where it is no histogram. `of_resource`: attributes of its
    resource; `scope`: its instrumentation scope as text.
    """
    name, unit = metric.get("name"), metric.get("unit")
    held = (
        metric.get("histogram") or metric.get("exponentialHistogram") or metric.get("exponential_histogram")
    )
    if held is None:
        data = metric.get("data")
        held = (
            data
            if any("bucket_counts" in point or "scale" in point for point in _list(data, "data_points"))
            else None
        )
    if not isinstance(held, dict) or not isinstance(name, str):
        return False
    kind = held.get("aggregationTemporality", held.get("aggregation_temporality"))
    temporality = _TEMPORALITIES.get(kind, 0) if isinstance(kind, str) else kind
    for document in _list(held, "dataPoints", "data_points"):
        of_point = _json_attributes(document.get("attributes"))
        point = _json_point(document)
        if isinstance(point, str):
            points.problems.add("point", f"{name}: {point}; the point was left out", None, error=True)
        elif point is not None:
            points.take(
                stream_of(
                    name,
                    unit if isinstance(unit, str) else "",
                    temporality if isinstance(temporality, int) else 0,
                    (of_resource, of_point),
                    scope,
                ),
                point,
            )
    return True


def _json_attributes(value: object) -> Mapping[str, str]:
    """Return attributes as text: `[{"key": …, "value": {"stringValue": …}}]`, or an object."""
    if isinstance(value, dict):
        return {str(key): str(shown) for key, shown in value.items()}
    held: dict[str, str] = {}
    for attribute in value if isinstance(value, list) else []:
        if isinstance(attribute, dict) and isinstance(attribute.get("key"), str):
            inner = attribute.get("value")
            values = list(inner.values()) if isinstance(inner, dict) else []
            held[attribute["key"]] = shown_value(values[0]) if values else ""
    return held


class _NoNumber(ValueError):
    """Something else where a number must stand."""


def _whole_number(value: object) -> int:
    """Return a 64-bit number, which JSON of OTLP writes as text. Raise _NoNumber."""
    if isinstance(value, bool) or value is None:
        raise _NoNumber(f"{value!r} is no whole number")
    if isinstance(value, int):
        return value
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,20}", value):
        return int(value)
    raise _NoNumber(f"{str(value)[:40]!r} is no whole number")


def _fraction(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _NoNumber(f"{str(value)[:40]!r} is no number")
    return float(value)


def _first_of(point: Mapping[str, Any], *names: str, default: object = None) -> Any:
    """Return the value of the first of these keys that a point has."""
    return next((point[name] for name in names if name in point), default)


def _json_point(point: Mapping[str, Any]) -> Point | str | None:
    """Return the point, None where its flags say that it holds no value, or the reason why it is invalid."""
    try:
        if _whole_number(_first_of(point, "flags", default=0)) & _NO_VALUE:
            return None
        start_ns = _whole_number(_first_of(point, "startTimeUnixNano", "start_time_unix_nano", default=0))
        at_ns = _whole_number(_first_of(point, "timeUnixNano", "time_unix_nano", default=0))
        count = _whole_number(_first_of(point, "count", default=0))
        total = point.get("sum")
        sum_ = None if total is None else _fraction(total)
        if "scale" in point or "positive" in point or "zeroCount" in point or "zero_count" in point:
            positive, negative = point.get("positive") or {}, point.get("negative") or {}
            return Point(
                start_ns,
                at_ns,
                count,
                sum_,
                _json_counts(positive),
                scale=_whole_number(_first_of(point, "scale", default=0)),
                offset=_whole_number(_first_of(positive, "offset", default=0)),
                zeros=_whole_number(_first_of(point, "zeroCount", "zero_count", default=0)),
                zero_threshold=_fraction(_first_of(point, "zeroThreshold", "zero_threshold", default=0)),
                negative=sum(_json_counts(negative)),
            )
        bounds = _first_of(point, "explicitBounds", "explicit_bounds", default=[])
        counts = _json_counts(point) or [count]
        held = [_fraction(each) for each in bounds] if isinstance(bounds, list) else [float("nan")]
        return Point(start_ns, at_ns, count, sum_, counts, bounds=held)
    except _NoNumber as error:
        return str(error)


def _json_counts(value: object) -> list[int]:
    """Return the counts under `bucketCounts`; empty where the key is missing. Raise _NoNumber."""
    held = _first_of(value, "bucketCounts", "bucket_counts", default=[]) if isinstance(value, dict) else None
    if not isinstance(held, list):
        raise _NoNumber("its counts are no list")
    return [_whole_number(each) for each in held]
