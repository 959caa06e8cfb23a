"""A page as PDF, by WeasyPrint in a process of its own that has a limited time and no way to load anything.

WeasyPrint sets the page with Pango, a library of the system that a machine may lack: then there is no PDF,
the sentence says what to install, and the page itself is whole. A page that takes too long, or
brings the renderer down, costs an answer and never the server.
"""

import os
import subprocess
import sys
from typing import Any

from tailroom.domain.errors import DomainError

PRINTING_SECONDS = 30.0
PACKAGES = "libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core"
"""Debian's names of what WeasyPrint loads."""
_NO_PANGO = 3


class Unprintable(DomainError):
    """No PDF came of a page; the message says why and what to do."""


class PangoMissing(Unprintable):
    """The libraries that set the page are not on this machine."""


def pdf_of(page: str, limit_s: float = PRINTING_SECONDS) -> bytes:
    """The page on A4. The same page gives the same bytes on the same machine. Raises Unprintable."""
    # Nothing of ours but where libraries and fonts lie; a fixed moment for what notes one.
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH") if name in os.environ}
    environment = {**kept, "LANG": "C.UTF-8", "SOURCE_DATE_EPOCH": "0", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-I", "-m", "tailroom.reports.printing"]
    try:
        done = subprocess.run(  # noqa: S603 - our own module, and the page by a pipe
            command,
            input=page.encode(),
            capture_output=True,
            env=environment,
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unprintable(
            f"the PDF was not ready after {limit_s:g} seconds; take the report as HTML, which prints the same"
        ) from None
    if done.returncode == _NO_PANGO:
        raise PangoMissing(
            "this machine has no Pango, which sets the pages of a PDF: install it "
            f"(Debian: apt install {PACKAGES}), or take the report as HTML, which prints the same"
        )
    if done.returncode or not done.stdout.startswith(b"%PDF-"):
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise Unprintable(f"no PDF came of the page ({said[-1] if said else 'no reason given'})")
    return done.stdout


def main() -> int:
    """From a page on standard input to a PDF on standard output; 3 where Pango is missing."""
    try:
        from weasyprint import HTML, URLFetcher  # noqa: PLC0415 - loads libraries that may be missing
    except OSError as error:
        print(error, file=sys.stderr)
        return _NO_PANGO
    page = sys.stdin.buffer.read().decode()
    # Nothing is loaded: the page holds all it needs.
    pdf: Any = HTML(string=page, url_fetcher=URLFetcher(allowed_protocols=())).write_pdf(
        pdf_identifier=b"tailroom"
    )
    sys.stdout.buffer.write(pdf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
