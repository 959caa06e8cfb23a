"""Classes of protobuf messages, made from the declarations of their fields."""

from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory


def message_class(
    package: str,
    messages: Mapping[str, Sequence[str]],
    root: str,
    enumerations: Mapping[str, Sequence[str]] | None = None,
) -> Any:
    """Return the class of message `root`.

    `messages` are the fields of each, as a .proto file declares them (`repeated Bucket bucket = 3`);
    `enumerations` are the names of 0, 1, … of each.
    """
    file = descriptor_pb2.FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")
    for name, values in (enumerations or {}).items():
        described = file.enum_type.add(name=name)
        for number, value in enumerate(values):
            described.value.add(name=value, number=number)
    for name, declarations in messages.items():
        message = file.message_type.add(name=name)
        for declaration in declarations:
            *repeated, type_name, field_name, _, field_number = declaration.split()
            field = message.field.add(name=field_name, number=int(field_number), json_name=field_name)
            field.label = field.LABEL_REPEATED if repeated else field.LABEL_OPTIONAL
            if type_name.islower():
                field.type = field.Type.Value(f"TYPE_{type_name.upper()}")
            else:
                field.type_name = f".{package}.{type_name}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{package}.{root}"))
