"""`tailroom formats`: list the result files that can be read, by tool."""

import json
import textwrap
from dataclasses import asdict
from typing import Annotated

import typer

from tailroom.cli.terminal import stop
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
    part_of_name = (tool or "").lower()
    tools = [
        entry for entry in TOOLS if part_of_name in entry.title.lower() or part_of_name in entry.name.lower()
    ]
    if not tools:
        stop(f"No tool is called {tool!r}; tailroom formats lists all.")
    for tool_entry in tools:
        if as_json:
            forms = [asdict(form) for form in tool_entry.forms]
            typer.echo(
                json.dumps(
                    {"tool": tool_entry.name, "title": tool_entry.title, "forms": forms}, ensure_ascii=False
                )
            )
        else:
            typer.echo("\n".join(_lines(tool_entry, in_full=tool is not None)))


def _lines(tool: Tool, *, in_full: bool) -> list[str]:
    lines = [tool.title]
    for form in tool.forms:
        lines.append(f"  {form.versions}: {form.kind}")
        if in_full:
            lines += _wrap(f"read: {form.reads}")
            lines += _wrap(f"not read: {form.leaves}") if form.leaves else []
    return lines


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="    ", subsequent_indent="      ")
