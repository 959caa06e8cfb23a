"""Receiving observations: announcement, seconds, end. The same message again changes nothing."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from tailroom.kit.errors import RequestInvalid
from tailroom.observations.errors import ObservationConflict, ObservationEnded, ObservationUnknown
from tailroom.observations.schemas import EndIn, ObservationIn, SamplesIn
from tailroom.storage.observation import Observation, ObservationPart


def announce(
    session: Session, organisation_id: UUID, announcement: ObservationIn, now: datetime
) -> Observation:
    """Store an observation unless it is known, and return it.

    Raise ObservationConflict if it is known with other content.
    """
    content = announcement.model_dump(mode="json", exclude={"observation_id"})
    observation = session.get(Observation, (organisation_id, announcement.observation_id))
    if observation is None:
        observation = Observation(
            organisation_id=organisation_id,
            observation_id=announcement.observation_id,
            created_at=now,
            samples=0,
            **content,
        )
        session.add(observation)
        session.flush()
    elif any(getattr(observation, name) != value for name, value in content.items()):
        raise ObservationConflict("An observation of this id began with other content; choose another id.")
    return observation


def find(session: Session, organisation_id: UUID, observation_id: UUID, *, lock: bool = False) -> Observation:
    """Return an observation of the organisation, with `lock` locked until the transaction ends. Raise
    ObservationUnknown if there is none of this id.
    """
    observation = session.get(Observation, (organisation_id, observation_id), with_for_update=lock or None)
    if observation is None:
        raise ObservationUnknown(f"There is no observation {observation_id}.")
    return observation


def accept(
    session: Session, organisation_id: UUID, observation_id: UUID, sent: SamplesIn, now: datetime
) -> int:
    """Store the seconds that are not stored yet; return the total number of stored seconds. Seconds after a
    gap are not stored. Raise ObservationUnknown for an unknown id, ObservationEnded for seconds after the
    end, and RequestInvalid for another number of gauges.
    """
    observation = find(session, organisation_id, observation_id, lock=True)
    wrong = [number for number, sample in enumerate(sent.samples) if len(sample) != len(observation.gauges)]
    if wrong:
        raise RequestInvalid(
            f"Second {sent.first + wrong[0]} has {len(sent.samples[wrong[0]])} numbers; the observation began"
            f" with {len(observation.gauges)} gauges."
        )
    new = sent.samples[observation.samples - sent.first :] if sent.first <= observation.samples else []
    if not new:
        return observation.samples
    if (
        observation.ended_at_sample is not None
        and observation.samples + len(new) > observation.ended_at_sample
    ):
        raise ObservationEnded(f"It ended after {observation.ended_at_sample} seconds.")
    groups: dict[str, list[int]] = {}
    for index, gauge in enumerate(observation.gauges):
        groups.setdefault(gauge["group"], []).append(index)
    for group, indexes in groups.items():
        session.add(
            ObservationPart(
                organisation_id=organisation_id,
                observation_id=observation_id,
                gauge_group=group,
                first_sample=observation.samples,
                samples=len(new),
                numbers=[[sample[index] for sample in new] for index in indexes],
            )
        )
    observation.samples += len(new)
    observation.last_data_at = now
    session.flush()
    return observation.samples


def end(session: Session, organisation_id: UUID, observation_id: UUID, request: EndIn) -> int:
    """Store after how many seconds an observation ends; return the number of stored seconds. Raise
    ObservationUnknown for an unknown id; ObservationEnded if more seconds are stored, or it ended after
    another number.
    """
    observation = find(session, organisation_id, observation_id, lock=True)
    if observation.ended_at_sample not in (None, request.samples) or request.samples < observation.samples:
        raise ObservationEnded(
            f"{observation.samples} seconds are stored, "
            f"and it ended after {observation.ended_at_sample or 'none'}."
        )
    observation.ended_at_sample = request.samples
    return observation.samples


def remove(session: Session, organisation_id: UUID, observation_id: UUID) -> None:
    """Delete an observation with its seconds. Raise ObservationUnknown if there is none of this id."""
    observation = find(session, organisation_id, observation_id, lock=True)
    session.execute(delete(ObservationPart).where(ObservationPart.observation_id == observation_id))
    session.delete(observation)


def parts(
    session: Session, observation: Observation, group: str, first: int, until: int
) -> list[ObservationPart]:
    """Return the stored parts (one for each accepted message) of a group with any second from `first` to
    before `until`, in order of time.
    """
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
