"""The messages of a page in protobuf: a metric family each, behind its length (`io.prometheus.client`)."""

from collections.abc import Iterator
from typing import Any

from google.protobuf.message import DecodeError

from tailroom.importers.problems import Problems
from tailroom.importers.production.protobuf_class import (
    DOUBLE,
    INT32,
    INT64,
    MESSAGE,
    REPEATED,
    SINGLE,
    SINT32,
    SINT64,
    STRING,
    UINT32,
    UINT64,
    Field,
    message_class,
)
from tailroom.importers.source import Source

SUMMARY, HISTOGRAM, GAUGE_HISTOGRAM = 2, 4, 5
_MOST_BYTES = 32 << 20
_FIELDS: dict[str, tuple[Field, ...]] = {
    "LabelPair": (("name", 1, STRING, SINGLE, None), ("value", 2, STRING, SINGLE, None)),
    "Timestamp": (("seconds", 1, INT64, SINGLE, None), ("nanos", 2, INT32, SINGLE, None)),
    "BucketSpan": (("offset", 1, SINT32, SINGLE, None), ("length", 2, UINT32, SINGLE, None)),
    "Bucket": (
        ("cumulative_count", 1, UINT64, SINGLE, None),
        ("upper_bound", 2, DOUBLE, SINGLE, None),
        ("cumulative_count_float", 4, DOUBLE, SINGLE, None),
    ),
    "Histogram": (
        ("sample_count", 1, UINT64, SINGLE, None),
        ("sample_sum", 2, DOUBLE, SINGLE, None),
        ("bucket", 3, MESSAGE, REPEATED, "Bucket"),
        ("sample_count_float", 4, DOUBLE, SINGLE, None),
        ("schema", 5, SINT32, SINGLE, None),
        ("zero_threshold", 6, DOUBLE, SINGLE, None),
        ("zero_count", 7, UINT64, SINGLE, None),
        ("zero_count_float", 8, DOUBLE, SINGLE, None),
        ("negative_span", 9, MESSAGE, REPEATED, "BucketSpan"),
        ("negative_delta", 10, SINT64, REPEATED, None),
        ("positive_span", 12, MESSAGE, REPEATED, "BucketSpan"),
        ("positive_delta", 13, SINT64, REPEATED, None),
        ("positive_count", 14, DOUBLE, REPEATED, None),
        ("created_timestamp", 15, MESSAGE, SINGLE, "Timestamp"),
    ),
    "Metric": (
        ("label", 1, MESSAGE, REPEATED, "LabelPair"),
        ("timestamp_ms", 6, INT64, SINGLE, None),
        ("histogram", 7, MESSAGE, SINGLE, "Histogram"),
    ),
    "MetricFamily": (
        ("name", 1, STRING, SINGLE, None),
        ("help", 2, STRING, SINGLE, None),
        ("type", 3, INT32, SINGLE, None),
        ("metric", 4, MESSAGE, REPEATED, "Metric"),
        ("unit", 5, STRING, SINGLE, None),
    ),
}
MetricFamily = message_class("io.prometheus.client", _FIELDS, "MetricFamily")


def families(source: Source, problems: Problems) -> Iterator[Any]:
    """Yield the families in order; report invalid and cut messages. Raise SourceTooLarge over 32 MiB."""
    data = source.whole_binary(_MOST_BYTES)
    at = 0
    while at < len(data):
        length, begin = _length(data, at)
        if begin + length > len(data):
            problems.error("cut", "the last message of the page is cut and was left out")
            return
        at = begin + length
        try:
            yield MetricFamily.FromString(data[begin:at])
        except DecodeError as error:
            problems.error("message", f"a message of the page cannot be read: {error}")


def _length(data: bytes, at: int) -> tuple[int, int]:
    """Return the length in bytes of the message behind the varint at position `at`, and where it begins.

    For a varint that is cut or has more than five bytes: 32 MiB + 1 and `at`.
    """
    length = 0
    for position in range(at, min(at + 5, len(data))):
        length |= (data[position] & 0x7F) << 7 * (position - at)
        if not data[position] & 0x80:
            return length, position + 1
    return _MOST_BYTES + 1, at
