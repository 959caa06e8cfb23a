"""Schema of the documents that agents and people write freely: plan, host, disclosure, notes.

Numbers fit into 64 bits, texts have no control characters and no marks that reverse the direction of text,
and depth, length and number of values are limited. The same check runs when a document is read: a stored
document that breaks a rule is shown as unreadable, and others are not affected.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tailroom.kit.limits import (
    DOCUMENT_DEPTH,
    DOCUMENT_KEY_CHARACTERS,
    DOCUMENT_TEXT_CHARACTERS,
    DOCUMENT_VALUES,
    PROBLEMS_NAMED,
)
from tailroom.kit.outside_types import text_problem

UNREADABLE = "unreadable"
"""The single key of a document that cannot be shown; its value is the reason."""
_NUMBER_MOST = 2**63 - 1

Text = Annotated[str, Meta(max_length=DOCUMENT_TEXT_CHARACTERS)]
_Path = Annotated[str, Meta(max_length=4096)]
_Rate = Annotated[int, Meta(ge=0, le=10**12)] | Annotated[float, Meta(ge=0, le=1e12)]
"""Number from 0 to 10^12: requests a second, seconds, or a multiple of a load."""


class _Load(Struct, frozen=True):
    """Fields of a device plan that Tailroom reads; other fields are allowed."""

    path: _Path | None = None
    further_paths: Annotated[list[_Path], Meta(max_length=256)] | None = None
    engine: Text | None = None
    read_requests_per_s: _Rate | None = None
    write_requests_per_s: _Rate | None = None
    load_multiple: _Rate | None = None
    record_bytes: Annotated[int, Meta(ge=0, le=2**40)] | None = None
    large_block_op_kbytes: Annotated[int, Meta(ge=0, le=2**40)] | None = None


class _Ladder(Struct, frozen=True):
    """Fields about the load of a run in a search for the highest load (ladder); other fields are allowed."""

    id: Text | None = None
    step: Annotated[int, Meta(ge=0, le=_NUMBER_MOST)] | None = None
    kind: Text | None = None
    load_per_s: _Rate | None = None
    objective: Text | None = None


class _PlanFields(Struct, frozen=True):
    """Fields of a plan that Tailroom reads; other fields are allowed."""

    title: Text | None = None
    workload: Text | None = None
    duration_s: _Rate | None = None
    act_storage: _Load | None = None
    ladder: _Ladder | None = None


class _BlockDevice(Struct, frozen=True):
    """Fields of a block device that Tailroom reads; other fields are allowed."""

    name: Text | None = None
    model: Text | None = None


class _Host(Struct, frozen=True):
    """Fields of a host document that Tailroom reads; other fields are allowed."""

    hostname: Text | None = None
    block_devices: Annotated[list[_BlockDevice], Meta(max_length=1024)] | None = None


_LEAVES = (str, int, float, type(None))
_OBJECT = (dict, Mapping)
"""Types of an object; `dict` comes first, because checking an abstract class costs ten times as much."""
_SHAPES: Mapping[str, type[Struct]] = {"plan": _PlanFields, "host": _Host}


def problems_of(kind: str, document: Any, *, stored: bool = False) -> Iterator[tuple[str, str]]:
    """Yield pairs of a place and the rule that the document breaks there, at most 20.

    `kind`: name of the document. If no general rule is broken, the first wrong field of a `plan` or `host` is
    yielded. Texts and keys of a `stored` document are not checked, because they do not make it unusable.
    """
    if not isinstance(document, _OBJECT):
        yield kind, "is no object"
        return
    problem_count = 0
    for count, (path, value, depth) in enumerate(_values(document)):
        reason = (
            f"the document has more than {DOCUMENT_VALUES:,} values"
            if count >= DOCUMENT_VALUES
            else _violation(value, depth, stored=stored)
        )
        if reason is not None:
            yield ".".join([kind, *path])[:200], reason
            problem_count += 1
            if problem_count == PROBLEMS_NAMED or count >= DOCUMENT_VALUES or depth > DOCUMENT_DEPTH:
                return
    shape = _SHAPES.get(kind)
    if problem_count or shape is None:
        return
    try:
        msgspec.convert(document, shape)
    except msgspec.ValidationError as error:
        reason, _, path_text = str(error).partition(" - at `$")
        yield f"{kind}{path_text.rstrip('`')}", reason


def readable(kind: str, document: Any) -> dict[str, Any]:
    """Return a stored document; `{"unreadable": reason}` if it breaks a rule of `problems_of`."""
    for place, reason in problems_of(kind, document, stored=True):
        return {UNREADABLE: f"{place}: {reason}"}
    return dict(document)


def rows_of(document: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """Yield pairs of name and text of the values of a document, sorted by key; empty values are left out.

    Names are such as `cpu.model` and `block_devices.1.firmware`, after the prefix `before`. A list of plain
    values is one text, with commas between.
    """
    if isinstance(document, Mapping):
        for name in sorted(document):
            yield from rows_of(document[name], f"{before}.{name}" if before else str(name))
    elif isinstance(document, Sequence) and not isinstance(document, str):
        if all(not isinstance(item, Mapping | list) for item in document):
            if document:
                yield before, ", ".join(_plain(item) for item in document)
            return
        for number, item in enumerate(document, 1):
            yield from rows_of(item, f"{before}.{number}")
    elif document is not None and document != "":
        yield before, _plain(document)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _values(document: Any) -> Iterator[tuple[tuple[str, ...], Any, int]]:
    """Yield every value to DOCUMENT_DEPTH with its path (keys of 40 characters at most) and depth, from 0."""
    waiting: list[tuple[tuple[str, ...], Any, int]] = [((), document, 0)]
    while waiting:
        path, value, depth = waiting.pop()
        yield path, value, depth
        if depth > DOCUMENT_DEPTH or isinstance(value, _LEAVES):
            continue
        if isinstance(value, _OBJECT):
            waiting.extend(((*path, str(key)[:40]), inner, depth + 1) for key, inner in value.items())
        elif isinstance(value, Sequence) and not isinstance(value, str):
            waiting.extend(((*path, str(position)), inner, depth + 1) for position, inner in enumerate(value))


def _violation(value: Any, depth: int, *, stored: bool) -> str | None:  # noqa: PLR0911 - one line for each rule
    if depth > DOCUMENT_DEPTH:
        return f"is nested more than {DOCUMENT_DEPTH} levels deep"
    if isinstance(value, str):
        return None if stored else text_problem(value)
    if value is None or isinstance(value, bool | list | tuple):
        return None
    if isinstance(value, int):
        return None if abs(value) <= _NUMBER_MOST else "the number does not fit into 64 bits"
    if isinstance(value, float):
        return None if math.isfinite(value) else "the number is not finite"
    if isinstance(value, _OBJECT):
        return (
            None
            if stored
            else next((reason for key in value if (reason := _key_violation(key)) is not None), None)
        )
    return "is neither text, number, list nor object"


def _key_violation(key: Any) -> str | None:
    if not isinstance(key, str) or not 1 <= len(key) <= DOCUMENT_KEY_CHARACTERS:
        return f"a name in it does not have 1 to {DOCUMENT_KEY_CHARACTERS} characters"
    reason = text_problem(key)
    return None if reason is None else f"a name in it cannot be shown: {reason}"
