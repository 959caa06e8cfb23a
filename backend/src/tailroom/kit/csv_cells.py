"""What a cell of a CSV file may hold, so that a spreadsheet calculates nothing that somebody wrote."""

_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def plain_text(text: str) -> str:
    """The text, marked as text where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(_BEGIN_FORMULAS) else text
