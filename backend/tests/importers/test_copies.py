"""Output as people copy it: what a terminal, a chat or an archive adds changes nothing of what is read."""

import gzip
import io
import re
import tarfile
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import pytest
from backend.tests.importers.copied import COPIES, TEXT_SAMPLES, tarred
from backend.tests.importers.reading import SAMPLES, run_of_text
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.cli.inspection_text import text_lines
from tailroom.importers.copies.characters import decoded, encoding_of, with_plain_blanks, without_colours
from tailroom.importers.copies.recognition import layers_of
from tailroom.importers.inspection import inspect_sources
from tailroom.importers.opening import open_bytes
from tailroom.importers.source import Source, from_bytes


def _read(data: bytes) -> Any:
    """What is read, without the name of the file, and without where in the file it stands."""
    (found,) = inspect_sources(open_bytes("x.log", data), 10, (1_000_000,))
    document = dict(found.document)
    for key in ("file", "problems", "copied"):
        document.pop(key, None)
    for series in document["series"]:
        # ACT's own script refuses a log with other line ends; that is its answer, not ours.
        series.pop("official", None)
    return _without_lines(document)


@cache
def _read_as_written(sample: str) -> Any:
    return _read((SAMPLES / sample).read_bytes())


def _without_lines(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_lines(one) for key, one in value.items() if key != "line"}
    return [_without_lines(one) for one in value] if isinstance(value, list) else value


SHORT = 12_000
MIN_LINES = 8
"""Of fewer, numbers and blank lines may be those of the tool."""
BY_THEIR_FIRST_LINE = (
    *("fio/mix70", "memtier/given1.json", "nosqlbench/", "sysstat/iostat.json"),
    *("opentelemetry/delta.json", "prometheus/instant.json", "k6/rows.csv", "vegeta/results.json"),
)
"""Tables without words: they are refused where somebody's message begins the file."""
OWN_RETURNS = "r3_quiet"
"""Writes its progress over itself, by carriage returns."""


def _texts() -> Iterator[tuple[str, bytes]]:
    """Every sample that is text, the first bytes of long ones, by whole lines."""
    for path in sorted(SAMPLES.rglob("*")):
        if path.is_file() and path.suffix not in (".cmd", ".zst", ".bin") and OWN_RETURNS not in path.name:
            data = path.read_bytes()
            cut = data.rfind(b"\n", 0, SHORT) + 1 if len(data) > SHORT else len(data)
            yield str(path.relative_to(SAMPLES)), data[:cut] if cut else data


TEXTS = dict(_texts())


def _is_within(plain: list[bytes], lines: list[bytes]) -> bool:
    plain = [line for line in plain if line]
    kept = [line for line in lines if line]
    return any(kept[first : first + len(plain)] == plain for first in range(len(kept)))


@cache
def _bare_lines_of(name: str) -> list[bytes]:
    return _bare_lines(TEXTS[name])


def _bare_lines(data: bytes) -> list[bytes]:
    """Lines without what copying loses for good: blanks at their ends, tabs, blank lines at both ends."""
    (source,) = open_bytes("x.log", data)
    lines = [line.rstrip().expandtabs(8) for _, line in source.lines()]
    while lines and not lines[-1]:
        lines.pop()
    first = next((number for number, line in enumerate(lines) if line), 0)
    return lines[first:]


@pytest.mark.parametrize(("number", "copy"), list(enumerate(COPIES)))
def test_of_a_cleaned_copy_the_output_is_left(number: int, copy: str) -> None:
    """Every second sample, the others for the next copy, byte for byte."""
    unsure = {"less -N", "grep -n", "numbers, double-spaced", "double-spaced", "cat -n, tab as blanks"}
    wrong = []
    for name, data in list(TEXTS.items())[number % 2 :: 2]:
        few = sum(bool(line.strip()) for line in data.split(b"\n")) < MIN_LINES
        unclear = few and (copy in unsure or copy.startswith("message"))
        # Docker marks the end of a line by its line feed; without any, nothing says what is one line.
        endless = "lines cut" in copy and b"\n" not in data
        if unclear or endless or (b"\r" in data and "carriage" in copy):
            continue
        lines = _bare_lines(COPIES[copy](data))
        if copy.startswith(("message", "form")):
            # Common blanks of all lines inside are taken out too; what was told around them stays.
            # Of output that is indented itself, nothing says how many of the blanks are its own.
            if all(line.startswith(b" ") for line in data.split(b"\n") if line.strip()):
                lines = [line.lstrip() for line in lines]
                within = _is_within(_bare_lines(re.sub(rb"(?m)^ +", b"", data)), lines)
            else:
                within = _is_within(_bare_lines_of(name), lines)
            wrong += [] if within else [name]
        elif copy.startswith(("prompt", "fence", "HTML page")):
            lines = [line for line in lines if line]
            wrong += [name] if lines != [line for line in _bare_lines_of(name) if line] else []
        elif lines != _bare_lines_of(name):
            wrong.append(name)
    assert wrong == []


def test_what_is_no_copy_is_untouched() -> None:
    """Every sample, whole and from any line on: no layer but common blanks of fragments."""
    wrong = []
    for name, data in TEXTS.items():
        lines = data.split(b"\n")
        for first in range(0, min(len(lines), 200), 7):
            part = b"\n".join(lines[first:])
            words = set(layers_of(part, cut=False).words) - {"blanks before each line"}
            if words and part.count(b"\n") >= MIN_LINES:
                wrong.append((name, first, words))
    assert wrong == []


def _may_begin(copy: str, sample: str) -> bool:
    """Whether a message may stand before the sample."""
    if not copy.startswith(("message", "form")):
        return True
    return TEXTS[sample].count(b"\n") >= MIN_LINES and not sample.startswith(BY_THEIR_FIRST_LINE)


@pytest.mark.parametrize(("number", "copy"), list(enumerate(COPIES)))
def test_a_copy_says_what_the_output_says(number: int, copy: str) -> None:
    """A whole file, another for each copy; above, the lines of every sample are left by each."""
    samples = [sample for sample in TEXT_SAMPLES if _may_begin(copy, sample)]
    sample = samples[number % len(samples)]
    assert _read(COPIES[copy]((SAMPLES / sample).read_bytes())) == _read_as_written(sample), sample


def test_problems_name_lines_of_the_file() -> None:
    """Blank lines that were added are left out, and problems still name the lines as they are."""
    lines = (SAMPLES / "hdr_log/memtier_GET_command_run_1.hgrm").read_bytes().splitlines()
    lines[4] = b"no row at all"
    plain, doubled = b"\n".join(lines) + b"\n", b"\n\n".join(lines) + b"\n\n"
    (of_plain,) = inspect_sources(open_bytes("x.hgrm", plain), 10, (1_000_000,))
    (of_doubled,) = inspect_sources(open_bytes("x.hgrm", doubled), 10, (1_000_000,))
    assert [one["line"] for one in of_plain.document["problems"] if one["line"]] == [5]
    assert [one["line"] for one in of_doubled.document["problems"] if one["line"]] == [9]


def test_what_was_taken_out_is_said() -> None:
    data = COPIES["docker compose -t"]((SAMPLES / "ycsb/y1.stdout.txt").read_bytes())
    (found,) = inspect_sources(open_bytes("x.log", data), 10, (1_000_000,))
    words = "the name of a container before each line, a clock before each line"
    assert found.document["copied"] == words.split(", ")
    assert f"  Copied output; taken out: {words}." in list(text_lines([found], verbose=False))
    assert {"line": None, "reason": f"copied output; taken out: {words}", "severity": "note"} in (
        found.document["problems"]
    )


def test_lines_keep_their_numbers() -> None:
    data = b"$ ./run\n```\n  after 1 sec:\n  reads (1 total)\n  x\n```\n"
    assert [line for _, line in from_bytes("x", data).lines()] == [
        *(b"", b"", b"after 1 sec:", b"reads (1 total)", b"x", b""),
    ]


SEQUENCES = (b"\x1b[0m", b"\x1b[1;31m", b"\x1b(B", b"\x1b=", b"\x1b]0;x\x07", b"\x1b]8;;x\x1b\\", b"\x1b[12C")


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.tuples(st.binary(max_size=40), st.sampled_from(SEQUENCES)), max_size=8), st.integers(1, 80)
)
def test_colours_across_chunks_are_taken_out(drawn: list[tuple[bytes, bytes]], size: int) -> None:
    pieces = [(piece.replace(b"\x1b", b""), sequence) for piece, sequence in drawn]
    data = b"".join(chain.from_iterable(pieces))
    plain = b"".join(piece + b" " * (12 if sequence[-1:] == b"C" else 0) for piece, sequence in pieces)
    cut = [data[at : at + size] for at in range(0, len(data), size)]
    assert b"".join(without_colours(iter(cut))) == plain


def test_an_escape_that_begins_nothing_stays() -> None:
    parts = [b"a\x1b", b"%b" * 400, b"\x1b[0m", b"\x1b["]
    assert b"".join(without_colours(iter(parts))) == b"a\x1b" + b"%b" * 400 + b"\x1b["


@settings(deadline=None, max_examples=100)
@given(
    st.text("abc 0123\n", min_size=8, max_size=200),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]),
    st.integers(1, 30),
)
def test_text_of_any_encoding_is_utf_8_wherever_a_chunk_ends(text: str, encoding: str, size: int) -> None:
    data = text.encode(encoding)
    chunks = (data[at : at + size] for at in range(0, len(data), size))
    assert b"".join(decoded(chunks)) == text.encode()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_mostly_ascii(encoding: str) -> None:
    texts = ["a" * 18 + "Ł" * 2, "a" * 17 + "Ł" * 3, "a" * 128 + "Ł" * 99, "a" * 7, "a" * 19 + "\0"]
    is_utf_16 = [encoding_of(text.encode(encoding)) == encoding for text in texts]
    assert is_utf_16 == [True, False, True, False, False]
    assert encoding_of(("a" * 20).encode(encoding) + b"a") == encoding


def test_results_behind_long_output_are_found() -> None:
    """pgbench with --debug writes a line for each statement before its summary."""
    debug = b"".join(b"pgbench: client %d sending BEGIN;\n" % (number % 8) for number in range(5_000))
    data = (SAMPLES / "pgbench/tpcb.txt").read_bytes()
    assert _read(debug + data) == _read(data)


def test_the_members_of_an_archive_are_files_of_their_own() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in ("a/one.log", "a/._one.log", "a/two.log.gz"):
            data = gzip.compress(b"two\n") if name.endswith("gz") else b"one\n"
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        archive.addfile(tarfile.TarInfo("a/link"))
    sources: list[Source] = open_bytes("logs.tgz", packed.getvalue())
    assert [source.name for source in sources if source.stored_bytes] == [
        "logs.tgz/a/one.log",
        "logs.tgz/a/two.log.gz",
    ]
    assert [b"".join(source.chunks()) for source in sources][:2] == [b"one\n", b"two\n"]


def test_a_cut_archive_gives_what_came_before() -> None:
    data = tarred(b"x" * 5_000)[:3_000]
    (source,) = open_bytes("logs.tar", data)
    assert b"".join(source.chunks()) == b"x" * (3_000 - 512)
    assert any("ends inside" in problem.reason for problem in source.problems)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 1000])
def test_blanks_that_do_not_break_are_blanks_wherever_a_chunk_ends(size: int) -> None:
    text = "a\u00a0b 1\u202f234\u202f567 7\u202fms é\u00a0\u20ac".encode()
    chunks = (text[at : at + size] for at in range(0, len(text), size))
    assert b"".join(with_plain_blanks(chunks)).decode() == "a b 1234567 7 ms é €"
    invalid = b"\xff\xc2"
    assert b"".join(with_plain_blanks(iter([b"ab", invalid]))) == b"ab" + invalid


def test_a_table_pasted_from_a_page_is_read_as_it_was() -> None:
    text = (SAMPLES / "sysstat/iostat_x.txt").read_text()
    pasted, plain = run_of_text(text.replace(" ", "\u00a0")), run_of_text(text)
    assert [one.record for one in pasted.series] == [one.record for one in plain.series]
    assert from_bytes("x", text.replace(" ", "\u00a0").encode()).copied == ("blanks that do not break",)
