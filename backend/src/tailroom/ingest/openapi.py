"""OpenAPI schemas of the agent's messages, from the types that decode them."""

from typing import Any

import msgspec

from tailroom.ingest import wire
from tailroom.ingest.body import JSON, MSGPACK

_REF = "#/components/schemas/{name}"
_MESSAGES = (
    wire.Announcement,
    wire.Batch,
    wire.Finish,
    wire.AnnouncementAnswer,
    wire.BatchAnswer,
    wire.FinishAnswer,
    wire.Tick,
)


def components() -> dict[str, Any]:
    """Return the JSON schema of every message, by name."""
    _, schemas = msgspec.json.schema_components(_MESSAGES, ref_template=_REF)
    return dict(schemas)


def request_body(name: str) -> dict[str, Any]:
    """Return the OpenAPI request body of the message of this name, in JSON or MessagePack."""
    schema = {"$ref": _REF.format(name=name)}
    return {
        "requestBody": {
            "required": True,
            "content": {JSON: {"schema": schema}, MSGPACK: {"schema": schema}},
        }
    }


def answers(name: str, *statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI responses for these statuses (200, 201), whose content is the message `name`."""
    schema = {"$ref": _REF.format(name=name)}
    words = {200: "taken before; the same message again is harmless", 201: "taken"}
    return {
        status: {"description": words[status], "content": {JSON: {"schema": schema}}} for status in statuses
    }
