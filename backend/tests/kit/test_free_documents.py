"""What agents and people write freely: what is refused, where, and how old documents are read."""

from typing import Any

import pytest

from tailroom.kit.free_documents import UNREADABLE, problems_of, readable
from tailroom.kit.limits import DOCUMENT_DEPTH, DOCUMENT_VALUES, PROBLEMS_NAMED
from tailroom.kit.outside_types import text_problem


def nested(depth: int) -> Any:
    """A list in a list, so deep."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


GOOD: dict[str, Any] = {
    "title": "a run",
    "act_storage": {"path": "/dev/nvme0n1", "further_paths": ["/dev/nvme1n1"], "read_requests_per_s": 2000},
    "ladder": {"id": "x", "step": 3, "kind": "raise"},
    "nested": nested(DOCUMENT_DEPTH - 2),
    "note": "two lines\nand a\ttab",
    "number": 2**63 - 1,
}


def test_what_agents_send_is_taken() -> None:
    assert list(problems_of("plan", GOOD)) == []
    assert readable("plan", GOOD) == GOOD


@pytest.mark.parametrize(
    ("field", "value", "where", "reason"),
    [
        ("x", 10**400, "plan.x", "does not fit into 64 bits"),
        ("x", -(2**63), "plan.x", "does not fit into 64 bits"),
        ("x", float("inf"), "plan.x", "not finite"),
        ("x", nested(300), "plan.x", f"nested more than {DOCUMENT_DEPTH} levels"),
        ("x", "a\x00b", "plan.x", "control character"),
        ("x", "\u202egnp.exe", "plan.x", "turns its direction round"),
        ("x", "a" * 5_000, "plan.x", "more than 4,000 characters"),
        ("x" * 201, 1, "plan", "1 to 200 characters"),
        ("", 1, "plan", "1 to 200 characters"),
        ("x", list(range(DOCUMENT_VALUES)), "plan", "more than 5,000 values"),
        ("act_storage", {"path": ["/dev/sda"]}, "plan.act_storage.path", "Expected `str"),
        ("act_storage", {"further_paths": 7}, "plan.act_storage.further_paths", "Expected `array"),
        ("act_storage", {"read_requests_per_s": "many"}, "plan.act_storage.read_requests_per_s", "Expected"),
        ("act_storage", [1], "plan.act_storage", "Expected `object"),
        ("ladder", {"id": {"deep": 1}}, "plan.ladder.id", "Expected `str"),
    ],
)
def test_what_nothing_can_be_made_of_is_refused_with_its_place(
    field: str, value: Any, where: str, reason: str
) -> None:
    found = list(problems_of("plan", {**GOOD, field: value}))
    assert any(place.startswith(where) and reason in why for place, why in found), found


def test_a_host_with_drives_of_the_wrong_form_is_refused() -> None:
    assert (
        list(problems_of("host", {"hostname": "a", "block_devices": [{"name": "sda", "model": None}]})) == []
    )
    [(place, reason)] = problems_of("host", {"block_devices": [{"model": 7}]})
    assert place == "host.block_devices[0].model"
    assert "Expected `str" in reason


def test_no_more_problems_are_collected_than_are_named() -> None:
    assert len(list(problems_of("plan", {str(number): "\x01" for number in range(4_000)}))) == PROBLEMS_NAMED


@pytest.mark.parametrize("stored", [{"x": 10**400}, {"x": nested(300)}, {"ladder": [1]}, [1], "text", 7])
def test_a_stored_document_of_before_is_unreadable_and_says_why(stored: Any) -> None:
    shown = readable("plan", stored)
    assert list(shown) == [UNREADABLE]
    assert shown[UNREADABLE].startswith("plan")


def test_the_texts_of_a_stored_document_are_left_as_they_are() -> None:
    stored = {"parameters": {"comment": "\u202e" + "x" * 10_000}}
    assert readable("plan", stored) == stored


def test_text() -> None:
    assert text_problem("Überlast 64×, 日本") is None
    assert text_problem("a\x1b[31m") is not None
