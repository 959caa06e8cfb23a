"""Which required facts a result of fio leaves open. Names are those of `catalogue.disclosure`."""

from collections.abc import Mapping

from tailroom.catalogue.disclosure import ACT_STORAGE, required_fields

STARTED_AT = "run.started_at"
TOOL_VERSION = "tool.version"
LATENCY_UNIT = "tool.latency_unit"
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
    """Return the fields to ask for, given the options that the file states, and whether it states the start
    and the version of fio.
    """
    stated = {field for option, field in _BY_OPTION.items() if option in options}
    if options.get("filename", "").startswith("/dev/"):
        stated.add("host.file_systems.*.type")
    names = [
        field.field
        for field in required_fields(ACT_STORAGE)
        if not field.field.startswith("agent.")
        and field.field not in stated
        and field.field != _DOES_NOT_APPLY
    ]
    own = [*(() if started else (STARTED_AT,)), *(() if version else (TOOL_VERSION,))]
    return (*own, *names)
