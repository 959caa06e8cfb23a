"""P13: bandwidths computed from rate and size, and units without a time.

`bytes/s = operations/s × bytes`; a link carries at most its bits per second. A claimed bandwidth above that
of the operations needs an amplification, which has to be stated. Undefined without an object size. `what`
names the subject in a sentence, `keys` are the claims that it cites. Source: docs/method.md 7; findings R03,
R04, A06.
"""

from collections.abc import Sequence

from tailroom.domain.plausibility.finding import Finding, consistent, figure
from tailroom.domain.plausibility.number_bounds import NumberBounds

BITS = 8.0
FAR_BELOW = 0.5
"""Largest ratio of the claimed to the computed bandwidth that is reported as far below."""


def moved(operations: NumberBounds, size: NumberBounds) -> NumberBounds:
    """Return the payload in bytes per second, from operations per second and the bytes of each."""
    return operations.times(size)


def over_link(
    what: str, payload: NumberBounds, link_bits_per_s: NumberBounds, keys: Sequence[str] = ()
) -> Finding:
    """Return the finding on whether the payload (bytes/s) fits the capacity of a link (bits/s); it does
    unless it is certainly larger.
    """
    bits = payload.times(BITS)
    figures = (figure("payload", bits, "bits/s"), figure("link", link_bits_per_s, "bits/s"))
    if bits.surely_above(link_bits_per_s):
        return Finding(
            "P13",
            "high",
            "bandwidth above link",
            f"{what}: the operations move {(bits.value or 0) / 1e9:,.2f} Gbit/s, more than the link of "
            f"{(link_bits_per_s.value or 0) / 1e9:,.2f} Gbit/s carries.",
            figures,
            tuple(keys),
        )
    return consistent("P13", f"{what}: the payload fits the link.", figures, keys)


def stated_bandwidth(
    what: str, payload: NumberBounds, stated: NumberBounds, keys: Sequence[str] = (), slack: float = 0.05
) -> Finding:
    """Return the finding on whether a stated bandwidth is rate times size (`payload`), both in bytes/s; it is
    unless they certainly differ. `slack`, relative to the stated bandwidth, is left for headers and rounding.
    """
    figures = (figure("rate times size", payload, "bytes/s"), figure("stated", stated, "bytes/s"))
    if payload.surely_differs(stated, slack=slack):
        return Finding(
            "P13",
            "medium",
            "bandwidth",
            f"{what}: rate times size gives {(payload.value or 0) / 1e6:,.2f} MB/s, "
            f"{(stated.value or 0) / 1e6:,.2f} MB/s are stated.",
            figures,
            tuple(keys),
        )
    return consistent("P13", f"{what}: rate times size gives the stated bandwidth.", figures, keys)


def needs_amplification(
    what: str, payload: NumberBounds, from_device: float, claimed: NumberBounds, keys: Sequence[str]
) -> Finding | None:
    """Return the finding on a claimed device bandwidth that exceeds what the operations of the same claim
    move. `payload` and `claimed`: bytes per second. `from_device`: share of the payload that comes from the
    device. None unless the claimed bandwidth is certainly larger.
    """
    read = payload.times(from_device)
    if not read.surely_below(claimed):
        return None
    needed = claimed.over(read)
    return Finding(
        "P13",
        "high",
        "claims of different tests combined",
        f"{what}: operations of this size move {(payload.value or 0) / 1e6:,.0f} MB/s, of which "
        f"{(read.value or 0) / 1e6:,.0f} MB/s come from the device; the bandwidth claimed with them needs "
        f"{needed.value:,.1f} times as much.",
        (
            figure("payload", payload, "bytes/s"),
            figure("from the device", read, "bytes/s"),
            figure("claimed", claimed, "bytes/s"),
            figure("amplification needed", needed, "x"),
        ),
        tuple(keys),
    )


def units(
    without_time: Sequence[str], implied: Sequence[tuple[str, NumberBounds, NumberBounds, str]]
) -> list[Finding]:
    """Return the finding on bandwidths without a unit of time or certainly below half of the implied
    bandwidth; empty if there are none. `without_time`: keys of claims without a unit of time; `implied`:
    `(what, implied bits/s, claimed bits/s, key)`.
    """
    low = [
        item
        for item in implied
        if item[2].value is not None and item[1].surely_above(item[2].value / FAR_BELOW)
    ]
    if not without_time and not low:
        return []
    sentences = [f"{len(without_time)} bandwidths are printed without a unit of time"] if without_time else []
    sentences += [
        f"{what}: {(bits.value or 0) / 1e9:,.2f} Gbit/s of payload, of which only more than "
        f"{(claimed.value or 0) / 1e9:,.0f} Gbit/s is claimed"
        for what, bits, claimed, _ in low
    ]
    return [
        Finding(
            "P13",
            "medium",
            "units",
            "; ".join(sentences) + ".",
            tuple(figure(f"payload, {what}", bits, "bits/s") for what, bits, _, _ in implied),
            (*without_time, *(key for *_, key in low)),
        )
    ]
