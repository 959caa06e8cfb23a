"""The importer of DDSketch: the message of the library, as protobuf or as JSON of it.

Bin `k` of a logarithmic mapping holds what lies between two neighbouring powers of gamma. Libraries number
bins from their upper edge (Python, JavaScript) or from their lower one (Go, Java), and the message does not
say which wrote it: an edge is between the two. The first and the last bin may hold what lies farther out,
because stores collapse them. Other mappings are interpolated differently by each library and refused. The
message holds neither unit nor time. Source: DDSketch `ddsketch.proto`, sketches-py, sketches-go.
"""

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, DecimalException, localcontext
from typing import Any

from tailroom.domain.units import NS_PER_S
from tailroom.importers.disclosure import not_stated
from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.json_documents import json_document, json_object
from tailroom.importers.parsed_run import EndState, ParsedRun
from tailroom.importers.printed import MAX_COUNT
from tailroom.importers.problems import Problems
from tailroom.importers.production.ladders import TimeUnit
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import MAX_TIME_NS
from tailroom.importers.summaries import Summary, Time
from tailroom.importers.text_runs import ToolImporter

FORM = TOOL = "ddsketch"
_JSON = re.compile(r'\{[^{}]{0,2000}"mapping"\s*:\s*\{[^{}]{0,500}"gamma"\s*:')
_STORES = ("positiveValues", "negativeValues")
_MOST_BINS = 20_000
_DIGITS = Context(prec=40)
_ROUNDING = Decimal("1e-9")
"""Libraries calculate keys in doubles: so near an edge a value may be on either side."""
_FIRST_BYTES = 0x0A, 0x09
_SEMANTICS = (
    "as the program that counts it times it; edges are between those of the libraries' two numberings"
)


@dataclass(slots=True)
class _Sketch:
    """A sketch as in a message: numbers of values by bin (`counts`), of negative values, and of zeros."""

    gamma: Decimal
    offset: Decimal = Decimal(0)
    interpolation: str = "NONE"
    counts: dict[int, Decimal] = field(default_factory=dict)
    negative: Decimal = Decimal(0)
    zeros: Decimal = Decimal(0)

    def refusal(self) -> str | None:  # noqa: PLR0911 - a reason each
        """Return the reason why the sketch has no certain edges; None if it has."""
        amounts = [*self.counts.values(), self.zeros]
        if self.interpolation not in ("NONE", "0"):
            return (
                f"its mapping is interpolated ({self.interpolation}), which each library does in its own way"
            )
        if not Decimal(1) < self.gamma < Decimal(100) or not abs(self.offset) < Decimal(1 << 31):
            return "its gamma and offset name no bins"
        if self.negative:
            return "it counts negative values, which are no times"
        if len(self.counts) > _MOST_BINS or any(not 0 <= count <= MAX_COUNT for count in amounts):
            return "it holds numbers that are no counts"
        if any(count % 1 for count in amounts):
            return "its counts are not whole: they are weights, not operations"
        if sum(amounts) > MAX_COUNT or not sum(amounts):
            return "it counts nothing, or more than can be added exactly"
        return None

    def below(self, unit_ns: int) -> Iterator[tuple[Time, int]]:
        """Yield each edge of a filled bin as bounds in ns, ascending, with the number of operations below.

        Zeros come first, at time 0. The outermost edges are left out: libraries collapse bins at the ends.
        """
        total = int(self.zeros)
        if total:
            yield Time("0", 0, 0), total
        filled = [key for key in sorted(self.counts) if self.counts[key]]
        for key in filled:
            if key != filled[0]:
                yield self._edge(key - 1, unit_ns), total
            total += int(self.counts[key])
            if key != filled[-1]:
                yield self._edge(key, unit_ns), total

    def _edge(self, key: int, unit_ns: int) -> Time:
        """Return the bounds in ns of the upper edge of bin `key`, between the libraries' two numberings."""
        ends = []
        for power, slack, rounding in ((0, -_ROUNDING, ROUND_FLOOR), (1, _ROUNDING, ROUND_CEILING)):
            with localcontext(_DIGITS):
                at_ns = self.gamma ** (Decimal(key + power) - self.offset) * unit_ns * (1 + slack)
                ends.append(int(min(at_ns, Decimal(MAX_TIME_NS - 1)).to_integral_value(rounding)))
        return Time(f"bin {key}", ends[0], ends[1])


def _detect(head: Head) -> Detection | None:
    if _JSON.search(head.text) is not None:
        return Detection(FORM, TOOL, None, "the keys `mapping` and `gamma` of a DDSketch")
    if _begins_with_mapping(head.raw):
        return Detection(FORM, TOOL, None, "the mapping of a DDSketch", is_binary=True)
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return the one run of a sketch. Raise ContentUnreadable if it is cut or has no certain edges."""
    if _JSON.search(source.head.text) is not None:
        sketch = _sketch_of_document(json_document(source, "DDSketch"))
    else:
        # Loading the messages takes as long as starting the command.
        from tailroom.importers.production.ddsketch_protobuf import document_of_message  # noqa: PLC0415

        sketch = _sketch_of_document(document_of_message(source))
    refusal = "it is not whole" if sketch is None else sketch.refusal()
    if sketch is None or refusal is not None:
        raise ContentUnreadable(f"{source.name} is a DDSketch, but {refusal}")
    return [_run(sketch, source)]


def _begins_with_mapping(data: bytes) -> bool:
    """Return whether bytes begin with a mapping of valid length, whose gamma is between 1 and 100."""
    if len(data) < 11 or (data[0], data[2]) != _FIRST_BYTES or not 9 <= data[1] <= 20:
        return False
    (gamma,) = struct.unpack_from("<d", data, 3)
    behind = data[2 + data[1] : 3 + data[1]]
    return bool(1.0 < gamma < 100.0 and behind in (b"", b"\x12", b"\x1a", b"\x21"))


def _sketch_of_document(document: Mapping[str, Any]) -> _Sketch | None:
    """Return the sketch of a message as JSON; None if gamma is missing, or any number is invalid."""
    of_mapping = json_object(document.get("mapping"))
    gamma, offset = _decimal(of_mapping.get("gamma")), _decimal(of_mapping.get("indexOffset", 0))
    zeros = _decimal(document.get("zeroCount", 0))
    stores = [_store(json_object(document.get(name))) for name in _STORES]
    positive, negative = stores
    if gamma is None or offset is None or zeros is None or positive is None or negative is None:
        return None
    interpolation = str(of_mapping.get("interpolation", "NONE"))[:40]
    return _Sketch(gamma, offset, interpolation, positive, sum(negative.values(), Decimal(0)), zeros)


def _store(store: Mapping[str, Any]) -> dict[int, Decimal] | None:
    """Return the filled bins of a store by number; None for an invalid number, or more than 40,000 bins."""
    counts: dict[int, Decimal] = {}
    first = store.get("contiguousBinIndexOffset", 0)
    listed = store.get("contiguousBinCounts", [])
    by_key = json_object(store.get("binCounts"))
    if (
        not isinstance(first, int)
        or not isinstance(listed, list)
        or len(listed) + len(by_key) > 2 * _MOST_BINS
    ):
        return None
    pairs = [(first + at, amount) for at, amount in enumerate(listed)]
    for key, amount in by_key.items():
        if re.fullmatch(r"-?\d{1,10}", str(key)) is None:
            return None
        pairs.append((int(key), amount))
    for number, amount in pairs:
        count = _decimal(amount)
        if count is None or abs(number) >= 1 << 31:
            return None
        if count:
            counts[number] = counts.get(number, Decimal(0)) + count
    return counts


def _decimal(value: object) -> Decimal | None:
    """Return a finite number as a decimal; None for any other value."""
    if isinstance(value, bool) or not isinstance(value, Decimal | int | float):
        return None
    try:
        number = Decimal(value)
    except DecimalException:
        return None
    return number if number.is_finite() else None


def _run(sketch: _Sketch, source: Source) -> ParsedRun:
    """Return the run of a sketch. Raise ContentUnreadable for a sketch of a single bin."""
    problems = Problems()
    unit = TimeUnit(source.stated_unit_ns or NS_PER_S, is_stated=source.stated_unit_ns is not None)
    if not unit.is_stated:
        problems.add("unit", f"a sketch does not say in which unit it counts; {unit.name} was taken")
    count = int(sum(sketch.counts.values(), sketch.zeros))
    summary = Summary("request", 1, clock="operation", count=count, name=source.name[:200])
    summary.below = list(sketch.below(unit.ns))
    series = summary.series(problems, _SEMANTICS)
    if series is None:
        raise ContentUnreadable(f"{source.name} is a DDSketch of one bin, whose edges are not certain")
    open_facts = ["started_at"] + ([] if unit.is_stated else ["latency_unit"])
    return ParsedRun(
        format=FORM,
        tool=TOOL,
        tool_version=None,
        series=(series,),
        state=EndState.UNKNOWN,
        state_text="a sketch does not say of which time it is",
        claims=tuple(summary.claims()),
        problems=problems.all(),
        missing=not_stated(*open_facts, "tool_version"),
        parameters={"gamma": float(sketch.gamma), "latency_unit": unit.name},
    )


DDSKETCH = ToolImporter(FORM, "DDSketch", _detect, _runs)
