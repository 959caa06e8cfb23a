"""Decides which tools' result files are read: the one table from which everything that lists tools follows.

From an entry come the importer (`importers.registry`), the budgets that judge an upload
(`verdicts.other_tools`), the
rows of docs/importers.md, of `tailroom formats`, of the API and of the page of formats. Order decides
between two
importers that are equally sure of a file: the more special one first.
"""

from tailroom.domain.tools.aerospike import AEROSPIKE
from tailroom.domain.tools.any_tool import ANY_TOOL
from tailroom.domain.tools.databases import DATABASES
from tailroom.domain.tools.drives import DRIVES
from tailroom.domain.tools.key_value import KEY_VALUE
from tailroom.domain.tools.production import PRODUCTION
from tailroom.domain.tools.tool import Form, Measures, Tool

__all__ = ["TOOLS", "Form", "Measures", "Tool", "markdown_table", "table_rows"]

TOOLS: tuple[Tool, ...] = (*AEROSPIKE, *KEY_VALUE, *DRIVES, *DATABASES, *PRODUCTION, *ANY_TOOL)
"""Every tool, the more special importer first; what several tools write last."""


def table_rows() -> list[tuple[str, str, str, str, str]]:
    """Tool, versions, kind of file, what is read, what is not: the rows of docs/importers.md."""
    return [
        (tool.title, form.versions, form.kind, form.reads, form.leaves)
        for tool in TOOLS
        for form in tool.forms
    ]


def markdown_table() -> str:
    """The rows as Markdown."""
    lines = ["| tool | version | kind of file | what is read | what is not |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in table_rows()]
    return "\n".join(lines)
