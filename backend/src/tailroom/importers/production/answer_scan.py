"""The series of an answer of Prometheus' query API, one after the other, read from its bytes.

An answer of a month holds many million numbers in a few series. Objects are therefore not made of them: the
bytes of one series are held at a time, and its values are turned into columns at once.
"""

import json
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.digits import MAX_DIGITS, PAD, Digits
from tailroom.importers.source import Source

_METRIC = re.compile(rb'"metric"\s*+:\s*+\{')
_VALUES = re.compile(rb'\s*+,\s*+"(values|value|histograms|histogram)"\s*+:\s*+\[')
_END = re.compile(rb"\]\s*+\]")
_PAIRS = re.compile(rb'[\d.eE+"\-,\s\[\]]*+')
_PLAIN = bytes.maketrans(b'[]"', b"   ")
_DIGITS, _ZERO, _NINE = b"0123456789", np.uint8(0x30), np.uint8(9)
_PAIR_SIGNS = b'[,""],'
"""What remains of a pair `[1790000000,"17"],` without its digits."""
_DECODER = json.JSONDecoder()
_LONGEST_LABELS = 1 << 16
_LONGEST_HISTOGRAMS = 64 << 20
_LATEST_S = 4e9


@dataclass(frozen=True, slots=True, eq=False)
class AnsweredSeries:
    """One series: its labels, and either counter values or native histograms by time."""

    labels: Mapping[str, str]
    at_ns: Int64s = field(default_factory=lambda: np.empty(0, np.int64))
    """Times of `values`, in nanoseconds since 1970."""
    values: Floats = field(default_factory=lambda: np.empty(0, np.float64))
    histograms: tuple[tuple[int, Mapping[str, Any]], ...] = ()
    """Time in nanoseconds since 1970, and the histogram as the API writes it."""
    problem: str | None = None
    """Why the series could not be read; None if it was."""


@dataclass(slots=True)
class _Window:
    """The bytes of a file that are read and not parsed yet, and the chunks that follow them."""

    chunks: Iterator[bytes]
    data: bytes = b""

    def grow(self) -> bool:
        """Append the next chunk; return False at the end of the file."""
        chunk = next(self.chunks, None)
        if chunk is None:
            return False
        self.data += chunk
        return True

    def find(self, pattern: re.Pattern[bytes], at: int, longest: int) -> re.Match[bytes] | None:
        """Return the first match from `at` on; None at the end, or after `longest` bytes without a match."""
        begun = at
        while True:
            match = pattern.search(self.data, at)
            if match is not None or len(self.data) - begun > longest:
                return match
            # The pattern may begin at the end of what is there.
            at = max(begun, len(self.data) - 64)
            if not self.grow():
                return None

    def drop(self, at: int) -> None:
        """Discard the bytes before position `at`."""
        self.data = self.data[at:]


def series_of(source: Source) -> Iterator[AnsweredSeries]:
    """Yield every series of an answer, or of several answers in a file; a damaged series has a `problem`."""
    window = _Window(source.chunks())
    longest = source.limits.whole_bytes
    while True:
        match = _METRIC.search(window.data)
        if match is None:
            window.drop(max(0, len(window.data) - 64))
            if not window.grow():
                return
            continue
        window.drop(match.end() - 1)
        labels, end = _labels(window)
        if labels is None:
            window.drop(1)
            continue
        series = _series(window, labels, end, longest)
        if series is not None:
            yield series


def _labels(window: _Window) -> tuple[Mapping[str, str] | None, int]:
    """Return the labels at the window's beginning and their number of bytes; None and 0 if invalid."""
    while True:
        text = window.data[:_LONGEST_LABELS].decode("utf-8", "replace")
        try:
            value, end = _DECODER.raw_decode(text)
        except (ValueError, RecursionError):
            if len(window.data) >= _LONGEST_LABELS or not window.grow():
                return None, 0
            continue
        if not isinstance(value, dict) or not all(isinstance(label, str) for label in value.values()):
            return None, 0
        return value, len(text[:end].encode())


def _series(window: _Window, labels: Mapping[str, str], end: int, longest: int) -> AnsweredSeries | None:
    """Return the series of these labels, with values from byte `end` on; drop its bytes from the window."""
    while len(window.data) < end + 128 and window.grow():
        pass
    begin = _VALUES.match(window.data, end)
    if begin is None:
        window.drop(end)
        return AnsweredSeries(labels, problem="no values stand behind its labels")
    kind, at = begin[1], begin.end() - 1
    if kind in (b"histogram", b"histograms"):
        return _native_series(window, labels, at, is_many=kind == b"histograms")
    if kind == b"value":
        stop = window.find(re.compile(rb"\]"), at, 4_096)
    else:
        empty = re.compile(rb"\[\s*+\]").match(window.data, at)
        stop = empty if empty is not None else window.find(_END, at, longest)
    if stop is None:
        window.drop(min(at, len(window.data)))
        return AnsweredSeries(labels, problem="its values have no end: the answer is cut")
    text = window.data[at : stop.end()]
    window.drop(stop.end())
    return _series_of_pairs(labels, text)


def _series_of_pairs(labels: Mapping[str, str], text: bytes) -> AnsweredSeries:
    """Return the series of `[[seconds, "value"], …]` or of one pair. Other values give it a problem."""
    pairs = _integer_pairs(text)
    if pairs is None:
        return _series_of_decimals(labels, text)
    at_s, values = pairs
    return _timed_series(labels, at_s.astype(np.float64), values.astype(np.float64))


def _series_of_decimals(labels: Mapping[str, str], text: bytes) -> AnsweredSeries:
    """Return the series of pairs with any number. NaN, infinity and other texts give it a problem."""
    strange = AnsweredSeries(labels, problem="its values are no pairs of a time and a number")
    if _PAIRS.fullmatch(text) is None:
        if re.search(rb'"(?:NaN|[+-]?Inf)"', text) is not None:
            return AnsweredSeries(labels, problem="some of its values are no numbers (NaN, Inf)")
        return strange
    strings = text.count(b'"')
    plain = text.translate(_PLAIN).strip()
    if not plain:
        return AnsweredSeries(labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            numbers = np.fromstring(plain, dtype=np.float64, sep=",")
        except (ValueError, DeprecationWarning):
            return strange
    if numbers.size % 2 or strings != numbers.size or plain.count(b",") != numbers.size - 1:
        return strange
    return _timed_series(labels, numbers[::2], numbers[1::2])


def _integer_pairs(text: bytes) -> tuple[Int64s, Int64s] | None:
    """Return times (s) and values of pairs of whole numbers; None for other text and over 18 digits."""
    signs = text.translate(None, _DIGITS)
    pairs = len(signs) // len(_PAIR_SIGNS)
    if signs != b"[" + _PAIR_SIGNS * (pairs - 1) + _PAIR_SIGNS[:-1] + b"]":
        return None
    digits = Digits(text)
    places = np.flatnonzero(digits.text - _ZERO > _NINE)[1:].reshape(pairs, len(_PAIR_SIGNS))
    begin, comma, open_quote, close_quote = places[:, :4].T
    widths = comma - begin - 1, close_quote - open_quote - 1
    apart = (open_quote - comma == 1) & (places[:, 4] - close_quote == 1) & (places[:, 5] - places[:, 4] == 1)
    if begin[0] != PAD + 1 or not apart.all() or min(int(width.min()) for width in widths) < 1:
        return None
    if max(int(width.max()) for width in widths) > MAX_DIGITS or (begin[1:] - places[:-1, 5] != 1).any():
        return None
    return digits.numbers(comma, widths[0]), digits.numbers(close_quote, widths[1])


def _timed_series(labels: Mapping[str, str], at_s: Floats, values: Floats) -> AnsweredSeries:
    """Return the series with times in s rounded to ms; for an impossible time, a problem and no values."""
    if not (np.isfinite(at_s).all() and (at_s > 0).all() and (at_s < _LATEST_S).all()):
        return AnsweredSeries(labels, problem="its times are none since 1970")
    at_ns = np.round(at_s * 1e3).astype(np.int64) * NS_PER_MS
    return AnsweredSeries(labels, at_ns, values)


def _native_series(window: _Window, labels: Mapping[str, str], at: int, *, is_many: bool) -> AnsweredSeries:
    """Return the native histograms at `at`: with `is_many` a list of pairs, else a pair. Drop their bytes."""
    window.drop(at)
    depth, stop = 0, None
    token = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}]')
    place = 0
    while stop is None:
        for match in token.finditer(window.data, place):
            place = match.end()
            if match[0] in (b"[", b"{"):
                depth += 1
            elif match[0] in (b"]", b"}"):
                depth -= 1
                if depth <= 0:
                    stop = place
                    break
        if stop is None and (len(window.data) > _LONGEST_HISTOGRAMS or not window.grow()):
            return AnsweredSeries(labels, problem="its histograms have no end: the answer is cut")
    text = window.data[:stop]
    window.drop(stop)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return AnsweredSeries(labels, problem="its histograms are no JSON")
    pairs = value if is_many else [value]
    histograms: list[tuple[int, Mapping[str, Any]]] = []
    for pair in pairs:
        is_pair = isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], dict)
        if not is_pair or isinstance(pair[0], bool) or not isinstance(pair[0], int | float):
            return AnsweredSeries(labels, problem="its histograms are no pairs of a time and a histogram")
        if not 0 < pair[0] < _LATEST_S:
            return AnsweredSeries(labels, problem="its times are none since 1970")
        histograms.append((round(pair[0] * 1e3) * NS_PER_MS, pair[1]))
    return AnsweredSeries(labels, histograms=tuple(histograms))
