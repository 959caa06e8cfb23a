"""`tailroom edition …`: editions of the leaderboard, which never change once they are made."""

from typing import Annotated

import typer

from tailroom.cli.database import open_database
from tailroom.cli.terminal import echo, stop

app = typer.Typer(help="Editions of the leaderboard.", no_args_is_help=True)


@app.command("make")
def make(
    name: Annotated[
        str | None, typer.Argument(metavar="2026-Q4", help="The quarter; default: the present one.")
    ] = None,
) -> None:
    """Store the public leaderboard of this moment as the edition of a quarter.

    Editions are made by themselves in the first week after a quarter; this makes one earlier.
    """
    from tailroom.domain.rating.editions import is_edition_name, quarter_of
    from tailroom.kit.clock import utc_now
    from tailroom.kit.transactions import transactions_of
    from tailroom.ratings.editions import make_edition

    now = utc_now()
    chosen = name or quarter_of(now)
    if not is_edition_name(chosen):
        stop(f"{chosen} is no quarter; write it as 2026-Q4")
    with open_database() as database:
        is_new = make_edition(transactions_of(database, None), chosen, now)
    if not is_new:
        stop(f"edition {chosen} exists already, and editions never change")
    echo(f"edition {chosen} is made: /drives?edition={chosen}")
