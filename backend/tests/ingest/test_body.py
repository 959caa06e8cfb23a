"""Bodies are read up to the limits and not further, whatever they claim to be; junk is refused,
never a crash.
"""

import gzip
import json
from typing import Any

import msgspec
import pytest
import zstandard
from backend.tests.agent import GOLDEN, Agent, interval, series
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tailroom.ingest.body import MSGPACK, Body, unpack
from tailroom.ingest.content_digest import digest_of
from tailroom.ingest.errors import BodyTooLarge, BodyUnreadable

CONTENT = b'{"series": [], "intervals": []}' * 1000
LIMIT = 1_000_000


def packed(encoding: str, content: bytes) -> bytes:
    return gzip.compress(content) if encoding == "gzip" else zstandard.compress(content)


def unpacked(encoding: str, content: bytes, limit_bytes: int = LIMIT) -> bytes:
    return unpack(Body(MSGPACK, encoding, content), limit_bytes)


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_unpacking(encoding: str) -> None:
    assert unpacked(encoding, packed(encoding, CONTENT)) == CONTENT
    assert unpacked(encoding, packed(encoding, b"")) == b""
    two = packed(encoding, CONTENT) + packed(encoding, b"tail")
    assert unpacked(encoding, two) == CONTENT + b"tail"


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_a_bomb_is_refused_at_the_limit(encoding: str) -> None:
    bomb = packed(encoding, bytes(50_000_000))
    assert len(bomb) < 100_000
    with pytest.raises(BodyTooLarge, match="unpacked"):
        unpacked(encoding, bomb)
    small = packed(encoding, bytes(LIMIT))
    assert len(unpacked(encoding, small)) == LIMIT
    with pytest.raises(BodyTooLarge):
        unpacked(encoding, small, LIMIT - 1)


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_cut_short_or_followed_by_junk(encoding: str) -> None:
    whole = packed(encoding, CONTENT)
    for cut in (whole[: len(whole) // 2], whole[:-1], whole[:3], whole + b"junk that follows"):
        with pytest.raises(BodyUnreadable, match=encoding):
            unpacked(encoding, cut)


def test_a_zstd_window_larger_than_ours_is_refused() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=27, enable_ldm=True)
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    content = compressor.compress(bytes(1000)) + compressor.flush()
    with pytest.raises(BodyUnreadable):
        unpacked("zstd", content)


@given(content=st.binary(max_size=300), encoding=st.sampled_from(["gzip", "zstd"]))
def test_any_bytes_are_unpacked_or_refused(content: bytes, encoding: str) -> None:
    try:
        body = unpacked(encoding, content)
    except BodyUnreadable:
        return
    assert unpacked(encoding, packed(encoding, body)) == body


def test_too_large_as_sent(agent: Agent) -> None:
    agent.announce()
    path = f"/api/v1/runs/{agent.run_id}/intervals"
    answer = agent.post_bytes(path, bytes(8 * 2**20 + 1), {"Content-Type": MSGPACK})
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")


def test_too_large_as_sent_without_a_length(agent: Agent) -> None:
    pieces = iter([bytes(2**20)] * 9)
    answer = agent.client.post(
        f"/api/v1/runs/{agent.run_id}/intervals",
        content=pieces,
        headers={"Authorization": f"Bearer {agent.token}", "Content-Type": MSGPACK},
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": MSGPACK, "Content-Encoding": "br"},
        {"Content-Type": MSGPACK, "Content-Encoding": "gzip, zstd"},
    ],
)
def test_other_formats(agent: Agent, headers: dict[str, str]) -> None:
    answer = agent.post_bytes(f"/api/v1/runs/{agent.run_id}/intervals", b"x", headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "format-unsupported")


def test_a_content_type_may_have_parameters(agent: Agent) -> None:
    agent.announce()
    content = json.dumps({"series": [], "intervals": []}).encode()
    path = f"/api/v1/runs/{agent.run_id}/intervals"
    answer = agent.post_bytes(path, content, {"Content-Type": "application/json; charset=utf-8"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("application/json", b""),
        ("application/json", b"{"),
        ("application/json", b'{"x": ' + b"[" * 5000),
        ("application/json", b"\xff\xfe"),
        ("application/json", b'{"series": [], "intervals": [{"a": "\\ud800"}]}'),
        (MSGPACK, b""),
        (MSGPACK, b"\x81\xa1x" + b"\x91" * 5000),
        (MSGPACK, b"\xc1"),
    ],
)
def test_unreadable_bodies(agent: Agent, kind: str, content: bytes) -> None:
    answer = agent.post_bytes(f"/api/v1/runs/{agent.run_id}/intervals", content, {"Content-Type": kind})
    assert (answer.status_code, answer.json()["code"]) == (400, "body-unreadable")


_SIMPLE = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=5)
_JUNK = st.recursive(
    _SIMPLE | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
_PATHS = ("", "/{run}/intervals", "/{run}/finish")


@settings(max_examples=75, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_value_in_any_field_is_answered_with_a_refusal_or_an_answer(
    agent: Agent, data: st.DataObject
) -> None:
    agent.announce()
    name = data.draw(st.sampled_from(["announce", "intervals", "finish"]))
    message: Any = msgspec.msgpack.decode((GOLDEN / f"{name}.msgpack").read_bytes())
    place = message
    for _ in range(data.draw(st.integers(0, 3))):
        inner = list(place.values()) if isinstance(place, dict) else place
        nested = [one for one in inner if isinstance(one, dict | list) and one]
        if not nested:
            break
        place = data.draw(st.sampled_from(nested))
    key = data.draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(_JUNK)
    path = {"announce": "", "intervals": f"/{agent.run_id}/intervals", "finish": f"/{agent.run_id}/finish"}
    answer = agent.post("/api/v1/runs" + path[name], message)
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.json()["code"]


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200), kind=st.sampled_from(["application/json", MSGPACK]))
@example(content=msgspec.msgpack.encode({"series": [series(0)], "intervals": 5}), kind=MSGPACK)
@example(content=msgspec.msgpack.encode({"series": None, "intervals": None}), kind=MSGPACK)
@example(content=msgspec.msgpack.encode([1, 2]), kind=MSGPACK)
def test_any_bytes_are_answered_with_a_refusal(agent: Agent, content: bytes, kind: str) -> None:
    for path in _PATHS:
        answer = agent.post_bytes(
            "/api/v1/runs" + path.format(run=agent.run_id), content, {"Content-Type": kind}
        )
        assert 400 <= answer.status_code < 500, answer.text


def test_damage_on_the_way_is_noticed_before_anything_is_stored(agent: Agent) -> None:
    agent.announce()
    content = json.dumps({"series": [series(0)], "intervals": [interval(0, 0)]}).encode()
    path = f"/api/v1/runs/{agent.run_id}/intervals"
    named = {"Content-Type": "application/json", "Content-Digest": f"md5=:x:, {digest_of(content)}"}
    damaged = content.replace(b'"count": 3', b'"count": 2')
    answer = agent.post_bytes(path, damaged, named)
    assert (answer.status_code, answer.json()["code"]) == (400, "body-damaged")
    authorised = named | {"Authorization": f"Bearer {agent.token}"}
    whole = agent.client.post(path, content=content, headers=authorised)
    assert whole.status_code == 200, whole.text
    assert whole.headers["content-digest"] == digest_of(whole.content)


@pytest.mark.parametrize("header", ["", "sha-512=:abc:", "sha-256=abc", "sha-256=:short:"])
def test_a_digest_that_is_not_understood_refuses_nothing(agent: Agent, header: str) -> None:
    agent.announce()
    content = json.dumps({"series": [], "intervals": []}).encode()
    headers = {"Content-Type": "application/json", "Content-Digest": header}
    assert agent.post_bytes(f"/api/v1/runs/{agent.run_id}/intervals", content, headers).status_code == 200
