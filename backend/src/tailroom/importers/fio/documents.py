"""The JSON documents of fio in a file, with their lines.

A file may hold several (`--status-interval`), text before and after (`--output-format=normal,json`, messages
of the I/O engine), and a last document that is cut. Numbers stay as they are printed: whole numbers as such,
others as decimals, NaN and infinity as nothing with a problem.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Any

from tailroom.importers.problems import Problems

_BEGIN = re.compile(r"(?m)^[\[,>]?\s?\{")
_NOT_A_NUMBER = re.compile(r"(?i)(:\s*)[+-]?(?:nan|inf(?:inity)?)(?=\s*[,}\]])")
_JOBS = re.compile(r'"(?:jobs|client_stats)"\s*:\s*\[')
_HEADER = re.compile(r'"(fio version|timestamp|timestamp_ms|time)"\s*:\s*("[^"\n]{0,100}"|[0-9]{1,20})')
_JOB_NAME = re.compile(r'"jobname"\s*:')
_LINE_FEED = re.compile("\n")
_NEXT = '\n{\n  "fio version"'
_BETWEEN = re.compile(r"[\s,]*")
_MAX_BROKEN = 20
_MAX_DIGITS = 30
_MAX_DOCUMENTS = 100_000


@dataclass(frozen=True, eq=False)
class Document:
    """One JSON document: its content and text, and the line where it begins."""

    content: Mapping[str, Any]
    text: str
    line: int
    cut: bool = False
    """Whether the document is cut or damaged; `content` then holds only its header and whole jobs."""

    @property
    def jobs(self) -> Sequence[Mapping[str, Any]]:
        """Results of the jobs in order, without the sum `All clients` of several; empty without a list."""
        jobs_value = self.content.get("jobs")
        if not isinstance(jobs_value, list):
            jobs_value = self.content.get("client_stats")
        jobs = [job for job in jobs_value if isinstance(job, dict)] if isinstance(jobs_value, list) else []
        single = [job for job in jobs if job.get("jobname") != "All clients"]
        return single or jobs

    def line_of(self, job: int | None, *keys: str) -> int:
        """Return the line of the last of `keys`, each searched after the previous, until one is missing.

        They are searched in the job with this index, or in the document for None or an index too large.
        """
        at, end = 0, len(self.text)
        if job is not None and job < len(self._job_at):
            at = self._job_at[job]
            end = self._job_at[job + 1] if job + 1 < len(self._job_at) else end
        for key in keys:
            offset = self.text.find(json.dumps(key), at, end)
            if offset < 0:
                break
            at = offset + 1
        return self.line + bisect_left(self._line_feeds, at)

    @cached_property
    def _job_at(self) -> list[int]:
        return [match.start() for match in _JOB_NAME.finditer(self.text)]

    @cached_property
    def _line_feeds(self) -> list[int]:
        return [match.start() for match in _LINE_FEED.finditer(self.text)]


def documents(data: bytes, problems: Problems) -> list[Document]:
    """Return the documents with jobs in order, 100,000 at most; a damaged document has only its whole jobs.

    Report damage and NaN. Nothing is read after a document that is nested too deeply, after the 21st that is
    damaged, or after a damaged one with jobs if no other document of fio follows.
    """
    text = _replace_nan(data.decode("utf-8", "replace"), problems)
    decoder = json.JSONDecoder(parse_float=_decimal, parse_int=_integer, parse_constant=lambda _: None)
    parsed: list[Document] = []
    broken, at, line, counted_to = 0, 0, 1, 0
    while (begin := _BEGIN.search(text, at)) is not None and len(parsed) < _MAX_DOCUMENTS:
        start = begin.end() - 1
        line += text.count("\n", counted_to, start)
        counted_to = start
        try:
            content, end = decoder.raw_decode(text, start)
        except RecursionError:
            problems.error("deep", "nested deeper than any result of fio", line)
            return parsed
        except ValueError as error:
            # What follows a damaged document is still read, from the next one that begins like one of fio.
            following = text.find(_NEXT, start + 1)
            end = following if following >= 0 else len(text)
            content = _salvage(decoder, text[start:end])
            where = line
            if isinstance(error, json.JSONDecodeError):
                where = text.count("\n", 0, error.pos) + 1
                reason = f"the JSON document ends here or is damaged: {error.msg}"
            else:
                reason = f"the JSON document is damaged: {error}"
            beginning = text[start : start + 4096]
            if content or '"fio version"' in beginning or _JOBS.search(beginning) is not None:
                problems.error("json", reason, where)
                if content:
                    parsed.append(Document(content, text[start:end], line, cut=True))
            broken += 1
            if following >= 0 and broken <= _MAX_BROKEN:
                at = following
            elif content or broken > _MAX_BROKEN:
                break
            else:
                at = start + 1
            continue
        if isinstance(content, dict) and ("jobs" in content or "client_stats" in content):
            parsed.append(Document(content, text[start:end], line))
        at = end
    return parsed


def _replace_nan(text: str, problems: Problems) -> str:
    """Return the text with `null` instead of NaN and infinity; report each."""
    line, counted_to = 1, 0
    for match in _NOT_A_NUMBER.finditer(text):
        line += text.count("\n", counted_to, match.start())
        counted_to = match.start()
        problems.add("nan", f"{match[0].lstrip(': ')} is no number; it was left out", line)
    return _NOT_A_NUMBER.sub(r"\1null", text)


def _salvage(decoder: json.JSONDecoder, text: str) -> dict[str, Any]:
    """Return header and whole jobs of a document that is cut or damaged; empty without a whole job."""
    begin = _JOBS.search(text)
    if begin is None:
        return {}
    header: dict[str, Any] = {
        name: value.strip('"') if value.startswith('"') else int(value)
        for name, value in _HEADER.findall(text, 0, begin.start())
    }
    jobs = list(_whole_objects(decoder, text, begin.end()))
    return {**header, "jobs": jobs} if jobs else {}


def _whole_objects(decoder: json.JSONDecoder, text: str, at: int) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list from position `at` on, up to the first that is cut or damaged."""
    while True:
        skipped = _BETWEEN.match(text, at)
        at = skipped.end() if skipped is not None else at
        if at >= len(text) or text[at] != "{":
            return
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield value


def _integer(text: str) -> int | None:
    """Return a printed whole number; None for more than 30 characters."""
    return int(text) if len(text) <= _MAX_DIGITS else None


def _decimal(text: str) -> Decimal | None:
    """Return a printed number with decimals; None for more than 60 characters or an invalid exponent."""
    try:
        return Decimal(text) if len(text) <= 2 * _MAX_DIGITS else None
    except InvalidOperation:
        return None
