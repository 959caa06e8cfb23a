"""One histogram as text, in whatever version of the format, with the unit left open."""

import base64
from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.hdr_v1 import decode_any
from tailroom.domain.latency.histogram import HistogramUnreadable


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """Filled buckets of a histogram; `step` is the width of the finest bucket in the histogram's own unit."""

    step: int
    digits: int
    indices: Int64s
    counts: Int64s

    def top(self) -> int:
        """The largest value that its highest filled bucket can hold, in the histogram's own unit."""
        _, upper = HdrLayout(1, self.digits).edges_units(self.indices[-1:])
        return int(upper[0]) * self.step - 1


def decoded(payload: str) -> Raw:
    """Buckets of a payload in base 64; `HistogramUnreadable` for anything else."""
    try:
        data = base64.b64decode(payload, validate=True)
    except ValueError as error:
        raise HistogramUnreadable(f"the histogram is no base 64: {error}") from None
    header, counts = decode_any(data)
    filled = counts.counts > 0
    order = np.argsort(counts.indices[filled], kind="stable")
    return Raw(
        header.step, header.significant_digits, counts.indices[filled][order], counts.counts[filled][order]
    )
