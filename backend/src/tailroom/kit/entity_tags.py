"""Entity tags (ETag), by which a repeated request is answered with 304."""

import hashlib

from fastapi import Request, Response
from pydantic import BaseModel


def names_tag(if_none_match: str | None, etag: str) -> bool:
    """Return whether the header `If-None-Match` contains this entity tag, weak or strong, or `*`."""
    names = {name.strip().removeprefix("W/") for name in (if_none_match or "").split(",")}
    return etag in names or "*" in names


def tagged(request: Request, body: bytes, etag: str) -> Response:
    """Return a JSON body with its entity tag (`etag`, in quotes), or 304 if the request names this tag."""
    headers = {"Cache-Control": "private, no-cache", "ETag": etag}
    if names_tag(request.headers.get("if-none-match"), etag):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


def tagged_model(request: Request, model: BaseModel) -> Response:
    """Return a model as JSON with the hash of its bytes as entity tag; 304 if the request names it."""
    body = model.model_dump_json().encode()
    return tagged(request, body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')
