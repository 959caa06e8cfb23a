"""Several subjects against the first of them, by the figures that each brings along.

Nothing is calculated inside a transaction. What a finished run brings is kept with it, so a comparison costs
little however long the runs were.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from tailroom.access.caller import Caller
from tailroom.analysis.schemas import QuantilePointOut
from tailroom.comparison.campaigns import CAMPAIGN, phase_of, phases_of
from tailroom.comparison.chosen import READ, Chosen, PublishedSubject, RunSubject, run_subject
from tailroom.comparison.document import document_of
from tailroom.comparison.drives import DRIVE, DriveSubject, drive_reasons, drive_subjects, drives_sentence
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.query import SUBJECTS_MAX, SUBJECTS_MIN, ComparisonQuery
from tailroom.comparison.schemas import ComparisonOut, FactChangeOut, PairOut, QuantileRatioOut
from tailroom.comparison.subjects import (
    PUBLICATION,
    PublicationUnknown,
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
from tailroom.runs.facts import FACTS_NAMED, FactChange, facts_changed, facts_of
from tailroom.runs.service import describe_run, get_run

_RUN = "run:"
_PAIR = 2
_OF_THE_SERVER = frozenset({"read-reqs-per-sec", "write-reqs-per-sec", "large-block-ops-per-sec"})
"""Parameters that count for all drives of a server together."""

AnySubject = RunSubject | PublishedSubject | DriveSubject


def compare_subjects(caller: Caller, asked: ComparisonQuery) -> ComparisonOut:
    """Every subject against the first. Raises SubjectsInvalid, SubjectMissing, RunUnknown, RunRetracted."""
    names = asked.subject
    if not SUBJECTS_MIN <= len(names) <= SUBJECTS_MAX:
        raise SubjectsInvalid(f"{len(names)} subjects were named; name {SUBJECTS_MIN} to {SUBJECTS_MAX}.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SubjectsInvalid(f"“{twice}” is named twice; a subject is compared with others.")
    drives, loads = drive_subjects(caller, [one for one in names if one.startswith(DRIVE)], asked.load)
    of_campaigns, phase, phases = _campaigns(caller, names, asked.phase)
    known: dict[str, AnySubject] = {**{one.name: one for one in drives}, **of_campaigns}
    subjects = [known.get(name) or _subject(caller, name) for name in names]
    common = [name for name in subjects[0].clocks if all(name in one.clocks for one in subjects[1:])]
    operation = asked.operation or _usual(common, subjects)
    clock: str | None = asked.clock
    if clock is None:
        everywhere = [one.clocks.get(operation, frozenset()) for one in subjects]
        clock = min(frozenset.intersection(*everywhere), key=CLOCKS.index, default=None)
    chosen = [one.choose(operation, clock) for one in subjects]
    if asked.per_drive:
        chosen = [_per_drive(one) for one in chosen]
    changes = _changes(caller, chosen)
    pairs = [_pair(number, chosen[0], one, changes) for number, one in enumerate(chosen) if number]
    return ComparisonOut(
        answer=_answer(chosen, pairs, drives, per_drive=asked.per_drive),
        operation=operation,
        operations=common,
        phase=phase,
        phases=phases,
        load=drives[0].test.load_multiple if drives else None,
        loads=loads,
        per_drive=asked.per_drive,
        subjects=[one.out for one in chosen],
        pairs=pairs,
        smallest_change_ratio=SMALLEST_CHANGE_RATIO,
        method_version=METHOD_VERSION,
    )


def _subject(caller: Caller, name: str) -> AnySubject:
    if name.startswith(PUBLICATION):
        try:
            return PublishedSubject(name, published_subject(name))
        except PublicationUnknown as error:
            raise SubjectMissing(f"{error}") from None
    try:
        run_id = UUID(name.removeprefix(_RUN)) if name.startswith(_RUN) else None
    except ValueError:
        run_id = None
    if run_id is None:
        raise SubjectsInvalid(
            f"“{name}” is no subject: write run:ID, campaign:ID, drive:SLUG or publication:SLUG#ROW."
        )
    return run_subject(caller, name, run_id)


def _campaigns(
    caller: Caller, names: Sequence[str], asked: str | None
) -> tuple[dict[str, AnySubject], str | None, list[str]]:
    """Campaigns by the run of the phase that is compared."""
    wanted = [name for name in names if name.startswith(CAMPAIGN)]
    with caller.session() as session:
        found = {name: phases_of(session, caller.organisation_id, name) for name in wanted}
    phase, phases = phase_of([runs for _, runs in found.values()], asked)
    subjects: dict[str, AnySubject] = {}
    for name, (title, runs) in found.items():
        assert phase is not None  # noqa: S101 - every campaign has it
        subjects[name] = replace(run_subject(caller, name, runs[phase]), label=f"{title}: {phase}")
    return subjects, phase, phases


def _usual(common: Sequence[str], subjects: Sequence[AnySubject]) -> str:
    """What is compared where nobody names an operation: reads, or the first request that all have."""
    if READ in common:
        return READ
    wanted = [*requests(list(common)), *common]
    if not wanted:
        without = [one.label for one in subjects if not one.clocks]
        if without:
            raise SubjectsInvalid(f"{without_latencies(without)}.")
        has = "; ".join(f"{one.label} has {', '.join(one.clocks)}" for one in subjects)
        raise SubjectsInvalid(f"The subjects have no operation in common: {has}.")
    return wanted[0]


def _per_drive(one: Chosen) -> Chosen:
    """With rate and schedule of one drive among those of its server. Raises SubjectsInvalid."""
    count = one.out.drives
    if count is None:
        raise SubjectsInvalid(f"{one.out.label} does not say on how many drives its load was.")
    known = one.measured
    target = known.conditions.target_per_s
    return replace(
        one,
        measured=Measured(
            tuple(_divided(figure, count) for figure in known.figures),
            replace(
                known.conditions,
                target_per_s=None if target is None else target / count,
                parameters={
                    name: value / count
                    if name in _OF_THE_SERVER and isinstance(value, int | float)
                    else value
                    for name, value in known.conditions.parameters.items()
                },
            ),
            known.has_course,
            known.in_flight,
        ),
    )


def _divided(figure: Figure, count: int) -> Figure:
    if figure.quantity != THROUGHPUT:
        return figure
    ends = (figure.upper, figure.lower_limit, figure.upper_limit)
    upper, lower_limit, upper_limit = (None if one is None else one / count for one in ends)
    return replace(
        figure, lower=figure.lower / count, upper=upper, lower_limit=lower_limit, upper_limit=upper_limit
    )


def _answer(
    chosen: Sequence[Chosen], pairs: Sequence[PairOut], drives: Sequence[DriveSubject], *, per_drive: bool
) -> str | None:
    """The first sentence of subjects that have one of their own."""
    if len(drives) == len(chosen):
        return drives_sentence(drives)
    return per_drive_text([one.out.drives for one in chosen], pairs) if per_drive else None


def _changes(caller: Caller, chosen: Sequence[Chosen]) -> list[FactChange] | None:
    """Facts of host, plan and tool that two runs do not share; none of more subjects or of others."""
    run_ids = [one.out.run_id for one in chosen if one.out.source == "run"]
    if len(chosen) != _PAIR or len(run_ids) != _PAIR:
        return None
    facts = []
    with caller.session() as session:
        for run_id in run_ids:
            assert run_id is not None  # noqa: S101 - of a run
            run = get_run(session, caller.organisation_id, run_id)
            facts.append(facts_of(describe_run(session, run, caller.organisation_id)))
    return facts_changed(*facts)


def _pair(number: int, base: Chosen, new: Chosen, changes: Sequence[FactChange] | None) -> PairOut:
    against: list[tuple[str, str]] = []
    warnings: list[str] = []
    before, after = base.measured, new.measured
    if base.test is not None and new.test is not None:
        # Rules of the leaderboard decide between drives: they know what tests of drives state, and how.
        against, warnings = drive_reasons(base.test, new.test)
        before, after = (_without_parameters(one) for one in (before, after))
    try:
        found = compare_measured(before, after, against=against)
    except NothingInCommon as error:
        raise SubjectsInvalid(f"{base.out.label} and {new.out.label}: {error}.") from None
    document = document_of(found)
    for gain, shown in zip(found.gains, document["gains"], strict=True):
        shown |= {"label": quantity_text(gain.quantity), "ratio_text": ratio_text(*known_ratio(gain))}
    return PairOut.model_validate(
        {
            **{name: document[name] for name in PairOut.model_fields if name in document},
            "notes": [*document["notes"], *warnings],
            "new": number,
            "headline": headline(found),
            "factors_text": factors_text(found),
            "facts_changed": [FactChangeOut(**one._asdict()) for one in (changes or ())[:FACTS_NAMED]],
            "changes_text": None if changes is None else changes_text(changes),
            "quantile_ratios": _ratios(base.out.curve, new.out.curve),
        }
    )


def _without_parameters(one: Measured) -> Measured:
    conditions = replace(
        one.conditions,
        tool="",
        tool_version=None,
        clock=CLOCKS[0],
        parameters={},
        unknown=(),
        target_per_s=None,
    )
    return replace(one, conditions=conditions)


def _ratios(base: Sequence[QuantilePointOut], new: Sequence[QuantilePointOut]) -> list[QuantileRatioOut]:
    """At every quantile that both have."""
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
