"""The configuration of a run: the settings that ACT echoes into its log, and the file they came from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.act.generations import BANNER, ActLogGeneration, Kind, generation_of
from tailroom.importers.source import Source

Value = str | int | float | bool | None

READS_PER_DEVICE, WRITES_PER_DEVICE = 2000, 1000
LEGACY_LARGE_BLOCKS = {24: 1, 70: 3, 71: 3, 141: 6, 282: 12, 283: 12, 564: 24, 565: 24}
"""Multiple of the load by configured large blocks per second, in the configurations of 2013."""

_STANDARD: dict[str, Value] = {
    "record-bytes": 1536,
    "record-bytes-range-max": 0,
    "large-block-op-kbytes": 128,
    "replication-factor": 1,
    "update-pct": 0,
    "defrag-lwm-pct": 50,
    "no-defrag-reads": False,
    "compress-pct": 100,
    "disable-odsync": False,
    "commit-to-device": False,
    "tomb-raider": False,
}
_KEY_NAMES = """
    device-names num-devices file-size-mbytes queue-per-device num-queues threads-per-queue
    service-threads cache-threads num-cache-threads test-duration-sec report-interval-sec
    microsecond-histograms read-reqs-per-sec write-reqs-per-sec large-block-ops-per-sec
    read-req-num-512-blocks record-bytes record-bytes-range-max large-block-op-kbytes use-valloc
    num-write-buffers replication-factor update-pct defrag-lwm-pct no-defrag-reads compress-pct
    disable-odsync commit-to-device commit-min-bytes tomb-raider tomb-raider-sleep-usec
    max-reqs-queued max-lag-sec scheduler-mode
"""
_KEYS = frozenset(_KEY_NAMES.split())
_SECTION = re.compile(r"^(ACT-STORAGE|ACT-INDEX|ACT|CIO) CONFIGURATION$")
_SIZE = re.compile(
    r"^(\S+) size = (\d{1,20}) bytes(?:, (\d{1,18}) large blocks)?(?:.*minimum IO size = (\d{1,9}) bytes)?"
)
_OLD_DERIVED = re.compile(
    r"^(internal (?:read|write) requests per sec|bytes per stored record"
    r"|large block (?:ops|reads|writes) per sec|\d+-byte blocks per record read): (.+)$"
)
_CPUS = re.compile(r"^detected (\d{1,6}) CPUs$")
_DIGITS_MAX = 18


@dataclass(slots=True)
class Configuration:
    """Head of a log: configured values by key in `items`, and values that ACT calculated in `derived`."""

    version: str | None = None
    """Version in the banner; None without a banner, or if the banner states none."""
    has_banner: bool = False
    kind: Kind = Kind.STORAGE
    section: str | None = None
    """Program in the heading of the settings, such as `ACT-STORAGE`; None without the heading."""
    items: dict[str, Value] = field(default_factory=dict)
    derived: dict[str, Value] = field(default_factory=dict)
    histogram_names: list[str] = field(default_factory=list)
    """Names in the order of the log; empty if it lists none."""
    device_bytes: dict[str, int] = field(default_factory=dict)
    """Size by name of the device."""
    cpus: int | None = None
    config_file: str | None = None
    """Name of the configuration file whose items were added, if any."""

    @property
    def generation(self) -> ActLogGeneration:
        """The generation by the version in the banner; the newest for a log without a banner."""
        return generation_of(self.version) if self.has_banner else ActLogGeneration.DIRECT

    @property
    def devices(self) -> tuple[str, ...]:
        """Names of the configured devices, in order; empty if none are stated."""
        return tuple(str(self.items.get("device-names", "")).replace(",", " ").split())

    def integer(self, key: str) -> int | None:
        """Return a configured whole number; None for any other value, or without the key."""
        value = self.items.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    @property
    def unit_ns(self) -> int | None:
        """Unit of the buckets in ns: 1 ms before 2.0 and if not stated; None since 2.0 without settings."""
        if self.generation is ActLogGeneration.LEGACY:
            return NS_PER_MS
        stated = self.items.get("microsecond-histograms")
        if isinstance(stated, bool):
            return NS_PER_US if stated else NS_PER_MS
        # Since 2.0 the echo always says it; a configuration file that is silent means `no`.
        return NS_PER_MS if self.section is not None or self.config_file is not None else None

    @property
    def interval_s(self) -> int | None:
        """Seconds between two blocks; None if unknown or 0; 1 by default with an added configuration file."""
        interval = self.integer("report-interval-sec")
        if interval is None and self.config_file is not None:
            return 1
        return interval if interval else None

    @property
    def load_multiple(self) -> float | None:
        """Configured load per device as a multiple of 1x, by reads, else by writes; None if unknown."""
        devices = self.integer("num-devices") or len(self.devices)
        if not devices:
            return None
        if reads := self.integer("read-reqs-per-sec"):
            return reads / (READS_PER_DEVICE * devices)
        if writes := self.integer("write-reqs-per-sec"):
            return writes / (WRITES_PER_DEVICE * devices)
        return None

    @property
    def is_standard_load(self) -> bool | None:
        """Whether the load differs from the certified load (docs/method.md 6.1) by its multiple alone.

        None without a load, for tests of the index and for logs before 2.0.
        """
        load, devices = self.load_multiple, self.integer("num-devices") or len(self.devices)
        if load is None or self.kind is Kind.INDEX or self.generation is ActLogGeneration.LEGACY:
            return None
        return (
            self.integer("read-reqs-per-sec") == READS_PER_DEVICE * devices * load
            and self.integer("write-reqs-per-sec") == WRITES_PER_DEVICE * devices * load
            and all(self.items.get(key, standard) == standard for key, standard in _STANDARD.items())
        )

    @property
    def truncated_rate_per_s(self) -> tuple[int, int] | None:
        """Requests per second that ACT 6 issues, and those configured; None before 6 or if not stated."""
        threads = self.integer("service-threads")
        if self.generation is not ActLogGeneration.DIRECT or not threads:
            return None
        keys = ("internal-read-reqs-per-sec", "internal-write-reqs-per-sec", "service-thread-reads-per-sec")
        rate_per_s = sum(value for key in keys if isinstance(value := self.derived.get(key), int))
        return (rate_per_s // threads * threads, rate_per_s) if rate_per_s else None

    @property
    def large_blocks_per_s(self) -> float | None:
        """Large blocks written per second, by ACT (23.53 at 1x) or by the configuration; None if neither."""
        for key in ("large-block-writes-per-sec", "large-block-ops-per-sec"):
            stated = self.derived.get(key, self.items.get(key))
            if isinstance(stated, (int, float)) and not isinstance(stated, bool):
                return float(stated)
        return None


def typed(text: str) -> Value:
    """Return a boolean for `yes` and `no`, a whole number for up to 18 digits, else the text, stripped."""
    text = text.strip()
    if text in ("yes", "no"):
        return text == "yes"
    if text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX:
        return int(text)
    return text


def read_head(lines: list[str]) -> Configuration:
    """Return the configuration in the lines before the first block; other lines are ignored."""
    configuration = Configuration()
    part = ""
    for raw in lines:
        line = raw.strip()
        if not line:
            part = "" if part != "configuration" else part
            continue
        _read_banner(configuration, line)
        heading = _read_heading(configuration, line)
        if heading is not None:
            part = heading
        elif not _read_fact(configuration, line):
            _read_item(configuration, part, line)
    return configuration


def _read_heading(configuration: Configuration, line: str) -> str | None:
    """Return the part that a heading begins, None for any other line; store section and kind of the test.

    The part is `configuration`, `derived`, `names`, or empty after the heading of an index test.
    """
    if (section := _SECTION.match(line)) is not None:
        configuration.section = section.group(1)
        configuration.kind = Kind.INDEX if configuration.section == "ACT-INDEX" else Kind.STORAGE
        return "configuration"
    if line == "Index device IO test":
        configuration.kind = Kind.INDEX
        return ""
    return {"DERIVED CONFIGURATION": "derived", "HISTOGRAM NAMES": "names"}.get(line)


def _read_fact(configuration: Configuration, line: str) -> bool:
    """Store a device size, the CPUs or an old derived value; return whether the line states one of them."""
    if (size := _SIZE.match(line)) is not None:
        configuration.device_bytes[size.group(1)] = int(size.group(2))
        for name, number in (("large-blocks", size.group(3)), ("minimum-io-bytes", size.group(4))):
            if number is not None:
                configuration.derived[f"{name} {size.group(1)}"] = int(number)
    elif (cpus := _CPUS.match(line)) is not None:
        configuration.cpus = int(cpus.group(1))
    elif (old := _OLD_DERIVED.match(line)) is not None:
        configuration.derived[old.group(1).replace(" ", "-")] = _number(old.group(2))
    else:
        return False
    return True


def _read_item(configuration: Configuration, part: str, line: str) -> None:
    key, colon, value = line.partition(":")
    if part == "names":
        configuration.histogram_names.append(line)
    elif part == "configuration" and colon and key in _KEYS:
        configuration.items[key] = typed(value)
    elif part == "derived" and colon:
        configuration.derived[key] = _number(value)


def _read_banner(configuration: Configuration, line: str) -> None:
    if configuration.has_banner or (banner := BANNER.match(line.encode("utf-8", "replace"))) is None:
        return
    version = banner.group(1) or banner.group(2)
    configuration.has_banner = True
    configuration.version = version.decode("ascii", "replace") if version else None


def _number(text: str) -> Value:
    """Return a value as `typed` does, but a decimal number below 1e18 as a float."""
    value = typed(text)
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            return value
        return number if abs(number) < 1e18 else value
    return value


def is_config_file(text: str) -> bool:
    """Return whether a text has no banner, but `device-names`, another key, and mostly lines with keys."""
    keys = _config_items(text)[0]
    return "device-names" in keys and len(keys) >= 2 and not BANNER.search(text.encode("utf-8", "replace"))


def _config_items(text: str) -> tuple[dict[str, Value], int]:
    """Return values by known key and the number of other lines; no values if there are more other lines."""
    items: dict[str, Value] = {}
    others = 0
    for raw in text.splitlines():
        key, *value = re.split(r"[:\s]+", raw.partition("#")[0].strip(), maxsplit=1)
        if key in _KEYS:
            items[key] = typed(value[0]) if value else None
        elif key:
            others += 1
    return ({}, others) if others > len(items) else (items, others)


def read_config_file(source: Source) -> Mapping[str, Value]:
    """Return values by known key; empty if most lines have none. Raise SourceTooLarge over 1 MiB."""
    return _config_items(source.whole(1 << 20).decode("utf-8", "replace"))[0]


def with_config_file(head: Configuration, name: str, items: Mapping[str, Value]) -> str | None:
    """Add to `head` the items of a configuration file that it lacks, and its `name`; return None.

    If shared items differ, the file is of another run: add nothing, and return that as a problem.
    """
    differing = [
        f"{key} is {_shown(value)} there and {_shown(head.items[key])} in the log"
        for key, value in items.items()
        # Zero threads mean the default, which ACT echoes as the number that it takes.
        if key in head.items and value != 0 and _comparable(key, value) != _comparable(key, head.items[key])
    ]
    if differing:
        return f"{name} is not the configuration of this run and is left out: {'; '.join(differing)}"
    for key, value in items.items():
        head.items.setdefault(key, value)
    head.config_file = name
    return None


def _comparable(key: str, value: Value) -> object:
    return str(value).replace(",", " ").split() if key == "device-names" else value


def _shown(value: Value) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
