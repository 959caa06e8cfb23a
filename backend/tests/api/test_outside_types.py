"""Every text that the API takes has a type; what no type takes is refused, in every body."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from backend.tests.schema_cases import CONTRACT
from fastapi.testclient import TestClient

from tailroom.domain.drive_counters import summary as drive_counters
from tailroom.kit.outside_types import LINE_PATTERN
from tailroom.kit.pagination import KeyCursor

Json = dict[str, Any]
OF_THE_MODULE = {"name", "line", "text", "lookup", "reported", "email", "uri"}
"""Types of `kit.outside_types` by the `format` that they have in the document."""
OF_PYDANTIC = {"uuid", "date", "date-time", "password", "binary"}
"""A secret has no limits on its characters but those of every body, and is never shown."""
HOSTILE = ("\x00", "\x1b[31m", "a\nb", "\u202e", "=?utf-8?q?a=0Ab?=", "٣", "😀")
"""Texts of which a pattern of ASCII takes none."""
EXPLAINED = {
    "Interval.histogram": "base64, read by the decoder of histograms",
    "upload_files body.answers": "JSON in a form, read as UploadAnswersIn is",
    "upload_files body.labels": "JSON in a form: names and lines, as the fields of the form are read",
    "DisclosureIn.answers.*": "checked by runs.publication.check_answers, which names the answer",
    "UploadAnswersIn.answers.*": "likewise",
}

OF_AGENTS = {
    *("ProofIn", "Announcement", "Batch", "Finish"),
    *("EnrolmentIn", "PollIn", "ObservationIn", "SamplesIn", "EndIn"),
}
"""Bodies that agents send."""


def text_fields(document: Json) -> Iterator[tuple[str, Json]]:
    """Every text in a parameter or a body, by model and field, with its schema."""
    schemas: Mapping[str, Json] = document["components"]["schemas"]

    def walk(schema: Json, place: str, seen: frozenset[str]) -> Iterator[tuple[str, Json]]:
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            if name not in seen:
                yield from walk(schemas[name], name, seen | {name})
            return
        for combined in ("anyOf", "oneOf", "allOf"):
            for one in schema.get(combined, ()):
                yield from walk(one, place, seen)
        if schema.get("type") == "string":
            yield place, schema
        if schema.get("type") == "array":
            for position in schema.get("prefixItems", ()):
                yield from walk(position, f"{place}[]", seen)
            # False: no more items than the positions.
            if further_items := schema.get("items", {}):
                yield from walk(further_items, f"{place}[]", seen)
        for name, one in schema.get("properties", {}).items():
            yield from walk(one, f"{place}.{name}", seen)
        if isinstance(further := schema.get("additionalProperties"), dict):
            yield from walk(further, f"{place}.*", seen)

    for methods in document["paths"].values():
        for operation in methods.values():
            name = operation["operationId"]
            for one in operation.get("parameters", ()):
                yield from walk(one["schema"], f"{name} {one['in']}:{one['name']}", frozenset())
            for content in operation.get("requestBody", {}).get("content", {}).values():
                yield from walk(content["schema"], f"{name} body", frozenset())


def type_of(place: str, schema: Json) -> str | None:
    """The type that a text has; none: it has none."""
    if "enum" in schema or "const" in schema:
        return "one of several"
    if schema.get("format") in OF_THE_MODULE | OF_PYDANTIC:
        return str(schema["format"])
    pattern = schema.get("pattern", "").replace(r"\Z", "$")
    is_whole = pattern.startswith("^") and pattern.endswith("$")
    if is_whole and not any(re.search(pattern.removesuffix("$") + r"\Z", one) for one in HOSTILE):
        return "pattern of ASCII"
    return "explained" if place in EXPLAINED else None


@pytest.fixture(scope="module")
def document() -> Json:
    """What `test_app.py` holds against the API."""
    found: Json = json.loads(CONTRACT.read_text())
    return found


@pytest.fixture(scope="module")
def fields(document: Json) -> dict[str, Json]:
    return dict(text_fields(document))


def test_every_text_field_of_the_document_has_a_type(fields: dict[str, Json]) -> None:
    """The list shows which; a new field takes one from `kit.outside_types`."""
    types = {place: type_of(place, schema) for place, schema in sorted(fields.items())}
    print(*(f"{kind or 'NONE':18} {place}" for place, kind in types.items()), sep="\n")
    assert [place for place, kind in types.items() if kind is None] == []
    assert len(types) > 200
    assert set(EXPLAINED) <= set(types), "explanations of fields that are gone"


def test_a_field_that_nobody_knows_is_refused_but_from_agents(document: Json) -> None:
    """A later agent may send more; who misspells a field is told."""
    bodies = {
        operation["requestBody"]["content"].get("application/json", {}).get("schema", {}).get("$ref")
        for methods in document["paths"].values()
        for operation in methods.values()
        if "requestBody" in operation
    }
    names = {reference.rpartition("/")[2] for reference in bodies if reference is not None}
    schemas = document["components"]["schemas"]
    lenient = {name for name in names if schemas[name].get("additionalProperties") is not False}
    assert lenient == OF_AGENTS


def test_the_domain_has_the_same_lines() -> None:
    assert drive_counters.LINE_PATTERN == LINE_PATTERN


def test_every_text_field_that_people_write_has_a_limit(fields: dict[str, Json]) -> None:
    endless = [
        place
        for place, schema in fields.items()
        if type_of(place, schema) in OF_THE_MODULE and "maxLength" not in schema
    ]
    # Limits of texts that may be missing stand beside the type, in the parameter itself.
    assert [one for one in endless if "query:" not in one and "path:" not in one] == []


@pytest.fixture
def engineer(make_token: Callable[..., str]) -> dict[str, str]:
    return {"Authorization": f"Bearer {make_token('engineer')}", "Content-Type": "application/json"}


@pytest.mark.parametrize(
    "value", ['"a\\u0000b"', '"\\ud800"', "NaN", "1e999", "-Infinity", '{"a\\u0000": 1}']
)
def test_no_body_holds_what_cannot_be_stored(
    client: TestClient, engineer: dict[str, str], value: str
) -> None:
    """Wherever it stands: in fields of any type, in free documents, in names that nobody asked for."""
    bodies = {
        "/api/v1/session/person": f'{{"email": "a@b.example", "password": "", "passkey": {{"id": {value}}}}}',
        "/api/v1/people/password-reset": f'{{"email": {value}}}',
        "/api/v1/people/password": f'{{"code": {value}, "password": {value}}}',
        "/api/v1/agents": f'{{"code": "x", "name": "x", "version": {{}}, "inventory": {{"x": {value}}}}}',
        "/api/v1/budgets": f'{{"document": {{"kind": "transaction", "name": {value}}}}}',
        "/api/v1/sla/match": f'{{"subject": {{"distribution": {{"layout": {value}}}}}}}',
        "/api/v1/watches": f'{{"name": {value}, "run_title": {value}, "budget_name": "act-limits"}}',
    }
    for path, body in bodies.items():
        method = "PUT" if path == "/api/v1/people/password" else "POST"
        answer = client.request(method, path, content=body, headers=engineer)
        assert answer.status_code == 422, (path, answer.text)
        assert answer.json()["code"] == "request-invalid", (path, answer.text)
        assert "\\ud800" not in answer.text
        assert ("not finite" in answer.json()["detail"]) == (value[0] not in '"{'), (path, answer.text)


def test_a_body_that_cannot_be_stored_is_told_where(client: TestClient, engineer: dict[str, str]) -> None:
    body = '{"document": {"plan": {"stages": [{"operation": "a\\u0000"}]}}}'
    answer = client.post("/api/v1/budgets", content=body, headers=engineer)
    assert answer.json()["problems"][0]["field"] == "document.plan.stages.0.operation"
    named = client.post("/api/v1/budgets", content='{"a\\u0000b": 1}', headers=engineer)
    assert named.json()["problems"][0]["field"] == "a?b"


@pytest.mark.parametrize("code", ["١٢٣٤٥٦", "１２３４５６", "²²²²²²", "12345६"])
def test_digits_of_another_script_are_a_wrong_code_and_no_failure(code: str) -> None:
    from tailroom.people.second_factors import is_app_code

    assert not is_app_code(code)
    assert is_app_code("123 456")


def test_a_cursor_that_somebody_made_up_is_refused(client: TestClient, engineer: dict[str, str]) -> None:
    import base64

    for key in ('"a\\u0000"', '"\\ud800"', "1e999", "NaN", str(10**30), "[" * 5_000):
        packed = base64.urlsafe_b64encode(f'[{key}, "{"0" * 32}"]'.encode()).decode()
        for sort in ("title", "-started", "host", "duration"):
            answer = client.get(
                "/api/v1/runs", params={"cursor": packed[:400], "sort": sort}, headers=engineer
            )
            assert answer.status_code in (400, 422), (key, sort, answer.text)
        board = client.get("/api/v1/leaderboard", params={"cursor": packed[:400]}, headers=engineer)
        assert board.status_code in (400, 422), board.text
        with pytest.raises(ValueError):  # noqa: PT011 - of several libraries
            KeyCursor.decode(packed, str)


def test_counts_that_no_number_holds_are_refused(client: TestClient, engineer: dict[str, str]) -> None:
    """Keys of a budget are digits; `int` refuses thousands of them, and takes those of other scripts."""
    for key in ("²", "٣", "9" * 5_000, "-1", "1_0", " 1"):
        stage = {"count": {"weights": {key: 1.0}}}
        plan = {"stages": [stage]}
        document = {"kind": "transaction", "name": "x", "version": 1, "window_ns": 5, "plan": plan}
        body = json.dumps({"document": document | {"objective_ratio": 0.9}})
        answer = client.post("/api/v1/budgets", content=body, headers=engineer)
        assert answer.status_code == 422, (key[:5], answer.text)
