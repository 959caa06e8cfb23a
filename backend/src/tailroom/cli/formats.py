"""`tailroom formats`: the result files that Tailroom reads, by tool, from the one table."""

import json
import textwrap
from dataclasses import asdict
from typing import Annotated

import typer

from tailroom.domain.tools import TOOLS, Tool, markdown_table

_WIDTH = 100


def formats(
    tool: Annotated[
        str | None, typer.Argument(metavar="TOOL", help="only tools with this in the name")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object a line, for each tool")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="the table of docs/importers.md")] = False,
) -> None:
    """List the result files that can be read: tool, versions, kind of file; for one tool also what of it."""
    if as_markdown:
        typer.echo(markdown_table())
        return
    wanted = (tool or "").lower()
    found = [one for one in TOOLS if wanted in one.title.lower() or wanted in one.name.lower()]
    if not found:
        typer.echo(f"No tool is called {tool!r}; tailroom formats lists all.", err=True)
        raise typer.Exit(2)
    for one in found:
        if as_json:
            forms = [asdict(form) for form in one.forms]
            typer.echo(json.dumps({"tool": one.name, "title": one.title, "forms": forms}, ensure_ascii=False))
        else:
            typer.echo("\n".join(_lines(one, whole=tool is not None)))


def _lines(tool: Tool, *, whole: bool) -> list[str]:
    lines = [tool.title]
    for form in tool.forms:
        lines.append(f"  {form.versions}: {form.kind}")
        if whole:
            lines += _wrapped(f"read: {form.reads}")
            lines += _wrapped(f"not read: {form.leaves}") if form.leaves else []
    return lines


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="    ", subsequent_indent="      ")
