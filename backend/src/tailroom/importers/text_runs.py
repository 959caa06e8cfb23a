"""Lines of bounded length, and runs made of summaries, for importers of texts."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Value
from tailroom.importers.printed import MAX_TEXT_BYTES
from tailroom.importers.problems import Problems
from tailroom.importers.server_disclosure import not_stated
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary

MAX_RUNS = 1_000


@dataclass(frozen=True, slots=True)
class TextImporter:
    """Importer of a tool whose runs are summaries in a text; `tool` is its name in messages."""

    name: str
    looks_for: str
    tool: str
    detect: Callable[[Head], Detection | None]
    runs: Callable[[Source], Iterable[ParsedRun]]

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """Return the runs of the file, 1,000 at most. Raise ContentUnreadable without any."""
        runs = list(islice(self.runs(source), MAX_RUNS))
        if not runs:
            raise nothing_read(source, self.tool)
        return runs


def text_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Yield line number and text of each line, of a long line the last `MAX_TEXT_BYTES`.

    Of progress that was written over itself with carriage returns only the last remains.
    """
    for line_no, raw in source.lines():
        yield line_no, raw[-MAX_TEXT_BYTES:].decode("utf-8", "replace").rsplit("\r", 1)[-1].rstrip()


def summarised_run(
    form: str,
    tool: str,
    summaries: Sequence[Summary],
    series: Sequence[ParsedSeries],
    problems: Problems,
    *,
    state: EndState,
    state_text: str,
    version: str | None = None,
    claims: Sequence[Claim] = (),
    parameters: Mapping[str, Value] | None = None,
    duration_ns: int | None = None,
    started_at: datetime | None = None,
    closed_loop: bool = True,
    stated: Sequence[str] = (),
) -> ParsedRun:
    """Return a run in the format `form` with the claims of its summaries, then `claims`.

    `stated` are facts that the file does state, by the names of `not_stated`.
    """
    facts = ["started_at", "address", "connections", "keys", "value_bytes"]
    facts += ["tool_version"] if version is None else []
    stated = [*stated, *(["started_at"] if started_at is not None else [])]
    return ParsedRun(
        format=form,
        tool=tool,
        tool_version=version,
        series=tuple(series),
        state=state,
        state_text=state_text,
        claims=(*(claim for summary in summaries for claim in summary.claims()), *claims),
        problems=problems.all(),
        missing=not_stated(*(fact for fact in facts if fact not in stated)),
        parameters=dict(parameters or {}),
        duration_ns=duration_ns,
        started_at=started_at,
        closed_loop=closed_loop,
    )


def nothing_read(source: Source, tool: str) -> ContentUnreadable:
    """Return the error for a file of a tool that holds no result."""
    return ContentUnreadable(f"{source.name} is output of {tool}, but holds no result")
