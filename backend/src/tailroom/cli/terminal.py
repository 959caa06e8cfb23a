"""What commands print: names out of files and of strangers do nothing to the terminal."""

import typer

from tailroom.kit.encodings import terminal_text


def echo(text: str, *, err: bool = False) -> None:
    """Print lines whose control and direction characters are shown as escapes."""
    typer.echo(terminal_text(text), err=err)
