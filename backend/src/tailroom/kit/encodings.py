"""Escaping of text for each target with rules of its own: headers of mail, XML, terminals, CSV.

The types of `kit.outside_types` refuse most of this in new values. Texts of imported files, and texts stored
before there was a type, are only escaped here.
"""

import re
from email.charset import QP, Charset
from email.header import Header
from xml.sax.saxutils import escape

_UTF_8 = Charset("utf-8")
_UTF_8.header_encoding = QP
_NOT_OF_XML = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_OF_TERMINALS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_PLAIN_HEADER = re.compile(r"[ !-~]*")


def mail_header(text: str) -> str:
    """Return a text as the value of a mail header in ASCII, with all white space as single spaces.

    Text beyond ASCII, or with `=?`, is encoded (RFC 2047) and may be folded into several lines.
    """
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    if _PLAIN_HEADER.fullmatch(line) and "=?" not in line:
        return line
    return Header(line, _UTF_8).encode()


def xml_text(text: str) -> str:
    """Return the text escaped for XML content and attributes, with replacements for control characters."""
    return escape(_NOT_OF_XML.sub("\ufffd", text), {'"': "&quot;", "'": "&apos;"})


def terminal_text(text: str) -> str:
    r"""Return the text with an escape such as `\x1b` for each character that controls a terminal.

    Tab and line feed stay.
    """
    return _NOT_OF_TERMINALS.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


def csv_text(text: str) -> str:
    """Return the text, with a leading `'` if a spreadsheet would evaluate it as a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
