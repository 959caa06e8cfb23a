"""Cells of CSV files, escaped so that a spreadsheet does not evaluate what a user wrote."""

_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def plain_text(text: str) -> str:
    """Return the text, with a leading `'` where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(_BEGIN_FORMULAS) else text
