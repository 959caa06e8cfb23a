"""A page of result files that works without a server: it judges the files, and answers further questions.

The script is `templates/offline.js`, made from `frontend/src/offline` by `npm run offline -w frontend`. The
evidence is compressed JSON (zlib) in Base64; nothing is loaded from elsewhere.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from importlib.resources import files as package_files
from typing import Any

from markupsafe import Markup

from tailroom.domain.errors import DomainError
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.evidence.answers import NO_ANSWERS, Answers
from tailroom.importers.parsed_run import ParsedRun
from tailroom.reports.file_report import report_of_files
from tailroom.reports.file_verdicts import RunVerdict, lead_first, read_runs, verdicts_of
from tailroom.reports.offline_evidence import Models, run_document
from tailroom.reports.page import template

MOST_BYTES = 3_000_000
"""Maximum size of a page: mail servers refuse larger pages, which also open slowly."""


MOST_EVIDENCE_BYTES = 100_000_000
"""Maximum size of uncompressed evidence that is read from a page."""
_EVIDENCE_BEGINS, _EVIDENCE_ENDS = b'id="evidence">', b"</script>"


class PageTooLarge(DomainError):
    """The page would exceed `MOST_BYTES`."""


def offline_page_of_files(
    files: Mapping[str, bytes],
    made_at: datetime,
    budgets: Sequence[Budget] = (),
    answers: Answers = NO_ANSWERS,
) -> bytes:
    """Return the HTML page of files that belong together (contents by name), judged as in their pack.

    Raise NothingToReport without runs, PageTooLarge if the page exceeds `MOST_BYTES` even without models,
    DomainError with the first error if nothing can be read.
    """
    runs = read_runs(files, answers)
    return offline_page(files, runs, verdicts_of(runs, budgets), made_at)


def offline_page(
    files: Mapping[str, bytes], runs: Sequence[ParsedRun], verdicts: Sequence[RunVerdict], made_at: datetime
) -> bytes:
    """Return the HTML page, with as much evidence about transactions as `MOST_BYTES` allows.

    Raise NothingToReport without runs, PageTooLarge if it is too large without any such evidence.
    """
    report = report_of_files(files, runs, verdicts, made_at)
    content = b""
    for models in sorted(Models, reverse=True):
        evidence = {
            "tailroom_page": 1,
            "method_version": METHOD_VERSION,
            "tailroom_version": version("tailroom"),
            "made_at": made_at.isoformat(timespec="seconds"),
            "title": report.title,
            "files": [
                {"name": name, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
                for name, data in files.items()
            ],
            "runs": [
                run_document(
                    run,
                    subject,
                    lead_first(run, [row for row in verdicts if row.run == number]),
                    models=models,
                )
                for number, (run, subject) in enumerate(zip(runs, report.subjects, strict=True))
            ],
        }
        content = _page_of(report.title, evidence)
        if len(content) <= MOST_BYTES:
            return content
    raise PageTooLarge(
        f"the page would have {len(content)} bytes, more than {MOST_BYTES}: make one of fewer files"
    )


def split_page(page: bytes) -> tuple[bytes, Any]:
    """Return a page without its evidence, and the decoded evidence.

    The evidence is None if it is missing, malformed or longer than `MOST_EVIDENCE_BYTES`.
    """
    before, opening, rest = page.partition(_EVIDENCE_BEGINS)
    packed, closing, after = rest.partition(_EVIDENCE_ENDS)
    try:
        # A page that was made by others may hold more than any page of ours.
        unpacking = zlib.decompressobj()
        evidence = json.loads(unpacking.decompress(base64.b64decode(packed), MOST_EVIDENCE_BYTES))
    except (ValueError, zlib.error, RecursionError):
        evidence = None
    return before + opening + closing + after, evidence


def _page_of(title: str, evidence: Mapping[str, Any]) -> bytes:
    packed = base64.b64encode(zlib.compress(json.dumps(evidence, allow_nan=False).encode(), 9)).decode()
    script = (package_files("tailroom.reports") / "templates" / "offline.js").read_text(encoding="utf-8")
    # Both are our own: base64 and the generated script hold no end of an element.
    page = template("offline.html").render(
        title=title,
        evidence=Markup(packed),  # noqa: S704
        script=Markup(script),  # noqa: S704
    )
    return page.encode()
