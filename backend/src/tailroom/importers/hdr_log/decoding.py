"""Decoding of histograms in base64, in any version of the format, with an unknown unit."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.hdr_v1 import decode_any, plain_v2
from tailroom.domain.latency.hdr_values import HistogramUnreadable
from tailroom.domain.latency.histogram import decode_many


@dataclass(frozen=True, slots=True, eq=False)
class RawHistogram:
    """Filled buckets of a histogram; `step` is the width of the finest bucket in the histogram's own unit.

    `digits` is the number of significant decimal digits, `lowest` the lowest discernible value of the header.
    """

    step: int
    digits: int
    lowest: int
    indices: Int64s
    counts: Int64s

    def top(self) -> int:
        """Return the largest value of the highest filled bucket, in the unit; one must be filled."""
        _, upper = HdrLayout(1, self.digits).edges_units(self.indices[-1:])
        return int(upper[0]) * self.step - 1


def decoded(payload: str | bytes) -> RawHistogram:
    """Return the filled buckets of a payload in base64, ascending.

    Raise HistogramUnreadable if it is no base64, or no histogram in a known version of the format.
    """
    try:
        data = base64.b64decode(payload, validate=True)
    except ValueError as error:
        raise HistogramUnreadable(f"the histogram is no base 64: {error}") from None
    header, counts = decode_any(data)
    filled = counts.counts > 0
    order = np.argsort(counts.indices[filled], kind="stable")
    return RawHistogram(
        header.step,
        header.significant_digits,
        header.lowest,
        counts.indices[filled][order],
        counts.counts[filled][order],
    )


def decoded_together(
    payloads: Sequence[bytes], example: RawHistogram
) -> tuple[list[int], Int64s, Int64s] | None:
    """Return where the buckets of each payload end, then bucket indices and counts, payload after payload.

    None if a payload is damaged, of another version than 2, or has another header than `example`: then each
    must be decoded alone.
    """
    try:
        plain = [plain_v2(base64.b64decode(payload, validate=True)) for payload in payloads]
        decoded_bytes = [data for data in plain if data is not None]
        if len(decoded_bytes) < len(plain):
            return None
        batch = decode_many(decoded_bytes, HdrLayout(example.step, example.digits), lowest=example.lowest)
    except (ValueError, DomainError):
        return None
    ends = np.cumsum(batch.each).tolist()
    return ends, batch.indices, batch.counts
