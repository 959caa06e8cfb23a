"""P17: versions of measuring tools that are known to measure wrongly, differently, or not to exist.

A table of facts about programs, each with its source. A tool or version outside the table has no known
problem, which does not make it right. Versions are compared by their leading numbers. Source: docs/method.md
4.5, 6.3 and 7 (P17); sources of the tools at their tags.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from tailroom.domain.claims.claim import Publication
from tailroom.domain.plausibility.dates import date_of
from tailroom.domain.plausibility.finding import Finding, Severity, consistent, figure
from tailroom.domain.plausibility.material import DriveRow

Version = tuple[int, ...]
_SPELLED = {"act": "ACT", "ycsb": "YCSB"}
_UNFINISHED = re.compile(r"\d-(?:snapshot|rc|alpha|beta)", re.IGNORECASE)
"""Matches a build between two versions, whose sources are unknown."""

ACT_2 = date(2014, 9, 4)
"""Date of ACT 2.0: latencies in microseconds and corrected buckets. Earlier results have other labels."""


def version_of(text: str) -> Version | None:
    """Return the leading numbers of a version, (1, 2, 6) for `v1.2.6`; None without any."""
    match = re.match(r"\s*v?(\d+(?:\.\d+)*)", text, re.IGNORECASE)
    return None if match is None else tuple(int(part) for part in match[1].split("."))


@dataclass(frozen=True, slots=True)
class KnownProblem:
    """A known problem of some versions of a tool, which is matched as a word in any case. `versions` names
    the versions, and `applies` tests whether the first three numbers of a version have the problem.
    """

    tool: str
    versions: str
    applies: Callable[[Version], bool]
    severity: Severity
    kind: str
    statement: str
    source: str


KNOWN: tuple[KnownProblem, ...] = (
    KnownProblem(
        "memtier",
        "1.2.6",
        lambda version: version == (1, 2, 6),
        "high",
        "measurement tool",
        "memtier_benchmark 1.2.6 divides SET latencies by 1,000 in whole numbers and takes the logarithm of "
        "zero: all SETs fall into one bucket that is no number, and GETs are rounded to two digits. A share "
        "below a limit rests on the GETs alone.",
        "client.cpp at tag 1.2.6",
    ),
    KnownProblem(
        "act",
        "before 2.0",
        lambda version: version < (2, 0, 0),
        "high",
        "tool semantics",
        "ACT before 2.0 counts whole milliseconds and doubles the labels of its buckets: 1, 8 and 64 ms "
        "stand for differences of at least 2, 16 and 128 ms. Its results compare with nothing later.",
        "histogram.c and act_latency.py before and after 2014-09-04",
    ),
    KnownProblem(
        "act",
        "6.0 and later",
        lambda version: version >= (6, 0, 0),
        "info",
        "tool semantics",
        "ACT 6 has no transaction queue: a latency begins at the call, and all service threads fire in "
        "phase. Its results compare with those of ACT 2 to 5 by device only, and with a warning.",
        "act_storage.c run_service(); ACT issue 65",
    ),
    KnownProblem(
        "ycsb",
        "0.18.0",
        lambda version: version == (0, 18, 0),
        "low",
        "tool version",
        "YCSB 0.18.0 was never tagged: the last tag is 0.17.0, and the head of the sources calls itself a "
        "snapshot of 0.18.0. Which sources ran is not known.",
        "tags of the YCSB repository",
    ),
)


def _is_tool(name: str, tool: str) -> bool:
    text = name.lower()
    return re.search(rf"(?<![a-z]){re.escape(tool)}(?![a-z])", text.replace("_", " ")) is not None or (
        tool == "ycsb" and "yahoo! cloud serving" in text
    )


def tool_version(tool: str, version: str | None, keys: tuple[str, ...] = ()) -> Iterator[Finding]:
    """Yield a finding for each known problem of a tool's version, or one that a known tool has none."""
    problems = [problem for problem in KNOWN if _is_tool(tool, problem.tool)]
    if not problems or version is None:
        return
    number = version_of(version)
    if number is None or _UNFINISHED.search(version):
        return
    applicable = [problem for problem in problems if problem.applies((*number, 0, 0, 0)[:3])]
    if not applicable:
        yield consistent("P17", f"Nothing is known against {_SPELLED.get(tool, tool)} {version}.", (), keys)
        return
    for problem in applicable:
        yield Finding(
            "P17", problem.severity, problem.kind, f"{problem.statement} Source: {problem.source}.", (), keys
        )


def published_tools(publication: Publication) -> Iterator[Finding]:
    """Yield the findings on the tool versions that claims name, or else the whole document."""
    named: dict[tuple[str, str], list[str]] = {}
    for claim in publication.claims:
        tool, version = claim.conditions.get("tool"), claim.conditions.get("tool_version")
        if isinstance(tool, str) and isinstance(version, str):
            named.setdefault((tool, version), []).append(claim.key)
    tool, version = publication.measurement.get("tool"), publication.measurement.get("tool_version")
    if not named and isinstance(tool, str) and isinstance(version, str):
        named[tool, version] = []
    for (tool, version), keys in named.items():
        yield from tool_version(tool, version, tuple(keys[:1]))


def act_by_dates(rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the finding that results without a version, last dated before ACT 2.0, are of ACT before it."""
    days = [day for row in rows if row.date and (day := date_of(row.date)) is not None]
    latest = max(days, default=ACT_2)
    if latest >= ACT_2:
        return
    problem = next(entry for entry in KNOWN if entry.tool == "act" and entry.versions == "before 2.0")
    statement = (
        f"The version is not named; all {len(days)} dated tests lie before ACT 2.0 ({ACT_2.isoformat()}), "
        f"the last on {latest.isoformat()}. {problem.statement}"
    )
    figures = (figure("dated tests", len(days), "count"),)
    yield Finding("P17", problem.severity, problem.kind, statement, figures)
