"""Classes of protobuf messages, made from the names and numbers of their fields."""

from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

DOUBLE, INT64, UINT64, INT32, STRING, MESSAGE, UINT32, ENUM, SINT32, SINT64 = (
    1,
    3,
    4,
    5,
    9,
    11,
    13,
    14,
    17,
    18,
)
"""Numbers of protobuf's types."""
SINGLE, REPEATED = 1, 3
"""Numbers of protobuf's labels of fields."""

Field = tuple[str, int, int, int, str | None]
"""Name, number, type, label, and the name of the type of a message or an enumeration."""


def message_class(
    package: str,
    messages: Mapping[str, Sequence[Field]],
    root: str,
    enumerations: Mapping[str, Sequence[str]] | None = None,
) -> Any:
    """Return the class of message `root`, from fields by message, and names of 0, 1, … by enumeration."""
    file = descriptor_pb2.FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")
    for name, values in (enumerations or {}).items():
        described = file.enum_type.add(name=name)
        for number, value in enumerate(values):
            described.value.add(name=value, number=number)
    for name, fields in messages.items():
        message = file.message_type.add(name=name)
        for field_name, number, value_type, label, type_name in fields:
            field = message.field.add(name=field_name, number=number, json_name=field_name)
            field.type, field.label = value_type, label
            if type_name is not None:
                field.type_name = f".{package}.{type_name}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{package}.{root}"))
