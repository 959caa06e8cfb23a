"""`tailroom openapi`: the OpenAPI document, from which the client of the pages is generated."""

import json
from pathlib import Path
from typing import Annotated

import typer


def openapi(
    check: Annotated[
        Path | None, typer.Option(help="print nothing; fail when this file does not equal the document")
    ] = None,
) -> None:
    """Print the OpenAPI document, or compare it with a file."""
    from tailroom.api.app import create_app, openapi_document

    document = json.dumps(openapi_document(create_app()), indent=2, ensure_ascii=False) + "\n"
    if check is None:
        typer.echo(document, nl=False)
    elif not check.is_file() or check.read_text() != document:
        typer.echo(f"{check} is not what the API is: write it with `tailroom openapi > {check}`", err=True)
        raise typer.Exit(1)
    else:
        typer.echo(f"{check} equals the API")
