"""Comparison of names: whether two names mean the same model, and whether two items are likely duplicates.

Names are compared without case, punctuation, words that do not belong to the model, and capacities: “Samsung
SM1715 1.6 TB” and “SAMSUNG SM-1715” are one model. Likely duplicates are shown to people, never merged.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_CAPACITY = re.compile(r"(?<![a-z0-9])\d+(?:[.,]\d+)?\s?(?:tb|gb|tib|gib|t\s?b|g)(?![a-z0-9])")
_BRACKETS = re.compile(r"\([^)]*\)")
_IGNORED_WORDS = frozenset(
    {"ssd", "nvme", "series", "drive", "solid", "state", "disk", "data", "center", "datacenter", "device"}
)
_LINES = frozenset({"dc", "optane"})
"""Names of product lines, which people often leave out."""
_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
_ALIKE = 0.85
"""Minimum similarity (`SequenceMatcher.ratio`) of two model names that may differ by a typing error."""


def normalised(name: str) -> str:
    """Return a name in the form in which names are compared; empty if nothing is left."""
    plain = _CAPACITY.sub(" ", name.lower())
    words = [word for word in re.split(r"[^a-z0-9.+]+", plain) if word and word not in _IGNORED_WORDS]
    return re.sub(r"[^a-z0-9]", "", "".join(words))


def spellings_of(text: str) -> list[str]:
    """Return the distinct normalised forms of a name: whole, then without brackets and “+ OP”.

    “+ OP” means over-provisioning. Empty if nothing is left after normalising.
    """
    bare = re.sub(r"\+\s*op\b", " ", _BRACKETS.sub(" ", text.lower()))
    return list(dict.fromkeys(form for form in (normalised(text), normalised(bare)) if form))


@dataclass(frozen=True, slots=True)
class NamedItem:
    """An item's slug, and the names that are compared to find duplicates."""

    slug: str
    vendor: str
    name: str
    aliases: tuple[str, ...] = ()

    def spellings(self) -> tuple[str, ...]:
        """Return vendor and name, then the aliases, as printed."""
        return (f"{self.vendor} {self.name}", *self.aliases)


def likely_duplicates(new: NamedItem, existing: Sequence[NamedItem]) -> list[NamedItem]:
    """Return the existing items, other than `new` itself, that are likely the same: see `_is_similar`."""
    return [item for item in existing if item.slug != new.slug and _is_similar(new, item)]


def _is_similar(new: NamedItem, existing: NamedItem) -> bool:
    """Return whether two items share a spelling, or a vendor and models equal but for a typing error."""
    shared = {normalised(name) for name in new.spellings()} & {
        normalised(name) for name in existing.spellings()
    }
    if shared - {""}:
        return True
    first, second = _model(new), _model(existing)
    if not first or not second or normalised(new.vendor) != normalised(existing.vendor):
        return False
    if first == second:
        return True
    # A typing error keeps digits, first letter and length: r3.large and r3.xlarge are two models.
    return (
        first[0] == second[0]
        and len(first) == len(second)
        and re.findall(r"\d+", first) == re.findall(r"\d+", second)
        and SequenceMatcher(None, first, second).ratio() >= _ALIKE
    )


def _model(item: NamedItem) -> str:
    """Return the name without brackets, capacity, product line and ignored words, in lower case."""
    plain = _BRACKETS.sub(" ", item.name.lower())
    words = [word for word in re.split(r"[^a-z0-9]+", _CAPACITY.sub(" ", plain)) if word]
    return "".join(word for word in words if word not in _IGNORED_WORDS | _LINES)
