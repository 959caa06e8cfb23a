"""One type for each kind of value that comes from outside, for API, uploads, agents, imports and settings.

Each pydantic type names itself as `format` in the API document; a test lists every text field with its type.
An accepted value is still escaped where it leaves: see `kit.encodings`.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from tailroom.kit.limits import DOCUMENT_TEXT_CHARACTERS

_CONTROL = r"\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F"
_DIRECTION = r"\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF"
NO_CONTROL = rf"^[^{_CONTROL}{_DIRECTION}]*\Z"
"""Text without control characters (except tab and line ends) and without marks of text direction."""
LINE_PATTERN = rf"^[^\x00-\x1F\x7F-\x9F{_DIRECTION}]*\Z"
"""The same without tab and line ends."""
_INVISIBLE = (
    r"\u115F\u1160\u180E\u200B\u2060-\u2065\u206A-\u206F\u3164\uFFA0\uFFF9-\uFFFB\U000E0000-\U000E0FFF"
)
"""Invisible characters, except the joiners, which scripts and emoji need."""
_JOINERS = "\u200c\u200d "
"""Joiners and the space: a name of these alone is invisible."""
_NONCHARACTERS = r"\uFDD0-\uFDEF" + "".join(rf"\U{n:04X}FFFE\U{n:04X}FFFF" for n in range(17))
_SURROGATES = r"\uD800-\uDFFF"
_UNSHOWABLE = re.compile(f"[{_CONTROL}{_DIRECTION}{_INVISIBLE}{_NONCHARACTERS}{_SURROGATES}]")
"""Characters that cannot be shown: control (not tab and line ends), direction, invisible, not of Unicode."""
_UNSTORABLE = re.compile(f"[\x00{_SURROGATES}]")
_CONTROL_CHARACTER = re.compile(f"[{_CONTROL}{_SURROGATES}\t\r\n]")
_ENCODED_WORD = re.compile(r"=\?[^?]*\?[bq]\?", re.IGNORECASE)
"""Encoded word of RFC 2047: mail readers would decode it and show other text."""
_ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")

NAME_CHARACTERS = 200
EMAIL_CHARACTERS = 254
FILE_NAME_CHARACTERS = 255
URL_CHARACTERS = 1_000
DIGITS = "[0-9]"
"""ASCII digits for patterns: `\\d` also matches the digits of other scripts."""


def text_problem(text: str) -> str | None:
    """Return why a text is refused: too long, or with characters that cannot be shown; None if accepted."""
    if len(text) > DOCUMENT_TEXT_CHARACTERS:
        return f"the text has more than {DOCUMENT_TEXT_CHARACTERS:,} characters"
    return _character_problem(text)


def name_problem(name: str) -> str | None:
    """Return why a text cannot be a name, which is one line; None if it can. Its length is not checked."""
    if _ENCODED_WORD.search(name):
        return "the name has an encoded word (=?…?…?…?=), which readers of mail would not show as it stands"
    if _CONTROL_CHARACTER.search(name):
        return "the name has a control character or a line end"
    return _character_problem(name)


def checked_name(name: str) -> str:
    """Return the name with all white space as single spaces, and none at its ends.

    Raise ValueError if it cannot be a name, or shows only blanks. The empty text is accepted.
    """
    line = " ".join(name.split())
    if name and not line.strip(_JOINERS):
        raise ValueError("the name shows nothing")
    return _accepted(line, name_problem(line))


def checked_line(text: str) -> str:
    """Return the text. Raise ValueError for tab, line ends and characters that cannot be shown."""
    has_control = _CONTROL_CHARACTER.search(text) is not None
    return _accepted(
        text, "the text has a control character or a line end" if has_control else _character_problem(text)
    )


def checked_text(text: str) -> str:
    """Return the text, which may have tabs and line ends. Raise ValueError if a character cannot be shown."""
    return _accepted(text, _character_problem(text))


def checked_lookup(text: str) -> str:
    """Return a search text. Raise ValueError for control characters, tab and line ends."""
    has_control = _CONTROL_CHARACTER.search(text) is not None
    return _accepted(text, "the text has a control character or a line end" if has_control else None)


def checked_email(address: str) -> str:
    """Return an e-mail address in lower case. Raise ValueError if it is not name@host in ASCII."""
    is_address = _EMAIL.fullmatch(address) is not None and "=?" not in address
    return _accepted(
        address.lower(), None if is_address else "it is no e-mail address in letters of ASCII, name@host"
    )


def checked_url(url: str) -> str:
    """Return a web address unchanged. Raise ValueError unless it is http or https, with a host, in ASCII."""
    return _accepted(url, _url_problem(url))


def canonical_address(text: str) -> str:
    """Return an IP address in canonical form, no zone, IPv4 if mapped to IPv6; empty if it is none."""
    try:
        address = ip_address(text.strip().partition("%")[0])
    except ValueError:
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(address)


def is_digits(text: str, most: int = 18) -> bool:
    """Return whether a text consists of 1 to `most` ASCII digits. A number of 18 digits fits into 64 bits."""
    return text.isascii() and text.isdigit() and len(text) <= most


def parse_networks(texts: Sequence[str]) -> list[IPv4Network | IPv6Network]:
    """Return the networks, such as 10.1.0.0/16. Raise ValueError if a text is no network."""
    return [ip_network(text) for text in texts]


def clean_file_name(name: str) -> str:
    """Return the last part of a path as a name that can be shown, stored and downloaded.

    Characters that cannot be shown become question marks; a name of more than 255 characters loses its
    middle. `unnamed` if nothing but dots and spaces is left.
    """
    base_name = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    cleaned = re.sub(r"\s+", " ", clean_text(base_name)).strip()
    if not cleaned.strip(". "):
        return "unnamed"
    if len(cleaned) <= FILE_NAME_CHARACTERS:
        return cleaned
    half = FILE_NAME_CHARACTERS // 2
    return f"{cleaned[:half]}…{cleaned[-half:]}"


def clean_text(text: str) -> str:
    """Return the text with a question mark for each character that cannot be shown."""
    return _UNSHOWABLE.sub("?", text)


def clean_line(text: str) -> str:
    """Return the text on one line, with a question mark for each character that cannot be shown."""
    return re.sub(r"[\t\r\n]+", " ", clean_text(text))


class Unstorable(ValueError):
    """The document has a value that no database stores. `path`: its place, such as `hosts.0.name`."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.path, self.reason = path, reason


def read_json(content: bytes | str) -> Any:
    """Return a parsed JSON document.

    Raise ValueError if it is invalid or nested too deeply; Unstorable for NaN, infinite numbers, halves of
    surrogate pairs and NUL characters.
    """
    try:
        data = content.encode() if isinstance(content, str) else content
        if _ESCAPED_NUL.search(data) is None:
            return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        pass  # the standard library reads more, so that the place can be named
    try:
        document = json.loads(content)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    for path, value in _leaves(document):
        if isinstance(value, str) and _UNSTORABLE.search(value):
            raise Unstorable(path, "the text has a NUL character, or half of a surrogate pair")
        if isinstance(value, float) and not math.isfinite(value):
            raise Unstorable(path, "the number is not finite")
    raise ValueError("it is no JSON in UTF-8")


def _leaves(document: Any) -> Iterator[tuple[str, Any]]:
    """Yield place (such as `hosts.0.name`) and value of every key and every single value of a document."""
    waiting: list[tuple[str, Any]] = [("", document)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            for key, inner in value.items():
                place = f"{path}.{clean_text(key)[:100]}".lstrip(".")
                yield place, key
                waiting.append((place, inner))
        elif isinstance(value, list):
            waiting.extend((f"{path}.{number}".lstrip("."), inner) for number, inner in enumerate(value))
        else:
            yield path, value


@dataclass(frozen=True, slots=True)
class OutsideText:
    """Annotation that checks a pydantic text.

    `kind`: its `format` in the API document; `check`: returns the accepted text or raises ValueError;
    `pattern`: regular expression for the API document alone.
    """

    kind: str
    check: Callable[[str], str]
    pattern: str | None = None

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the core schema that runs `check` after pydantic's own rules."""
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the JSON schema with `kind` as format, and with `pattern` unless the field has its own."""
        json_schema = handler(schema)
        json_schema["format"] = self.kind
        if self.pattern is not None:
            json_schema.setdefault("pattern", self.pattern)
        return json_schema


class RequestBody(BaseModel):
    """Base of request bodies: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_LOCAL_PART = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}"
_EMAIL_PATTERN = rf"^{_LOCAL_PART}@{_LABEL}(?:\.{_LABEL})*$"
_EMAIL = re.compile(_EMAIL_PATTERN)
_HOST_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\.?")
_PRINTABLE = r"^[^\x00-\x1F\x7F]*$"

NAME = OutsideText("name", checked_name, _PRINTABLE)
"""Rules for a name that people give."""
LINE = OutsideText("line", checked_line, LINE_PATTERN.replace(r"\Z", "$"))
"""Rules for a name that programs use, and which stays unchanged because other places use it too."""
TEXT = OutsideText("text", checked_text, NO_CONTROL.replace(r"\Z", "$"))
REPORTED = OutsideText("reported", clean_text)
"""A program's description of itself, such as an error of its operating system: cleaned, never refused."""
LOOKUP = OutsideText("lookup", checked_lookup, _PRINTABLE)
"""All of these markers suit fields with limits of their own: `Annotated[str, Field(max_length=9), NAME]`."""

Name = Annotated[str, Field(min_length=1, max_length=NAME_CHARACTERS), NAME]
Line = Annotated[str, Field(min_length=1, max_length=NAME_CHARACTERS), LINE]
Text = Annotated[str, Field(max_length=DOCUMENT_TEXT_CHARACTERS), TEXT]
LookupText = Annotated[str, LOOKUP]
Lookup = Annotated[str, Field(min_length=1, max_length=NAME_CHARACTERS), LOOKUP]
Cursor = Annotated[str, Field(max_length=400, description="`next_cursor` of the page before"), LOOKUP]
EmailAddress = Annotated[
    str,
    Field(min_length=3, max_length=EMAIL_CHARACTERS),
    OutsideText("email", checked_email, _EMAIL_PATTERN),
]
"""E-mail address in lower case, in a form that mail servers accept."""
WebUrl = Annotated[
    str, Field(min_length=8, max_length=URL_CHARACTERS), OutsideText("uri", checked_url, "^https?://[!-~]+$")
]
FiniteFloat = Annotated[float, Field(allow_inf_nan=False)]
AppCode = Annotated[str, Field(pattern=rf"^{DIGITS}{{6}}$")]


def _accepted(value: str, problem: str | None) -> str:
    if problem is not None:
        raise ValueError(problem)
    return value


def _character_problem(text: str) -> str | None:
    if _UNSHOWABLE.search(text):
        return "the text has a control character, or one that is invisible or turns its direction round"
    return None


def _url_problem(url: str) -> str | None:
    if re.fullmatch("[!-~]+", url) is None:
        return "it has a blank or a character beyond ASCII; write host names as xn--…"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        return f"it is no address ({error})"
    if parts.scheme not in {"http", "https"} or not (_HOST_NAME.fullmatch(host) or canonical_address(host)):
        return "it begins neither with https:// nor with http://, or names no host"
    return None
