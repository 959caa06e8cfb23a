"""Histograms of a page whose lines stand together give what reading them line by line gives.

A blank behind a number does not change what a line says, but keeps a histogram from being read as a whole.
"""

import random
import re

import pytest
from backend.tests.importers.test_repeated_pages import shown

from tailroom.domain.errors import DomainError
from tailroom.importers.production.page_repeated import contiguous_histograms
from tailroom.importers.registry import read
from tailroom.importers.source import CHUNK_BYTES, from_bytes

_LADDERS = ("0.1 0.3 1 +Inf", "0.005 2.5e-1 10 +Inf", "1 0.1 +Inf", "0.1 1")
_ODD = (
    lambda line: line + "5",
    lambda line: line.rpartition(" ")[0] + " NaN",
    lambda line: line.rpartition(" ")[0] + " 1.5",
    lambda line: line.rpartition(" ")[0] + " 1.2.3",
    lambda line: line.replace('le="0.1"', 'le="0.3"'),
    lambda line: line.replace('le="0.1"', 'le="a,b"'),
    lambda line: line.replace('",le=', '" , le='),
    lambda line: line + ' # {trace_id="7"} 0.2',
    lambda line: line + " 1790000000000",
    lambda line: line.replace("{", '{a="\\"",'),
    lambda line: line.replace("_sum", "_other"),
    lambda line: re.sub(r"\{.*\}", "", line),
    lambda line: line[:0],
)


def _page(seed: int) -> str:
    """Return a page of histograms, each with a ladder of its own, and with odd lines among them."""
    rng = random.Random(seed)  # noqa: S311 - repeatable, not secret
    odd = rng.choice((0.0, 0.0, 0.02, 0.2))
    at = rng.choice(("", "", " 1790000000000", " 1790000000.25"))
    lines = ["# TYPE a_seconds histogram"]
    for number in range(rng.choice((1, 3, 40))):
        name = rng.choice(("a_seconds", "a_seconds", "b_bucket_milliseconds", "c:bytes"))
        labels = rng.choice((f'handle="/{number}"', f'a="{number}, }}",b=" "', f'le_="{number}",c=""', ""))
        total, edges = 0, rng.choice(_LADDERS[:2] if rng.random() < 0.9 else _LADDERS)
        for edge in edges.split():
            total += rng.choice((0, 0, 1, 7, 1_000_000))
            shown_total = rng.choice((f"{total}", f"{total}.0", f"{total:e}"))
            lines.append(f'{name}_bucket{{{labels}{"," * bool(labels)}le="{edge}"}} {shown_total}{at}')
        braces = f"{{{labels}}}" if labels else ""
        stated = total + (rng.random() < odd)
        rest = [f"{name}_sum{braces} {total * 0.3:g}{at}", f"{name}_count{braces} {stated}{at}"]
        if rng.random() < 0.3:
            rest.reverse()
        lines += rest[: rng.choice((0, 1, 2, 2, 2, 2))]
        if rng.random() < 0.3:
            lines.append(f"{name}_created{braces} 1.7899e+09")
    return "".join(f"{rng.choice(_ODD)(line) if rng.random() < odd else line}\n" for line in lines)


def _said(text: str) -> object:
    try:
        return shown(list(read(from_bytes("page", text.encode())).runs))
    except DomainError as error:
        return str(error)


@pytest.mark.parametrize("seed", range(40))
def test_whole_histograms_give_what_lines_give(seed: int) -> None:
    page = _page(seed)
    singly = "".join(f"{line} \n" if line else "\n" for line in page.split("\n")[:-1])
    assert not any(each for each in contiguous_histograms(singly) if each and each.lines > 1)
    assert _said(page) == _said(singly)


def test_histograms_over_many_blocks_are_all_there() -> None:
    page = "".join(
        f'a_seconds_bucket{{route="/{number}",le="{edge}"}} {number}\n'
        for number in range(20_000)
        for edge in ("0.5", "1", "+Inf")
    )
    assert len(page) > 2 * CHUNK_BYTES
    assert sum(1 for each in contiguous_histograms(page) if each is not None) == 20_000
    (run,) = read(from_bytes("page", page.encode())).runs
    assert run.series[0].record.total == sum(range(20_000))
    assert run.parameters["labelled_histograms"] == 20_000
