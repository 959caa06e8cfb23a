"""Tags of answers that seldom change, so that a repeated request is answered with 304."""

import hashlib

from fastapi import Request, Response
from pydantic import BaseModel

_HEADERS = {"Cache-Control": "private, no-cache"}


def tagged(request: Request, answer: BaseModel) -> Response:
    """Return the answer with its ETag, or 304 without a body if the client has it already."""
    body = answer.model_dump_json().encode()
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {**_HEADERS, "ETag": tag}
    tags = request.headers.get("if-none-match", "")
    if tags == "*" or tag in [known_tag.strip().removeprefix("W/") for known_tag in tags.split(",")]:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)
