"""Handlers for each kind of work, and the notifications after it."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import structlog

from tailroom.analysis import pictures
from tailroom.campaigns import tending
from tailroom.judging import judgement
from tailroom.kit.clock import utc_now
from tailroom.kit.made_documents import open_made_documents
from tailroom.kit.mail import Mailer
from tailroom.kit.notifier import Notifier
from tailroom.kit.outside_types import parse_networks
from tailroom.kit.raw_files import RawFiles
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import Transactions
from tailroom.operations import organisation_deletion, removal
from tailroom.ratings.sources.refresh import refresh_run
from tailroom.uploads.waiting import read_as_worker
from tailroom.watches import delivery, results
from tailroom.work.claims import WorkClaim
from tailroom.work.executor import Handler
from tailroom.work.kinds import ALERT, AUDIT, CAMPAIGN, DISSOLVE, DRAW, ERASE, JUDGE, RATE, READ_UPLOAD, WATCH

_log = structlog.get_logger(__name__)


def handlers(
    settings: Settings, notifier: Notifier, raw_files: RawFiles, installation: Transactions
) -> Mapping[str, Handler]:
    """Return a handler for each kind of work, by name of the kind.

    `installation` opens transactions bound to no organisation, which see the data of all.
    """

    mailer, networks = Mailer.from_settings(settings), parse_networks(settings.alert_networks)

    live_pause = timedelta(seconds=settings.live_verdict_pause_s)

    def judge(claim: WorkClaim, transactions: Transactions) -> datetime | None:
        """Sum the intervals of a run over time and judge it; return when it is due again, None if never."""
        judged = judgement.judge(transactions, claim.subject, utc_now(), claim.lane, live_pause=live_pause)
        if judged is None:
            return None
        if judged.changed:
            notifier.changed(claim.subject, judged.changed, judged.run_state)
        return judged.again_at

    def audit(claim: WorkClaim, transactions: Transactions) -> None:
        run_state = judgement.audit(transactions, claim.subject)
        if run_state is not None:
            notifier.changed(claim.subject, ["verdicts"], run_state)

    def rate(claim: WorkClaim, transactions: Transactions) -> None:
        refresh_run(transactions, claim.subject)

    def draw(claim: WorkClaim, transactions: Transactions) -> None:
        pictures.draw(transactions, claim.subject)

    def read_upload(claim: WorkClaim, transactions: Transactions) -> None:
        """Read the files of an upload, and notify the pages of changed runs."""
        changed_ids = read_as_worker(transactions, raw_files, claim.subject, settings.upload_reading_s)
        if changed_ids is None:
            return
        _log.info("upload_read", runs=len(changed_ids))
        for run_id in changed_ids:
            notifier.changed(run_id, ["state", "slices", "verdicts"], "finished")

    def campaign(claim: WorkClaim, transactions: Transactions) -> datetime | None:
        """Advance a campaign; return when it is due again, None if never."""
        return tending.tend(transactions, claim.organisation_id, claim.subject, utc_now())

    def erase(claim: WorkClaim, transactions: Transactions) -> None:
        made = open_made_documents(settings.raw_files, settings.home)
        removal.erase(transactions, installation, raw_files, made, claim)

    def dissolve(claim: WorkClaim, transactions: Transactions) -> datetime | None:
        """Advance the deletion of an organisation; return when it is due again, None if never."""
        del transactions  # an organisation does not delete itself
        return organisation_deletion.advance(installation, mailer, claim.organisation_id, utc_now())

    def watch(claim: WorkClaim, transactions: Transactions) -> None:
        results.note_run(transactions, claim.subject, settings.public_url, utc_now())

    def alert(claim: WorkClaim, transactions: Transactions) -> None:
        delivery.deliver(transactions, mailer, networks, claim.subject, utc_now())

    return {
        JUDGE.name: judge,
        AUDIT.name: audit,
        RATE.name: rate,
        DRAW.name: draw,
        READ_UPLOAD.name: read_upload,
        CAMPAIGN.name: campaign,
        ERASE.name: erase,
        DISSOLVE.name: dissolve,
        WATCH.name: watch,
        ALERT.name: alert,
    }
