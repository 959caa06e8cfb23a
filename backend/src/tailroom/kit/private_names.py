"""Private names in the texts of a run, and the neutral names that replace them for other readers.

Names of hosts, devices and paths, and notes, are detected by their key and by their form. Names that the
owner has not released become "host 1", "device 2", "path 1", "note 1", the same name always in the same way.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal, get_args

Kind = Literal["hosts", "devices", "paths", "notes"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_NEUTRAL: Mapping[Kind, str] = {"hosts": "host", "devices": "device", "paths": "path", "notes": "note"}
_IS_NEUTRAL = re.compile(r"(?:host|device|path|note) \d+")
_LEAST_INSIDE = 3
"""Least number of characters of a name that is also replaced inside of other texts."""

_BY_KEY: Mapping[str, Kind] = {
    **dict.fromkeys(("notes", "note", "comment", "comments", "description", "remark", "remarks"), "notes"),
    **dict.fromkeys(("command", "cmdline", "argv", "args"), "notes"),
    **dict.fromkeys(("host", "hosts", "hostname", "hostnames", "address", "addresses", "fqdn"), "hosts"),
    **dict.fromkeys(("server", "servers", "endpoint", "endpoints", "url", "urls", "domain"), "hosts"),
    **dict.fromkeys(("user", "username", "node", "nodes", "seeds", "sentinel", "sentinels"), "hosts"),
    **dict.fromkeys(("device", "devices", "disk", "disks", "serial", "wwn", "part"), "devices"),
    **dict.fromkeys(("path", "paths", "file", "files", "filename", "directory", "dir", "folder"), "paths"),
}
"""Kind of private name by the last word of a key, as in `mysql-host`, `further_paths`."""
_BY_WHOLE_KEY: Mapping[str, Kind] = {
    "host_name": "hosts",
    "server_name": "hosts",
    "node_name": "hosts",
    "user_name": "hosts",
    "device_name": "devices",
    "serial_sha256": "devices",
    "file_name": "paths",
    "mount_point": "paths",
}
_OF_DEVICES = frozenset({"block_devices", "courses", "claims"})
"""Keys of documents in which `name`, `subject` or `operation` is a device."""
_REASONS = frozenset({"unknown"})
"""Keys of reasons why something is not known: sentences with names that occur elsewhere too."""
_DEVICE = re.compile(r"(?:nvme\d|sd[a-z]|x?vd[a-z]|hd[a-z]|dm-|md\d|loop\d|mmcblk\d|(?:mapper|disk)/)\S*")
_ADDRESS = re.compile(
    r"\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|\[[0-9a-fA-F:]+\](?::\d+)?|(?:[0-9a-f]{2}:){5}[0-9a-f]{2}"
)
_PATH = re.compile(r"(?:/|~/|\./|[A-Za-z]:\\|\\\\)\S(?:(?!: ).)*", re.DOTALL)
_WORD = re.compile(r"[\w-]+")
_NO_NAME = re.compile(
    r"(?:localhost|127\.[\d.]+|\[::1\]|::1|0\.0\.0\.0)(?::\d+)?|simulated|local|unknown|none|not stated|/",
    re.I,
)
"""Names that are the same for all readers."""


def is_neutral(text: str) -> bool:
    """Return whether a text is a neutral name; equal neutral names of two runs do not mean equal things."""
    return _IS_NEUTRAL.fullmatch(text) is not None


def names_in(document: Any) -> dict[str, Kind]:
    """Return the kind of every private name in a document, by name, in the order in which they occur.

    Lists of hosts are split at commas; devices are named without `/dev/`. Reasons why something is unknown
    are not searched.
    """
    names: dict[str, Kind] = {}
    for path, text in _texts(document, ()):
        if _REASONS.intersection(path):
            continue
        kind = _kind(path, text)
        if kind is None:
            continue
        for name in [part.strip() for part in text.split(",")] if kind == "hosts" else [text]:
            if name and not _NO_NAME.fullmatch(name) and not is_neutral(name):
                names.setdefault(name.removeprefix("/dev/") if kind == "devices" else name, kind)
    return names


class NeutralNames:
    """Replaces private names by neutral names, except names of the kinds in `shown`."""

    def __init__(self, shown: Collection[str]) -> None:
        self._shown = shown
        self._of: dict[str, str] = {}
        self._counts = dict.fromkeys(KINDS, 0)
        self._inside: re.Pattern[str] | None = None

    def add(self, names: Mapping[str, Kind]) -> None:
        """Assign a neutral name to each of these names that has none, unless its kind is shown."""
        before = len(self._of)
        for name, kind in names.items():
            if kind not in self._shown and name not in self._of:
                self._counts[kind] += 1
                self._of[name] = f"{_NEUTRAL[kind]} {self._counts[kind]}"
        long = sorted((name for name in self._of if len(name) >= _LEAST_INSIDE), key=len, reverse=True)
        if long and len(self._of) > before:
            self._inside = re.compile(rf"(?:/dev/)?(?<!\w)(?:{'|'.join(map(re.escape, long))})(?!\w)", re.I)

    def are_in(self, body: bytes) -> bool:
        """Return whether a name that is replaced occurs in this UTF-8 text, in the same case."""
        return any(name.encode() in body for name in self._of)

    def text(self, text: str) -> str:
        """Return a text with private names replaced.

        The whole text is compared first; inside of it names of at least three characters are replaced, in any
        case.
        """
        neutral = self._of.get(text) or self._of.get(text.removeprefix("/dev/"))
        if neutral is not None or self._inside is None:
            return neutral or text
        return self._inside.sub(self._neutral_of_match, text)

    def document(self, document: Any, path: tuple[str, ...] = ()) -> Any:
        """Return a document with private names replaced, in its texts and in its keys that contain a dot.

        `path`: keys that lead to it. A single word under a key that is not that of a name stays, such as the
        name of a workload, even if a host has the same name.
        """
        if not self._of:
            return document
        if isinstance(document, str):
            is_word = _WORD.fullmatch(document) is not None and _kind(path, document) is None
            return document if is_word else self.text(document)
        if isinstance(document, Mapping):
            return {
                self.text(str(key)) if "." in str(key) else key: self.document(value, (*path, str(key)))
                for key, value in document.items()
            }
        if isinstance(document, list | tuple):
            return [self.document(name, path) for name in document]
        return document

    def _neutral_of_match(self, match: re.Match[str]) -> str:
        """Return the neutral name of a name that was found inside of a text, in any case."""
        name = match[0].removeprefix("/dev/")
        exact = self._of.get(name)
        if exact is not None:
            return exact
        return next(neutral for own, neutral in self._of.items() if own.lower() == name.lower())


def _texts(document: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(document, str):
        yield path, document
    elif isinstance(document, Mapping):
        for key, value in document.items():
            yield from _texts(value, (*path, str(key)))
    elif isinstance(document, list | tuple):
        for item in document:
            yield from _texts(item, path)


def _kind(path: tuple[str, ...], text: str) -> Kind | None:
    """Return the kind of private name that a text is, by its keys and its form; None if it is none."""
    key = path[-2 if path[-1] == "value" and len(path) > 1 else -1].lower() if path else ""
    if _OF_DEVICES.intersection(path) and key in {"name", "subject", "operation"}:
        return "devices" if key == "name" or _DEVICE.fullmatch(text) else None
    if text.startswith("/dev/"):
        return "devices"
    kind = _BY_WHOLE_KEY.get(key) or _BY_KEY.get(re.split(r"[-_.]", key)[-1])
    if kind is not None:
        return kind
    if _PATH.fullmatch(text):
        return "paths"
    is_address = "://" in text[:40] or _ADDRESS.fullmatch(text)
    return "hosts" if is_address and "version" not in key else None
