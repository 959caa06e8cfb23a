"""`tailroom openapi`: the OpenAPI document, from which the client of the pages is generated."""

import json
from pathlib import Path
from typing import Annotated

import typer

from tailroom.cli.terminal import print_or_compare


def openapi(
    check: Annotated[
        Path | None, typer.Option(help="print nothing; fail when this file does not equal the document")
    ] = None,
) -> None:
    """Print the OpenAPI document, or compare it with a file."""
    from tailroom.api.app import create_app, openapi_document

    document = json.dumps(openapi_document(create_app()), indent=2, ensure_ascii=False) + "\n"
    print_or_compare(document, check, "openapi", "the API is")
