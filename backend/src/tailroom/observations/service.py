"""Observations come in: announced, second by second, ended. Sending the same again is harmless."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from tailroom.kit.errors import RequestInvalid
from tailroom.observations.errors import ObservationConflict, ObservationEnded, ObservationUnknown
from tailroom.observations.schemas import EndIn, ObservationIn, SamplesIn
from tailroom.storage.observation import Observation, ObservationPart


def announce(session: Session, organisation_id: UUID, asked: ObservationIn, now: datetime) -> Observation:
    """A new observation, or the one that is there. Raises ObservationConflict."""
    content = asked.model_dump(mode="json", exclude={"observation_id"})
    found = session.get(Observation, (organisation_id, asked.observation_id))
    if found is None:
        found = Observation(
            organisation_id=organisation_id,
            observation_id=asked.observation_id,
            created_at=now,
            samples=0,
            **content,
        )
        session.add(found)
        session.flush()
    elif any(getattr(found, name) != value for name, value in content.items()):
        raise ObservationConflict("An observation of this id began with other content; choose another id.")
    return found


def find(session: Session, organisation_id: UUID, observation_id: UUID, *, lock: bool = False) -> Observation:
    """One observation. Raises ObservationUnknown."""
    found = session.get(Observation, (organisation_id, observation_id), with_for_update=lock or None)
    if found is None:
        raise ObservationUnknown(f"There is no observation {observation_id}.")
    return found


def accept(
    session: Session, organisation_id: UUID, observation_id: UUID, sent: SamplesIn, now: datetime
) -> int:
    """Stores what is not stored yet; the number of the next second. What would leave a hole is not stored.
    Raises ObservationUnknown, ObservationEnded, RequestInvalid.
    """
    found = find(session, organisation_id, observation_id, lock=True)
    wrong = [number for number, one in enumerate(sent.samples) if len(one) != len(found.gauges)]
    if wrong:
        raise RequestInvalid(
            f"Second {sent.first + wrong[0]} has {len(sent.samples[wrong[0]])} numbers; the observation began"
            f" with {len(found.gauges)} gauges."
        )
    fresh = sent.samples[found.samples - sent.first :] if sent.first <= found.samples else []
    if not fresh:
        return found.samples
    if found.ended_at_sample is not None and found.samples + len(fresh) > found.ended_at_sample:
        raise ObservationEnded(f"It ended after {found.ended_at_sample} seconds.")
    groups: dict[str, list[int]] = {}
    for place, gauge in enumerate(found.gauges):
        groups.setdefault(gauge["group"], []).append(place)
    for group, places in groups.items():
        session.add(
            ObservationPart(
                organisation_id=organisation_id,
                observation_id=observation_id,
                gauge_group=group,
                first_sample=found.samples,
                samples=len(fresh),
                numbers=[[one[place] for one in fresh] for place in places],
            )
        )
    found.samples += len(fresh)
    found.last_data_at = now
    session.flush()
    return found.samples


def end(session: Session, organisation_id: UUID, observation_id: UUID, asked: EndIn) -> int:
    """Nothing more will come than so many seconds. Raises ObservationUnknown, ObservationEnded."""
    found = find(session, organisation_id, observation_id, lock=True)
    if found.ended_at_sample not in (None, asked.samples) or asked.samples < found.samples:
        raise ObservationEnded(
            f"{found.samples} seconds are stored, and it ended after {found.ended_at_sample or 'none'}."
        )
    found.ended_at_sample = asked.samples
    return found.samples


def remove(session: Session, organisation_id: UUID, observation_id: UUID) -> None:
    """Deletes an observation. Raises ObservationUnknown."""
    found = find(session, organisation_id, observation_id, lock=True)
    session.execute(delete(ObservationPart).where(ObservationPart.observation_id == observation_id))
    session.delete(found)


def parts(
    session: Session, observation: Observation, group: str, first: int, until: int
) -> list[ObservationPart]:
    """Parts of a group that hold seconds from `first` to before `until`, in order."""
    query = (
        select(ObservationPart)
        .where(
            ObservationPart.organisation_id == observation.organisation_id,
            ObservationPart.observation_id == observation.observation_id,
            ObservationPart.gauge_group == group,
            ObservationPart.first_sample < until,
            ObservationPart.first_sample + ObservationPart.samples > first,
        )
        .order_by(ObservationPart.first_sample)
    )
    return list(session.scalars(query))
