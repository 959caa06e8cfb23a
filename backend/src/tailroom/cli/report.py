"""`tailroom report RUN-or-FILE… --output X.html|X.pdf`: write a report without a server."""

from pathlib import Path
from typing import Annotated

import typer

from tailroom.cli.options import BudgetsOption, SubjectsArgument
from tailroom.cli.terminal import echo, number_of, stop
from tailroom.kit.clock import utc_now


def report(
    subjects: SubjectsArgument,
    *,
    output: Annotated[
        Path,
        typer.Option(metavar="X.html|X.pdf", help="Where the report is written; its ending decides how."),
    ],
    budget: BudgetsOption = None,
) -> None:
    """Write a report as HTML or PDF: question, answer, figures with bounds, disclosure, configuration."""
    from tailroom.cli.budgets import budget_named
    from tailroom.cli.progress import elapsed
    from tailroom.cli.result_files import UNREADABLE, contents_of, reason_of
    from tailroom.reports.file_report import report_of_files
    from tailroom.reports.file_verdicts import read_runs, verdicts_of
    from tailroom.reports.page import page_of
    from tailroom.reports.printing import pdf_of

    form = output.suffix.lower()
    if form not in {".html", ".pdf"}:
        stop(f"{output} ends neither in .html nor in .pdf: the ending says how the report is written")
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
        stop(f"the report was not made{where}: {reason_of(error)}")
    echo(f"{output}: {number_of(len(runs), 'run')}, {number_of(len(verdicts), 'verdict')}")
