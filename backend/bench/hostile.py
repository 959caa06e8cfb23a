"""Attack an installation as a hostile visitor, a leaked token or a broken agent would (`make bench-hostile`).

* messages: send malformed announcements, batches, finishes, answers, budgets, drives and questions;
  judge what is accepted, and request every page that shows it.
* operations: send everything that the OpenAPI document allows and forbids, by schemathesis, as every kind of
  caller.
* bodies: send the worst body for each endpoint; measure time, memory, and the latency of `healthz`.
* neighbours: measure the delay of an organisation's verdict while another's runs make workers fail.
* doubled: measure readers and pages at twice the input, and an organisation's pages beside the largest run
  that another may store.

Exit with 1 if a goal is missed. `--only messages` runs one part, `--messages 2000` shortens it.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path

from backend.bench import hostile_bodies, hostile_doubled, hostile_neighbours
from backend.bench.ingest import Api
from backend.bench.installation import Installation, installation
from backend.tests.importers.doubling import MOST_RATIO, SIZE_BYTES
from backend.tests.mutations import Attack, Tokens
from backend.tests.schema_cases import attempt, store
from fastapi.testclient import TestClient
from sqlalchemy import text

from tailroom.access import person_sessions, repository
from tailroom.access.capabilities import SCOPES
from tailroom.api.app import create_app
from tailroom.kit.clock import utc_now
from tailroom.kit.lanes import JUDGING
from tailroom.kit.notifier import Notifier
from tailroom.kit.raw_files import open_raw_files
from tailroom.kit.transactions import transactions_of
from tailroom.people import accounts
from tailroom.work.executor import Executor
from tailroom_workers.handlers import handlers

GOAL_CASES = 20_000
WHO = ("nobody", *SCOPES, "admin", "owner", "operator")
_OPERATOR = "an-operators-token-of-the-bench"
_ROUND = 500
_ROUNDS_FOR_EACH = 10
"""Rounds before a new organisation is used, since lists of runs grow with each round."""
_JUDGING_S = 2.0


def messages(place: Installation, options: argparse.Namespace) -> bool:
    """Send malformed messages; return whether no reply was 5xx and no work failed."""
    settings = place.settings
    notifier = Notifier(settings.redis_url)
    files = open_raw_files(settings.raw_files, settings.home)
    do = handlers(settings, notifier, files, transactions_of(place.database, None))
    executor = Executor(place.database, do, {})
    until = time.monotonic() + options.minutes * 60
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        attack = Attack(client, _tokens(place, options.seed))
        began = time.monotonic()
        seed = options.seed
        while attack.statuses.total() < options.messages and time.monotonic() < until:
            if (seed - options.seed) % _ROUNDS_FOR_EACH == 0:
                attack.tokens = _tokens(place, seed)
            attack.send(min(_ROUND, options.messages - attack.statuses.total()), seed)
            executor.work_through(JUDGING, _JUDGING_S)
            attack.look_at_runs()
            attack.look_at_lists()
            seed += 1
            print(f"  {attack.statuses.total():>9,} messages", flush=True)
    notifier.close()
    took_s = time.monotonic() - began
    for kind in sorted({kind for kind, _ in attack.statuses}):
        counts = {
            status: count
            for (kind_of_message, status), count in attack.statuses.items()
            if kind_of_message == kind
        }
        print(f"  {kind:<13} {', '.join(f'{status}: {count:,}' for status, count in sorted(counts.items()))}")
    with place.database.transaction() as session:
        failed = session.execute(text("SELECT kind, error FROM work WHERE error IS NOT NULL")).all()
        judged = session.scalar(text("SELECT count(*) FROM analysis_state"))
    total = attack.statuses.total()
    print(f"  {total:,} messages in {took_s:,.0f} s, no 5xx; {judged:,} runs judged, {len(failed)} failed")
    for kind, error in failed[:5]:
        print(f"    {kind}: {error[:200]}")
    return not failed and total >= options.messages


def _tokens(place: Installation, seed: int) -> Tokens:
    """Return tokens of an organisation that belongs to the seed alone."""
    return Tokens(*(place.token(scope, f"hostile {seed}") for scope in ("agent", "viewer", "engineer")))


def operations(place: Installation, options: argparse.Namespace) -> bool:
    """Run schemathesis as every caller; return whether it found no failure in enough cases.

    The callers are visitors without credentials, every scope of a token, members, and the operator.
    """
    os.environ["TAILROOM_LIVE_MAX_LIFETIME_S"] = "0.1"
    os.environ["TAILROOM_OPERATOR_TOKEN"] = _OPERATOR
    cases, failures = 0, list[str]()
    with Api(place.settings, place.folder) as api:
        url = f"http://127.0.0.1:{api.port}"
        for round_no in range(options.rounds):
            for who in options.who:
                organisation = f"operations {round_no} {who}"
                agent, engineer = place.token("agent", organisation), place.token("engineer", organisation)
                stored = store(url, agent, engineer)
                token = place.token(who, organisation) if who in SCOPES else None
                began = time.monotonic()
                tried = attempt(
                    url,
                    place.folder,
                    _OPERATOR if who == "operator" else token,
                    stored,
                    examples=options.examples,
                    seed=options.seed + round_no,
                    cookie=_cookie(place, who, organisation) if who in ("admin", "owner") else None,
                )
                cases += tried.cases
                failures += tried.failures
                took_s = time.monotonic() - began
                print(f"  as {who:<9} {tried.cases:>7,} cases in {took_s:,.0f} s", flush=True)
                if tried.failures:
                    print(tried.output)
    print(f"  {cases:,} cases (goal {GOAL_CASES:,}), {len(failures)} kinds of failure")
    return not failures and cases >= GOAL_CASES


def _cookie(place: Installation, role: str, organisation: str) -> str:
    """Return the session cookie of a new person with a role in the organisation."""
    now = utc_now()
    with place.database.transaction() as session:
        owner = repository.ensure_organisation(session, organisation, now)
        person_id = accounts.make_person(session, f"{role}-{owner.id}@bench.example", role, None, now)
        accounts.add_member(session, owner.id, person_id, role, now)
        return person_sessions.begin(
            session,
            person_id,
            now,
            organisation_id=owner.id,
            browser="",
            address="",
            length=timedelta(days=1),
        )


def bodies(place: Installation, _asked: argparse.Namespace) -> bool:
    """Send every worst body; return whether all met their time and memory goals."""
    with Api(place.settings, place.folder) as api:
        answers = hostile_bodies.measure(
            place, f"http://127.0.0.1:{api.port}", api.pid, lambda answer: print(f"  {answer}", flush=True)
        )
    return all(answer.is_within for answer in answers)


def neighbours(place: Installation, options: argparse.Namespace) -> bool:
    """Return whether one organisation's failing runs delay another's verdicts by no more than the goal."""
    delays = hostile_neighbours.measure(place, options.poisonous)
    delay_s = delays.beside_s - delays.alone_s
    print(
        f"  final verdict after {delays.alone_s:.2f} s alone, after {delays.beside_s:.2f} s beside"
        f" {options.poisonous:,} poisonous runs: {delay_s:+.2f} s (goal {hostile_neighbours.GOAL_DELAY_S:g})"
    )
    print(f"  {delays.poisonous_left:,} of them wait for another attempt, {delays.given_up:,} were given up")
    return delay_s <= hostile_neighbours.GOAL_DELAY_S


def doubled(place: Installation, arguments: argparse.Namespace) -> bool:
    """Return whether time grows with the input, and no organisation delays another beyond the goals."""
    are_within = hostile_doubled.readers(
        lambda reader: print(f"  {reader}", flush=True), arguments.sample_bytes
    )
    print(f"  readers: {'every one' if are_within else 'not every one'} within × {MOST_RATIO:g}", flush=True)
    for page in hostile_doubled.pages(place):
        print(f"  {page}", flush=True)
        are_within &= page.is_within
    with Api(place.settings, place.folder) as api:
        longest_s, answers = hostile_doubled.beside(place, f"http://127.0.0.1:{api.port}")
    goal_s = hostile_doubled.GOAL_BESIDE_S
    print(
        f"  beside the largest run of another: {answers} pages, longest {longest_s:.2f} s (goal {goal_s:g})"
    )
    return are_within and longest_s <= goal_s


PARTS: Mapping[str, Callable[[Installation, argparse.Namespace], bool]] = {
    "messages": messages,
    "operations": operations,
    "bodies": bodies,
    "neighbours": neighbours,
    "doubled": doubled,
}


def main() -> None:
    """Run the chosen parts; exit with 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", choices=list(PARTS), nargs="*", default=list(PARTS))
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=120.0, help="after which no more messages are sent")
    parser.add_argument("--examples", type=int, default=5, help="cases of each operation and phase at least")
    parser.add_argument("--who", choices=WHO, nargs="*", default=WHO, help="as whom operations are tried")
    parser.add_argument("--rounds", type=int, default=1, help="how often every caller asks everything")
    parser.add_argument("--poisonous", type=int, default=1_000, help="poisonous runs of the neighbour")
    parser.add_argument("--sample-bytes", type=int, default=SIZE_BYTES, help="size of a sample, once")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    reached = []
    for name in options.only:
        print(f"{name} (load average {os.getloadavg()[0]:.1f})", flush=True)
        with installation() as place:
            reached.append(PARTS[name](place, options))
            log = Path(place.folder, "api.log")
            if not reached[-1] and log.exists():
                print(log.read_text()[-4_000:])
    sys.exit(0 if all(reached) else 1)


if __name__ == "__main__":
    main()
