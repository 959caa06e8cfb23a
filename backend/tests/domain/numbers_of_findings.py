"""Findings about publications and runs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from backend.tests.domain.plausibility import test_run_audit
from backend.tests.domain.plausibility.made_up import consistent, publication
from backend.tests.domain.plausibility.test_publications import PLANTED

from tailroom.catalogue.audits import assertions, facts
from tailroom.catalogue.publications.dataset import read_all
from tailroom.domain.claims.claim import Publication, PublishedClaim
from tailroom.domain.plausibility.finding import Finding, FindingFigure
from tailroom.domain.plausibility.publication import audit_publication
from tailroom.domain.plausibility.run import audit_run


def _brief(findings: Sequence[Finding]) -> list[Any]:
    return [
        [
            [each.check, each.severity, each.kind, each.statement, len(each.claim_keys)],
            [_ends(figure) for figure in each.figures],
        ]
        for each in findings
    ]


def _ends(figure: FindingFigure) -> tuple[float, float, float]:
    """The number of a figure and its bounds; -1 if unknown."""
    value, lower, upper = (
        -1.0 if each is None else each for each in (figure.value, figure.lower, figure.upper)
    )
    return value, lower, upper


def of_publications() -> Any:
    """Findings about the publications of the package, and what planted errors add to those about another."""
    documents = read_all()
    sound = audit_publication(publication(consistent()), ())
    return {
        **{
            each.slug: _brief(audit_publication(each, documents, facts(), assertions())) for each in documents
        },
        "made up": _brief(sound),
        **{
            check: _brief([found for found in audit_publication(each, ()) if found not in sound])
            for check, each in PLANTED.items()
        },
    }


def of_findings_about_a_run() -> Any:
    """Findings about a run that agrees with itself, and how planted errors change them."""
    run, errors = test_run_audit.consistent(), test_run_audit.PLANTED.values()
    sound = audit_run(run)
    return [
        _brief(sound),
        *(_brief([f for f in audit_run(plant(run)) if f not in sound]) for plant in errors),
    ]


def _shaken(document: Publication, seed: int) -> Publication:
    """The document with a third of its numbers larger or smaller by an eighth, and a tenth unknown."""
    rng = np.random.default_rng(seed)

    def shaken(claim: PublishedClaim) -> PublishedClaim:
        drawn, printed = rng.random(), claim.printed
        factor = 1.0 if drawn < 0.67 else 0.875 if drawn < 0.83 else 1.125
        numbers = (printed.value, printed.lower, printed.upper)
        value, lower, upper = (None if each is None or drawn > 0.97 else each * factor for each in numbers)
        return replace(claim, printed=replace(printed, value=value, lower=lower, upper=upper))

    return replace(document, claims=tuple(map(shaken, document.claims)))


def of_shaken_publications() -> Any:
    """Findings about documents some of whose numbers are wrong, and with some facts unknown."""
    documents = read_all()
    found = {}
    for seed in range(3):
        known = [fact for number, fact in enumerate(facts()) if number % 5 != seed]
        for document in (*documents, publication(consistent())):
            findings = audit_publication(_shaken(document, seed), documents, known, assertions())
            numbers = [number for each in findings for figure in each.figures for number in _ends(figure)]
            found[f"{document.slug} {seed}"] = [[f"{each.check} {each.kind}" for each in findings], numbers]
    return found
