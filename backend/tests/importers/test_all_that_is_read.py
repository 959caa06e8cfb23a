"""What is read of every sample, to the last number, and of damaged copies of it is what was read before.

`all_that_is_read.json` has a digest of each part. `TAILROOM_WRITE_GOLDEN=1` writes it again: each line that
changes needs a reason.
"""

import json
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from backend.tests.importers.reading import SAMPLES
from backend.tests.importers.test_every_number import FOLDER, PRINTED
from backend.tests.importers.test_meaning import (
    TEXTS,
    runs_of_bytes,
    runs_of_part,
    runs_of_whole,
    runs_of_zeros,
)

from tailroom.importers.parsed_run import ParsedRun, Problem

STORED = Path(__file__).with_name("all_that_is_read.json")
NAMES = [*TEXTS, *(f"every_number/{name}" for name in PRINTED)]


def _plain(value: Any) -> Any:
    """Return a value as JSON: floats to nine digits, problems without their words."""
    plain = value
    match value:
        case float():
            plain = f"{value:.9g}"
        case Problem():
            plain = [value.line, value.severity, value.file]
        case np.ndarray():
            plain = _plain(value.tolist())
        case Mapping():
            plain = sorted((str(key), _plain(each)) for key, each in value.items())
        case Sequence() if not isinstance(value, str):
            plain = [_plain(each) for each in value]
        case _ if is_dataclass(value):
            plain = [type(value).__name__]
            shown = (field.name for field in fields(value) if field.init and field.name != "state_text")
            plain += [_plain(getattr(value, name)) for name in shown]
    return plain


def _digest(values: Sequence[Any]) -> str:
    return f"{len(values)} {zlib.crc32(json.dumps(_plain(values), default=str).encode()):08x}"


def _described(runs: Sequence[ParsedRun]) -> str:
    """Return number and digest of runs, and of their series, claims and problems."""
    parts = [("runs", [[run.format, run.state, *_facts(run)] for run in runs])]
    parts += [
        (name, list(chain.from_iterable(getattr(run, name) for run in runs)))
        for name in ("series", "claims", "problems")
    ]
    return ", ".join(f"{name} {_digest(values)}" for name, values in parts)


def _facts(run: ParsedRun) -> list[Any]:
    """Return what a run has beside the other parts."""
    parts = {"series", "claims", "problems", "state_text"}
    return [getattr(run, field.name) for field in fields(run) if field.name not in parts]


def _damaged(data: bytes) -> bytes:
    """Return the text with every sixth number backwards and every tenth line cut."""
    parts = re.split(rb"(\d+)", data)
    parts[11::12] = [number[::-1] for number in parts[11::12]]
    lines = b"".join(parts).split(b"\n")
    lines[9::10] = [line[: len(line) // 2] for line in lines[9::10]]
    return b"\n".join(lines)


def _read(name: str) -> str:
    if name not in TEXTS:
        return _described(runs_of_bytes(name, (FOLDER.parent / name).read_bytes()))
    copies = {
        "zeros": runs_of_zeros(name),
        "half": runs_of_part(name, 2),
        "two thirds": runs_of_part(name, 3),
        "damaged": runs_of_bytes(name, _damaged((SAMPLES / name).read_bytes())),
    }
    others = (f"{copy} {_digest(runs)}" for copy, runs in copies.items())
    return ", ".join([_described(runs_of_whole(name)), *others])


@pytest.mark.parametrize("name", NAMES)
def test_all_that_is_read_of_a_sample_is_as_before(name: str) -> None:
    assert _read(name) == json.loads(STORED.read_text())[name]


def test_every_sample_is_stored() -> None:
    if os.environ.get("TAILROOM_WRITE_GOLDEN"):
        STORED.write_text(json.dumps({name: _read(name) for name in NAMES}, indent=0) + "\n")
    assert list(json.loads(STORED.read_text())) == NAMES
