"""Required facts that a result of fio does not state, by the names of `catalogue.disclosure`."""

from collections.abc import Mapping

from tailroom.catalogue.disclosure import STARTED_AT
from tailroom.importers.device_disclosure import open_device_fields
from tailroom.importers.server_disclosure import TOOL_VERSION

_BY_OPTION = {
    "direct": "plan.act_storage.direct_io",
    "bs": "plan.act_storage.record_bytes",
    "blocksize": "plan.act_storage.record_bytes",
    "bssplit": "plan.act_storage.record_bytes",
    "size": "plan.act_storage.file_size_bytes",
    "filesize": "plan.act_storage.file_size_bytes",
    "io_size": "plan.act_storage.file_size_bytes",
}
_DOES_NOT_APPLY = "plan.act_storage.load_multiple"


def not_stated(
    options: Mapping[str, str], *, started: bool = False, version: bool = False
) -> tuple[str, ...]:
    """Return the names of disclosure fields that the file does not state.

    It states `options` (values by name), the start time if `started`, and the version of fio if `version`.
    """
    stated = {field for option, field in _BY_OPTION.items() if option in options}
    if options.get("filename", "").startswith("/dev/"):
        stated.add("host.file_systems.*.type")
    facts_of_run = [*(() if started else (STARTED_AT,)), *(() if version else (TOOL_VERSION,))]
    return (*facts_of_run, *open_device_fields(stated | {_DOES_NOT_APPLY}))
