"""Whether an evidence pack proves what it says: hashes, signature, and every verdict worked out again.

Nothing but the pack is needed: no server, no database, no network. Words, strength, numbers of operations and
verdicts in both scopes must be equal; computed shares and times may differ by digits that another processor
rounds otherwise. A pack by an earlier version of the method is checked for its hashes and its signature; its
verdicts are read and not compared, because this version may answer otherwise.
"""

import hashlib
import io
import json
import math
import struct
import zipfile
import zlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from tailroom.domain.errors import DomainError
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.documents import budget_from_document
from tailroom.domain.verdicts.headline import words_of_document
from tailroom.evidence.answers import NOTHING, Answers, AnswersInvalid
from tailroom.evidence.file import KnownOperations
from tailroom.importers.limits import DEFAULT_LIMITS
from tailroom.reports.file_verdicts import judge_run, read_runs
from tailroom.reports.packing import (
    ANSWERS,
    MANIFEST,
    PACK_VERSION,
    RAW,
    SEAL_BYTES,
    SIGNATURE,
    VERDICTS,
    seal_of,
)
from tailroom.reports.signing import is_signed_by

ROUNDING_RATIO = 1e-9


class PackUnreadable(DomainError):
    """No evidence pack, one of a newer kind or method, or one that unpacks to too much."""


class SignatureState(StrEnum):
    """What the signature of a pack is worth."""

    VALID = "valid"
    INVALID = "invalid"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where the pack does not say what its raw files say."""

    where: str
    packed: Any
    found: Any

    def document(self) -> dict[str, Any]:
        """For scripts."""
        return {"where": self.where, "packed": self.packed, "found": self.found}


class Answer(NamedTuple):
    """One verdict of a pack, in its own words."""

    budget: str
    words: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What was recomputed, and what differed; the first difference comes first."""

    verdicts: int
    """Recomputed."""
    differences: tuple[Difference, ...]
    signature: SignatureState
    fingerprint: str | None
    method_version: int
    answers: tuple[Answer, ...] = ()
    """Empty where the verdicts of the pack cannot be trusted, because it was changed."""

    @property
    def is_intact(self) -> bool:
        """Whether nothing of the pack was changed, as far as hashes, signature and verdicts show."""
        return not self.differences and self.signature is not SignatureState.INVALID

    @property
    def ok(self) -> bool:
        """Whether everything is as the pack says, every verdict worked out again."""
        return self.is_intact and self.method_version == METHOD_VERSION

    def document(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "ok": self.ok,
            "verdicts": self.verdicts,
            "differences": [one.document() for one in self.differences],
            "signature": self.signature.value,
            "fingerprint": self.fingerprint,
            "method_version": self.method_version,
            "intact": self.is_intact,
            "answers": [answer._asdict() for answer in self.answers],
        }


def verify(data: bytes) -> Verification:
    """Everything that a pack claims, checked. Raises PackUnreadable and what reading its raw files raises."""
    members, broken = _members(data)
    manifest = _manifest(members)
    differences = [*broken, *_hashes(manifest, members, {one.where for one in broken})]
    state, who = _signature(members)
    damaged = {one.where for one in differences}
    raw = [name for name in manifest["files"] if name.startswith(RAW)]
    if not raw:
        differences.append(Difference(RAW, "raw files", "none: no verdict can be worked out again"))
    method = manifest["method_version"]
    if damaged & {VERDICTS, ANSWERS, *raw} or not raw:
        return Verification(0, (*differences, *_seal(data)), state, who, method)
    verdicts = _verdicts(members[VERDICTS])
    answers = tuple(_answer_of(one) for one in verdicts)
    if method < METHOD_VERSION:
        return Verification(0, (*differences, *_seal(data)), state, who, method, answers)
    runs = read_runs({name.removeprefix(RAW): members[name] for name in raw}, _answers(members))
    known: list[KnownOperations] = [{} for _ in runs]
    for number, one in enumerate(verdicts):
        where = f"{VERDICTS}[{number}]"
        if not 0 <= one["run"] < len(runs):
            differences.append(Difference(f"{where}.run", one["run"], f"{len(runs)} runs"))
            continue
        assessment = judge_run(runs[one["run"]], budget_from_document(one["budget"]), known[one["run"]])
        found = None if assessment is None else json.loads(json.dumps(assessment.summary()))
        differences += _differences(f"{where}.verdict", one["verdict"], found)
    return Verification(len(verdicts), (*differences, *_seal(data)), state, who, method, answers)


def _answer_of(packed: dict[str, Any]) -> Answer:
    try:
        return Answer(str(packed["budget"]["name"]), words_of_document(packed["verdict"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise PackUnreadable(f"its {VERDICTS} is not that of an evidence pack") from None


def _verdicts(data: bytes) -> list[dict[str, Any]]:
    found = _parsed(data, VERDICTS)
    well_formed = isinstance(found, list) and all(
        isinstance(one, dict) and isinstance(one.get("run"), int) and {"budget", "verdict"} <= one.keys()
        for one in found
    )
    if not well_formed:
        raise PackUnreadable(f"its {VERDICTS} is not that of an evidence pack")
    return list(found)


def _answers(members: dict[str, bytes]) -> Answers:
    """What somebody had stated about the raw files."""
    if ANSWERS not in members:
        return NOTHING
    found = _parsed(members[ANSWERS], ANSWERS)
    try:
        return Answers.of(found)
    except (AnswersInvalid, AttributeError):
        raise PackUnreadable(f"its {ANSWERS} is not that of an evidence pack") from None


def _members(data: bytes) -> tuple[dict[str, bytes], list[Difference]]:
    found: dict[str, bytes] = {}
    broken: list[Difference] = []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if sum(info.file_size for info in infos) > DEFAULT_LIMITS.unpacked_bytes:
                raise PackUnreadable(
                    f"it says that it unpacks to more than {DEFAULT_LIMITS.unpacked_bytes} bytes"
                )
            for info in infos:
                try:
                    found[info.filename] = archive.read(info)
                except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
                    broken.append(Difference(info.filename, "readable", f"damaged: {error}"))
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, struct.error) as error:
        raise PackUnreadable(f"it is no zip archive: {error}") from error
    return found, broken


def _manifest(members: dict[str, bytes]) -> dict[str, Any]:
    if MANIFEST not in members:
        raise PackUnreadable(f"it holds no readable {MANIFEST}: it is no evidence pack")
    manifest: dict[str, Any] = _parsed(members[MANIFEST], MANIFEST)
    try:
        pack, method, files = manifest["tailroom_pack"], manifest["method_version"], manifest["files"]
        well_formed = all(isinstance(one["sha256"], str) for one in files.values())
    except (KeyError, TypeError, AttributeError):
        well_formed, pack, method = False, None, None
    if not well_formed or not isinstance(pack, int) or not isinstance(method, int):
        raise PackUnreadable(f"its {MANIFEST} is not that of an evidence pack")
    if pack > PACK_VERSION or method > METHOD_VERSION:
        raise PackUnreadable(
            f"it was made by method {method} in a pack of version {pack}; this tailroom knows method "
            f"{METHOD_VERSION} and packs of version {PACK_VERSION}: verify it with a newer one"
        )
    return manifest


def _hashes(manifest: dict[str, Any], members: dict[str, bytes], broken: set[str]) -> list[Difference]:
    found = []
    for name, listed in manifest["files"].items():
        if name in broken:
            continue
        if name not in members:
            found.append(Difference(name, "in the pack", "missing"))
            continue
        digest = hashlib.sha256(members[name]).hexdigest()
        if digest != listed["sha256"]:
            found.append(Difference(name, listed["sha256"], digest))
    extra = [name for name in members if name not in {MANIFEST, SIGNATURE, *manifest["files"]}]
    return found + [Difference(name, "not in the manifest", "in the pack") for name in extra]


def _seal(data: bytes) -> list[Difference]:
    if seal_of(data[:-SEAL_BYTES]) == data[-SEAL_BYTES:]:
        return []
    return [
        Difference("the archive itself", "as it was written", "changed, or packed again by another program")
    ]


def _signature(members: dict[str, bytes]) -> tuple[SignatureState, str | None]:
    if SIGNATURE not in members:
        return SignatureState.NONE, None
    try:
        document = json.loads(members[SIGNATURE])
    except ValueError:
        return SignatureState.INVALID, None
    if not is_signed_by(members[MANIFEST], document):
        return SignatureState.INVALID, None
    return SignatureState.VALID, str(document.get("fingerprint"))


def _parsed(data: bytes, name: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise PackUnreadable(f"its {name} is no JSON: {error}") from error


def _differences(where: str, packed: Any, found: Any) -> list[Difference]:
    """Every leaf that is not the same; numbers may differ by rounding."""
    if isinstance(packed, dict) and isinstance(found, dict):
        names = dict.fromkeys((*packed, *found))
        return [
            one
            for name in names
            for one in _differences(f"{where}.{name}", packed.get(name), found.get(name))
        ]
    if isinstance(packed, list) and isinstance(found, list) and len(packed) == len(found):
        return [
            one
            for number, pair in enumerate(zip(packed, found, strict=True))
            for one in _differences(f"{where}[{number}]", *pair)
        ]
    if isinstance(packed, float) and isinstance(found, int | float) and not isinstance(found, bool):
        same = math.isclose(packed, found, rel_tol=ROUNDING_RATIO, abs_tol=ROUNDING_RATIO)
        return [] if same else [Difference(where, packed, found)]
    return [] if packed == found else [Difference(where, packed, found)]
