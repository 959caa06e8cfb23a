"""PDF of an HTML page, by WeasyPrint in a process with a time limit and without access to the network.

WeasyPrint needs Pango, a system library that may be missing. Then there is no PDF, the error names the
packages to install, and the page itself is complete. A page that takes too long, or crashes the renderer,
fails one request and never the server.
"""

import os
import re
import subprocess
import sys
from typing import Any

from tailroom.domain.errors import DomainError

PRINTING_SECONDS = 30.0
"""Time limit of a PDF."""
PACKAGES = "libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core"
"""Debian packages of the libraries that WeasyPrint loads."""
_UNIT = re.compile(r"(?<=\d) (?=(?:%|×|[nµm]?s|min|h)(?![\w%]))")
"""Space between a number and its unit, where no line may end."""
_NO_PANGO = 3
"""Exit code if Pango is missing."""


class Unprintable(DomainError):
    """No PDF could be made; the message states the reason and the remedy."""


class PangoMissing(Unprintable):
    """The libraries that lay out a PDF are not installed."""


def child_environment() -> dict[str, str]:
    """Return the environment of a child process: paths of programs, home and libraries, and the language."""
    names = ("PATH", "HOME", "LD_LIBRARY_PATH")
    return {name: os.environ[name] for name in names if name in os.environ} | {"LANG": "C.UTF-8"}


def pdf_of(page: str, limit_s: float = PRINTING_SECONDS) -> bytes:
    """Return an HTML page as a PDF on A4. The same page gives the same bytes on the same machine.

    Raise PangoMissing if the layout libraries are not installed; Unprintable for another error, or after
    `limit_s` seconds.
    """
    # The fixed date makes the bytes reproducible.
    environment = child_environment() | {"SOURCE_DATE_EPOCH": "0", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-I", "-m", "tailroom.reports.printing"]
    unbroken = _UNIT.sub("\N{NO-BREAK SPACE}", page)
    try:
        done = subprocess.run(  # noqa: S603 - our own module, with the page in a pipe
            command,
            input=unbroken.encode(),
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
        error_lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise Unprintable(
            f"no PDF came of the page ({error_lines[-1] if error_lines else 'no reason given'})"
        )
    return done.stdout


def main() -> int:
    """Write the HTML page in standard input as PDF to standard output; return 0, or 3 if Pango is missing."""
    try:
        from weasyprint import HTML, URLFetcher  # noqa: PLC0415 - loads libraries that may be missing
    except OSError as error:
        print(error, file=sys.stderr)
        return _NO_PANGO
    page = sys.stdin.buffer.read().decode()
    # All protocols are refused: the page contains all it needs.
    pdf: Any = HTML(string=page, url_fetcher=URLFetcher(allowed_protocols=())).write_pdf(
        pdf_identifier=b"tailroom"
    )
    sys.stdout.buffer.write(pdf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
