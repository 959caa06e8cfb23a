"""What commands print: names out of files and of strangers do nothing to the terminal."""

import typer

from tailroom.kit.visible_text import visible


def echo(text: str, *, err: bool = False) -> None:
    """Print lines whose control and direction characters are shown as signs."""
    typer.echo(visible(text, lines=True), err=err)
