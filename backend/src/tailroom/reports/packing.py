"""Evidence packs: a zip of raw logs, the verdicts on them, and the hashes of both.

Members, in this order:

* `manifest.json`: versions of pack, method and Tailroom, when it was made, every other member with its
  SHA-256;
* `manifest.sig`: signature of the manifest's bytes (`reports.signing`), where the pack is signed;
* `manifest.tsr`: time stamp of the manifest's bytes by an outside authority (`reports.time_stamps`), where an
  installation names one;
* `statement.dsse.json`: the verdicts as a signed in-toto statement (`reports.attestation`), likewise;
* `verdicts.json`: for each run every budget as a document, and the verdict reached by it;
* `answers.json`: statements of the uploader about facts that the files leave open (unit, operation, load);
* `disclosure.json`: what each file states of tool, load and machine, which facts it does not state, and which
  of them are answers;
* `report.html`: the report of these files (`reports.page`): it loads nothing and prints as it reads;
* `page.html`: the page that judges in any browser (`reports.offline_page`), unless it would be too large;
* `buckets/…json`: every latency distribution, in the form of `domain.latency.document`;
* `raw/…`: the files as they were read, byte for byte; the source of every verdict.

The archive ends in the digest of all bytes before it, as its comment, so that no byte can change unnoticed.

The same files give the same bytes, except for the time in manifest, report and page, and so the signatures
and the digest of the page in the statement.
"""

import contextlib
import hashlib
import io
import json
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.document import Distribution
from tailroom.domain.latency.document import document_of as distribution_document
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.evidence.answers import NO_ANSWERS, Answers
from tailroom.evidence.file import choices_of
from tailroom.importers.parsed_run import ParsedRun
from tailroom.kit.outside_types import clean_line
from tailroom.reports.attestation import envelope_of, statement_of
from tailroom.reports.file_report import report_of_files
from tailroom.reports.file_verdicts import RunVerdict, read_runs, verdicts_of
from tailroom.reports.offline_page import MOST_BYTES, PageTooLarge, offline_page
from tailroom.reports.page import page_of
from tailroom.reports.signing import SigningKey
from tailroom.reports.time_stamps import stamp

PACK_VERSION = 6
"""Newest version of packs. Version 6 is written if the pack has the page and a statement that names it, else
5 if it has the page, else 4 if it has a time stamp, else 3 if it has a statement, else 2 if there are
answers, else 1. Readers of earlier versions reach the same verdicts.
"""
VERSION_WITH_PAGE, VERSION_WITH_PAGE_STATED = 5, 6
MANIFEST, SIGNATURE, VERDICTS = "manifest.json", "manifest.sig", "verdicts.json"
TIME_STAMP = "manifest.tsr"
STATEMENT = "statement.dsse.json"
DISCLOSURE, REPORT, ANSWERS = "disclosure.json", "report.html", "answers.json"
PAGE = "page.html"
RAW, BUCKETS = "raw/", "buckets/"
SEAL_BYTES = 64
"""Length of the digest at the end of the archive."""
_DRIVE = re.compile(r"^([A-Za-z]):")
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""Date of all members, so that equal contents give equal bytes."""


class NothingToPack(DomainError):
    """No run of the files has the operations of a budget, so there is no verdict to pack."""


class PackNamesRepeat(DomainError):
    """Two files have names that some file systems cannot tell apart."""


def pack(
    files: Mapping[str, bytes],
    made_at: datetime,
    *,
    budgets: Sequence[Budget] = (),
    key: SigningKey | None = None,
    answers: Answers = NO_ANSWERS,
    time_stamp_url: str | None = None,
) -> tuple[bytes, list[RunVerdict]]:
    """Return the archive of files (contents by name), and the verdicts in it.

    Without `budgets`, the verdicts are by those for uploads. Without `key`, the archive is not signed. The
    authority at `time_stamp_url` stamps the manifest. Raise NothingToPack without a verdict, PackNamesRepeat
    for names that some file systems cannot tell apart, TimeStampRefused if the authority sends no valid
    token, DomainError with the first error if nothing can be read.
    """
    names = [member_name(name) for name in files]
    if (repeated := repeated_name(names)) is not None:
        raise PackNamesRepeat(f"two of the files are called {repeated}; each needs a name of its own")
    files = dict(zip(names, files.values(), strict=True))
    runs = read_runs(files, answers)
    verdicts = verdicts_of(runs, budgets)
    if not verdicts:
        raise NothingToPack("no run of these files has what a budget asks about: there is no verdict to pack")
    verdicts_document = _json([verdict.document() for verdict in verdicts])
    derived = derived_members(files, runs, verdicts, made_at, with_page=True)
    members = {
        VERDICTS: verdicts_document,
        **({ANSWERS: _json(answers.document())} if answers.document() else {}),
        **derived,
        **{RAW + name: data for name, data in files.items()},
    }
    if key is not None:
        statement = statement_of(subjects_of(files, derived), verdicts, verdicts_document)
        members = {STATEMENT: _json(envelope_of(statement, key)), **members}
    manifest = _json(
        {
            "tailroom_pack": _version(members, has_time_stamp=time_stamp_url is not None),
            "method_version": METHOD_VERSION,
            "tailroom_version": version("tailroom"),
            "made_at": made_at.isoformat(timespec="seconds"),
            "files": {
                name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
                for name, data in members.items()
            },
        }
    )
    first = {MANIFEST: manifest} | ({SIGNATURE: _json(key.sign(manifest))} if key is not None else {})
    if time_stamp_url is not None:
        first[TIME_STAMP] = stamp(manifest, time_stamp_url)
    return _archive(first | members), verdicts


def _version(members: Mapping[str, bytes], *, has_time_stamp: bool) -> int:
    """Return the version of the pack; see `PACK_VERSION`."""
    if PAGE in members:
        return VERSION_WITH_PAGE_STATED if STATEMENT in members else VERSION_WITH_PAGE
    if has_time_stamp:
        return 4
    return 3 if STATEMENT in members else 2 if ANSWERS in members else 1


def subjects_of(files: Mapping[str, bytes], members: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the contents by name that the statement is about: the raw files, and the page, if any."""
    page_name = f"./{PAGE}" if PAGE in files else PAGE
    return {**files, **({page_name: members[PAGE]} if PAGE in members else {})}


def packed_page(data: bytes) -> bytes:
    """Return the page in a pack. Raise PageTooLarge if the pack has none, because it would be too large."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if PAGE in archive.namelist():
            return archive.read(PAGE)
    raise PageTooLarge(f"the page would have more than {MOST_BYTES} bytes: make one of fewer files")


def derived_members(
    files: Mapping[str, bytes],
    runs: Sequence[ParsedRun],
    verdicts: Sequence[RunVerdict],
    made_at: datetime,
    *,
    with_page: bool,
) -> dict[str, bytes]:
    """Return the members that follow from files and verdicts: disclosure, report, page, distributions.

    The page is left out if it would be too large, or without `with_page`.
    """
    members = {
        DISCLOSURE: _json([_disclosure(run) for run in runs]),
        REPORT: page_of(report_of_files(files, runs, verdicts, made_at)).encode(),
    }
    if with_page:
        with contextlib.suppress(PageTooLarge):
            members[PAGE] = offline_page(files, runs, verdicts, made_at)
    return members | _buckets(runs)


def repeated_name(names: Iterable[str]) -> str | None:
    """Return the first name that equals an earlier name, both in NFC and without case; else None."""
    seen: set[str] = set()
    for name in names:
        comparable = unicodedata.normalize("NFC", name).casefold()
        if comparable in seen:
            return name
        seen.add(comparable)
    return None


def member_name(name: str) -> str:
    """Return a name that unpacks inside the target folder and shows safely in terminals.

    Control characters, empty parts, `.` and `..` are removed, and backslashes become slashes. The result is
    `file` if nothing is left.
    """
    parts = [part for part in clean_line(name).replace("\\", "/").split("/") if part not in {"", ".", ".."}]
    return _DRIVE.sub(r"\1_", "/".join(parts)) or "file"


def _archive(members: Mapping[str, bytes]) -> bytes:
    """Return the zip archive of members; its comment is the digest of all bytes before."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, _EARLIEST)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, data)
        archive.comment = b"0" * SEAL_BYTES
    sealed = target.getvalue()[:-SEAL_BYTES]
    return sealed + seal_of(sealed)


def seal_of(data: bytes) -> bytes:
    """Return the SHA-256 that ends the archive; it covers bytes outside members' checksums, such as dates."""
    return hashlib.sha256(data).hexdigest().encode()


def _buckets(runs: Sequence[ParsedRun]) -> dict[str, bytes]:
    return {
        f"{BUCKETS}{choice.number}-{member_name(choice.label).replace('/', '-')}.json": _json(
            distribution_document(
                Distribution(
                    choice.series.operation,
                    choice.series.clock,
                    choice.series.record,
                    device=choice.series.device,
                    semantics=choice.series.semantics,
                    source=choice.run.tool,
                )
            )
        )
        for choice in choices_of(runs)
    }


def _disclosure(run: ParsedRun) -> dict[str, Any]:
    """Return a run's entry in `disclosure.json`: what its file states, which facts it does not, and which a
    person stated instead.
    """
    return {
        "tool": run.tool,
        "tool_version": run.tool_version,
        "format": run.format,
        "end_state": run.state.value,
        "closed_loop": run.closed_loop,
        "started_at": None if run.started_at is None else run.started_at.isoformat(),
        "duration_ns": run.duration_ns,
        "parameters": dict(run.parameters),
        "not_stated": list(run.missing),
        "problems": [{"line": problem.line, "reason": problem.reason} for problem in run.problems],
        **({"answered": dict(run.answered)} if run.answered else {}),
    }


def _json(document: object) -> bytes:
    """Return a document as indented JSON with sorted keys. Raise ValueError for NaN or infinity."""
    return (json.dumps(document, indent=1, sort_keys=True, allow_nan=False, default=str) + "\n").encode()
