"""Choice of a file's histograms by metric and labels, as in PromQL, and names that mean counts, not times."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tailroom.domain.errors import DomainError

_MATCHER = re.compile(r'\s*([^\s=!~",{}]{1,200})\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)')
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ENDS = re.compile(
    r"_(?:bucket|seconds|milliseconds|microseconds|nanoseconds|s|ms|us|ns|millis|micros|nanos|msec|usec)$"
)
MOST_CHARACTERS = 4_000
"""Most characters of the conditions on labels."""
_COUNTED = re.compile(
    r"(?:.*[._:/\s])?(?:tries(?:[-_]histogram)?|rows|pages|tokens|skipped[-_]tokens(?:[-_]\w+)?|"
    r"(?:[\w-]+[-_])?(?:sizes?|counts?))",
    re.IGNORECASE,
)


class MetricChoiceInvalid(DomainError):
    """The conditions on labels cannot be read; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Matcher:
    """A condition: a label (missing: empty) equals `value`, or differs from it if `is_equal` is False."""

    label: str
    value: str
    is_equal: bool = True

    def fits(self, labels: Mapping[str, str]) -> bool:
        """Return whether these labels meet the condition; a missing label has the value `""`."""
        return (labels.get(self.label, "") == self.value) == self.is_equal


@dataclass(frozen=True, slots=True)
class MetricChoice:
    """The requested metric (None: any), and conditions on its labels."""

    name: str | None = None
    matchers: tuple[Matcher, ...] = ()

    @staticmethod
    def of(name: str | None, match: str | None) -> "MetricChoice | None":
        """Return the choice of a name and of conditions such as `{route="/pay"}`; None without either.

        Raise MetricChoiceInvalid if the conditions cannot be read.
        """
        if not name and not match:
            return None
        return MetricChoice(name or None, _matchers(match or ""))

    def text(self) -> str:
        """Return the choice as people write it: `name{route="/pay"}`."""
        conditions = ",".join(
            f'{each.label}{"=" if each.is_equal else "!="}"{each.value}"' for each in self.matchers
        )
        return f"{self.name or ''}{{{conditions}}}" if conditions else self.name or ""

    def names(self, metric: str) -> bool:
        """Return whether a metric has the requested name, with or without its unit at the end."""
        return self.name is None or plain_name(metric) == plain_name(self.name)

    def fits(self, labels: Mapping[str, str]) -> bool:
        """Return whether labels meet every condition."""
        return all(each.fits(labels) for each in self.matchers)


def plain_name(metric: str) -> str:
    """Return a name for comparison, without its unit: `http.latency_seconds_bucket` is `http_latency`."""
    plain = re.sub(r"[^A-Za-z0-9_:]", "_", metric)
    return _ENDS.sub("", _ENDS.sub("", plain))


def unescaped(value: str) -> str:
    r"""Return the value of a label without its escapes: `\n` is a line feed, `\x` is `x`."""
    if "\\" not in value:
        return value
    return _ESCAPED.sub(lambda match: "\n" if match[1] == "n" else match[1], value)


def _matchers(text: str) -> tuple[Matcher, ...]:
    """Return the conditions of a text. Raise MetricChoiceInvalid for patterns, other and too long texts."""
    rest = text.strip().removeprefix("{").removesuffix("}").strip()
    if len(rest) > MOST_CHARACTERS:
        raise MetricChoiceInvalid(f"labels have at most {MOST_CHARACTERS} characters")
    matchers: list[Matcher] = []
    at = 0
    while at < len(rest):
        match = _MATCHER.match(rest, at)
        if match is None:
            raise MetricChoiceInvalid(
                f'{rest[at : at + 60]!r} names no label: write route="/pay",method!="GET"'
            )
        if match[2] in ("=~", "!~"):
            raise MetricChoiceInvalid(
                f"{match[0].strip(' ,')} is a pattern; labels are compared by = and != only"
            )
        matchers.append(Matcher(match[1], unescaped(match[3]), match[2] == "="))
        at = match.end()
    return tuple(matchers)


def is_count_name(name: str) -> bool:
    """Return whether a histogram of this name holds counts instead of times, such as `resultset-size`."""
    return _COUNTED.fullmatch(name) is not None
