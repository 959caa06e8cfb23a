"""The documents of `tailroom inspect` as JSON; claims of long logs are never in memory all at once."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, overload

from tailroom.domain.units import NS_PER_S
from tailroom.importers.parsed_run import Claim, ClaimsOnDemand

_CLAIMS_AT_ONCE = 1_000


class _ClaimDocuments(Sequence[Mapping[str, Any]]):
    """Claims of long logs as documents, each built on access."""

    def __init__(self, claims: ClaimsOnDemand) -> None:
        self._claims = claims

    def __len__(self) -> int:
        return len(self._claims)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return map(claim_document, self._claims)

    @overload
    def __getitem__(self, at: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> list[Mapping[str, Any]]: ...
    def __getitem__(self, at: int | slice) -> Mapping[str, Any] | list[Mapping[str, Any]]:
        claim = self._claims[at]
        return claim_document(claim) if isinstance(claim, Claim) else [claim_document(each) for each in claim]


def claim_documents(claims: Sequence[Claim]) -> Sequence[Mapping[str, Any]]:
    """Return claims as documents; those of long logs are built on access."""
    if isinstance(claims, ClaimsOnDemand):
        return _ClaimDocuments(claims)
    return [claim_document(claim) for claim in claims]


def claim_document(claim: Claim) -> dict[str, Any]:
    """Return a claim as a document with times in seconds; an infinite bound is None."""
    return {
        "operation": claim.operation,
        "quantity": claim.quantity,
        "printed": claim.printed,
        "lower": _finite(claim.lower),
        "upper": _finite(claim.upper),
        "quantile": claim.quantile,
        "line": claim.line,
        "start_s": None if claim.start_ns is None else claim.start_ns / NS_PER_S,
        "duration_s": None if claim.duration_ns is None else claim.duration_ns / NS_PER_S,
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def json_lines(documents: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line of JSON for each document, in pieces: that of a long log is larger than the log."""
    for document in documents:
        yield from _json(document)
        yield "\n"


def _json(value: object) -> Iterator[str]:
    """Yield a value as JSON in pieces, claims of long logs a thousand at a time."""
    if isinstance(value, _ClaimDocuments):
        yield "["
        claims, between = iter(value), ""
        while some := list(islice(claims, _CLAIMS_AT_ONCE)):
            yield between + _to_json(some)[1:-1]
            between = ", "
        yield "]"
    elif isinstance(value, dict) and any(isinstance(each, _ClaimDocuments | list) for each in value.values()):
        for position, (key, member) in enumerate(value.items()):
            yield f"{', ' if position else '{'}{_to_json(key)}: "
            yield from _json(member)
        yield "}"
    elif isinstance(value, list) and any(isinstance(each, dict) and "claims" in each for each in value):
        for position, member in enumerate(value):
            yield ", " if position else "["
            yield from _json(member)
        yield "]"
    else:
        yield _to_json(value)


def _to_json(value: object) -> str:
    """Return a value as JSON. Raise ValueError for infinity and NaN."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
