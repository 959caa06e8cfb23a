"""Writes ACT logs of every generation as ACT writes them, from what was counted between two blocks."""

from collections.abc import Mapping, Sequence

Counted = Mapping[str, Mapping[int, int]]
"""Operations between two blocks: by the name of the histogram, by bucket."""

HEADS = {
    "1": "\nAerospike act - device IO test\nCopyright 2011 by Aerospike.\n\nCIO CONFIGURATION\n",
    "4": "\nAerospike act version 4.0 - device IO test\nCopyright 2011 by Aerospike.\n\nACT CONFIGURATION\n",
    "5": "\nACT version 5.3\nStorage device IO test\n\nACT-STORAGE CONFIGURATION\n",
    "6": "\nACT version 6.6\nStorage device IO test\n\ndetected 2 CPUs\n\nACT-STORAGE CONFIGURATION\n",
    "6-index": "\nACT version 6.2\nIndex device IO test\n\nACT-INDEX CONFIGURATION\n",
}


def head(
    generation: str = "6",
    *,
    devices: Sequence[str] = ("/dev/sda",),
    duration_s: int = 10,
    interval_s: int = 1,
    microseconds: bool = False,
    names: Sequence[str] = (),
    **items: object,
) -> str:
    """Everything before the first block."""
    lines = [
        f"device-names: {' '.join(devices)}",
        f"num-devices: {len(devices)}",
        f"test-duration-sec: {duration_s}",
        f"report-interval-sec: {interval_s}",
    ]
    if generation != "1":
        lines.append(f"microsecond-histograms: {'yes' if microseconds else 'no'}")
    settings: dict[str, object] = {"read-reqs-per-sec": 2000, "write-reqs-per-sec": 1000}
    settings.update({key.replace("_", "-"): value for key, value in items.items()})
    lines += [f"{key}: {value}" for key, value in settings.items()]
    text = HEADS[generation] + "\n".join(lines) + "\n\n"
    if generation[0] in "56":
        text += "DERIVED CONFIGURATION\ninternal-read-reqs-per-sec: 2000\n\n"
        text += "".join(f"{one} size = 4294967296 bytes\n" for one in devices)
        text += "\nHISTOGRAM NAMES\n" + "\n".join(names) + "\n\n"
    return text


def histogram(name: str, counts: Mapping[int, int], *, legacy: bool = False) -> str:
    """A heading and its rows of at most four buckets."""
    filled = [(bucket, count) for bucket, count in sorted(counts.items()) if count]
    entry = " ({:02d}: {:010d}) " if legacy else " ({:02d}: {:010d})"
    lines = [f"{name} ({sum(counts.values())} total)"]
    for at in range(0, len(filled), 4):
        lines.append("".join(entry.format(bucket, count) for bucket, count in filled[at : at + 4]))
    return "\n".join(lines) + "\n"


def blocks(
    pieces: Sequence[Counted],
    *,
    generation: str = "6",
    interval_s: int = 1,
    first_s: int = 0,
    order: Sequence[str] = (),
) -> list[str]:
    """Blocks with counts added up from the start; a name may stand twice in `order` as `name#2`."""
    word = "After" if generation in "14" else "after"
    totals: dict[str, dict[int, int]] = {}
    found = []
    for number, piece in enumerate(pieces, 1):
        text = f"{word} {first_s + number * interval_s} sec:\n"
        if generation in "145":
            text += {"1": "read-reqs queued: 3\n", "4": "requests queued: 3\n", "5": "requests-queued: 3\n"}[
                generation
            ]
        for name in order or piece:
            total = totals.setdefault(name, {})
            for bucket, count in piece.get(name, {}).items():
                total[bucket] = total.get(bucket, 0) + count
            shown = name.split("#")[0]
            text += histogram(
                shown.ljust(18) if generation in "14" else shown, total, legacy=generation == "1"
            )
        found.append(text + "\n")
    return found


def log(pieces: Sequence[Counted], *, generation: str = "6", interval_s: int = 1, **settings: object) -> str:
    """A whole log of generation 5 or 6 (or earlier, without commit-to-device)."""
    names = list(dict.fromkeys(name for piece in pieces for name in piece))
    top = head(generation, interval_s=interval_s, names=names, **settings)  # type: ignore[arg-type]
    return top + "".join(blocks(pieces, generation=generation, interval_s=interval_s))
