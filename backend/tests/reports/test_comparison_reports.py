"""The report of a comparison has the figures of the comparison, and nothing that others may not see."""

from collections.abc import Callable
from html.parser import HTMLParser
from uuid import UUID

import pytest
from backend.tests.reports.storing import HOSTILE
from fastapi.testclient import TestClient

from tailroom.reports import endpoints

Header = dict[str, str]
KIOXIA = (
    "publication:kioxia-cd8p-ycsb-2025#test1-r1/CD6-R",
    "publication:kioxia-cd8p-ycsb-2025#test1-r1/CD8P-R",
)


class Gains(HTMLParser):
    """Values of `<data>` elements by subject and quantity, in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[tuple[str, str], list[float]] = {}
        self._subject = self._quantity = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        got = dict(attrs)
        if tag == "table":
            self._subject, self._quantity = got.get("data-subject") or "", ""
        if tag == "tr":
            self._quantity = got.get("data-quantity") or ""
        if tag == "data" and self._quantity:
            self.found.setdefault((self._subject, self._quantity), []).append(float(got["value"] or "nan"))


def compared(client: TestClient, viewer: Header, *subjects: str) -> int:
    """How many gains were the same on both."""
    asked = {"subject": list(subjects)}
    api = client.get("/api/v1/comparisons", params=asked, headers=viewer).json()
    answer = client.get("/api/v1/comparisons/report.html", params=asked, headers=viewer)
    assert answer.status_code == 200, answer.text
    shown = Gains(answer.text).found
    count = 0
    for pair in api["pairs"]:
        assert pair["verdict"] in answer.text
        subject = api["subjects"][pair["new"]]["subject"]
        for gain in pair["gains"]:
            names = [f"{side}_{end}" for side in ("base", "new", "ratio") for end in ("lower", "upper")]
            assert shown[subject, gain["quantity"]] == [
                gain[name] for name in names if gain[name] is not None
            ]
            assert gain["ratio_text"] in answer.text
            count += 1
    return count


def test_runs_and_publications_have_the_figures_of_the_comparison(
    client: TestClient, viewer: Header, store: Callable[..., UUID]
) -> None:
    assert compared(client, viewer, *(f"run:{store()}" for _ in range(3))) >= 10
    assert compared(client, viewer, *KIOXIA) >= 3


def test_what_somebody_wrote_is_escaped(
    client: TestClient, viewer: Header, store: Callable[..., UUID]
) -> None:
    asked = {"subject": [f"run:{store(title=HOSTILE)}", f"run:{store()}"]}
    page = client.get("/api/v1/comparisons/report.html", params=asked, headers=viewer).text
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_a_comparison_prints(client: TestClient, viewer: Header, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "pdf_of", lambda page: f"%PDF-{'<h1>' in page}".encode())
    answer = client.get("/api/v1/comparisons/report.pdf", params={"subject": KIOXIA}, headers=viewer)
    assert (answer.headers["content-type"], answer.content) == ("application/pdf", b"%PDF-True")


def test_refusals_are_those_of_the_comparison(
    client: TestClient, viewer: Header, store: Callable[..., UUID], make_token: Callable[..., str]
) -> None:
    one = f"run:{store()}"
    for subjects, status in (([one], 422), ([one, "nonsense"], 422), ([one, "publication:none#x"], 404)):
        asked = {"subject": subjects}
        report = client.get("/api/v1/comparisons/report.html", params=asked, headers=viewer)
        comparison = client.get("/api/v1/comparisons", params=asked, headers=viewer)
        assert report.status_code == comparison.status_code == status, report.text
    other = {"Authorization": f"Bearer {make_token('viewer', 'somebody-else')}"}
    asked = {"subject": [one, f"run:{store()}"]}
    assert client.get("/api/v1/comparisons/report.html", params=asked, headers=other).status_code == 404
