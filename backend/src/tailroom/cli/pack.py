"""`tailroom pack RUN-or-FILE… --output PACK.zip`: raw logs with what was concluded from them, signed."""

from pathlib import Path
from typing import Annotated

import typer

from tailroom.cli.options import BudgetsOption, LoopOption, SubjectsArgument, UnitOption
from tailroom.cli.terminal import echo, number_of, stop
from tailroom.kit.clock import utc_now


def pack(
    subjects: SubjectsArgument,
    *,
    output: Annotated[Path, typer.Option(metavar="PACK.zip", help="Where the pack is written.")],
    page: Annotated[
        Path | None,
        typer.Option(metavar="PAGE.html", help="Also a page that works its verdicts out in any browser."),
    ] = None,
    budget: BudgetsOption = None,
    operation: Annotated[
        str | None, typer.Option(help="What was timed, for files that do not state it.")
    ] = None,
    unit: UnitOption = None,
    loop: LoopOption = None,
    key: Annotated[
        Path | None, typer.Option(help="File of the key that signs; made where it is missing.")
    ] = None,
    time_stamp: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Time-stamp authority; default: TAILROOM_TIME_STAMP_URL."),
    ] = None,
    sign: Annotated[bool, typer.Option(help="Sign the pack with the key of this installation.")] = True,
) -> None:
    """Write an evidence pack, whose verdicts `tailroom verify` recomputes."""
    from tailroom.cli.budgets import budget_named
    from tailroom.cli.progress import elapsed
    from tailroom.cli.result_files import UNREADABLE, answers_of, contents_of, reason_of
    from tailroom.domain.verdicts.headline import words
    from tailroom.kit.settings import read_settings
    from tailroom.reports.packing import pack as pack_files
    from tailroom.reports.packing import packed_page
    from tailroom.reports.signing import key_of

    for target in (output, page):
        if target is not None and target.exists() and not target.is_file():
            stop(f"{target} is not a file that can be written")
    try:
        contents = contents_of(subjects)
        budgets = [budget_named(name) for name in budget or ()]
        answers = answers_of(operation, loop, unit)
        settings = read_settings()
        with elapsed(f"packing {output.name}"):
            data, verdicts = pack_files(
                contents,
                utc_now(),
                budgets=budgets,
                key=key_of(key or settings.pack_key) if sign else None,
                answers=answers,
                time_stamp_url=time_stamp or settings.time_stamp_url,
            )
        output.write_bytes(data)
        if page is not None:
            page_bytes = page.write_bytes(packed_page(data))
    except UNREADABLE as error:
        where = f" ({error.filename})" if isinstance(error, OSError) and error.filename else ""
        stop(f"the pack was not made{where}: {reason_of(error)}")
    counts = f"{number_of(len(verdicts), 'verdict')} of {number_of(len(contents), 'file')}"
    echo(f"{output}: {counts}, {len(data)} bytes")
    if page is not None:
        echo(f"{page}: opens in any browser, without a server or a network; {page_bytes} bytes")
    for verdict in verdicts:
        echo(f"  {words(verdict.assessment.judgement)}: {verdict.budget.title or verdict.budget.name}")
