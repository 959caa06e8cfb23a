"""`tailroom limits`: docs/limits.md, every limit with its value, the answer beyond it, and its test."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tailroom.cli.terminal import print_or_compare

if TYPE_CHECKING:
    from tailroom.kit.settings import Settings

_LIMITS = """\
## Bodies
body as sent | body_limit_bytes bytes | 413 `body-too-large` | ingest/test_limits
body unpacked | unpacked_limit_bytes bytes | 413 `body-too-large` | ingest/test_limits
questions about SLAs with a distribution | QUESTION_BODY_BYTES bytes | 413 `body-too-large` | \
api/test_slow_and_large
answers about a run | ANSWERS_BODY_BYTES bytes | 413 `body-too-large` | api/test_slow_and_large
every other body of JSON | JSON_BODY_BYTES bytes | 413 `body-too-large` | api/test_slow_and_large
request line and headers | HEAD_BYTES bytes | 431 `head-too-large` | api/test_slow_and_large
time until the headers are whole | HEAD_SECONDS s | 408 `head-too-slow` | api/test_slow_and_large
members of a gzip body, frames of a zstd body | BODY_MEMBERS | 400 `body-unreadable` | ingest/test_limits
announcement or finish, unpacked | ANNOUNCEMENT_BYTES bytes | 413 `body-too-large` | ingest/test_limits
intervals of a batch | BATCH_INTERVALS | 422 `batch-invalid` | ingest/test_limits
series defined in a batch | BATCH_SERIES | 422 `batch-invalid` | ingest/test_limits
readings of a drive's counters | READINGS_MOST | 422 `batch-invalid` | analysis/test_drive_counters
values of a reading | VALUES_MOST | 422 `batch-invalid` | analysis/test_drive_counters
drives with counters | DRIVES_MOST | 422 `batch-invalid` | analysis/test_drive_counters
series of a run | RUN_SERIES | \
422 `batch-invalid`; a file is refused, and so is a pack of an organisation | uploads/test_run_size
operations of a run, each on each clock | RUN_OPERATIONS | \
422 `batch-invalid`; a file is refused, and so is a pack of an organisation | uploads/test_run_size
phases of a run | RUN_PHASES | \
422 `batch-invalid`; a file is refused, and so is a pack of an organisation | uploads/test_run_size
findings of a run | RUN_FINDINGS | the weightiest are stored | uploads/test_run_size
one histogram | HISTOGRAM_BYTES bytes | 422 `batch-invalid` | ingest/test_validation
silence in a body | SILENCE_S s | 408 `body-too-slow` | api/test_slow_and_large
pace of a body after that | LEAST_BYTES_PER_S bytes/s at least | 408 `body-too-slow` | \
api/test_slow_and_large
prices of an organisation | PRICE_LIST_ENTRIES | 409 `price-list-full` | ratings/test_prices
versions of an organisation's budgets | BUDGET_VERSIONS | 409 `budgets-full` | budgets/test_budgets
documents of an organisation's budgets | BUDGETS_BYTES bytes | 409 `budgets-full` | budgets/test_budgets
chains of an organisation | CHAINS | 409 `chains-too-many` | comparison/test_chains
watches of an organisation | WATCHES | 409 `watches-too-many` | watches/test_watches
delivering an alert by webhook | ALERT_SECONDS s | tried again | watches/test_watches
links of a run | RUN_LINKS | 409 `links-too-many` | reports/test_links
agents of a campaign | CAMPAIGN_AGENTS | 422 `request-invalid` | campaigns/test_asking
agents of a search | SEARCH_AGENTS | 409 `campaign-refused` | campaigns/test_asking
units judged against each other | SIBLING_UNITS | 422 `subjects-invalid` | comparison/test_siblings
objectives of a campaign | CAMPAIGN_OBJECTIVES | 422 `request-invalid` | campaigns/test_asking
plan of a campaign | CAMPAIGN_PLAN_CHARACTERS characters | 422 `request-invalid` | campaigns/test_asking
plan or inventory with what is sent beside it | CAMPAIGN_BODY_BYTES bytes | 413 `request-too-large` | \
campaigns/test_asking
wait of an idle agent | AGENT_WAIT_SECONDS s | 422 `request-invalid` | campaigns/test_waiting
campaigns listed | CAMPAIGNS_LISTED | older ones by their address | campaigns/test_asking
codes that wait for their agents | ENROLMENT_CODES | 409 `campaign-refused` | campaigns/test_asking
gauges of an observation | OBSERVATION_GAUGES | 422 `request-invalid` | observations/test_observations
seconds of one message | OBSERVATION_BATCH | 422 `request-invalid` | observations/test_observations
seconds of an observation | OBSERVATION_SAMPLES | 422 `request-invalid` | observations/test_observations
one message of an observer | OBSERVATION_BODY_BYTES bytes | 413 `request-too-large` | \
observations/test_observations
problems named in an answer | PROBLEMS_NAMED | the first are named | ingest/test_limits
batch that is searched for every problem, not the first alone | PROBLEM_SEARCH_BYTES bytes | \
the first is named | ingest/test_limits
## Documents that agents and people write (plan, host, disclosure)
levels of nesting | DOCUMENT_DEPTH | 422 `batch-invalid` | kit/test_free_documents
values in one document | DOCUMENT_VALUES | 422 `batch-invalid` | kit/test_free_documents
one text | DOCUMENT_TEXT_CHARACTERS characters | 422 `batch-invalid` | kit/test_free_documents
one name | DOCUMENT_KEY_CHARACTERS characters | 422 `batch-invalid` | kit/test_free_documents
a number | 64 bits | 422 `batch-invalid` | kit/test_free_documents
## Questions
stages of a plan | STAGES_PER_PLAN | 422 `request-invalid` | sla/test_plan_size
weights of a plan | WEIGHTS_PER_PLAN | 422 `budget-invalid` | sla/test_plan_size
calculation for an answer with random counts, or over {STAGES_NEVER_REFUSED} stages | \
QUESTION_POINTS points | 422 `question-too-large` | sla/test_plan_size
configurations of a match | MATCH_CONFIGURATIONS | `not_looked_at` | sla/test_match
runs that a match names | MATCH_RUNS | 422 `request-invalid` | sla/test_match
match | MATCH_SECONDS s | `not_looked_at` | sla/test_match
search for relaxations | RELAXATION_SECONDS s | those found until then | sla/test_relaxations
## Work at once; organisations take turns
pages and lists | page_threads | 503 `busy` with Retry-After | kit/test_threads
curves of runs | analysis_threads | 503 `busy` with Retry-After | kit/test_threads
leaderboards and drives | rating_threads | 503 `busy` with Retry-After | kit/test_threads
questions about SLAs (matching, simulating), text of stored files | question_threads | \
503 `busy` with Retry-After | kit/test_threads
reports of runs | report_threads | 503 `busy` with Retry-After | kit/test_threads
working out curves or a report | ANALYSIS_SECONDS s | 503 `answer-too-long` | kit/test_threads
making a PDF | PRINTING_SECONDS s | 503 `pdf-unavailable` | reports/test_printing
making an evidence pack | PACKING_SECONDS s | 503 `pack-too-long` | reports/test_packs_of_runs
batches, announcements, ends | ingest_threads | 503 `busy` with Retry-After | kit/test_threads
uploads read at once | upload_threads | 503 `busy` with Retry-After | kit/test_threads
wait for a free thread | wait_s s | 503 `busy` with Retry-After | kit/test_threads
questions of one organisation that wait | ORGANISATION_WAITING | 503 `busy` with Retry-After | \
kit/test_threads
uploads of one organisation that wait | ORGANISATION_WAITING | 503 `busy` with Retry-After | \
kit/test_threads
live streams open | live_streams | 503 `busy` with Retry-After | live/test_stream
live streams of one organisation | ORGANISATION_STREAMS | 503 `busy` with Retry-After | live/test_stream
frames that wait for one stream | QUEUE_FRAMES | the stream ends | live/test_stream
age of a live stream | live_max_lifetime_s s | the stream ends | live/test_stream
## Work that fails, and guesses
attempts to judge, audit or rate a run | JUDGE_ATTEMPTS | given up | work/test_claims
attempts to read an upload | UPLOAD_ATTEMPTS | given up | work/test_claims
worker processes for one organisation while another has work: all but | 1 | waits its turn | \
work/test_claims
requests of one token, person or visitor's address | requests_per_minute a minute | \
429 `requests-too-many` | access/test_access
guesses of tokens at once | TOKEN_GUESSES | 429 `guesses-too-many` | access/test_access
guesses of tokens after that | TOKEN_GUESSES_PER_S /s | 429 `guesses-too-many` | access/test_access
wrong passwords of an address at an e-mail | PASSWORD_GUESSES | 429 `sign-ins-too-many` | \
people/test_accounts
sign-ins begun from an address at once | SIGN_INS_BEGUN | 429 `sign-ins-too-many` | people/test_accounts
mails of a kind to an address | MAILS_OF_A_KIND | 429 `mails-too-many` | people/test_accounts
trials of alerts to an address or host | MAILS_OF_A_KIND | 429 `mails-too-many` | watches/test_watches
mails that a person or an address asks for | MAILS_OF_ASKER | 429 `mails-too-many` | people/test_accounts
organisations that a person owns | OWNED_ORGANISATIONS | 409 `organisations-too-many` | \
people/test_organisations
passkeys of one person | PASSKEYS | 409 `passkeys-too-many` | people/test_passkeys
saved by one person | SAVED_ITEMS | 409 `saved-too-many` | people/test_saved
open invitations | INVITATIONS | 409 `invitations-too-many` | people/test_organisations
tokens that hold | ACCESS_TOKENS | 409 `access-tokens-too-many` | people/test_organisations
a traceback in the log | TRACEBACK_CHARACTERS characters | loses its middle | kit/test_logging
## Files
upload, all files together | upload_limit_bytes bytes | 413 `upload-too-large` | uploads/test_receiving
files of one upload | upload_files_limit | 413 `upload-too-many-files` | uploads/test_receiving
search for lines of a packed file | LINE_SECONDS s | 422 `raw-file-unshowable` | uploads/test_lines
what a killed upload leaves behind | LEFT_AT_MOST_S s | removed | kit/test_raw_files
"""
"""Name, value with unit, answer and test file of each limit; a value is a key of `_values`."""
_HEADER = """\
# Limits

What is sent or asked beyond these is refused with the answer named here, and nothing of it is
stored. Threads, what waits for them and streams are those of each process; requests, guesses and
streams of an organisation those of all behind one port. Written by `tailroom limits` from
`backend/src/tailroom/kit/limits.py` and the defaults of the settings.
"""
"""Beginning of the document."""


def _values(settings: "Settings") -> Mapping[str, float]:
    """Return the value of each limit by the name of its constant or setting."""
    from tailroom.access import guesses, sending
    from tailroom.domain.drive_counters import summary
    from tailroom.domain.transactions import plan
    from tailroom.kit import body_limit, logging, raw_files
    from tailroom.kit import limits as kit_limits
    from tailroom.live import hub
    from tailroom.people import guard
    from tailroom.reports import packing_process, printing
    from tailroom.watches import webhooks
    from tailroom.work.kinds import JUDGE, READ_UPLOAD

    constants: dict[str, float] = {}
    for module in (summary, plan, body_limit, logging, raw_files, hub, packing_process, printing, kit_limits):
        constants |= vars(module)
    return {
        **constants,
        **dict(settings),
        "ALERT_SECONDS": webhooks.SECONDS,
        "JUDGE_ATTEMPTS": JUDGE.most_attempts,
        "UPLOAD_ATTEMPTS": READ_UPLOAD.most_attempts,
        "TOKEN_GUESSES": guesses.BURST,
        "TOKEN_GUESSES_PER_S": guesses.PER_S,
        "PASSWORD_GUESSES": guard.PAIR.burst,
        "SIGN_INS_BEGUN": guard.BEGUN.burst,
        "MAILS_OF_A_KIND": sending.MAIL.burst,
        "MAILS_OF_ASKER": sending.ASKER.burst,
    }


def _lines(settings: "Settings") -> Iterator[str]:
    values = _values(settings)
    for line in _LIMITS.splitlines():
        if line.startswith("## "):
            yield from (
                "",
                line,
                "",
                "| limit | value | beyond it | setting | test |",
                "|---|---|---|---|---|",
            )
            continue
        name, bound, answer, test = line.split(" | ")
        key, _, unit = bound.partition(" ")
        value = float(key) if key.isdecimal() else values[key]
        number = f"{value:,g}" if value < 10**6 else f"{int(value):,}"
        setting = f"`TAILROOM_{key.upper()}`" if key.islower() else ""
        cells = (name.format_map(values), f"{number} {unit}", answer, setting, f"`backend/tests/{test}.py`")
        yield f"| {' | '.join(cells)} |".replace("  |", " |")


def limits(
    check: Annotated[
        Path | None, typer.Option(help="print nothing; fail when this file does not equal the table")
    ] = None,
) -> None:
    """Print every limit with its value and answer, or compare the table with a file."""
    from tailroom.kit.settings import Settings

    # The file holds the defaults, not the settings of the process that writes it.
    fields = Settings.model_fields
    defaults = Settings.model_construct(**{name: field.default for name, field in fields.items()})
    text = _HEADER + "\n".join(_lines(defaults)) + "\n"
    print_or_compare(text, check, "limits", "the limits are")
