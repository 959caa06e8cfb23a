"""The table of supported tools, from which every list of tools follows.

An entry gives the importer (`importers.registry`), the budgets that judge an upload (`verdicts.other_tools`),
and the rows of docs/importers.md, of `tailroom formats`, of the API and of the page of formats. The order
decides between importers that match a file equally: the more specific first.
"""

from tailroom.domain.tools.aerospike import AEROSPIKE
from tailroom.domain.tools.any_tool import ANY_TOOL, PRODUCTION
from tailroom.domain.tools.databases import DATABASES
from tailroom.domain.tools.drives import DRIVES, FILE_SYSTEMS
from tailroom.domain.tools.key_value import KEY_VALUE
from tailroom.domain.tools.tool import Form, Measures, Tool
from tailroom.domain.tools.web_load import WEB_LOAD

__all__ = ["TOOLS", "Form", "Measures", "Tool", "markdown_table", "table_rows"]

TOOLS: tuple[Tool, ...] = (
    *AEROSPIKE,
    *KEY_VALUE,
    *DRIVES,
    *FILE_SYSTEMS,
    *DATABASES,
    *WEB_LOAD,
    *PRODUCTION,
    *ANY_TOOL,
)
"""Every tool, the more specific importer first; formats of several tools last."""


def table_rows() -> list[tuple[str, str, str, str, str]]:
    """Return (tool, versions, kind of file, contents read, contents left out) for each form of each tool."""
    return [
        (tool.title, form.versions, form.kind, form.reads, form.leaves)
        for tool in TOOLS
        for form in tool.forms
    ]


def markdown_table() -> str:
    """Return the rows of `table_rows` as a Markdown table with a head, as in docs/importers.md."""
    lines = ["| tool | version | kind of file | what is read | what is not |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in table_rows()]
    return "\n".join(lines)
