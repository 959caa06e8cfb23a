"""Every check on a published document, in the order of the checks."""

from collections.abc import Sequence

from tailroom.domain.claims.claim import Publication
from tailroom.domain.plausibility.assertions import Assertion, audit_assertions
from tailroom.domain.plausibility.database_runs import audit_database_runs
from tailroom.domain.plausibility.drive_tests import audit_drive_tests
from tailroom.domain.plausibility.finding import Finding
from tailroom.domain.plausibility.material import Fact
from tailroom.domain.plausibility.statements import audit_statements
from tailroom.domain.plausibility.system import audit_system


def audit_publication(
    publication: Publication,
    others: Sequence[Publication],
    facts: Sequence[Fact] = (),
    assertions: Sequence[Assertion] = (),
) -> tuple[Finding, ...]:
    """Return the findings on the numbers of a document, in the order P1 to P20. It is compared with `others`,
    `facts` of the catalogue, and `assertions` of its text about its tables.
    """
    findings = [
        *audit_drive_tests(publication, others),
        *audit_database_runs(publication),
        *audit_statements(publication, facts),
        *audit_system(publication, others, facts),
        *audit_assertions(publication, assertions, facts),
    ]
    return tuple(sorted(findings, key=lambda finding: int(finding.check[1:])))
