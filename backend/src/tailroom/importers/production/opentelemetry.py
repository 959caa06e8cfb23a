"""The importer of OpenTelemetry metrics: OTLP as JSON, and as protobuf (`otlp_protobuf`).

JSON is an export request as a document, or as a line of a collector's file exporter; the console of SDKs
writes the same with other names. Summaries hold quantiles that the program estimated, and are not read; sums
and gauges are no latencies.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.problems import Problems
from tailroom.importers.production.points import CUMULATIVE, DELTA, Point, Points, shown_value, stream_of
from tailroom.importers.production.protobuf_fields import is_export_request
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import ToolImporter

_MOST_BYTES = 32 << 20
"""Largest size of a document of many lines."""
_TEMPORALITIES = {
    "AGGREGATION_TEMPORALITY_CUMULATIVE": CUMULATIVE,
    "AGGREGATION_TEMPORALITY_DELTA": DELTA,
}
_NO_VALUE = 1
TOOL = "opentelemetry"
JSON_FORM, PROTOBUF_FORM = "otlp-json", "otlp-protobuf"
_JSON = re.compile(r'\s*+\{\s*+"(?:resourceMetrics|resource_metrics)"\s*+:')


def _documents(source: Source, problems: Problems) -> Iterator[Mapping[str, Any]]:
    """Yield the export requests of a file: each line, or the whole file if its first line is no JSON."""
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
            problems.error("line", "the line is no JSON; its points were left out", line_no)
            continue
        is_first = False
        if isinstance(value, dict):
            yield value


def _whole(source: Source, decoder: "msgspec.json.Decoder[Any]") -> Mapping[str, Any]:
    """Return a single document. Raise ContentUnreadable for no JSON object, SourceTooLarge over 32 MiB."""
    try:
        value = decoder.decode(source.whole(_MOST_BYTES))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ContentUnreadable(f"{source.name} is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise ContentUnreadable(f"{source.name} is no export request of OTLP")
    return value


def _objects_under(value: object, *names: str) -> list[Mapping[str, Any]]:
    """Return the objects of the first list under one of these keys; empty without such a list."""
    for name in names:
        items = value.get(name) if isinstance(value, dict) else None
        if isinstance(items, list):
            return [item for item in items if isinstance(item, dict)]
    return []


def _add_points(document: Mapping[str, Any], points: Points) -> None:
    """Add the points of an export request, and report metrics that are no histograms."""
    others = 0
    for resource_metrics in _objects_under(document, "resourceMetrics", "resource_metrics"):
        resource = resource_metrics.get("resource")
        of_resource = _attributes(resource.get("attributes") if isinstance(resource, dict) else None)
        for scope_metrics in _objects_under(resource_metrics, "scopeMetrics", "scope_metrics"):
            scope = scope_metrics.get("scope")
            for metric in _objects_under(scope_metrics, "metrics"):
                others += not _add_metric(metric, of_resource, repr(scope), points)
    points.report_other_metrics(others)


def _add_metric(
    metric: Mapping[str, Any], of_resource: Mapping[str, str], scope: str, points: Points
) -> bool:
    """Add the points of a metric, report invalid ones; return False if it is no histogram."""
    name, unit = metric.get("name"), metric.get("unit")
    histogram, is_explicit = _histogram(metric)
    if histogram is None or not isinstance(name, str):
        return False
    kind = histogram.get("aggregationTemporality", histogram.get("aggregation_temporality"))
    temporality = _TEMPORALITIES.get(kind, 0) if isinstance(kind, str) else kind
    temporality = temporality if isinstance(temporality, int) else 0
    unit = unit if isinstance(unit, str) else ""
    for document in _objects_under(histogram, "dataPoints", "data_points"):
        of_point = _attributes(document.get("attributes"))
        point = _point(document, is_explicit=is_explicit)
        if isinstance(point, str):
            points.problems.error("point", f"{name}: {point}; the point was left out")
        elif point is not None:
            points.add(stream_of(name, unit, temporality, (of_resource, of_point), scope), point)
    return True


def _histogram(metric: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, bool]:
    """Return the histogram of a metric, None without one, and whether its points have explicit bounds."""
    for key in ("histogram", "exponentialHistogram", "exponential_histogram"):
        if isinstance(metric.get(key), dict):
            return metric[key], key == "histogram"
    # The console of SDKs does not name the kind, and writes every field.
    data = metric.get("data")
    points = _objects_under(data, "data_points")
    is_explicit = any("bucket_counts" in point for point in points)
    is_histogram = is_explicit or any("scale" in point for point in points)
    return data if is_histogram else None, is_explicit


def _attributes(value: object) -> Mapping[str, str]:
    """Return attributes by key as text, of a list of `key` and `value` or an object; empty for any other."""
    if isinstance(value, dict):
        return {str(key): str(shown) for key, shown in value.items()}
    texts: dict[str, str] = {}
    for attribute in value if isinstance(value, list) else []:
        if isinstance(attribute, dict) and isinstance(attribute.get("key"), str):
            inner = attribute.get("value")
            values = list(inner.values()) if isinstance(inner, dict) else []
            texts[attribute["key"]] = shown_value(values[0]) if values else ""
    return texts


class _NumberInvalid(ValueError):
    """The value is no number."""


def _whole_number(value: object) -> int:
    """Return a whole number, which JSON of OTLP may write as text. Raise _NumberInvalid for anything else."""
    if isinstance(value, bool) or value is None:
        raise _NumberInvalid(f"{value!r} is no whole number")
    if isinstance(value, int):
        return value
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,20}", value):
        return int(value)
    raise _NumberInvalid(f"{str(value)[:40]!r} is no whole number")


def _as_float(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _NumberInvalid(f"{str(value)[:40]!r} is no number")
    return float(value)


def _first_of(point: Mapping[str, Any], *names: str, default: object = None) -> Any:
    """Return the value of the first of these keys that a point has, else `default`."""
    return next((point[name] for name in names if name in point), default)


def _point(point: Mapping[str, Any], *, is_explicit: bool) -> Point | str | None:
    """Return the point; None if its flags state that it has no value; the reason as text if invalid."""
    try:
        if _whole_number(_first_of(point, "flags", default=0)) & _NO_VALUE:
            return None
        start_ns = _whole_number(_first_of(point, "startTimeUnixNano", "start_time_unix_nano", default=0))
        at_ns = _whole_number(_first_of(point, "timeUnixNano", "time_unix_nano", default=0))
        count = _whole_number(_first_of(point, "count", default=0))
        total = point.get("sum")
        sum_ = None if total is None else _as_float(total)
        if not is_explicit:
            positive, negative = point.get("positive") or {}, point.get("negative") or {}
            return Point(
                start_ns,
                at_ns,
                count,
                sum_,
                _counts(positive),
                scale=_whole_number(_first_of(point, "scale", default=0)),
                offset=_whole_number(_first_of(positive, "offset", default=0)),
                zeros=_whole_number(_first_of(point, "zeroCount", "zero_count", default=0)),
                zero_threshold=_as_float(_first_of(point, "zeroThreshold", "zero_threshold", default=0)),
                negative=sum(_counts(negative)),
            )
        bounds = _first_of(point, "explicitBounds", "explicit_bounds", default=[])
        counts = _counts(point) or [count]
        edges = [_as_float(bound) for bound in bounds] if isinstance(bounds, list) else [float("nan")]
        return Point(start_ns, at_ns, count, sum_, counts, bounds=edges)
    except _NumberInvalid as error:
        return str(error)


def _counts(value: object) -> list[int]:
    """Return `bucketCounts`, empty if missing. Raise _NumberInvalid if no list of whole numbers."""
    counts = (
        _first_of(value, "bucketCounts", "bucket_counts", default=[]) if isinstance(value, dict) else None
    )
    if not isinstance(counts, list):
        raise _NumberInvalid("its counts are no list")
    return [_whole_number(count) for count in counts]


def _detect(head: Head) -> Detection | None:
    if _JSON.match(head.text) is not None:
        return Detection(JSON_FORM, TOOL, None, 'the key "resourceMetrics" of OTLP')
    if is_export_request(head.data) or is_export_request(head.data[4:]):
        reason = "the fields of an export request of OTLP metrics"
        return Detection(PROTOBUF_FORM, TOOL, None, reason, is_binary=True)
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return a run per metric. Raise ContentUnreadable without histograms, SourceTooLarge over 32 MiB."""
    points, form = Points(source), JSON_FORM
    if _JSON.match(source.head.text) is not None:
        for document in _documents(source, points.problems):
            _add_points(document, points)
    else:
        # Loading the messages takes as long as starting the command.
        from tailroom.importers.production.otlp_protobuf import read_protobuf  # noqa: PLC0415

        form = PROTOBUF_FORM
        read_protobuf(points)
    points.add_up()
    return points.runs(form, TOOL)


OPENTELEMETRY = ToolImporter("opentelemetry", "OpenTelemetry", _detect, _runs)
