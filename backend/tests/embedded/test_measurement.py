"""The plans of the first measurement: the agent's own format, and the reasons behind the numbers."""

import math
import tomllib
from pathlib import Path
from typing import cast

import pytest

from tailroom.embedded.machine_checks import MeasureFolder
from tailroom.embedded.measurement import TRANSACTIONS_PER_S, Measurement, device_run, fraud_run, to_toml
from tailroom.embedded.private_file import write_private
from tailroom.embedded.valkey import EmbeddedValkey


class Address:
    """What a plan needs to know of a Valkey."""

    address = "127.0.0.1:6400"


def test_plans_are_toml_whatever_the_names() -> None:
    place = MeasureFolder(Path('/a "quoted" path/µ'), 2**30)
    device = device_run(Measurement(), place)
    assert tomllib.loads(to_toml(device.document)) == device.document
    fraud = fraud_run(Measurement(duration_s=3, keys=10), cast("EmbeddedValkey", Address()), Path("/p"))
    assert tomllib.loads(to_toml(fraud.document)) == fraud.document
    assert fraud.arguments[:2] == ("--target", "redis://127.0.0.1:6400")


def test_thirty_seconds_hold_enough_transactions_for_the_objective() -> None:
    enough = math.ceil(math.log(0.05) / math.log(0.999))
    assert enough == 2995
    assert TRANSACTIONS_PER_S * Measurement().duration_s >= enough


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(ValueError, match="'fast' is not one of auto, io_uring, sync, null"):
        Measurement(engine="fast")


def test_secrets_are_written_for_us_alone(tmp_path: Path) -> None:
    write_private(tmp_path / "token", "secret")
    write_private(tmp_path / "token", "secret 2")
    assert (tmp_path / "token").read_text() == "secret 2"
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600
