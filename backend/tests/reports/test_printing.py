"""PDFs: the same bytes from the same page, nothing loaded, a limited time, and what to do without Pango."""

import subprocess
import sys
from pathlib import Path

import pytest
from backend.tooling import debian_tools

from tailroom.reports.printing import PangoMissing, Unprintable, pdf_of

PAGE = "<!doctype html><title>A page</title><h1>{}</h1><p>Figures</p>"
needs_pango = pytest.mark.skipif(
    not all(map(debian_tools.is_there, debian_tools.LIBRARIES)),
    reason="Pango, HarfBuzz or the font is missing",
)


@needs_pango
def test_the_same_page_gives_the_same_bytes() -> None:
    first = pdf_of(PAGE.format("one"))
    assert first.startswith(b"%PDF-")
    assert pdf_of(PAGE.format("one")) == first


def test_no_line_ends_between_a_number_and_its_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    def printed(_: list[str], **options: bytes) -> subprocess.CompletedProcess[bytes]:
        assert (
            options["input"].decode()
            == "<p>5\u00a0% in 250\u00a0µs, 24\u00a0h, 2.5\u00a0×, 3 hours, 250 reads</p>"
        )
        return subprocess.CompletedProcess([], 0, b"%PDF-", b"")

    monkeypatch.setattr(subprocess, "run", printed)
    pdf_of("<p>5 % in 250 µs, 24 h, 2.5 ×, 3 hours, 250 reads</p>")


@needs_pango
def test_nothing_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "secret.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><text>secret</text></svg>')
    page = f'{PAGE.format("x")}<img src="file://{tmp_path}/secret.svg" alt="not loaded">'
    without = PAGE.format("x") + '<img alt="not loaded">'
    assert abs(len(pdf_of(page)) - len(pdf_of(without))) < 200


def test_a_page_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(Unprintable, match="take the report as HTML"):
        pdf_of(PAGE.format("one"), limit_s=0.001)


def test_without_pango_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        assert command[0] == sys.executable
        return subprocess.CompletedProcess(command, 3, b"", b"cannot load library 'libpango-1.0.so.0'")

    monkeypatch.setattr(subprocess, "run", without)
    with pytest.raises(PangoMissing, match="apt install libpango"):
        pdf_of(PAGE.format("one"))


def test_a_renderer_that_falls_over_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fallen(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.CompletedProcess(command, -11, b"", b"")

    monkeypatch.setattr(subprocess, "run", fallen)
    with pytest.raises(Unprintable, match="no PDF came of the page"):
        pdf_of(PAGE.format("one"))
