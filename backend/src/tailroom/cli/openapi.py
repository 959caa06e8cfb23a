"""`tailroom openapi`: the OpenAPI document, from which the client of the pages is generated."""

import json

import typer

from tailroom.api.app import create_app, openapi_document


def openapi() -> None:
    """Prints the OpenAPI document."""
    typer.echo(json.dumps(openapi_document(create_app()), indent=2, ensure_ascii=False))
