"""The protobuf message of DDSketch: its fields, and the JSON of a message."""

from typing import Any

from google.protobuf import json_format
from google.protobuf.message import DecodeError

from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.production.protobuf_class import (
    DOUBLE,
    ENUM,
    MESSAGE,
    REPEATED,
    SINGLE,
    SINT32,
    Field,
    message_class,
)
from tailroom.importers.source import Source

_MOST_BYTES = 4 << 20
_FIELDS: dict[str, tuple[Field, ...]] = {
    "IndexMapping": (
        ("gamma", 1, DOUBLE, SINGLE, None),
        ("indexOffset", 2, DOUBLE, SINGLE, None),
        ("interpolation", 3, ENUM, SINGLE, "Interpolation"),
    ),
    "BinCount": (("key", 1, SINT32, SINGLE, None), ("value", 2, DOUBLE, SINGLE, None)),
    "Store": (
        ("binCounts", 1, MESSAGE, REPEATED, "BinCount"),
        ("contiguousBinCounts", 2, DOUBLE, REPEATED, None),
        ("contiguousBinIndexOffset", 3, SINT32, SINGLE, None),
    ),
    "DDSketch": (
        ("mapping", 1, MESSAGE, SINGLE, "IndexMapping"),
        ("positiveValues", 2, MESSAGE, SINGLE, "Store"),
        ("negativeValues", 3, MESSAGE, SINGLE, "Store"),
        ("zeroCount", 4, DOUBLE, SINGLE, None),
    ),
}
"""The fields of each message. A map is a list of pairs."""
_DDSKETCH = message_class(
    "ddsketch", _FIELDS, "DDSketch", {"Interpolation": ("NONE", "LINEAR", "QUADRATIC", "CUBIC")}
)


def document_of_message(source: Source) -> dict[str, Any]:
    """Return the message as JSON. Raise ContentUnreadable if it is invalid, SourceTooLarge over 4 MiB."""
    data = source.whole_binary(_MOST_BYTES)
    try:
        message = _DDSKETCH.FromString(data)
        document: dict[str, Any] = json_format.MessageToDict(message)
    except (DecodeError, ValueError) as error:
        raise ContentUnreadable(f"{source.name} begins as a DDSketch, but cannot be read: {error}") from None
    for store in (document.get("positiveValues"), document.get("negativeValues")):
        if isinstance(store, dict) and "binCounts" in store:
            pairs = store["binCounts"]
            store["binCounts"] = {str(pair.get("key", 0)): pair.get("value", 0.0) for pair in pairs}
    return document
