"""Decides what stands in a database besides its schema: the reference data of this version, and what follows
from it. Harmless when repeated, and quick where nothing has changed.
"""

from sqlalchemy.orm import Session

from tailroom.catalogue.audits import store_findings
from tailroom.catalogue.loading import load_reference
from tailroom.ratings.refreshing import catalogue_changed, refresh_published


def bring_reference(session: Session) -> bool:
    """Loads catalogue and publications and what is calculated from them; whether anything was loaded."""
    loaded = load_reference(session)
    store_findings(session)
    if loaded:
        catalogue_changed(session)
    refresh_published(session)
    return loaded
