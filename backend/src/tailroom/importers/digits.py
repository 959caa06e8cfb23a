"""Whole numbers from bytes, many at a time, four times as fast as one after the other.

Eight digits are one 64-bit word. Each step joins neighbours: digits to pairs, pairs to fours, to eights.
"""

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s

PAD = 32
"""Bytes before the first byte of text, so that a word may begin before a number does."""
MAX_DIGITS = 18
_WORD = 8
UInt64s = npt.NDArray[np.uint64]
_NIBBLES = 0x0F0F0F0F0F0F0F0F
_LAST = np.array(
    [_NIBBLES & ~((1 << (64 - 8 * digits)) - 1) & 0xFFFFFFFFFFFFFFFF for digits in range(_WORD + 1)],
    np.uint64,
)
"""Masks that keep the last n digits of a word, by n."""
_PAIRS, _FOURS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
_JOIN_DIGITS, _JOIN_PAIRS = np.uint64(10 * 2**8 + 1), np.uint64(100 * 2**16 + 1)
_JOIN_FOURS = np.uint64(10_000 * 2**32 + 1)
_BITS = tuple(np.uint64(number) for number in (8, 16, 32))
_ZERO_SIGN, _TEN = np.uint8(0x30), np.uint8(10)


class Digits:
    """A text as bytes and as overlapping 64-bit words. Its first byte is at position `PAD`."""

    def __init__(self, data: bytes) -> None:
        self.padded = b"0" * PAD + data
        self.text = np.frombuffer(self.padded, np.uint8)
        self.words: UInt64s = np.ndarray((self.text.size - 7,), dtype="<u8", buffer=self.padded, strides=(1,))

    def count(self) -> int:
        """Return the number of digits in the text."""
        return int(np.count_nonzero(self.text[PAD:] - _ZERO_SIGN < _TEN))

    def has(self, sign: int) -> int:
        """Return how often the byte `sign`, which must be no digit, occurs."""
        return int(np.count_nonzero(self.text == sign))

    def numbers(self, stops: Int64s, widths: Int64s) -> Int64s:
        """Return the numbers whose last digit is just before each of `stops`, of `widths` (1 to 18) digits.

        All these bytes must be digits, which is not checked.
        """
        widest, narrowest = int(widths.max(initial=1)), int(widths.min(initial=1))
        value = self._eight(stops, widths, narrowest, widest)
        for further in range(_WORD, widest, _WORD):
            more = self._eight(stops - further, widths - further, narrowest - further, widest - further)
            more *= np.uint64(10**further)
            value = value + more
        return value.view(np.int64)

    def _eight(self, stops: Int64s, widths: Int64s, narrowest: int, widest: int) -> UInt64s:
        """Return the value of the last `widths` digits before each stop, at most eight; 0 without any."""
        value = self.words[stops - _WORD]
        if narrowest >= _WORD:
            value &= _LAST[_WORD]
        else:
            value &= _LAST[max(widest, 0)] if narrowest == widest else _LAST[np.clip(widths, 0, _WORD)]
        if value.size > 1 and value[0] == value[-1] and bool((value == value[0]).all()):
            return np.full(value.size, join_digits(value[:1])[0], np.uint64)
        return join_digits(value)


def join_digits(value: UInt64s) -> UInt64s:
    """Return the number in each word of eight digits, the first in the lowest byte; overwrite `value`."""
    for factor, bits, pair_mask in (
        (_JOIN_DIGITS, _BITS[0], _PAIRS),
        (_JOIN_PAIRS, _BITS[1], _FOURS),
        (_JOIN_FOURS, _BITS[2], None),
    ):
        value *= factor
        value >>= bits
        if pair_mask is not None:
            value &= pair_mask
    return value
