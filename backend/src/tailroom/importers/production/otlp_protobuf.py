"""OTLP metrics as protobuf: a message of its own, or several, each behind its length in four bytes."""

import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from google.protobuf.message import DecodeError
from opentelemetry.proto.metrics.v1 import metrics_pb2

from tailroom.importers.problems import Problems
from tailroom.importers.production.points import Point, Points, shown_value, stream_of
from tailroom.importers.production.protobuf_fields import is_export_request

_MOST_BYTES = 32 << 20
_NO_VALUE = 1


def read_protobuf(points: Points) -> None:
    """Add the points of the file; report and skip invalid messages. Raise SourceTooLarge over 32 MiB."""
    for part in _parts(points.source.whole_binary(_MOST_BYTES), points.problems):
        try:
            _add_points(metrics_pb2.MetricsData.FromString(part), points)
        except DecodeError as error:
            points.problems.error("message", f"a message of OTLP cannot be read: {error}")


def _parts(content: bytes, problems: Problems) -> Iterator[bytes]:
    """Yield the only message, else each message behind its length; report a cut last message."""
    if is_export_request(content):
        yield content
        return
    at = 0
    while at + 4 <= len(content):
        (length,) = struct.unpack_from(">I", content, at)
        part = content[at + 4 : at + 4 + length]
        if len(part) < length:
            problems.error("cut", "the last message of OTLP is cut and was left out")
            return
        yield part
        at += 4 + length


def _add_points(message: metrics_pb2.MetricsData, points: Points) -> None:
    """Add the histogram points of a message that hold a value, and report metrics that are no histograms."""
    others = 0
    for resource_metrics in message.resource_metrics:
        of_resource = _attributes(resource_metrics.resource.attributes)
        for scope_metrics in resource_metrics.scope_metrics:
            scope = repr((scope_metrics.scope.name, scope_metrics.scope.version))
            for metric in scope_metrics.metrics:
                kind = metric.WhichOneof("data")
                if kind not in ("histogram", "exponential_histogram"):
                    others += 1
                    continue
                histogram = getattr(metric, kind)
                for point in histogram.data_points:
                    if point.flags & _NO_VALUE:
                        continue
                    attributes = of_resource, _attributes(point.attributes)
                    temporality = histogram.aggregation_temporality
                    stream = stream_of(metric.name, metric.unit, temporality, attributes, scope)
                    points.add(stream, _point(point, is_explicit=kind == "histogram"))
    points.report_other_metrics(others)


def _attributes(values: Iterable[Any]) -> Mapping[str, str]:
    """Return attributes by key, their values as text; empty texts for missing values."""
    texts: dict[str, str] = {}
    for attribute in values:
        kind = attribute.value.WhichOneof("value")
        texts[attribute.key] = "" if kind is None else shown_value(getattr(attribute.value, kind))
    return texts


def _point(point: Any, *, is_explicit: bool) -> Point:
    """Return the point of a message, with explicit or exponential buckets."""
    sum_ = point.sum if point.HasField("sum") else None
    common = (point.start_time_unix_nano, point.time_unix_nano, point.count, sum_)
    if is_explicit:
        counts = list(point.bucket_counts) or [point.count]
        return Point(*common, counts, bounds=list(point.explicit_bounds))
    return Point(
        *common,
        list(point.positive.bucket_counts),
        scale=point.scale,
        offset=point.positive.offset,
        zeros=point.zero_count,
        zero_threshold=point.zero_threshold,
        negative=sum(point.negative.bucket_counts),
    )
