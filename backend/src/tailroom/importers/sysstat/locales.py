"""Dates and times of the day that sysstat prints in the language of a machine, rewritten as in English.

Names of columns are never translated, `Average:` is (its lines are left out), and numbers have the decimal
sign of the language. Source: glibc's `d_fmt` and `t_fmt`.
"""

import re

_DATE = re.compile(r"(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]")
_TIME = re.compile(
    r"(?:(上午|下午|午前|午後|오전|오후) ?)?(\d{1,2}) ?[时時시] ?(\d\d) ?[分분] ?(\d\d) ?[秒초]"
)
_COMMAS = re.compile(r"(?m)^ ?(\d{1,2}),(\d\d),(\d\d)(?=[ \t])")
"""Times of the day as some machines have them whose decimal sign is a comma."""
_MARKS = re.compile("[年년时時시]")
_AFTERNOON = ("下午", "午後", "오후")
DECIMAL_COMMA = re.compile(r"(?m)[ \t]\d{1,9},\d{2}(?=[ \t\r\n])")


def in_english(text: str) -> str:
    """Return the text with dates as 2026-11-20 and times of the day as 12:30:01 or 03:30:01 PM."""
    text = _COMMAS.sub(r"\1:\2:\3", text)
    if _MARKS.search(text) is None:
        return text
    text = _DATE.sub(lambda match: f"{match[1]}-{int(match[2]):02d}-{int(match[3]):02d}", text)
    return _TIME.sub(_clock, text)


def _clock(match: re.Match[str]) -> str:
    """Return a time of the day with Chinese, Japanese or Korean marks as `12:30:01` or `03:30:01 PM`."""
    half = "" if match[1] is None else " PM" if match[1] in _AFTERNOON else " AM"
    return f"{int(match[2]):02d}:{match[3]}:{match[4]}{half}"
