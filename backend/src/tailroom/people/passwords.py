"""Decides which passwords are good enough, and how they are remembered (docs/adr/0084).

Length counts, not signs of several kinds: 12 characters, and hard to guess for somebody who knows common
passwords, names, dates and keyboards. zxcvbn has the lists and estimates the guesses.
"""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

LEAST_CHARACTERS = 12
MOST_CHARACTERS = 128
TAKEN_CHARACTERS = 256
"""Of a password that was chosen while more were allowed: it still signs in."""
LEAST_GUESSES_LOG10 = 8.0
"""zxcvbn's own line between what falls to guessing online and what does not."""
_ESTIMATED_CHARACTERS = 40
"""What follows makes a password only better, and the time of an estimate grows faster than its length."""

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""OWASP's least parameters of Argon2id: 19 MiB, two passes, one lane."""
_OF_NOBODY = _hasher.hash("the password of nobody")


def hash_password(password: str) -> str:
    """What is stored instead of a password, with parameters and salt."""
    return _hasher.hash(password)


def is_right(password_hash: str | None, password: str) -> bool:
    """Whether it is the password of this hash. Takes as long where there is none (None)."""
    try:
        _hasher.verify(_OF_NOBODY if password_hash is None else password_hash, password)
    except (VerificationError, InvalidHashError):
        return False
    return password_hash is not None


def needs_rehash(password_hash: str) -> bool:
    """Whether it was made with other parameters than today's."""
    return _hasher.check_needs_rehash(password_hash)


def weakness(password: str, known: tuple[str, ...] = ()) -> str | None:
    """Why a password is not good enough, as a sentence; None when it is. `known` is what others know of its
    owner: guessers try that first.
    """
    if len(password) < LEAST_CHARACTERS:
        return (
            f"It has {len(password)} characters; {LEAST_CHARACTERS} are needed. A few words make a good one."
        )
    if len(password) > MOST_CHARACTERS:
        return f"It has {len(password)} characters; at most {MOST_CHARACTERS} are taken."
    from zxcvbn import zxcvbn  # noqa: PLC0415 - its lists take a while and are seldom needed

    words = [part for text in known for part in (text, *text.replace("@", " ").replace(".", " ").split())]
    estimate = zxcvbn(password[:_ESTIMATED_CHARACTERS], user_inputs=[*words, "tailroom"])
    if estimate["guesses_log10"] >= LEAST_GUESSES_LOG10:
        return None
    said = str(estimate["feedback"]["warning"] or "It is easy to guess.")
    return f"{said.rstrip('.')}. Use a few unrelated words."
