"""Comparison of several subjects with the first of them, by their stored figures.

Nothing is calculated inside a transaction. Figures are stored with a finished run, so the cost of a
comparison does not depend on the length of the runs.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tailroom.access.caller import Caller
from tailroom.analysis.schemas import QuantilePointOut
from tailroom.comparison.campaigns import CAMPAIGN, phase_of, phases_of
from tailroom.comparison.document import document_of
from tailroom.comparison.drives import DRIVE, DriveSubject, drive_reasons, drive_subjects, drives_sentence
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.query import SUBJECTS_MAX, SUBJECTS_MIN, ComparisonQuery, run_id_of
from tailroom.comparison.schemas import ComparisonOut, FactDifferenceOut, PairOut, QuantileRatioOut
from tailroom.comparison.stored_subjects import (
    READ,
    ChosenOperation,
    PublishedSubject,
    RunSubject,
    run_subject,
)
from tailroom.comparison.subjects import (
    PUBLICATION,
    PublishedSubjectUnknown,
    published_subject,
    without_latencies,
)
from tailroom.comparison.words import changes_text, factors_text, per_drive_text
from tailroom.domain.comparison.answer import headline, known_ratio, quantity_text, ratio_text
from tailroom.domain.comparison.comparison import Measured, NothingInCommon, compare_measured
from tailroom.domain.comparison.figures import THROUGHPUT, Figure
from tailroom.domain.comparison.smallest_change import SMALLEST_CHANGE_RATIO
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import CLOCKS
from tailroom.domain.verdicts.other_tools import requests
from tailroom.runs.facts import FactChange, facts_changed, facts_of
from tailroom.runs.service import describe_run, get_run

_PAIR = 2
"""Number of runs for which differing facts are listed."""
_OF_THE_SERVER = frozenset({"read-reqs-per-sec", "write-reqs-per-sec", "large-block-ops-per-sec"})
"""Parameters that state a rate of all drives of a server together."""

AnySubject = RunSubject | PublishedSubject | DriveSubject


def compare_subjects(caller: Caller, query: ComparisonQuery) -> ComparisonOut:
    """Return the query's subjects compared with the first of them, on one operation. Raise SubjectsInvalid
    for their number, or if they have nothing in common; SubjectMissing, RunUnknown or RunRetracted if the
    caller may not read a subject.
    """
    names = query.subject
    if not SUBJECTS_MIN <= len(names) <= SUBJECTS_MAX:
        raise SubjectsInvalid(f"{len(names)} subjects were named; name {SUBJECTS_MIN} to {SUBJECTS_MAX}.")
    for name in names:
        if names.count(name) > 1:
            raise SubjectsInvalid(f"“{name}” is named twice; a subject is compared with others.")
    drives, loads = drive_subjects(caller, [name for name in names if name.startswith(DRIVE)], query.load)
    of_campaigns, phase, phases = _campaigns(caller, names, query.phase)
    named: dict[str, AnySubject] = {**{drive.name: drive for drive in drives}, **of_campaigns}
    subjects = _distinguish([named.get(name) or _subject(caller, name) for name in names])
    common = [name for name in subjects[0].clocks if all(name in subject.clocks for subject in subjects[1:])]
    operation = query.operation or _default_operation(common, subjects)
    clock: str | None = query.clock
    if clock is None:
        everywhere = [subject.clocks.get(operation, frozenset()) for subject in subjects]
        clock = min(frozenset.intersection(*everywhere), key=CLOCKS.index, default=None)
    chosen = [subject.choose(operation, clock) for subject in subjects]
    if query.per_drive:
        chosen = [_per_drive(subject) for subject in chosen]
    changes = _changes(caller, chosen)
    pairs = [_pair(number, chosen[0], side, changes) for number, side in enumerate(chosen) if number]
    return ComparisonOut(
        answer=_answer(chosen, pairs, drives, per_drive=query.per_drive),
        operation=operation,
        operations=common,
        phase=phase,
        phases=phases,
        load=drives[0].test.load_multiple if drives else None,
        loads=loads,
        per_drive=query.per_drive,
        subjects=[side.out for side in chosen],
        pairs=pairs,
        smallest_change_ratio=SMALLEST_CHANGE_RATIO,
        method_version=METHOD_VERSION,
    )


def _distinguish(subjects: Sequence[AnySubject]) -> Sequence[AnySubject]:
    """Return the subjects, with starts, or else ids, in equal labels of runs."""
    for mark in ("start_text", "name"):
        labels = Counter(subject.label for subject in subjects)
        subjects = [
            replace(subject, label=f"{subject.label}, {getattr(subject, mark)}")
            if isinstance(subject, RunSubject) and labels[subject.label] > 1
            else subject
            for subject in subjects
        ]
    return subjects


def _subject(caller: Caller, name: str) -> AnySubject:
    """Return the subject `run:ID` or `publication:SLUG#ROW`. Raise SubjectsInvalid for another form,
    SubjectMissing for an unknown row, else as `run_subject`.
    """
    if name.startswith(PUBLICATION):
        try:
            return PublishedSubject(name, published_subject(name))
        except PublishedSubjectUnknown as error:
            raise SubjectMissing(f"{error}") from None
    return run_subject(caller, name, run_id_of(name))


def _campaigns(
    caller: Caller, names: Sequence[str], phase_name: str | None
) -> tuple[dict[str, AnySubject], str | None, list[str]]:
    """Return the campaigns among `names` as subjects by name, the compared phase, and the common phases.
    Raise as `phases_of`, `phase_of` and `run_subject`.
    """
    campaigns = [name for name in names if name.startswith(CAMPAIGN)]
    with caller.session() as session:
        titled_runs = {name: phases_of(session, caller.organisation_id, name) for name in campaigns}
    phase, phases = phase_of([runs for _, runs in titled_runs.values()], phase_name)
    subjects: dict[str, AnySubject] = {}
    for name, (title, runs) in titled_runs.items():
        assert phase is not None  # noqa: S101 - every campaign has it
        subjects[name] = replace(run_subject(caller, name, runs[phase]), label=f"{title}: {phase}")
    return subjects, phase, phases


def _default_operation(common: Sequence[str], subjects: Sequence[AnySubject]) -> str:
    """Return `read` if it is in `common`, else the first request there, else the first operation."""
    if READ in common:
        return READ
    candidates = [*requests(list(common)), *common]
    if not candidates:
        without = [subject.label for subject in subjects if not subject.clocks]
        if without:
            raise SubjectsInvalid(f"{without_latencies(without)}.")
        has = "; ".join(f"{subject.label} has {', '.join(subject.clocks)}" for subject in subjects)
        raise SubjectsInvalid(f"The subjects have no operation in common: {has}.")
    return candidates[0]


def _per_drive(side: ChosenOperation) -> ChosenOperation:
    """Return the operation with compared, not shown, rates divided by the number of drives. Raise
    SubjectsInvalid if the number is not stated.
    """
    count = side.out.drives
    if count is None:
        raise SubjectsInvalid(f"{side.out.label} does not say on how many drives its load was.")
    figures = side.measured
    target = figures.conditions.target_per_s
    conditions = replace(
        figures.conditions,
        target_per_s=None if target is None else target / count,
        parameters={
            name: value / count if name in _OF_THE_SERVER and isinstance(value, int | float) else value
            for name, value in figures.conditions.parameters.items()
        },
    )
    divided = tuple(_divide_throughput(figure, count) for figure in figures.figures)
    return replace(side, measured=replace(figures, figures=divided, conditions=conditions))


def _divide_throughput(figure: Figure, count: int) -> Figure:
    """Return a figure of throughput divided by `count`; any other figure unchanged."""
    if figure.quantity != THROUGHPUT:
        return figure
    bounds = {name: getattr(figure, name) for name in ("lower", "upper", "lower_limit", "upper_limit")}
    return replace(figure, **{name: bound / count for name, bound in bounds.items() if bound is not None})


def _answer(
    chosen: Sequence[ChosenOperation],
    pairs: Sequence[PairOut],
    drives: Sequence[DriveSubject],
    *,
    per_drive: bool,
) -> str | None:
    """Return the first sentence of a comparison of drives only, or of rates per drive; None for any other."""
    if len(drives) == len(chosen):
        return drives_sentence(drives)
    return per_drive_text([side.out.drives for side in chosen], pairs) if per_drive else None


def _changes(caller: Caller, chosen: Sequence[ChosenOperation]) -> list[FactChange] | None:
    """Return the facts that differ between two subjects that are runs; None for other numbers or kinds."""
    run_ids = [side.out.run_id for side in chosen if side.out.source == "run"]
    if len(chosen) != _PAIR or len(run_ids) != _PAIR:
        return None
    facts = []
    with caller.session() as session:
        for run_id in run_ids:
            assert run_id is not None  # noqa: S101 - of a run
            run = get_run(session, caller.organisation_id, run_id)
            facts.append(facts_of(describe_run(session, run, caller.organisation_id)))
    return facts_changed(*facts)


def _pair(
    number: int, base: ChosenOperation, new: ChosenOperation, changes: Sequence[FactChange] | None
) -> PairOut:
    """Return the comparison of `new`, the subject at position `number`, with the base; `changes` are the
    facts that differ. Raise SubjectsInvalid if the two have no quantity in common.
    """
    against: list[tuple[str, str]] = []
    warnings: list[str] = []
    before, after = base.measured, new.measured
    if base.test is not None and new.test is not None:
        # Drives are compared by the rules of the leaderboard, which cover the conditions of their tests.
        against, warnings = drive_reasons(base.test, new.test, base.out.label, new.out.label)
        before, after = (_remove_parameters(side) for side in (before, after))
    try:
        comparison = compare_measured(before, after, against=against)
    except NothingInCommon as error:
        raise SubjectsInvalid(f"{base.out.label} and {new.out.label}: {error}.") from None
    document = document_of(comparison)
    for gain, shown in zip(comparison.gains, document["gains"], strict=True):
        shown |= {"label": quantity_text(gain.quantity), "ratio_text": ratio_text(*known_ratio(gain))}
    return PairOut.model_validate(
        {
            **{name: document[name] for name in PairOut.model_fields if name in document},
            "notes": [*document["notes"], *warnings],
            "new": number,
            "headline": headline(comparison),
            "factors_text": factors_text(comparison),
            "facts_changed": [FactDifferenceOut(**change._asdict()) for change in changes or ()],
            "changes_text": None if changes is None else changes_text(changes),
            "quantile_ratios": _ratios(base.out.curve, new.out.curve),
        }
    )


def _remove_parameters(side: Measured) -> Measured:
    """Return the figures with equal tool, parameters, target and clock, by which drives are not compared."""
    conditions = replace(side.conditions, tool="", tool_version=None, clock=CLOCKS[0], parameters={})
    return replace(side, conditions=replace(conditions, unknown=(), target_per_s=None))


def _ratios(base: Sequence[QuantilePointOut], new: Sequence[QuantilePointOut]) -> list[QuantileRatioOut]:
    """Return bounds of the ratio of `new` to `base` at each common quantile; None if there is no bound."""
    before = {point.quantile: point for point in base}
    return [
        QuantileRatioOut(
            quantile=point.quantile,
            lower=point.lower_ns / at.upper_ns if at.upper_ns else None,
            upper=point.upper_ns / at.lower_ns if point.upper_ns is not None and at.lower_ns else None,
        )
        for point in new
        if (at := before.get(point.quantile)) is not None
    ]
