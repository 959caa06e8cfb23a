"""Verification of evidence packs: hashes, signature, and every member derived again.

Only the pack is needed: no server, no database, no network. Statements of the pack about itself are not
trusted: verdicts, report, disclosure and distributions are derived from the raw files, the signer from the
key. A budget with the name of a built-in budget must equal that budget. Words, strength, counts and verdicts
must be equal; calculated shares and times may differ by rounding on another processor.

Of a pack by an earlier version of the method, hashes and signature are checked; its verdicts are read and not
compared, because this version may decide otherwise.
"""

import contextlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from importlib.metadata import version
from typing import Any, NamedTuple

from cryptography.x509 import Certificate

from tailroom.budgets.documents import parse
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget import BudgetUnknown, budget_of
from tailroom.domain.verdicts.budget_kinds import Budget, RuleSet, document_of
from tailroom.domain.verdicts.headline import words, words_of_document
from tailroom.domain.verdicts.order import BUILT_IN_NAMES, OWN_QUESTION, own_question
from tailroom.evidence.answers import NO_ANSWERS, Answers, AnswersInvalid
from tailroom.evidence.file import OperationCache
from tailroom.importers.parsed_run import ParsedRun
from tailroom.reports.attestation import signed_statement, statement_of
from tailroom.reports.file_report import stated_text
from tailroom.reports.file_verdicts import RunVerdict, judge_run, read_runs, verdicts_of
from tailroom.reports.offline_page import split_page
from tailroom.reports.pack_archive import (
    Difference,
    PackUnreadable,
    hash_differences,
    parsed,
    read_manifest,
    read_members,
    seal_differences,
)
from tailroom.reports.packing import (
    ANSWERS,
    MANIFEST,
    PAGE,
    RAW,
    REPORT,
    SIGNATURE,
    STATEMENT,
    TIME_STAMP,
    VERDICTS,
    VERSION_WITH_PAGE,
    VERSION_WITH_PAGE_STATED,
    derived_members,
    subjects_of,
)
from tailroom.reports.signing import signer_of
from tailroom.reports.time_stamps import TimeStamp, TimeStampState, check_stamp
from tailroom.uploads.storable import workload_of

ROUNDING_RATIO = 1e-9
"""Largest relative or absolute difference of equal numbers."""
_NUMBER = re.compile(rb"(\d+\.\d+(?:e[-+]\d+)?)")


class SignatureState(StrEnum):
    """Result of the check of a pack's signature; `none` if the pack is not signed."""

    VALID = "valid"
    INVALID = "invalid"
    NONE = "none"


class PackedVerdict(NamedTuple):
    """Name of a budget, and its verdict as text, as the pack states them."""

    budget: str
    words: str


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of a verification."""

    verdicts: int
    """Number of the pack's verdicts that were compared with recomputed verdicts; 0 if impossible."""
    differences: tuple[Difference, ...]
    """Differences between the pack and its raw files, in the order of the checks."""
    signature: SignatureState
    fingerprint: str | None
    """Fingerprint of the signing key, calculated from the key; None without a valid signature."""
    method_version: int
    answers: tuple[PackedVerdict, ...] = ()
    """Verdicts that the pack states; empty if the verdicts or the raw files are damaged or missing."""
    omitted: tuple[str, ...] = ()
    """Verdicts on the raw files, as text, that the pack leaves out."""
    stated: tuple[str, ...] = ()
    """Facts, as text, that a person stated about a raw file and that its verdicts rest on."""
    time_stamp: TimeStamp | None = None
    """The checked time stamp; None if the pack has none."""

    @property
    def is_intact(self) -> bool:
        """Whether there is no difference and no invalid signature; an unsigned pack can be intact."""
        return not self.differences and self.signature is not SignatureState.INVALID

    @property
    def ok(self) -> bool:
        """Whether the pack is intact and of this version of the method, so that verdicts were recomputed."""
        return self.is_intact and self.method_version == METHOD_VERSION

    def document(self) -> dict[str, Any]:
        """Return the verification as JSON values for `--json`."""
        return {
            "ok": self.ok,
            "verdicts": self.verdicts,
            "differences": [difference.document() for difference in self.differences],
            "omitted": list(self.omitted),
            "stated": list(self.stated),
            "signature": self.signature.value,
            "fingerprint": self.fingerprint,
            "method_version": self.method_version,
            "intact": self.is_intact,
            "answers": [answer._asdict() for answer in self.answers],
            "time_stamp": None if self.time_stamp is None else self.time_stamp.document(),
        }


def verify(data: bytes, roots: Sequence[Certificate] = ()) -> Verification:
    """Return the verification of a pack; `roots` are certificates of trusted time-stamp authorities.

    Raise PackUnreadable if it is no pack or of a newer version, DomainError if its raw files or budgets
    cannot be read.
    """
    members, broken = read_members(data)
    verification = _verify_members(data, members, broken)
    if TIME_STAMP not in members:
        return verification
    checked = check_stamp(members[MANIFEST], members[TIME_STAMP], roots)
    if checked.state is not TimeStampState.INVALID:
        return replace(verification, time_stamp=checked)
    difference = Difference(TIME_STAMP, "a time stamp of this manifest", str(checked.problem))
    return replace(verification, time_stamp=checked, differences=(*verification.differences, difference))


def _verify_members(data: bytes, members: dict[str, bytes], broken: Sequence[Difference]) -> Verification:
    """Return the verification of everything except the time stamp; raise the errors of `verify`."""
    manifest = read_manifest(members)
    differences = [*broken, *hash_differences(manifest, members, {difference.where for difference in broken})]
    state, fingerprint, misnamed = _check_signature(members)
    differences += misnamed
    damaged = {difference.where for difference in differences}
    # The order of the archive is the order in which the files were read for the pack.
    raw = {name.removeprefix(RAW): content for name, content in members.items() if name.startswith(RAW)}
    if not raw:
        differences.append(Difference(RAW, "raw files", "none: no verdict can be worked out again"))
    method = manifest["method_version"]
    unreadable = damaged & {VERDICTS, ANSWERS, *(RAW + name for name in raw)}
    if unreadable or VERDICTS not in members or not raw:
        return Verification(0, (*differences, *seal_differences(data)), state, fingerprint, method)
    rows = _verdicts(members[VERDICTS])
    answers = tuple(map(_packed_verdict, rows))
    if method < METHOD_VERSION:
        return Verification(0, (*differences, *seal_differences(data)), state, fingerprint, method, answers)
    runs = read_runs(raw, _answers(members))
    recomputed = _recompute(rows, runs, differences)
    derived = derived_members(
        raw,
        runs,
        recomputed,
        datetime.fromisoformat(manifest["made_at"]),
        with_page=manifest["tailroom_pack"] >= VERSION_WITH_PAGE,
    )
    differences += _derived_differences(members, manifest, damaged, derived)
    if STATEMENT in members and STATEMENT not in damaged:
        is_page_stated = manifest["tailroom_pack"] >= VERSION_WITH_PAGE_STATED
        subjects = subjects_of(raw, members) if is_page_stated else raw
        differences += _statement_differences(members, subjects, recomputed)
    omitted = tuple(_omitted_verdicts(rows, runs))
    differences += seal_differences(data)
    stated = tuple(f"run {number}, {stated_text(run)}" for number, run in enumerate(runs) if run.answered)
    return Verification(len(rows), tuple(differences), state, fingerprint, method, answers, omitted, stated)


def _packed_verdict(packed: dict[str, Any]) -> PackedVerdict:
    """Return budget name and text of an entry of `verdicts.json`. Raise PackUnreadable if it is malformed."""
    try:
        return PackedVerdict(str(packed["budget"]["name"]), words_of_document(packed["verdict"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise PackUnreadable(f"its {VERDICTS} is not that of an evidence pack") from None


def _recompute(
    rows: list[dict[str, Any]], runs: Sequence[ParsedRun], differences: list[Difference]
) -> list[RunVerdict]:
    """Return the verdicts of the entries `rows`, judged again from the raw files.

    An entry without a judged run is left out. Append to `differences` the missing runs, changed budgets and
    other verdicts. Raise DomainError for a malformed budget.
    """
    if not rows:
        differences.append(Difference(VERDICTS, "verdicts", "none: the pack concludes nothing"))
    known_operations: list[OperationCache] = [{} for _ in runs]
    verdicts: list[RunVerdict] = []
    for number, row in enumerate(rows):
        where = f"{VERDICTS}[{number}]"
        if not 0 <= row["run"] < len(runs):
            differences.append(Difference(f"{where}.run", row["run"], f"{len(runs)} runs"))
            continue
        run, budget = runs[row["run"]], parse(row["budget"])
        differences += _budget_differences(f"{where}.budget", budget, run)
        assessment = judge_run(run, budget, known_operations[row["run"]])
        summary = None if assessment is None else json.loads(json.dumps(assessment.summary()))
        differences += _differences(f"{where}.verdict", row["verdict"], summary)
        if assessment is not None:
            verdicts.append(RunVerdict(row["run"], budget, assessment))
    return verdicts


def _budget_differences(where: str, budget: Budget, run: ParsedRun) -> list[Difference]:
    """Return the differences of a budget, or its parts, from built-in budgets of the same names."""
    if isinstance(budget, RuleSet) and budget.name not in BUILT_IN_NAMES:
        return [
            difference
            for number, criterion in enumerate(budget.criteria)
            for difference in _budget_differences(f"{where}.criteria[{number}]", criterion, run)
        ]
    if budget.name not in BUILT_IN_NAMES:
        return []
    try:
        if budget.name == OWN_QUESTION:
            built_in: Budget | None = own_question(workload_of(run), run.parameters)
        else:
            built_in = budget_of(budget.name, budget.version)
    except BudgetUnknown as error:
        return [Difference(f"{where}.version", budget.version, str(error))]
    if built_in is None:
        return [Difference(f"{where}.name", budget.name, "the run states no question of its own")]
    return _differences(where, document_of(budget), document_of(built_in))


def _omitted_verdicts(rows: list[dict[str, Any]], runs: Sequence[ParsedRun]) -> Iterator[str]:
    """Yield as text the verdicts on the raw files by default budgets that the pack does not have."""
    packed = {(row["run"], row["budget"].get("name"), row["budget"].get("version")) for row in rows}
    for verdict in verdicts_of(runs):
        budget = verdict.budget
        if (verdict.run, budget.name, budget.version) not in packed:
            answer = words(verdict.assessment.judgement)
            yield f"run {verdict.run}, {budget.name} v{budget.version}: {answer}"


def _derived_differences(
    members: Mapping[str, bytes],
    manifest: Mapping[str, Any],
    damaged: set[str],
    derived: Mapping[str, bytes],
) -> list[Difference]:
    """Return the differences between the pack's members and those derived from its raw files."""
    differences: list[Difference] = []
    for name, content in derived.items():
        if name not in members:
            if name not in damaged:
                differences.append(Difference(name, "missing", "in a pack of these files"))
        elif name not in damaged and members[name] != content:
            differences += _member_differences(name, members[name], content, manifest)
    allowed = {MANIFEST, SIGNATURE, TIME_STAMP, STATEMENT, VERDICTS, ANSWERS, *derived}
    return differences + [
        Difference(name, "in the pack", "no part of a pack of these files")
        for name in members
        if name not in allowed and name not in damaged and not name.startswith(RAW)
    ]


def _statement_differences(
    members: Mapping[str, bytes], subjects: Mapping[str, bytes], recomputed: Sequence[RunVerdict]
) -> list[Difference]:
    """Return the differences between the pack's statement and that about the recomputed verdicts.

    A statement that is not signed with the key of the pack is one difference.
    """
    signature = parsed(members.get(SIGNATURE, b"{}"), SIGNATURE)
    public_key = signature.get("public_key") if isinstance(signature, dict) else None
    packed = signed_statement(parsed(members[STATEMENT], STATEMENT), str(public_key))
    if packed is None:
        return [Difference(STATEMENT, "signed by the key of the pack", "not signed by it")]
    return _differences(STATEMENT, packed, statement_of(subjects, recomputed, members[VERDICTS]))


def _member_differences(
    name: str, packed: bytes, derived: bytes, manifest: Mapping[str, Any]
) -> list[Difference]:
    """Return the differences between a member of the pack and the same member derived from its raw files.

    Rounding is no difference. Two pages that differ only in text are one difference.
    """
    if name not in (REPORT, PAGE):
        return _differences(name, parsed(packed, name), json.loads(derived))
    differences: list[Difference] = []
    if name == PAGE:
        # Deflated text differs between compressors, so the evidence is compared as it is read.
        (packed, stated), (derived, recomputed) = split_page(packed), split_page(derived)
        differences = _differences(f"{name} evidence", stated, recomputed)
    if not differences and _is_same_text(packed, derived):
        return []
    here, there = version("tailroom"), manifest.get("tailroom_version")
    other = f"the page that Tailroom {here} makes of the raw files is another"
    if here != there:
        other += f"; the pack says that Tailroom {there} made it: verify it with that version"
    elif differences:
        return differences
    return [Difference(name, "this page", other)]


def _is_same_text(packed: bytes, derived: bytes) -> bool:
    """Return whether two pages are equal except for decimal numbers that differ by rounding."""
    ours, theirs = _NUMBER.split(derived), _NUMBER.split(packed)
    return len(ours) == len(theirs) and all(
        our == their or (place % 2 == 1 and _is_close(float(our), float(their)))
        for place, (our, their) in enumerate(zip(ours, theirs, strict=True))
    )


def _is_close(first: float, second: float) -> bool:
    return math.isclose(first, second, rel_tol=ROUNDING_RATIO, abs_tol=ROUNDING_RATIO)


def _verdicts(data: bytes) -> list[dict[str, Any]]:
    """Return the entries of `verdicts.json`. Raise PackUnreadable if it is malformed."""
    rows = parsed(data, VERDICTS)
    is_well_formed = isinstance(rows, list) and all(
        isinstance(row, dict)
        and row.keys() == {"run", "budget", "verdict"}
        and type(row["run"]) is int
        and isinstance(row["budget"], dict)
        for row in rows
    )
    if not is_well_formed:
        raise PackUnreadable(f"its {VERDICTS} is not that of an evidence pack")
    return list(rows)


def _answers(members: dict[str, bytes]) -> Answers:
    """Return the uploader's answers in the pack, `NO_ANSWERS` if none; raise PackUnreadable if malformed."""
    if ANSWERS not in members:
        return NO_ANSWERS
    document = parsed(members[ANSWERS], ANSWERS)
    with contextlib.suppress(AnswersInvalid, AttributeError):
        answers = Answers.of(document)
        if answers.document() == document:
            return answers
    raise PackUnreadable(f"its {ANSWERS} is not that of an evidence pack")


def _check_signature(members: dict[str, bytes]) -> tuple[SignatureState, str | None, list[Difference]]:
    """Return the signature's state, its key's fingerprint, and a difference if another is stated."""
    if SIGNATURE not in members:
        return SignatureState.NONE, None, []
    document = parsed(members[SIGNATURE], SIGNATURE)
    signer = signer_of(members[MANIFEST], document)
    if signer is None:
        return SignatureState.INVALID, None, []
    where, stated = f"{SIGNATURE}.fingerprint", document.get("fingerprint")
    return SignatureState.VALID, signer, [] if stated == signer else [Difference(where, stated, signer)]


def _differences(where: str, packed: Any, derived: Any) -> list[Difference]:
    """Return a difference, with its place, for each value that differs by more than rounding."""
    if isinstance(packed, dict) and isinstance(derived, dict):
        names = dict.fromkeys((*packed, *derived))
        return [
            difference
            for name in names
            for difference in _differences(f"{where}.{name}", packed.get(name), derived.get(name))
        ]
    if isinstance(packed, list) and isinstance(derived, list) and len(packed) == len(derived):
        return [
            difference
            for number, pair in enumerate(zip(packed, derived, strict=True))
            for difference in _differences(f"{where}[{number}]", *pair)
        ]
    if isinstance(packed, float) and isinstance(derived, int | float) and not isinstance(derived, bool):
        return [] if _is_close(packed, derived) else [Difference(where, packed, derived)]
    same = type(packed) is type(derived) and packed == derived
    return [] if same else [Difference(where, packed, derived)]
