"""Query parameters for long columns: each column is one binary array, written at once.

After `register` on a psycopg connection, `Int8Array` and `ByteaArray` can be parameters.
"""

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import Format

_INT8_OID = 20
_INT8_ARRAY_OID = 1016
_BYTEA_OID = 17
_BYTEA_ARRAY_OID = 1001
_HEADER = struct.Struct(">iiiii")
_ELEMENT = np.dtype([("size", ">i4"), ("value", ">i8")])
_NULL_SIZE = struct.pack(">i", -1)


class Int8Array:
    """Parameter of type `bigint[]`: one dimension, without nulls."""

    __slots__ = ("values",)

    def __init__(self, values: npt.NDArray[np.int64]) -> None:
        self.values = values


class ByteaArray:
    """Parameter of type `bytea[]`: one dimension; None becomes NULL."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[bytes | None]) -> None:
        self.values = values


def _header(length: int, oid: int, *, has_null: bool) -> bytes:
    """Return the binary header of an array: dimensions, nulls flag, element type, length, first index."""
    return _HEADER.pack(1, has_null, oid, length, 1) if length else _HEADER.pack(0, 0, oid, 0, 1)[:12]


class _Int8ArrayDumper(Dumper):
    """Converts an `Int8Array` to the binary format of PostgreSQL."""

    format = Format.BINARY
    oid = _INT8_ARRAY_OID

    def dump(self, obj: Int8Array) -> bytes:
        elements = np.empty(obj.values.size, dtype=_ELEMENT)
        elements["size"] = 8
        elements["value"] = obj.values
        return _header(obj.values.size, _INT8_OID, has_null=False) + elements.tobytes()


class _ByteaArrayDumper(Dumper):
    """Converts a `ByteaArray` to the binary format of PostgreSQL."""

    format = Format.BINARY
    oid = _BYTEA_ARRAY_OID

    def dump(self, obj: ByteaArray) -> bytes:
        has_null = any(value is None for value in obj.values)
        pieces = [_header(len(obj.values), _BYTEA_OID, has_null=has_null)]
        for value in obj.values:
            if value is None:
                pieces.append(_NULL_SIZE)
            else:
                pieces.append(struct.pack(">i", len(value)))
                pieces.append(value)
        return b"".join(pieces)


def register(connection: psycopg.Connection[Any]) -> None:
    """Let a connection accept `Int8Array` and `ByteaArray` as parameters."""
    connection.adapters.register_dumper(Int8Array, _Int8ArrayDumper)
    connection.adapters.register_dumper(ByteaArray, _ByteaArrayDumper)
