"""Limits of reading a result file, which tests and deployments may lower."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Most bytes, members, layers and time that are spent on one uploaded file."""

    unpacked_bytes: int = 8 << 30
    """Most bytes after unpacking. Streams of 2 GB are ordinary for raw logs."""
    ratio: int = 400
    """Largest unpacked size divided by stored size; the most repetitive logs reach about 100."""
    ratio_free_bytes: int = 64 << 20
    """Below this the ratio does not matter: an honest log of zeros may be small."""
    line_bytes: int = 1 << 20
    """Longer lines are cut here."""
    whole_bytes: int = 256 << 20
    """Most bytes of a file that must be held whole (one JSON document)."""
    members: int = 100
    """Most files of one archive."""
    layers: int = 3
    """Most compressions or archives nested in each other."""
    until_s: float = math.inf
    """Reading stops at this time of the monotonic clock; the caller that waits for an answer sets it."""


DEFAULT_LIMITS = Limits()
