"""The message of DDSketch: its fields, and what a file holds of them in the words of its JSON."""

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.message import DecodeError

from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.source import Source
from tailroom.importers.unpacking import SourceTooLarge

_MOST_BYTES = 4 << 20
_DOUBLE, _SINT32, _MESSAGE, _ENUM = 1, 17, 11, 14
_ONE, _MANY = 1, 3
_FIELDS: dict[str, tuple[tuple[str, int, int, int, str | None], ...]] = {
    "IndexMapping": (
        ("gamma", 1, _DOUBLE, _ONE, None),
        ("indexOffset", 2, _DOUBLE, _ONE, None),
        ("interpolation", 3, _ENUM, _ONE, ".ddsketch.Interpolation"),
    ),
    "BinCount": (("key", 1, _SINT32, _ONE, None), ("value", 2, _DOUBLE, _ONE, None)),
    "Store": (
        ("binCounts", 1, _MESSAGE, _MANY, ".ddsketch.BinCount"),
        ("contiguousBinCounts", 2, _DOUBLE, _MANY, None),
        ("contiguousBinIndexOffset", 3, _SINT32, _ONE, None),
    ),
    "DDSketch": (
        ("mapping", 1, _MESSAGE, _ONE, ".ddsketch.IndexMapping"),
        ("positiveValues", 2, _MESSAGE, _ONE, ".ddsketch.Store"),
        ("negativeValues", 3, _MESSAGE, _ONE, ".ddsketch.Store"),
        ("zeroCount", 4, _DOUBLE, _ONE, None),
    ),
}
"""Name, number, type, label and type name of the fields of each message. A map is a list of pairs."""


def _message_class() -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="ddsketch.proto", package="ddsketch", syntax="proto3")
    kinds = file.enum_type.add(name="Interpolation")
    for number, kind in enumerate(("NONE", "LINEAR", "QUADRATIC", "CUBIC")):
        kinds.value.add(name=kind, number=number)
    for message, fields in _FIELDS.items():
        described = file.message_type.add(name=message)
        for name, number, value_type, label, type_name in fields:
            field = described.field.add(name=name, number=number, json_name=name)
            field.type, field.label = value_type, label
            if type_name is not None:
                field.type_name = type_name
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("ddsketch.DDSketch"))


_DDSKETCH = _message_class()


def document_of_message(source: Source) -> dict[str, Any]:
    """Return the message of a file in the words of its JSON. Raise ContentUnreadable, SourceTooLarge."""
    data = bytearray()
    for chunk in source.unpacked():
        data += chunk
        if len(data) > _MOST_BYTES:
            raise SourceTooLarge(f"{source.name} has more than {_MOST_BYTES} bytes, the most of a DDSketch")
    try:
        message = _DDSKETCH.FromString(bytes(data))
        document: dict[str, Any] = json_format.MessageToDict(message)
    except (DecodeError, ValueError) as error:
        raise ContentUnreadable(f"{source.name} begins as a DDSketch, but cannot be read: {error}") from None
    for store in (document.get("positiveValues"), document.get("negativeValues")):
        if isinstance(store, dict) and "binCounts" in store:
            pairs = store["binCounts"]
            store["binCounts"] = {str(pair.get("key", 0)): pair.get("value", 0.0) for pair in pairs}
    return document
