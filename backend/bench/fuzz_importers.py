"""Damage result files as transport, disks and people do, and check how the importers respond.

An importer may refuse with a `DomainError`, or read with problems. Findings are any other exception, more
than two seconds of processor time for a small sample (plus 0.15 s for each unpacked megabyte), 200 MB of
memory, and a document of `tailroom inspect` that is invalid JSON or contradicts itself. Files with findings
are saved to a folder, so that they can become samples.

    python -m backend.bench.fuzz_importers --samples DIR... [--number 1000] [--seconds 60] [--seed 1]
                                           [--findings DIR] [--only act]
"""

import argparse
import contextlib
import gzip
import json
import random
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import zstandard
from backend.bench.contradictions import contradictions
from backend.tests.importers.copied import COPIES

from tailroom.domain.errors import DomainError
from tailroom.importers import registry
from tailroom.importers.inspection import inspect_sources
from tailroom.importers.inspection_json import json_lines
from tailroom.importers.opening import open_bytes

LIMIT_S = 2.0
LIMIT_S_PER_BYTE = 0.15e-6
HANG_S = 60
MEMORY_MB = 200
SMALL_BYTES = 60_000
SHORT_BYTES = 4_096
SHORTENED = 0.85
"""Share of files that are shortened before damage: many short files find more per hour than long files."""
SKIPPED = re.compile(r"\.cmd$|\.latency\d+\.txt$")
"""Companion files of samples: the commands that made them, and the output of ACT's own script."""

LONGEST = 0.02
"""Share of inserted long lines that exceed the length limit of a line."""

Mutation = Callable[[random.Random, bytes], bytes]


class Hang(Exception):
    """A sample exceeded the time after which reading is aborted."""


@dataclass
class Findings:
    """Results: the number of samples, the refusals by name, and the violations."""

    samples: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, str, bytes]] = field(default_factory=list)
    slowest_s: float = 0.0


def truncated(rng: random.Random, data: bytes) -> bytes:
    """Cut the end or, less often, the beginning, as an aborted transfer does."""
    cut = data[: rng.randrange(len(data) + 1)]
    return cut if rng.random() < 0.8 else data[rng.randrange(len(data) + 1) :]


def flipped(rng: random.Random, data: bytes) -> bytes:
    """Replace some bytes."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5, 20, 200))):
        out[rng.randrange(len(out))] = rng.randrange(256)
    return bytes(out)


def bits(rng: random.Random, data: bytes) -> bytes:
    """Flip some bits."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 2, 8))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True) or [b""]


def doubled(rng: random.Random, data: bytes) -> bytes:
    """Repeat lines."""
    lines = _lines(data)
    for _ in range(rng.choice((1, 2, 10))):
        at = rng.randrange(len(lines))
        length = rng.choice((1, 1, 5, 40))
        lines[at:at] = lines[at : at + length]
    return b"".join(lines)


def removed(rng: random.Random, data: bytes) -> bytes:
    """Remove lines."""
    lines = _lines(data)
    for _ in range(rng.choice((1, 2, 10, 50))):
        if lines:
            at = rng.randrange(len(lines))
            del lines[at : at + rng.choice((1, 1, 3, 30))]
    return b"".join(lines)


def swapped(rng: random.Random, data: bytes) -> bytes:
    """Swap lines."""
    lines = _lines(data)
    for _ in range(rng.choice((1, 3, 10))):
        a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[a], lines[b] = lines[b], lines[a]
    return b"".join(lines)


NUMBERS = (
    b"0",
    b"-1",
    b"-0",
    b"1e308",
    b"1e999",
    b"nan",
    b"inf",
    b"18446744073709551616",
    b"9223372036854775807",
    b"9223372036854775808",
    b"99999999999999999999999999999999",
    b"0.0000000000000000001",
    b"1.7976931348623157e308",
    b"4294967296",
    b"00000000000000000000000012",
    b"1_000",
    b"\xd9\xa3",
    b"",
)


DIGITS = re.compile(rb"[0-9]+")


def renumbered(rng: random.Random, data: bytes) -> bytes:
    """Replace numbers by extreme, negative or malformed numbers."""
    out = data
    for _ in range(rng.choice((1, 2, 5))):
        number = DIGITS.search(out, rng.randrange(len(out) + 1))
        at, end = number.span() if number else (len(out), len(out))
        out = out[:at] + rng.choice(NUMBERS) + out[end:]
        if not out:
            return out
    return out


def long_line(rng: random.Random, data: bytes) -> bytes:
    """Insert ten kilobytes of one character, or rarely two megabytes, which exceed the limit of a line."""
    at = rng.randrange(len(data) + 1)
    filler = rng.choice((b"A", b"0", b" ", b"(", b"[", b"{", b"9", b",", b'"', b":"))
    return data[:at] + filler * (2_100_000 if rng.random() < LONGEST else 10_000) + data[at:]


def nulled(rng: random.Random, data: bytes) -> bytes:
    """Insert or overwrite with NUL bytes, as a file system does after a crash."""
    at = rng.randrange(len(data) + 1)
    length = rng.choice((1, 16, 4096))
    return data[:at] + b"\0" * length + data[at + rng.choice((0, length)) :]


def junk(rng: random.Random, data: bytes) -> bytes:
    """Insert binary data, or bytes that are invalid UTF-8."""
    at = rng.randrange(len(data) + 1)
    filler = rng.choice(
        (rng.randbytes(300), b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\x1b[2J")
    )
    return data[:at] + filler + data[at:]


def twice(rng: random.Random, data: bytes) -> bytes:
    """Append the file or its tail to itself."""
    return data + data[rng.choice((0, rng.randrange(len(data) + 1))) :]


def other_ends(rng: random.Random, data: bytes) -> bytes:
    """Change the line ends to those of other systems, remove them, or encode as UTF-16."""
    kind = rng.randrange(4)
    if kind == 0:
        return data.replace(b"\n", b"\r\n")
    if kind == 1:
        return data.replace(b"\n", b"\r")
    if kind == 2:
        return data.decode("utf-8", "replace").encode("utf-16")
    return data.replace(b"\n", b"")


def packed(rng: random.Random, data: bytes) -> bytes:
    """Compress, and mostly damage the compressed bytes."""
    small = gzip.compress(data, 1) if rng.random() < 0.5 else zstandard.ZstdCompressor(level=1).compress(data)
    return rng.choice((truncated, bits, flipped))(rng, small) if rng.random() < 0.8 else small


def copied(rng: random.Random, data: bytes) -> bytes:
    """Alter the text as copying and log collectors do."""
    copy = COPIES[rng.choice(list(COPIES))]
    return copy(data.decode("utf-8", "replace").encode())


MUTATIONS: tuple[Mutation, ...] = (
    truncated,
    flipped,
    bits,
    doubled,
    removed,
    swapped,
    renumbered,
    renumbered,
    long_line,
    nulled,
    junk,
    twice,
    other_ends,
    packed,
    copied,
)


def shortened(rng: random.Random, data: bytes) -> bytes:
    """Return the beginning, by which a format is recognised, and whole lines from a random later place."""
    begin = data.find(b"\n", rng.randrange(SHORT_BYTES // 4, SHORT_BYTES)) + 1
    if not begin or begin > SMALL_BYTES:
        return data
    at = data.find(b"\n", rng.randrange(begin, len(data))) + 1
    return data[:begin] + (data[at : at + SHORT_BYTES] if at else data[-SHORT_BYTES:])


def mutated(rng: random.Random, data: bytes) -> bytes:
    """Apply one to three kinds of damage."""
    if len(data) > 2 * SHORT_BYTES and rng.random() < SHORTENED:
        data = shortened(rng, data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if data:
            data = rng.choice(MUTATIONS)(rng, data)
    return data


def samples_of(folders: Sequence[Path]) -> dict[str, list[tuple[str, bytes]]]:
    """Return sample files (name, content) by importer; large files are cut to a beginning and an end."""
    samples: dict[str, list[tuple[str, bytes]]] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or SKIPPED.search(path.name):
                continue
            for source in open_bytes(path.name, path.read_bytes()):
                try:
                    _, importer = registry.detect(source)
                    data = source.whole()
                except DomainError:
                    continue
                if len(data) > SMALL_BYTES:
                    data = data[: SMALL_BYTES * 2 // 3] + data[-SMALL_BYTES // 3 :]
                samples.setdefault(importer.name, []).append((path.name, data))
    return samples


def try_one(name: str, data: bytes, findings: Findings) -> None:
    """Read a damaged file as `tailroom inspect` does; add violations to the findings."""
    findings.samples += 1
    # Processor time, because elapsed time on a busy machine does not measure the importer.
    begin = time.process_time()
    peak_mb = _peak_mb()
    try:
        sources = open_bytes(name, data)
        for inspected in inspect_sources(sources, 10, (1_000_000, 8_000_000, 64_000_000)):
            if inspected.refusal is not None:
                findings.refusals[inspected.document["problems"][-1]["kind"]] += 1
            for sentence in contradictions(json.loads("".join(json_lines([inspected.document])))):
                findings.wrong.append((name, sentence, data))
    except DomainError as refusal:
        findings.refusals[type(refusal).__name__] += 1
    except Hang:
        findings.wrong.append((name, f"more than {HANG_S} s", data))
    except Exception:  # noqa: BLE001 - any other exception is a finding
        findings.wrong.append((name, traceback.format_exc(limit=-6), data))
    took_s = time.process_time() - begin
    findings.slowest_s = max(findings.slowest_s, took_s)
    if took_s > LIMIT_S and took_s > LIMIT_S + LIMIT_S_PER_BYTE * _unpacked_bytes(name, data):
        findings.wrong.append((name, f"took {took_s:.2f} s for {len(data)} bytes", data))
    if (grown_mb := _peak_mb() - peak_mb) > MEMORY_MB:
        findings.wrong.append((name, f"took {grown_mb:.0f} MB more memory than any before", data))


def _peak_mb() -> float:
    """Return the peak memory of the process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _unpacked_bytes(name: str, data: bytes) -> int:
    try:
        return sum(len(chunk) for source in open_bytes(name, data) for chunk in source.chunks())
    except DomainError:
        return len(data)


def fuzz(
    samples: Sequence[tuple[str, bytes]], seed: int, number: int, seconds: float = float("inf")
) -> Findings:
    """Read `number` damaged samples, or as many as fit into `seconds`; stop at 20 findings."""
    rng = random.Random(seed)  # noqa: S311 - repeatable, not secret
    findings = Findings()
    end = time.perf_counter() + seconds
    for _ in range(number):
        if time.perf_counter() > end or len(findings.wrong) >= 20:
            break
        name, data = rng.choice(list(samples))
        try_one(name, mutated(rng, data), findings)
    return findings


def _alarmed(_signal: int, _frame: FrameType | None) -> None:
    raise Hang


def _with_alarm(samples: Sequence[tuple[str, bytes]], options: argparse.Namespace) -> Iterator[Findings]:
    """Yield the findings of damaged samples; a timer aborts an importer that hangs."""
    # Count processor time: a process of low priority may wait for minutes on a busy machine.
    signal.signal(signal.SIGPROF, _alarmed)
    rng = random.Random(options.seed)  # noqa: S311 - repeatable, not secret
    findings = Findings()
    end = time.perf_counter() + options.seconds
    with contextlib.suppress(KeyboardInterrupt):  # report the findings until then
        while findings.samples < options.number and time.perf_counter() < end and len(findings.wrong) < 20:
            name, data = rng.choice(list(samples))
            damaged = mutated(rng, data)
            signal.setitimer(signal.ITIMER_PROF, HANG_S)
            try_one(name, damaged, findings)
            signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_PROF, 0)
    yield findings


def main() -> int:
    """Damage the samples of each importer and print the findings; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=Path, nargs="+", default=[Path("backend/tests/importers/samples")])
    parser.add_argument("--number", type=int, default=1000, help="damaged files of each importer")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for each importer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--findings", type=Path, default=None, help="folder for files that broke something")
    parser.add_argument("--only", action="append", help="name of an importer; may be repeated")
    options = parser.parse_args()
    failed = False
    for importer, samples in samples_of(options.samples).items():
        if options.only and importer not in options.only:
            continue
        begin = time.perf_counter()
        for findings in _with_alarm(samples, options):
            took = time.perf_counter() - begin
            refusals = ", ".join(f"{name} {count}" for name, count in findings.refusals.most_common(6))
            print(
                f"{importer}: {findings.samples} damaged files of {len(samples)} samples in {took:.0f} s, "
                f"slowest {findings.slowest_s:.2f} s, {len(findings.wrong)} findings; "
                f"refused: {refusals or 'none'}",
                flush=True,
            )
            for number, (name, why, data) in enumerate(findings.wrong):
                failed = True
                print(f"--- {name}\n{why}", flush=True)
                if options.findings is not None:
                    options.findings.mkdir(parents=True, exist_ok=True)
                    (options.findings / f"{importer}-{options.seed}-{number}-{name}").write_bytes(data)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
