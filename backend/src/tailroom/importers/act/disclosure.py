"""Which required facts an ACT log leaves open. Names are those of `catalogue.disclosure`."""

from tailroom.catalogue.disclosure import ACT_STORAGE, required_fields
from tailroom.importers.act.configuration import Configuration

STARTED_AT = "run.started_at"
TOOL_VERSION = "tool.version"


def not_stated(head: Configuration) -> tuple[str, ...]:
    """Return the disclosure fields to ask for. ACT always opens devices with O_DIRECT and reads all over
    them; it never states the drive, its preparation or the time of the test.
    """
    stated = {"plan.act_storage.direct_io", "plan.act_storage.working_set_bytes"}
    if head.device_bytes:
        stated |= {"host.block_devices.*.size_bytes", "plan.act_storage.file_size_bytes"}
    if head.whole("record-bytes") or head.whole("read-req-num-512-blocks") or head.section == "ACT-INDEX":
        stated.add("plan.act_storage.record_bytes")
    if head.load_multiple is not None:
        stated.add("plan.act_storage.load_multiple")
    if isinstance(head.items.get("scheduler-mode"), str):
        stated.add("host.block_devices.*.scheduler")
    if all(device.startswith("/dev/") for device in head.devices) and head.devices:
        stated.add("host.file_systems.*.type")
    names = [
        field.field
        for field in required_fields(ACT_STORAGE)
        if not field.field.startswith("agent.") and field.field not in stated
    ]
    own = [STARTED_AT] if head.has_banner else [STARTED_AT, TOOL_VERSION]
    return (*own, *names)
