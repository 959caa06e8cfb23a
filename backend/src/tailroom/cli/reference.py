"""Loading of this version's reference data. Harmless when repeated, and quick if nothing has changed."""

from sqlalchemy.orm import Session

from tailroom.catalogue.audits import store_findings
from tailroom.catalogue.loading import load_reference
from tailroom.judging.renewal import make_stale_due
from tailroom.kit.clock import utc_now
from tailroom.ratings.sources.refresh import (
    catalogue_changed,
    make_unrated_due,
    make_untested_due,
    refresh_published,
)


def bring_reference(session: Session) -> bool:
    """Load catalogue and publications, and make due what depends on them. Return whether any was loaded."""
    loaded = load_reference(session)
    store_findings(session)
    now = utc_now()
    if loaded:
        catalogue_changed(session)
        make_untested_due(session, now)
    refresh_published(session)
    make_stale_due(session, now)
    make_unrated_due(session, now)
    return loaded
