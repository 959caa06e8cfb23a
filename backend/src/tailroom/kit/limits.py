"""Numbers that limit what is sent and asked, in one place; the rest are settings.

`tailroom limits` writes docs/limits.md from these: value, answer beyond it, and test.
"""

PROBLEMS_NAMED = 20
"""Most broken rules that an answer names."""

HEAD_BYTES = 64 * 1024
"""Request line and headers; a browser sends some two thousand."""
HEAD_SECONDS = 20.0

JSON_BODY_BYTES = 64 * 1024
"""Budgets, drives, reasons, tokens. They are parsed in the event loop, so they are small."""
ANSWERS_BODY_BYTES = 256 * 1024
"""Answers about a run."""
QUESTION_BODY_BYTES = 2**20
"""A question with a distribution of its own; that of every three-digit bucket up to an hour is a third."""
BODY_MEMBERS = 64
PROBLEM_SEARCH_BYTES = 2**20
ANNOUNCEMENT_BYTES = 2**20
BATCH_INTERVALS = 10_000
BATCH_SERIES = 1_000
HISTOGRAM_BYTES = 256 * 1024
"""A three-digit histogram of every bucket up to an hour is a tenth of this."""

DOCUMENT_DEPTH = 12
DOCUMENT_VALUES = 5_000
DOCUMENT_TEXT_CHARACTERS = 4_000
DOCUMENT_KEY_CHARACTERS = 200

PRICE_LIST_ENTRIES = 2_000
"""Prices of one organisation; drives of all vendors on sale are some hundred."""

INVITATIONS = 100
"""Open invitations of one organisation."""
ACCESS_TOKENS = 1_000
"""Valid tokens of one organisation."""
PASSKEYS = 20
"""Most passkeys of a person."""
OWNED_ORGANISATIONS = 50
"""Organisations that a person may own, if any person may create organisations."""
SAVED_ITEMS = 200
"""Most items that a person saves."""
TRAIL_EXPORT_EVENTS = 50_000
"""Events of one export; the filter leads to older ones."""

ORGANISATION_STREAMS = 500
"""Live streams of one organisation behind one port: each is an open connection and a queue."""
ORGANISATION_WAITING = 16
"""Questions of one organisation that wait for a thread; each holds its body."""

QUESTION_POINTS = 1_200_000_000
"""Numbers calculated for one answer (`domain.transactions.work`): one to two seconds of a processor."""
STAGES_NEVER_REFUSED = 4
"""Stages of fixed counts up to which a question is answered at any cost."""
RELAXATION_SECONDS = 1.5
"""Time after which no further relaxation of a question is searched for."""
MATCH_CONFIGURATIONS = 1_000
MATCH_RUNS = 50
"""Most runs that a match (a search for configurations that meet an SLA) may name: a page of a list."""
MATCH_SECONDS = 1.5
"""Time after which no further configuration is judged; the answer states how many were not."""

ANALYSIS_SECONDS = 20.0
"""Longest time for the curves, figures or report of a run, which then ends."""
LINE_SECONDS = 2.5
"""Seconds to search for lines at the end of a large file."""
CAMPAIGN_BODY_BYTES = 512 * 1024
"""A plan, or the inventory of a machine with the state of its job."""
CAMPAIGN_PLAN_CHARACTERS = 100_000
CAMPAIGN_AGENTS = 1_000
SEARCH_AGENTS = 64
"""Agents of a campaign that searches for the highest load: after each measurement all wait for all counts."""
CAMPAIGN_OBJECTIVES = 8
"""The page of a campaign judges every phase by each of them."""
CAMPAIGNS_LISTED = 50
SIBLING_UNITS = 2_000
"""Drives, nodes or links that are compared with each other at once."""
ENROLMENT_CODES = 200
"""Codes of one organisation that wait for their agents."""
AGENT_WAIT_SECONDS = 3_600
"""Longest wait of an idle agent for one answer; an answer costs some ten milliseconds."""
OBSERVATION_BODY_BYTES = 512 * 1024
"""Some seconds of a machine with many cores."""
OBSERVATION_GAUGES = 8_192
OBSERVATION_BATCH = 600
"""Seconds of one message."""
OBSERVATION_SAMPLES = 90_000
"""Seconds of one observation; an observer begins another observation each day."""
WATCHES = 100
"""Most watches of an organisation; every run that it finishes is compared with each."""
BUDGET_VERSIONS = 1_000
BUDGETS_BYTES = 4 * 1024 * 1024
"""Documents of all versions of an organisation's budgets, which the list of budgets contains."""
CHAINS = 1_000
"""Chains of linked runs of an organisation."""
RUN_LINKS = 100
"""Links of one run, also ended links."""

RUN_SERIES = 2_000
"""Series of one run: 24 drives with four operations timed in two ways, live and as histograms, are 400."""
RUN_OPERATIONS = 200
"""Operations of one run, each counted for each kind of time that is measured (`clock`)."""
RUN_PHASES = 1_000
"""Most phases of a run; a file of fio has one for each of its jobs."""
RUN_FINDINGS = 500
"""Findings of one run; of more, the weightiest are stored."""


def run_size_problem(series: int, operations: int, phases: int) -> str | None:
    """Return a clause about the first of these counts above the limit of a run; None if all are within.

    An operation counts once for each kind of time that was measured (`clock`).
    """
    for count, most, name in (
        (series, RUN_SERIES, "series"),
        (operations, RUN_OPERATIONS, "operations on their clocks"),
        (phases, RUN_PHASES, "phases"),
    ):
        if count > most:
            return f"it has {count:,} {name}, and a run may have {most:,}"
    return None
