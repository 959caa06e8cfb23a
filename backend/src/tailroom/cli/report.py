"""`tailroom report RUN-or-FILE… --output X.html|X.pdf`: write a report without a server."""

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from tailroom.cli.terminal import echo
from tailroom.kit.clock import utc_now
from tailroom.kit.exit_codes import ExitCode


def report(
    subjects: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN-or-FILE…", help="Result files, or addresses of runs, that belong together."
        ),
    ],
    *,
    output: Annotated[
        Path,
        typer.Option(metavar="X.html|X.pdf", help="Where the report is written; its ending decides how."),
    ],
    budget: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|FILE", help="Budget to judge by; default: those of the tool."),
    ] = None,
) -> None:
    """Write a report as HTML or PDF: question, answer, figures with bounds, disclosure, configuration."""
    from tailroom.cli.budgets import budget_named
    from tailroom.cli.progress import elapsed
    from tailroom.cli.result_files import UNREADABLE, contents_of, reason_of
    from tailroom.reports.file_verdicts import read_runs, verdicts_of
    from tailroom.reports.of_file import report_of_files
    from tailroom.reports.page import page_of
    from tailroom.reports.printing import pdf_of

    form = output.suffix.lower()
    if form not in {".html", ".pdf"}:
        _stop(f"{output} ends neither in .html nor in .pdf: the ending says how the report is written")
    try:
        files = contents_of(subjects)
        budgets = [budget_named(name) for name in budget or ()]
        with elapsed(f"writing {output.name}"):
            runs = read_runs(files)
            verdicts = verdicts_of(runs, budgets)
            page = page_of(report_of_files(files, runs, verdicts, utc_now()))
            output.write_bytes(page.encode() if form == ".html" else pdf_of(page))
    except UNREADABLE as error:
        where = f" ({error.filename})" if isinstance(error, OSError) and error.filename else ""
        _stop(f"the report was not made{where}: {reason_of(error)}")
    echo(f"{output}: {len(runs)} runs, {len(verdicts)} verdicts")


def _stop(message: str) -> NoReturn:
    echo(message, err=True)
    raise typer.Exit(ExitCode.UNUSABLE)
