"""Recognition of OTLP export requests and of Prometheus pages in protobuf by their first bytes."""

import re

_RESOURCE_METRICS, _RESOURCE, _SCOPE_METRICS = 0x0A, 0x0A, 0x12
_LONG = 20
"""A name of more letters may be cut, because it is longer than the bytes that are read."""


_FAMILY = re.compile(rb"[\x01-\xff]{1,5}?\x0a([\x01-\x7f])([A-Za-z_:][\w:.]*)(?:[\x12\x18\x22]|$)", re.DOTALL)
"""A length, the name of a metric behind its own length, and its help, type or first value."""


def is_metric_family(data: bytes) -> bool:
    """Return whether the first bytes are those of a metric family behind its length."""
    match = _FAMILY.match(data)
    if match is None:
        return False
    length, name = match[1][0], match[2]
    return len(name) == length or (len(name) < length and match.end() == len(data) and len(name) > _LONG)


def is_export_request(data: bytes) -> bool:
    """Return whether bytes begin as ResourceMetrics do: a resource, then metrics of a scope."""
    outer = _field(data, 0, _RESOURCE_METRICS)
    if outer is None:
        return False
    inner = _field(data, outer[0], _RESOURCE)
    at = outer[0] if inner is None else sum(inner)
    scope = _field(data, at, _SCOPE_METRICS)
    return scope is not None and scope[0] + scope[1] <= outer[0] + outer[1] and scope[1] > 0


def _field(data: bytes, at: int, tag: int) -> tuple[int, int] | None:
    """Return position and length of a field's content; None for another tag or a cut field."""
    return varint(data, at + 1) if data[at : at + 1] == bytes((tag,)) else None


def varint(data: bytes, at: int) -> tuple[int, int] | None:
    """Return the end of the varint at `at`, and its number; None if it is cut or has over five bytes."""
    number = 0
    for position, byte in enumerate(data[at : at + 5]):
        number |= (byte & 0x7F) << 7 * position
        if not byte & 0x80:
            return at + position + 1, number
    return None
