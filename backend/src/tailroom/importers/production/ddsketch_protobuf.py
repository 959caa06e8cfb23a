"""The protobuf message of DDSketch: its fields, and the JSON of a message."""

from typing import Any

from google.protobuf import json_format
from google.protobuf.message import DecodeError

from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.production.protobuf_class import message_class
from tailroom.importers.source import Source

_MOST_BYTES = 4 << 20
_FIELDS = {
    "IndexMapping": (
        "double gamma = 1",
        "double indexOffset = 2",
        "Interpolation interpolation = 3",
    ),
    "BinCount": ("sint32 key = 1", "double value = 2"),
    "Store": (
        "repeated BinCount binCounts = 1",
        "repeated double contiguousBinCounts = 2",
        "sint32 contiguousBinIndexOffset = 3",
    ),
    "DDSketch": (
        "IndexMapping mapping = 1",
        "Store positiveValues = 2",
        "Store negativeValues = 3",
        "double zeroCount = 4",
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
