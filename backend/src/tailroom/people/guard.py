"""Limits for guesses at passwords and codes; no account is ever locked out.

Guesses at a password are counted in three buckets: of one address for one e-mail (10, then one in 30 s), of
one address in all (100, then one a second), of all addresses for one e-mail (50, then one in 10 s). The last
is not counted if the person is signed in from the same address already, so that strangers cannot keep them
out. A right password is not counted.

Mails are counted by `access.sending`.

Codes of a second factor have a bucket for each person (5, then one in two minutes): with six digits, a day of
guesses by an attacker who knows the password succeeds once in about 450 days. Recovery codes are too long to
be guessed and are not counted, so that the owner can sign in meanwhile.

The buckets are shared by the installation (`access.shared_guesses`): another process allows no more guesses.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tailroom.access.guesses import Buckets, rate_limit_key
from tailroom.access.sending import Purpose, SendingLimits
from tailroom.access.shared_guesses import Bucket, BucketKind, SharedGuesses
from tailroom.people.accounts import SignInAccount
from tailroom.people.errors import SignInsTooMany
from tailroom.people.second_factors import is_app_code

PAIR = BucketKind("pair", 10, 1 / 30)
"""Passwords of one network for one e-mail address."""
ADDRESS = BucketKind("address", 100, 1.0)
"""Passwords of one network."""
EMAIL = BucketKind("email", 50, 1 / 10)
"""Passwords of all networks for one e-mail address."""
CODE = BucketKind("code", 5, 1 / 120)
"""Codes of a second factor of one person."""
BEGUN = BucketKind("begun", 60, 1 / 2)
"""Sign-ins begun from the same network: 60, then another every 2 s."""


class CountedGuess(NamedTuple):
    """A guess, and the buckets in which it was counted."""

    guesses: SharedGuesses
    buckets: Sequence[Bucket]

    def give_back(self) -> None:
        """Undo the count, because the guess was right."""
        self.guesses.give_back(self.buckets)


class SignInGuard:
    """Limits of guesses, sign-ins and mails of an installation.

    They are counted in Valkey; in `own` if `redis_url` is None or Valkey is unavailable.
    """

    def __init__(self, redis_url: str | None = None, own: Buckets | None = None) -> None:
        self._guesses = SharedGuesses(redis_url, own)
        self.sending = SendingLimits(self._guesses)
        """Limits of mails, with buckets beside those of guesses."""

    def take(self, email: str, address: str, *, is_known_here: bool) -> CountedGuess:
        """Count a guess at a password and return it; the caller gives it back if it was right.

        `is_known_here`: the person is signed in from this address already. Raise SignInsTooMany, and count
        nothing, if one of the buckets is empty.
        """
        network = rate_limit_key(address) or address
        buckets = [Bucket(PAIR, f"{email} {network}"), Bucket(ADDRESS, network)]
        if not is_known_here:
            buckets.append(Bucket(EMAIL, email))
        if wait_s := self._guesses.take(buckets):
            raise SignInsTooMany(
                f"Too many attempts to sign in with this address failed. Try again in {wait_s} s, or choose a"
                " new password by mail."
            )
        return CountedGuess(self._guesses, buckets)

    def take_code(self, account: SignInAccount | None, code: str | None) -> CountedGuess | None:
        """Count a guess at a code of the account's app; the caller gives it back if it was right.

        Return None, without counting, if the code does not have the form of an app's code, or the account has
        no second factor. Raise SignInsTooMany, and count nothing, after too many guesses.
        """
        if account is None or not account.has_second_factor or code is None or not is_app_code(code):
            return None
        buckets = [Bucket(CODE, str(account.person_id))]
        if wait_s := self._guesses.take(buckets):
            raise SignInsTooMany(
                f"Too many wrong codes were given. Try again in {wait_s} s, or use a recovery code."
            )
        return CountedGuess(self._guesses, buckets)

    def take_mail(self, purpose: Purpose, email: str, asker: str) -> None:
        """Count a mail to this address. Raise MailsTooMany, and count nothing, if a limit is reached.

        `asker`: person or network that requests it, empty if unknown.
        """
        self.sending.take(purpose, email, asker)

    def take_attempt(self, address: str) -> None:
        """Count a sign-in that a network begins and that is stored.

        Raise SignInsTooMany, and count nothing, beyond 60 and then one in 2 s.
        """
        if wait_s := self._guesses.take([Bucket(BEGUN, rate_limit_key(address) or address)]):
            raise SignInsTooMany(f"Too many sign-ins were begun from this address. Try again in {wait_s} s.")

    def close(self) -> None:
        """Close the connection to Valkey."""
        self._guesses.close()
