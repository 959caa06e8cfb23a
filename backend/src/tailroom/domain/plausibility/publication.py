"""Every check on a published document."""

from collections.abc import Sequence

from tailroom.domain.claims.claim import Publication
from tailroom.domain.plausibility import (
    attribution,
    bandwidth,
    criteria,
    dates,
    drive_load,
    gains,
    labels,
    order,
    rates,
    samples,
    tools,
    transactions,
    twice,
)
from tailroom.domain.plausibility.assertions import Assertion, audit_assertions
from tailroom.domain.plausibility.capacity import capacities
from tailroom.domain.plausibility.finding import Finding
from tailroom.domain.plausibility.material import ACT, Fact, drive_rows, run_series


def audit_publication(
    publication: Publication,
    others: Sequence[Publication],
    facts: Sequence[Fact] = (),
    assertions: Sequence[Assertion] = (),
) -> tuple[Finding, ...]:
    """Return the findings on the numbers of a document, in the order P1 to P20. It is compared with `others`,
    `facts` of the catalogue, and `assertions` of its text about its tables.
    """
    rows, series = drive_rows(publication), run_series(publication)
    of_act = [row for row in rows if row.tool == ACT and row.keys]
    own_facts = [fact for fact in facts if fact.source == publication.slug]
    findings = [
        *rates.equal_load(publication, series),
        *rates.published_runtimes(publication, series),
        *order.thresholds(rows),
        *order.published_percentiles(series),
        *order.total_and_device(rows),
        *order.monotone_shares(rows),
        *gains.published_gains(publication),
        *gains.without_baseline(publication, series),
        *twice.between_publications(publication, rows, others),
        *twice.same_everywhere(publication),
        *twice.limits_of_one_share(publication),
        *twice.rates_reached(publication),
        *labels.row_labels(publication, series),
        *labels.read_modify_writes(series),
        *labels.unnamed_statistics(publication),
        *samples.averages_of_integers(publication),
        *samples.tails(series),
        *(capacities(publication, own_facts) if own_facts else ()),
        *drive_load.odd_steps(of_act),
        *drive_load.lower_bounds(publication, rows),
        *drive_load.specification(publication, series, own_facts),
        *drive_load.certified_loads(publication, others, own_facts),
        *bandwidth.bandwidths(publication, series),
        *bandwidth.definitions(publication),
        *bandwidth.hardware_units(own_facts),
        *dates.one_day_each(of_act),
        *dates.missing_dates(of_act),
        *criteria.criteria(publication, rows),
        *tools.act_by_dates(of_act),
        *tools.published_tools(publication),
        *transactions.tail_not_published(series),
        *transactions.transactions(publication, facts),
        *attribution.common_loads(rows),
        *attribution.changed_factors(publication, series, own_facts),
        *audit_assertions(publication, rows, assertions, facts),
    ]
    return tuple(sorted(findings, key=lambda finding: int(finding.check[1:])))
