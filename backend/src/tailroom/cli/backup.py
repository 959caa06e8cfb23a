"""`tailroom backup …`: the database and the uploaded files of one moment, checked and restored."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tailroom.cli.database import installation_settings
from tailroom.cli.terminal import stop
from tailroom.kit.clock import utc_now

if TYPE_CHECKING:
    from tailroom.kit.db import Database
    from tailroom.kit.settings import Settings
    from tailroom.operations.backup import Manifest


app = typer.Typer(help="Backups of the installation: make, verify, restore.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of the backup.")]


@app.command("create")
def create(folder: Folder) -> None:
    """Write the database and all uploaded files of this moment to a new folder, while Tailroom works."""
    from tailroom.cli.progress import byte_progress
    from tailroom.kit.raw_files import open_raw_files
    from tailroom.operations import backup

    settings = installation_settings()
    with _stop_if_refused("the backup was not made: "), _database(settings) as database:
        store = open_raw_files(settings.raw_files, settings.home)
        manifest = backup.create(settings, database, store, folder, utc_now(), progress=byte_progress)
    typer.echo(f"{folder}: {_describe(manifest)}")
    if manifest.files_missing:
        stop(
            f"{len(manifest.files_missing)} uploaded files are in the database and missing in the store, the"
            f" first: {manifest.files_missing[0]}"
        )


@app.command("verify")
def verify(folder: Folder) -> None:
    """Read every byte of a backup again."""
    from tailroom.cli.progress import byte_progress
    from tailroom.operations import backup

    with _stop_if_refused(""):
        manifest = backup.verify(folder, progress=byte_progress)
    typer.echo(f"{folder}: whole, {_describe(manifest)}")


@app.command("restore")
def restore(
    folder: Folder,
    *,
    replace: Annotated[
        bool, typer.Option("--replace", help="Set aside what the database holds; stop Tailroom before.")
    ] = False,
) -> None:
    """Bring a backup into an empty database, and its files into the store. `tailroom db migrate` follows."""
    from tailroom.cli.progress import byte_progress
    from tailroom.kit.raw_files import open_raw_files
    from tailroom.operations import backup

    settings = installation_settings()
    with _stop_if_refused("nothing was restored: "), _database(settings) as database:
        store = open_raw_files(settings.raw_files, settings.home)
        manifest = backup.restore(settings, database, store, folder, replace=replace, progress=byte_progress)
    typer.echo(f"restored: {_describe(manifest)}. Now run `tailroom db migrate`, then start Tailroom.")


@contextmanager
def _stop_if_refused(what_failed: str) -> Iterator[None]:
    """End the command, with a message that begins with `what_failed`, if a backup is refused."""
    from tailroom.kit.raw_files import RawFilesUnavailable
    from tailroom.operations.backup import BackupRefused

    try:
        yield
    except (BackupRefused, RawFilesUnavailable, OSError) as error:
        stop(f"{what_failed}{error}")


@contextmanager
def _database(settings: "Settings") -> "Iterator[Database]":
    """Open the database for a dump or restore, which may take longer than any request."""
    from tailroom.kit.db import Database

    database = Database(settings.database_url, pool_size=2)
    try:
        yield database
    finally:
        database.dispose()


def _describe(manifest: "Manifest") -> str:
    return (
        f"database {manifest.dump_bytes:,} bytes, {len(manifest.files_sha256)} uploaded files of"
        f" {manifest.files_bytes:,} bytes, of {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC"
    )
