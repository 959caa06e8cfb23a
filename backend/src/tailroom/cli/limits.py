"""`tailroom limits`: docs/limits.md, every limit with its value, the answer beyond it, and its test."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tailroom.domain.drive_counters.document import DRIVES_MOST, READINGS_MOST, VALUES_MOST
from tailroom.domain.transactions.plan import STAGES_PER_PLAN, WEIGHTS_PER_PLAN
from tailroom.kit.limits import (
    ACCESS_TOKENS,
    AGENT_WAIT_SECONDS,
    ANALYSIS_SECONDS,
    ANNOUNCEMENT_BYTES,
    ANSWERS_BODY_BYTES,
    BATCH_INTERVALS,
    BATCH_SERIES,
    BODY_MEMBERS,
    BUDGET_VERSIONS,
    BUDGETS_BYTES,
    CAMPAIGN_AGENTS,
    CAMPAIGN_BODY_BYTES,
    CAMPAIGN_OBJECTIVES,
    CAMPAIGN_PLAN_CHARACTERS,
    CAMPAIGNS_LISTED,
    CHAINS,
    DOCUMENT_DEPTH,
    DOCUMENT_KEY_CHARACTERS,
    DOCUMENT_TEXT_CHARACTERS,
    DOCUMENT_VALUES,
    ENROLMENT_CODES,
    HEAD_BYTES,
    HEAD_SECONDS,
    HISTOGRAM_BYTES,
    INVITATIONS,
    JSON_BODY_BYTES,
    LINE_SECONDS,
    MATCH_CONFIGURATIONS,
    MATCH_RUNS,
    MATCH_SECONDS,
    OBSERVATION_BATCH,
    OBSERVATION_BODY_BYTES,
    OBSERVATION_GAUGES,
    OBSERVATION_SAMPLES,
    ORGANISATION_STREAMS,
    ORGANISATION_WAITING,
    OWNED_ORGANISATIONS,
    PASSKEYS,
    PRICE_LIST_ENTRIES,
    PROBLEM_SEARCH_BYTES,
    PROBLEMS_NAMED,
    QUESTION_BODY_BYTES,
    QUESTION_POINTS,
    RELAXATION_SECONDS,
    RUN_FINDINGS,
    RUN_LINKS,
    RUN_OPERATIONS,
    RUN_PHASES,
    RUN_SERIES,
    SAVED_ITEMS,
    SEARCH_AGENTS,
    SIBLING_UNITS,
    STAGES_NEVER_REFUSED,
    WATCHES,
)

if TYPE_CHECKING:
    from tailroom.kit.settings import Settings


@dataclass(frozen=True, slots=True)
class DocumentedLimit:
    """One row of docs/limits.md. `setting` names the setting that holds the value, if one does."""

    what: str
    value: float
    unit: str
    answer: str
    test: str
    setting: str | None = None


_PEOPLE = "backend/tests/people/test_accounts.py"
_ORGANISATIONS = "backend/tests/people/test_organisations.py"
_SAVED = "backend/tests/people/test_saved.py"
_PASSKEYS = "backend/tests/people/test_passkeys.py"
_SIGN_INS = "429 `sign-ins-too-many`"
_MAILS = "429 `mails-too-many`"
_VALIDATION = "backend/tests/ingest/test_validation.py"
_COUNTERS = "backend/tests/analysis/test_drive_counters.py"
_RUN_SIZE = "backend/tests/uploads/test_run_size.py"
_INGEST = "backend/tests/ingest/test_limits.py"
_DOCUMENTS = "backend/tests/kit/test_free_documents.py"
_LINES = "backend/tests/uploads/test_lines.py"
_LOAD = "backend/tests/kit/test_threads.py"
_BODIES = "backend/tests/api/test_slow_and_large.py"
_HEADS = "backend/tests/api/test_slow_and_large.py"
_STREAMS = "backend/tests/live/test_stream.py"
_WORK = "backend/tests/work/test_claims.py"
_ACCESS = "backend/tests/access/test_access.py"
_LOG = "backend/tests/kit/test_logging.py"
_RAW = "backend/tests/kit/test_raw_files.py"
_CAMPAIGNS = "backend/tests/campaigns/test_asking.py"
_OBSERVATIONS = "backend/tests/observations/test_observations.py"
_WATCHES = "backend/tests/watches/test_watches.py"
_BUDGETS_FULL = "409 `budgets-full`"
_BUDGETS = "backend/tests/budgets/test_budgets.py"
_SIBLINGS = "backend/tests/comparison/test_siblings.py"
_CHAINS = "backend/tests/comparison/test_chains.py"
_LINKS = "backend/tests/reports/test_links.py"
_PACKS = "backend/tests/reports/test_packs_of_runs.py"
_REPORTS = "backend/tests/reports/test_printing.py"
_MATCH = "backend/tests/sla/test_match.py"
_PRICES = "backend/tests/ratings/test_prices.py"
_RELAXATIONS = "backend/tests/sla/test_relaxations.py"
_PLANS = "backend/tests/sla/test_plan_size.py"


def table(settings: "Settings") -> dict[str, list[DocumentedLimit]]:
    """Return every limit, by what it protects."""
    from tailroom.access import guesses, sending
    from tailroom.kit.body_limit import LEAST_BYTES_PER_S, SILENCE_S
    from tailroom.kit.logging import TRACEBACK_CHARACTERS
    from tailroom.kit.raw_files import LEFT_AT_MOST_S
    from tailroom.live.hub import QUEUE_FRAMES
    from tailroom.people import guard
    from tailroom.reports.packing_apart import PACKING_SECONDS
    from tailroom.reports.printing import PRINTING_SECONDS
    from tailroom.watches.webhooks import SECONDS as ALERT_SECONDS
    from tailroom.work.kinds import JUDGE, READ_UPLOAD

    too_large = "413 `body-too-large`"
    unshowable = "422 `raw-file-unshowable`"
    too_slow = "408 `body-too-slow`"
    unreadable = "400 `body-unreadable`"
    invalid = "422 `batch-invalid`"
    invalid_or_unread = "422 `batch-invalid`; a file is refused, and so is a pack of an organisation"
    request_invalid = "422 `request-invalid`"
    too_much = "422 `question-too-large`"
    busy = "503 `busy` with Retry-After"
    return {
        "Bodies": [
            DocumentedLimit(
                "body as sent", settings.body_limit_bytes, "bytes", too_large, _INGEST, "body_limit_bytes"
            ),
            DocumentedLimit(
                "body unpacked",
                settings.unpacked_limit_bytes,
                "bytes",
                too_large,
                _INGEST,
                "unpacked_limit_bytes",
            ),
            DocumentedLimit(
                "questions about SLAs with a distribution", QUESTION_BODY_BYTES, "bytes", too_large, _BODIES
            ),
            DocumentedLimit("answers about a run", ANSWERS_BODY_BYTES, "bytes", too_large, _BODIES),
            DocumentedLimit("every other body of JSON", JSON_BODY_BYTES, "bytes", too_large, _BODIES),
            DocumentedLimit("request line and headers", HEAD_BYTES, "bytes", "431 `head-too-large`", _HEADS),
            DocumentedLimit(
                "time until the headers are whole", HEAD_SECONDS, "s", "408 `head-too-slow`", _HEADS
            ),
            DocumentedLimit(
                "members of a gzip body, frames of a zstd body", BODY_MEMBERS, "", unreadable, _INGEST
            ),
            DocumentedLimit(
                "announcement or finish, unpacked", ANNOUNCEMENT_BYTES, "bytes", too_large, _INGEST
            ),
            DocumentedLimit("intervals of a batch", BATCH_INTERVALS, "", invalid, _INGEST),
            DocumentedLimit("series defined in a batch", BATCH_SERIES, "", invalid, _INGEST),
            DocumentedLimit("readings of a drive's counters", READINGS_MOST, "", invalid, _COUNTERS),
            DocumentedLimit("values of a reading", VALUES_MOST, "", invalid, _COUNTERS),
            DocumentedLimit("drives with counters", DRIVES_MOST, "", invalid, _COUNTERS),
            DocumentedLimit("series of a run", RUN_SERIES, "", invalid_or_unread, _RUN_SIZE),
            DocumentedLimit(
                "operations of a run, each on each clock", RUN_OPERATIONS, "", invalid_or_unread, _RUN_SIZE
            ),
            DocumentedLimit("phases of a run", RUN_PHASES, "", invalid_or_unread, _RUN_SIZE),
            DocumentedLimit("findings of a run", RUN_FINDINGS, "", "the weightiest are stored", _RUN_SIZE),
            DocumentedLimit("one histogram", HISTOGRAM_BYTES, "bytes", invalid, _VALIDATION),
            DocumentedLimit("silence in a body", SILENCE_S, "s", too_slow, _BODIES),
            DocumentedLimit(
                "pace of a body after that", LEAST_BYTES_PER_S, "bytes/s at least", too_slow, _BODIES
            ),
            DocumentedLimit(
                "prices of an organisation", PRICE_LIST_ENTRIES, "", "409 `price-list-full`", _PRICES
            ),
            DocumentedLimit(
                "versions of an organisation's budgets", BUDGET_VERSIONS, "", _BUDGETS_FULL, _BUDGETS
            ),
            DocumentedLimit(
                "documents of an organisation's budgets",
                BUDGETS_BYTES,
                "bytes",
                "409 `budgets-full`",
                _BUDGETS,
            ),
            DocumentedLimit("chains of an organisation", CHAINS, "", "409 `chains-too-many`", _CHAINS),
            DocumentedLimit("watches of an organisation", WATCHES, "", "409 `watches-too-many`", _WATCHES),
            DocumentedLimit("delivering an alert by webhook", ALERT_SECONDS, "s", "tried again", _WATCHES),
            DocumentedLimit("links of a run", RUN_LINKS, "", "409 `links-too-many`", _LINKS),
            DocumentedLimit("agents of a campaign", CAMPAIGN_AGENTS, "", "422 `request-invalid`", _CAMPAIGNS),
            DocumentedLimit("agents of a search", SEARCH_AGENTS, "", "409 `campaign-refused`", _CAMPAIGNS),
            DocumentedLimit(
                "units judged against each other", SIBLING_UNITS, "", "422 `subjects-invalid`", _SIBLINGS
            ),
            DocumentedLimit(
                "objectives of a campaign", CAMPAIGN_OBJECTIVES, "", "422 `request-invalid`", _CAMPAIGNS
            ),
            DocumentedLimit(
                "plan of a campaign",
                CAMPAIGN_PLAN_CHARACTERS,
                "characters",
                "422 `request-invalid`",
                _CAMPAIGNS,
            ),
            DocumentedLimit(
                "plan or inventory with what is sent beside it",
                CAMPAIGN_BODY_BYTES,
                "bytes",
                "413 `request-too-large`",
                _CAMPAIGNS,
            ),
            DocumentedLimit(
                "wait of an idle agent",
                AGENT_WAIT_SECONDS,
                "s",
                "422 `request-invalid`",
                "backend/tests/campaigns/test_waiting.py",
            ),
            DocumentedLimit(
                "campaigns listed", CAMPAIGNS_LISTED, "", "older ones by their address", _CAMPAIGNS
            ),
            DocumentedLimit(
                "codes that wait for their agents", ENROLMENT_CODES, "", "409 `campaign-refused`", _CAMPAIGNS
            ),
            DocumentedLimit(
                "gauges of an observation", OBSERVATION_GAUGES, "", "422 `request-invalid`", _OBSERVATIONS
            ),
            DocumentedLimit(
                "seconds of one message", OBSERVATION_BATCH, "", "422 `request-invalid`", _OBSERVATIONS
            ),
            DocumentedLimit(
                "seconds of an observation", OBSERVATION_SAMPLES, "", "422 `request-invalid`", _OBSERVATIONS
            ),
            DocumentedLimit(
                "one message of an observer",
                OBSERVATION_BODY_BYTES,
                "bytes",
                "413 `request-too-large`",
                _OBSERVATIONS,
            ),
            DocumentedLimit(
                "problems named in an answer", PROBLEMS_NAMED, "", "the first are named", _INGEST
            ),
            DocumentedLimit(
                "batch that is searched for every problem, not the first alone",
                PROBLEM_SEARCH_BYTES,
                "bytes",
                "the first is named",
                _INGEST,
            ),
        ],
        "Documents that agents and people write (plan, host, disclosure)": [
            DocumentedLimit("levels of nesting", DOCUMENT_DEPTH, "", invalid, _DOCUMENTS),
            DocumentedLimit("values in one document", DOCUMENT_VALUES, "", invalid, _DOCUMENTS),
            DocumentedLimit("one text", DOCUMENT_TEXT_CHARACTERS, "characters", invalid, _DOCUMENTS),
            DocumentedLimit("one name", DOCUMENT_KEY_CHARACTERS, "characters", invalid, _DOCUMENTS),
            DocumentedLimit("a number", 64, "bits", invalid, _DOCUMENTS),
        ],
        "Questions": [
            DocumentedLimit("stages of a plan", STAGES_PER_PLAN, "", request_invalid, _PLANS),
            DocumentedLimit("weights of a plan", WEIGHTS_PER_PLAN, "", "422 `budget-invalid`", _PLANS),
            DocumentedLimit(
                f"calculation for an answer with random counts, or over {STAGES_NEVER_REFUSED} stages",
                QUESTION_POINTS,
                "points",
                too_much,
                _PLANS,
            ),
            DocumentedLimit("configurations of a match", MATCH_CONFIGURATIONS, "", "`not_looked_at`", _MATCH),
            DocumentedLimit("runs that a match names", MATCH_RUNS, "", request_invalid, _MATCH),
            DocumentedLimit("match", MATCH_SECONDS, "s", "`not_looked_at`", _MATCH),
            DocumentedLimit(
                "search for relaxations", RELAXATION_SECONDS, "s", "those found until then", _RELAXATIONS
            ),
        ],
        "Work at once; organisations take turns": [
            DocumentedLimit("pages and lists", settings.page_threads, "", busy, _LOAD, "page_threads"),
            DocumentedLimit("curves of runs", settings.analysis_threads, "", busy, _LOAD, "analysis_threads"),
            DocumentedLimit(
                "leaderboards and drives", settings.rating_threads, "", busy, _LOAD, "rating_threads"
            ),
            DocumentedLimit(
                "questions about SLAs (matching, simulating), text of stored files",
                settings.question_threads,
                "",
                busy,
                _LOAD,
                "question_threads",
            ),
            DocumentedLimit("reports of runs", settings.report_threads, "", busy, _LOAD, "report_threads"),
            DocumentedLimit(
                "working out curves or a report", ANALYSIS_SECONDS, "s", "503 `answer-too-long`", _LOAD
            ),
            DocumentedLimit("making a PDF", PRINTING_SECONDS, "s", "503 `pdf-unavailable`", _REPORTS),
            DocumentedLimit("making an evidence pack", PACKING_SECONDS, "s", "503 `pack-too-long`", _PACKS),
            DocumentedLimit(
                "batches, announcements, ends", settings.ingest_threads, "", busy, _LOAD, "ingest_threads"
            ),
            DocumentedLimit(
                "uploads read at once", settings.upload_threads, "", busy, _LOAD, "upload_threads"
            ),
            DocumentedLimit("wait for a free thread", settings.wait_s, "s", busy, _LOAD, "wait_s"),
            DocumentedLimit("questions of one organisation that wait", ORGANISATION_WAITING, "", busy, _LOAD),
            DocumentedLimit("uploads of one organisation that wait", ORGANISATION_WAITING, "", busy, _LOAD),
            DocumentedLimit("live streams open", settings.live_streams, "", busy, _STREAMS, "live_streams"),
            DocumentedLimit("live streams of one organisation", ORGANISATION_STREAMS, "", busy, _STREAMS),
            DocumentedLimit("frames that wait for one stream", QUEUE_FRAMES, "", "the stream ends", _STREAMS),
            DocumentedLimit(
                "age of a live stream",
                settings.live_max_lifetime_s,
                "s",
                "the stream ends",
                _STREAMS,
                "live_max_lifetime_s",
            ),
        ],
        "Work that fails, and guesses": [
            DocumentedLimit(
                "attempts to judge, audit or rate a run", JUDGE.most_attempts, "", "given up", _WORK
            ),
            DocumentedLimit("attempts to read an upload", READ_UPLOAD.most_attempts, "", "given up", _WORK),
            DocumentedLimit(
                "worker processes for one organisation while another has work: all but",
                1,
                "",
                "waits its turn",
                _WORK,
            ),
            DocumentedLimit(
                "requests of one token, person or visitor's address, `TAILROOM_REQUESTS_PER_MINUTE`",
                settings.requests_per_minute,
                "a minute",
                "429 `requests-too-many`",
                _ACCESS,
            ),
            DocumentedLimit(
                "guesses of tokens at once", guesses.BURST, "", "429 `guesses-too-many`", _ACCESS
            ),
            DocumentedLimit(
                "guesses of tokens after that", guesses.PER_S, "/s", "429 `guesses-too-many`", _ACCESS
            ),
            DocumentedLimit(
                "wrong passwords of an address at an e-mail", guard.PAIR.burst, "", _SIGN_INS, _PEOPLE
            ),
            DocumentedLimit(
                "sign-ins begun from an address at once", guard.BEGUN.burst, "", _SIGN_INS, _PEOPLE
            ),
            DocumentedLimit("mails of a kind to an address", sending.MAIL.burst, "", _MAILS, _PEOPLE),
            DocumentedLimit(
                "trials of alerts to an address or host", sending.MAIL.burst, "", _MAILS, _WATCHES
            ),
            DocumentedLimit(
                "mails that a person or an address asks for", sending.ASKER.burst, "", _MAILS, _PEOPLE
            ),
            DocumentedLimit(
                "organisations that a person owns",
                OWNED_ORGANISATIONS,
                "",
                "409 `organisations-too-many`",
                _ORGANISATIONS,
            ),
            DocumentedLimit("passkeys of one person", PASSKEYS, "", "409 `passkeys-too-many`", _PASSKEYS),
            DocumentedLimit("saved by one person", SAVED_ITEMS, "", "409 `saved-too-many`", _SAVED),
            DocumentedLimit(
                "open invitations", INVITATIONS, "", "409 `invitations-too-many`", _ORGANISATIONS
            ),
            DocumentedLimit(
                "tokens that hold", ACCESS_TOKENS, "", "409 `access-tokens-too-many`", _ORGANISATIONS
            ),
            DocumentedLimit(
                "a traceback in the log", TRACEBACK_CHARACTERS, "characters", "loses its middle", _LOG
            ),
        ],
        "Files": [
            DocumentedLimit(
                "upload, all files together",
                settings.upload_limit_bytes,
                "bytes",
                "413 `upload-too-large`",
                "backend/tests/uploads/test_receiving.py",
                "upload_limit_bytes",
            ),
            DocumentedLimit(
                "files of one upload",
                settings.upload_files_limit,
                "",
                "413 `upload-too-many-files`",
                "backend/tests/uploads/test_receiving.py",
                "upload_files_limit",
            ),
            DocumentedLimit("search for lines of a packed file", LINE_SECONDS, "s", unshowable, _LINES),
            DocumentedLimit("what a killed upload leaves behind", LEFT_AT_MOST_S, "s", "removed", _RAW),
        ],
    }


def markdown(settings: "Settings") -> str:
    """Return the text of docs/limits.md."""
    lines = [
        "# Limits",
        "",
        "What is sent or asked beyond these is refused with the answer named here, and nothing of it is",
        "stored. Threads, what waits for them and streams are those of each process; requests, guesses and",
        "streams of an organisation those of all behind one port. Written by `tailroom limits` from",
        "`backend/src/tailroom/kit/limits.py` and the defaults of the settings.",
    ]
    for title, rows in table(settings).items():
        lines += [
            "",
            f"## {title}",
            "",
            "| limit | value | beyond it | setting | test |",
            "|---|---|---|---|---|",
        ]
        for row in rows:
            value = f"{row.value:,g}" if row.value < 10**6 else f"{int(row.value):,}"
            setting = f"`TAILROOM_{row.setting.upper()}`" if row.setting else ""
            lines.append(f"| {row.what} | {value} {row.unit} | {row.answer} | {setting} | `{row.test}` |")
    return "\n".join(lines).replace("  |", " |") + "\n"


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
    text = markdown(defaults)
    if check is None:
        typer.echo(text, nl=False)
    elif not check.is_file() or check.read_text() != text:
        typer.echo(f"{check} is not what the limits are: write it with `tailroom limits > {check}`", err=True)
        raise typer.Exit(1)
    else:
        typer.echo(f"{check} equals the limits")
