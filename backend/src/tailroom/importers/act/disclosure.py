"""Required facts that an ACT log does not state, by the names of `catalogue.disclosure`."""

from tailroom.catalogue.disclosure import STARTED_AT
from tailroom.importers.act.configuration import Configuration
from tailroom.importers.device_disclosure import open_device_fields
from tailroom.importers.server_disclosure import TOOL_VERSION


def not_stated(head: Configuration) -> tuple[str, ...]:
    """Return the names of the disclosure fields that the log does not state.

    Direct I/O and the working set count as stated: ACT always uses O_DIRECT and reads all over the device.
    """
    stated = {"plan.act_storage.direct_io", "plan.act_storage.working_set_bytes"}
    if head.device_bytes:
        stated |= {"host.block_devices.*.size_bytes", "plan.act_storage.file_size_bytes"}
    if head.integer("record-bytes") or head.integer("read-req-num-512-blocks") or head.section == "ACT-INDEX":
        stated.add("plan.act_storage.record_bytes")
    if head.load_multiple is not None:
        stated.add("plan.act_storage.load_multiple")
    if isinstance(head.items.get("scheduler-mode"), str):
        stated.add("host.block_devices.*.scheduler")
    if all(device.startswith("/dev/") for device in head.devices) and head.devices:
        stated.add("host.file_systems.*.type")
    facts_of_run = [STARTED_AT] if head.has_banner else [STARTED_AT, TOOL_VERSION]
    return (*facts_of_run, *open_device_fields(stated))
