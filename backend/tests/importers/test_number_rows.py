"""Lines of numbers read by the thousand say what each line says by itself."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.importers.digits import Digits
from tailroom.importers.number_rows import named_rows, rows_of
from tailroom.importers.source import Block

NUMBER = st.integers(0, 10**18 - 1).map(str)
SHORT = st.integers(0, 10**4).map(str)
JUNK = st.sampled_from(
    [
        "",
        " ",
        "x",
        "1",
        "1 2 3 4",
        "1  2 3",
        "-1 2 3",
        "1,2",
        ", , ",
        "1.5 2 3",
        "9" * 19 + " 1 2",
        "é 1 2",
        "1 2 3 ",
    ]
)


def _plain(
    text: str, columns: int, *, commas: bool
) -> tuple[list[tuple[int, list[int]]], list[tuple[int, str]]]:
    """What the lines say, one after the other, each behind its number."""
    rows, odd = [], []
    for number, raw in enumerate(text.split("\n"), 7):
        line = raw.removesuffix("\r")
        fields = (line.replace(", ", " ").replace(",", " ") if commas else line).split(" ")
        if len(fields) == columns and all(re.fullmatch("[0-9]{1,18}", one) for one in fields):
            rows.append((number, [int(one) for one in fields]))
        elif line.strip():
            odd.append((number, line))
    return rows, odd


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.one_of(st.lists(st.one_of(NUMBER, SHORT), min_size=3, max_size=3), JUNK), max_size=12),
    st.sampled_from([" ", ", ", ",", "mixed"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_rows_are_those_of_the_lines(lines: list[list[str] | str], between: str, end: str) -> None:
    written = []
    for number, line in enumerate(lines):
        sign = (", ", ",")[number % 2] if between == "mixed" else between
        written.append(line if isinstance(line, str) else sign.join(line))
    text = end.join(written)
    rows, odd = rows_of(Block(7, text.encode()), 3, commas=between != " ")
    numbered, others = _plain(text, 3, commas=between != " ")
    expected = [row for _, row in numbered]
    assert rows.size == len(expected)
    assert (7 + rows.positions).tolist() == [number for number, _ in numbered]
    assert np.column_stack([rows.column(number) for number in range(3)]).tolist() == expected
    assert [rows.column(0, slice(-2, None)).tolist()] == [[row[0] for row in expected[-2:]]]
    assert [(number, line.decode().rstrip()) for number, line in odd] == [
        (at, line.rstrip()) for at, line in others
    ]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(1, 18), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_digits_become_their_number(widths: list[int], random: object) -> None:
    numbers = ["".join(random.choice("0123456789") for _ in range(width)) for width in widths]  # type: ignore[attr-defined]
    data = " ".join(numbers).encode()
    stops = np.cumsum([width + 1 for width in widths]) + 32 - 1
    found = Digits(data).numbers(stops, np.array(widths))
    assert found.tolist() == [int(one) for one in numbers]


NAMES = st.sampled_from(
    ["READ", "UPDATE", "READ-MODIFY-WRITE", "R", "INSERT_ERROR", "READ2", "Ä", "A" * 30, ""]
)
TIMES = st.one_of(
    st.just("1795178090117"),
    st.integers(10**12, 10**13 - 1).map(str),
    st.sampled_from(["", "17951780901", "x" * 13]),
)
VALUES = st.one_of(st.integers(0, 10**8 - 1).map(str), st.sampled_from(["", "1.5", "123456789", "-3", "4 "]))


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.one_of(st.tuples(NAMES, TIMES, VALUES).map(",".join), JUNK), max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_named_rows_are_those_of_the_lines(lines: list[str], end: str, closed: bool) -> None:
    text = end.join(lines) + (end if closed else "")
    found, others = named_rows(Block(7, text.encode()), 13)
    expected: dict[bytes, list[tuple[int, int]]] = {}
    odd = []
    for number, line in enumerate(text.encode().split(b"\n"), 7):
        single = re.fullmatch(rb"([^,\n]{1,24}),([0-9]{13}),([0-9]{1,8})", line.removesuffix(b"\r"))
        if single is not None:
            expected.setdefault(single[1], []).append((int(single[2]), int(single[3])))
        else:
            odd.append((number, line.removesuffix(b"\r")))
    assert {
        one.name: list(zip(one.times.tolist(), one.values.tolist(), strict=True)) for one in found
    } == expected
    assert [one for one in others if one[1]] == [one for one in odd if one[1]]


@pytest.mark.parametrize(
    "lines",
    [
        ["READ2,1795178090117,0", "READ2,1795178090117,1.5"],
        ["READ,1795178090117,0", "1", "READ,1795178090117,1.5"],
    ],
)
def test_digits_elsewhere_do_not_stand_for_signs_in_a_number(lines: list[str]) -> None:
    found, others = named_rows(Block(1, "\n".join(lines).encode()), 13)
    assert [one.values.tolist() for one in found] == [[0]]
    assert [line.decode() for _, line in others] == lines[1:]


@pytest.mark.parametrize("width", [13, 16])
def test_more_names_than_are_sorted_are_given_back(width: int) -> None:
    lines = [f"N{number},{'1' * width},5" for number in range(70)]
    found, others = named_rows(Block(1, "\n".join(lines).encode()), width)
    assert len(found) == 64
    assert [number for number, _ in others] == list(range(65, 71))
