"""`tailroom mcp`: a read-only server of the Model Context Protocol over the records of an installation."""

from typing import Annotated

import typer

from tailroom.cli.terminal import stop


def mcp(
    server: Annotated[
        str | None, typer.Option(help="Address of the installation.", envvar="TAILROOM_SERVER")
    ] = None,
    token: Annotated[
        str | None, typer.Option(help="Access token; that of a viewer will do.", envvar="TAILROOM_TOKEN")
    ] = None,
) -> None:
    """Answer the questions of an assistant on standard input and output, each in one sentence with links.

    Nothing that it offers changes anything.
    """
    import sys

    try:
        from tailroom_client.client import Client
        from tailroom_client.mcp_server import serve
    except ImportError:
        stop("tailroom mcp needs the Python client: pip install ./backend/client")

    with Client(server, token) as client:
        serve(client, sys.stdin, sys.stdout)
