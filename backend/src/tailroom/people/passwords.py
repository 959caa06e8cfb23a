"""Rules for passwords, and how they are stored (docs/adr/0084).

Length counts, not character classes: 12 characters, and hard to guess with common passwords, names, dates and
keyboard patterns. zxcvbn has the lists and estimates the number of guesses.
"""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

LEAST_CHARACTERS = 12
MOST_CHARACTERS = 128
ACCEPTED_CHARACTERS = 256
"""Limit for signing in: older passwords, chosen when more were allowed, stay valid."""
LEAST_GUESSES_LOG10 = 8.0
"""Least estimated guesses, as decimal logarithm: zxcvbn's limit for resistance to online guessing."""
_ESTIMATED_CHARACTERS = 40
"""More characters only make a password stronger, and the time of an estimate grows faster than its length."""

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""OWASP's minimum parameters of Argon2id: 19 MiB, two passes, one lane."""
_DUMMY_HASH = _hasher.hash("the password of nobody")


def hash_password(password: str) -> str:
    """Return the Argon2id hash of a password as text, with parameters and salt."""
    return _hasher.hash(password)


def is_right(password_hash: str | None, password: str) -> bool:
    """Return whether the password matches the hash; False if the hash is None or invalid.

    None takes as long as a hash, so that the time reveals nothing.
    """
    try:
        _hasher.verify(_DUMMY_HASH if password_hash is None else password_hash, password)
    except (VerificationError, InvalidHashError):
        return False
    return password_hash is not None


def needs_rehash(password_hash: str) -> bool:
    """Return whether the hash was made with other parameters than today's."""
    return _hasher.check_needs_rehash(password_hash)


def weakness(password: str, public_facts: tuple[str, ...] = ()) -> str | None:
    """Return why a password is weak, None if strong. `public_facts`: texts that others know of its owner."""
    if len(password) < LEAST_CHARACTERS:
        return (
            f"It has {len(password)} characters; {LEAST_CHARACTERS} are needed. A few words make a good one."
        )
    if len(password) > MOST_CHARACTERS:
        return f"It has {len(password)} characters; at most {MOST_CHARACTERS} are taken."
    from zxcvbn import zxcvbn  # noqa: PLC0415 - its lists take a while and are seldom needed

    words = [
        part for text in public_facts for part in (text, *text.replace("@", " ").replace(".", " ").split())
    ]
    estimate = zxcvbn(password[:_ESTIMATED_CHARACTERS], user_inputs=[*words, "tailroom"])
    if estimate["guesses_log10"] >= LEAST_GUESSES_LOG10:
        return None
    warning = str(estimate["feedback"]["warning"] or "It is easy to guess.")
    return f"{warning.rstrip('.')}. Use a few unrelated words."
