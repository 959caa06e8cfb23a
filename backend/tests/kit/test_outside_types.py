"""What comes from outside: accepted, refused, cleaned; and how it is written where it leaves."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from tailroom.kit import encodings
from tailroom.kit.outside_types import (
    FILE_NAME_CHARACTERS,
    AppCode,
    EmailAddress,
    FiniteFloat,
    Lookup,
    Name,
    Text,
    WebUrl,
    canonical_address,
    clean_file_name,
    read_json,
)


def accepted(kind: Any, value: object) -> object:
    """The value as the type gives it; None where it is refused."""
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError:
        return None


@pytest.mark.parametrize(
    "hostile",
    [
        "=?utf-8?q?x=0A_Bcc:_y?=",
        "before =?UTF-8?B?eAo=?=",
        "a\x00b",
        "a\x1b[2Jb",
        "a\x9bb",
        "a\u202eb",
        "a\u200bb",
        "a\U000e0041b",
        "a\ufdd0b",
        "a\U0001ffffb",
        "\u200d\u200c",
        " \n ",
        "\u3164",
        "\ud800",
        "x" * 201,
        "",
    ],
)
def test_a_name_that_says_something_else_than_it_shows_is_refused(hostile: str) -> None:
    """Mails, pages and terminals would each show something else."""
    assert accepted(Name, hostile) is None


def test_a_name_of_any_script_is_one_line() -> None:
    """Letters of all scripts and emoji with joiners stay; line ends become blanks."""
    assert accepted(Name, " Ωmega\n דן  👩\u200d🔬 ") == "Ωmega דן 👩\u200d🔬"


def test_a_text_has_lines_and_tabs_and_no_control_characters() -> None:
    assert accepted(Text, "a\n\tb\r\n") == "a\n\tb\r\n"
    assert [accepted(Text, f"a{one}b") for one in "\x00\x1b\x85\u2028\u202e\ufeff"] == [None] * 6


def test_what_is_looked_up_has_no_control_characters() -> None:
    assert accepted(Lookup, "reads of ü") == "reads of ü"
    assert [accepted(Lookup, f"a{one}b") for one in "\x00\n\x1b"] == [None] * 3


@pytest.mark.parametrize(
    "hostile",
    [
        "a@[x",
        "a@[127.0.0.1]",
        "😀@example.org",
        "a@exämple.org",
        "=?utf-8?q?a?=@example.org",
        "a@b@c",
        "a b@c",
        '"a"@c',
        "a,b@c",
        "a@-c",
        "a@c.",
        "a@c..d",
        "a@c\n",
        "\u212a@example.org",
        "@c",
        "a@",
    ],
)
def test_an_address_that_no_mail_server_takes_is_refused(hostile: str) -> None:
    assert accepted(EmailAddress, hostile) is None


def test_an_email_address_is_in_lower_case() -> None:
    assert accepted(EmailAddress, "A.B+c=d@Mail.Example.ORG") == "a.b+c=d@mail.example.org"
    assert accepted(EmailAddress, "owner@localhost") == "owner@localhost"


@pytest.mark.parametrize(
    "hostile",
    [
        "ftp://example.org/",
        "https://",
        "https://[x/",
        "https://a b/",
        "https://a\n.example/",
        "https://exämple.org/",
        "https://a:99999/",
        "javascript:alert(1)//",
        "https://a_b c",
    ],
)
def test_a_url_that_leads_nowhere_is_refused(hostile: str) -> None:
    assert accepted(WebUrl, hostile) is None


def test_a_url_has_a_host_name_or_an_address() -> None:
    for url in ("https://hooks.example.org:8443/a?b=c", "http://[::1]:8080/", "https://192.0.2.1"):
        assert accepted(WebUrl, url) == url


def test_only_addresses_of_networks_are_host_addresses() -> None:
    assert canonical_address(" 192.0.2.7 ") == "192.0.2.7"
    assert canonical_address("::ffff:192.0.2.7") == "192.0.2.7"
    assert canonical_address("2001:DB8:0::1%eth0") == "2001:db8::1"
    for hostile in ("", "unknown", "192.0.2.7:80", "1.2.3", "x" * 10_000, "192.0.2.7, 192.0.2.8", "١.1.1.1"):
        assert canonical_address(hostile) == "", hostile


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\logs\\fio.json", "fio.json"),
        ("act\x1b[31m.txt", "act?[31m.txt"),
        ("\u202etxt.exe", "?txt.exe"),
        ("a\nb\t.log", "a b .log"),
        ("..", "unnamed"),
        ("a/..", "unnamed"),
        ("", "unnamed"),
        ("\ud800.log", "?.log"),
    ],
)
def test_a_file_name_is_cleaned_and_never_leads_elsewhere(sent: str, shown: str) -> None:
    assert clean_file_name(sent) == shown


def test_a_long_file_name_loses_its_middle() -> None:
    cleaned = clean_file_name("x" * 5_000 + ".json")
    assert len(cleaned) <= FILE_NAME_CHARACTERS
    assert cleaned.endswith(".json")


def test_digits_of_a_code_are_those_of_ascii() -> None:
    assert accepted(AppCode, "012345") == "012345"
    for hostile in ("١٢٣٤٥٦", "01234５", "12345", "123456\n"):
        assert accepted(AppCode, hostile) is None


def test_a_number_is_finite() -> None:
    assert [accepted(FiniteFloat, one) for one in (1.5, float("nan"), float("inf"), "1e999")] == [
        1.5,
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    "hostile",
    [b"NaN", b"[1e999]", b'"\\ud800"', b'{"a\\u0000": 1}', b'["\\\\\\u0000"]', b"[" * 50_000, b"\xff", b""],
)
def test_json_that_cannot_be_stored_is_refused(hostile: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of several libraries
        read_json(hostile)


def test_json_of_any_script_is_read() -> None:
    assert read_json(b'{"a": ["\\ud83d\\ude00", "\\\\u0000", 12345678901234567890123]}') == {
        "a": ["😀", "\\u0000", 12345678901234567890123]
    }


def test_a_header_of_a_mail_is_one_line_of_ascii_that_shows_what_stands_there() -> None:
    """What looks like an encoded word is encoded, and read again as it stood."""
    from email import message_from_string, policy

    for text in ("plain", "=?utf-8?q?a=0ABcc:_b@c?=", "Grüße " * 40, "a\r\nBcc: b@c", "a\u2028b\x85c"):
        written = f"Subject: {encodings.mail_header(text)}\n\nbody"
        read = message_from_string(written, policy=policy.default)
        assert read.keys() == ["Subject"]
        assert str(read["Subject"]).strip() == " ".join(text.split())
        assert written.isascii()


def test_xml_holds_no_character_that_xml_has_not() -> None:
    from xml.etree import ElementTree as ET

    text = "a\x00\x1b\"<&'\ud800\ufffe😀"
    read = ET.fromstring(f'<a b="{encodings.xml_text(text)}">{encodings.xml_text(text)}</a>')  # noqa: S314
    assert read.text == read.get("b") == "a\ufffd\ufffd\"<&'\ufffd\ufffd😀"


def test_a_terminal_is_not_steered() -> None:
    assert encodings.terminal_text("a\x1b[31m\r\u202eb\tü\n") == "a\\x1b[31m\\r\\u202eb\tü\n"
