"""Large answers are packed for whoever takes them, and only those of routes that say so."""

import gzip
from collections.abc import Callable
from typing import Any

import pytest
import zstandard
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tailroom.access.compression import LEAST_BYTES, EncodedResponse, accepted_coding, compressed
from tailroom.access.routing import GuardedRoute

BOARD = "/api/v1/leaderboard?equal=false&limit=1000"
JSON = ((b"content-type", b"application/json"), (b"content-length", b"8192"), (b"etag", b'"tag"'))
LARGE = EncodedResponse(200, JSON, b"[1, 2, 3]" * LEAST_BYTES)
PACKING = {
    "get_leaderboard",
    "get_edition",
    "get_drive",
    "list_runs",
    "get_run",
    "get_run_timeline",
    "get_run_heatmap",
    "get_run_course",
    "get_run_percentiles",
    "get_run_exceedance",
    "get_run_figures",
    "get_run_findings",
    "list_publications",
    "get_publication",
    "search_drives",
    "get_catalogue",
    "get_gauges",
    "get_run_observations",
    "get_campaign_observations",
    "get_watch_trend",
    "list_uploads",
    "evaluate_sla",
    "match_sla",
    "get_comparison",
    "get_siblings",
    "get_run_drive_counters",
}
"""None of these answers holds a credential: whoever adds one to the list says so."""


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "zstd"),
        ("gzip, deflate, br", "gzip"),
        ("GZIP;q=0.5", "gzip"),
        ("zstd;q=0, gzip", "gzip"),
        ("zstd; q=0.0, gzip;q=0", None),
        ("identity", None),
        ("", None),
        (None, None),
    ],
)
def test_the_coding_is_one_that_the_asker_takes(accepted: str | None, coding: str | None) -> None:
    assert accepted_coding(accepted) == coding


def test_what_is_packed_is_the_same_and_its_tag_is_weak() -> None:
    for coding, unpack in (("gzip", gzip.decompress), ("zstd", zstandard.decompress)):
        sent = compressed(LARGE, coding)  # type: ignore[arg-type]
        headers = dict(sent.headers)
        assert unpack(sent.body) == LARGE.body
        assert headers[b"content-encoding"] == coding.encode()
        assert headers[b"content-length"] == str(len(sent.body)).encode()
        assert len(sent.headers) == len(headers), "each header once"
        assert headers[b"etag"] == b'W/"tag"', "a strong tag would promise the same bytes"


@pytest.mark.parametrize(
    "sent",
    [
        EncodedResponse(200, JSON, b"[]" * 100),
        EncodedResponse(200, ((b"content-type", b"image/svg+xml"),), LARGE.body),
        EncodedResponse(200, (*JSON, (b"content-encoding", b"gzip")), LARGE.body),
        EncodedResponse(304, ((b"etag", b'"tag"'),), b""),
    ],
)
def test_what_is_small_packed_already_or_no_json_goes_as_it_is(sent: EncodedResponse) -> None:
    found = compressed(sent, "gzip")
    assert (found.status, found.body) == (sent.status, sent.body)
    assert found.headers == (*sent.headers, (b"vary", b"Accept-Encoding"))


def test_only_routes_that_hold_no_credential_pack(client: TestClient) -> None:
    app = client.app
    assert isinstance(app, FastAPI)
    routes = [one for one in app.state.routes if isinstance(one, GuardedRoute) and one.needs.compress]
    assert {one.operation_id for one in routes} == PACKING


def test_a_large_answer_is_packed_and_known_again(client: TestClient, make_token: Callable[..., str]) -> None:
    token = make_token("viewer")

    def ask(coding: str, **more: str) -> Any:
        headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": coding, **more}
        return client.get(BOARD, headers=headers)

    plain = ask("identity")
    assert plain.status_code == 200, plain.text
    assert "content-encoding" not in plain.headers
    for coding in ("gzip", "zstd"):
        first, second = ask(coding), ask(coding)
        for one in (first, second):
            assert one.headers["content-encoding"] == coding
            assert one.headers["vary"] == "Accept-Encoding"
            assert one.content == plain.content
            assert int(one.headers["content-length"]) < len(plain.content) / 4
        again = ask(coding, **{"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["vary"] == "Accept-Encoding"


def test_what_holds_credentials_or_is_a_picture_is_never_packed(
    client: TestClient, make_token: Callable[..., str]
) -> None:
    headers = {"Authorization": f"Bearer {make_token('engineer')}", "Accept-Encoding": "gzip"}
    for path in ("/api/v1/session", "/api/v1/drives/intel-p5520/badge.svg", "/api/v1/leaderboard.csv"):
        assert "content-encoding" not in client.get(path, headers=headers).headers
