"""Which passwords are taken, whole, and what is stored of them."""

import base64
import re

import pytest

from tailroom.access.tokens import make_session, make_token
from tailroom.people import passwords, second_factors

GOOD = "seven violet otters negotiate"


def test_twelve_characters_are_needed_and_all_of_128_count() -> None:
    assert "12 are needed" in str(passwords.weakness("k7#qLp2vZx0"))
    assert passwords.weakness("k7#qLp2vZx0w") is None
    long = f"{GOOD} " * 4
    assert len(long) <= passwords.MOST_CHARACTERS == 128
    assert passwords.weakness(long) is None
    assert passwords.weakness("x" * 129) is not None
    stored = passwords.hash_password(long + "a")
    assert passwords.is_right(stored, long + "a")
    assert not passwords.is_right(stored, long + "b"), "nothing of it is cut"
    assert not passwords.is_right(stored, long)


@pytest.mark.parametrize(
    "password", ["sieben violette Fischotter", "ζεστό ψωμί και ελιές", "🐧 colony under ice", f"   {GOOD}"]
)
def test_any_sign_is_taken_and_none_is_asked_for(password: str) -> None:
    assert passwords.weakness(password) is None
    assert passwords.is_right(passwords.hash_password(password), password)


def test_what_is_stored_is_slow_and_salted() -> None:
    """OWASP's least of Argon2id; 128 bits of salt, another one each time."""
    stored = [passwords.hash_password(GOOD) for _ in range(2)]
    found = re.fullmatch(r"\$argon2id\$v=19\$m=19456,t=2,p=1\$([A-Za-z0-9+/]+)\$[A-Za-z0-9+/]+", stored[0])
    assert found is not None, stored[0]
    assert len(base64.b64decode(found.group(1) + "==")) == 16
    assert stored[0] != stored[1]
    assert not passwords.is_right(None, "the password of nobody")


def test_secrets_have_the_bits_that_they_are_said_to_have() -> None:
    """43 characters of base64 are 256 bits; 24 of base32 are 120."""
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", make_session())
    assert re.fullmatch(r"tlr_viewer_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}", make_token("viewer"))
    assert len({make_session() for _ in range(1_000)}) == 1_000
    assert 8 * second_factors._RECOVERY_BYTES == 120
