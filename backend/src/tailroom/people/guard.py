"""Decides how fast passwords may be guessed and mails be asked for, without locking anybody out for ever.

Three buckets for guesses at a password: of one address at one e-mail (10, then one in 30 s), of one address
at any (100, then one a second), of all addresses at one e-mail (50, then one in 10 s). The last does not
count where the person is signed in from the same address already, so that strangers cannot keep them out. A
right password is not counted.

Mails are counted by `access.sending`.

Codes of a second factor have a bucket for each person (5, then one in two minutes): of six digits, a day of
guesses by somebody who knows the password finds one in about 450 times. Recovery codes are too long to be
guessed and are not counted, so that the owner gets in meanwhile.

The buckets are the installation's (`access.shared_guesses`): another process gives no further guesses.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tailroom.access.guesses import Buckets, network_of
from tailroom.access.sending import Purpose, SendingLimits
from tailroom.access.shared_guesses import Bucket, Kind, SharedGuesses
from tailroom.people.accounts import Found
from tailroom.people.errors import SignInsTooMany
from tailroom.people.second_factors import is_of_app

PAIR = Kind("pair", 10, 1 / 30)
ADDRESS = Kind("address", 100, 1.0)
EMAIL = Kind("email", 50, 1 / 10)
CODE = Kind("code", 5, 1 / 120)
BEGUN = Kind("begun", 60, 1 / 2)


class Taken(NamedTuple):
    """Guesses that were counted."""

    guesses: SharedGuesses
    buckets: Sequence[Bucket]

    def give_back(self) -> None:
        """It was right, so it was no guess."""
        self.guesses.give_back(self.buckets)


class SignInGuard:
    """The buckets of an installation; `own` without a Valkey."""

    def __init__(self, redis_url: str | None = None, own: Buckets | None = None) -> None:
        self._guesses = SharedGuesses(redis_url, own)
        self.sending = SendingLimits(self._guesses)
        """What is sent is counted beside guesses."""

    def take(self, email: str, address: str, *, is_known_here: bool) -> Taken:
        """Counts a guess; to be given back when it was right. Raises SignInsTooMany."""
        network = network_of(address) or address
        buckets = [Bucket(PAIR, f"{email} {network}"), Bucket(ADDRESS, network)]
        if not is_known_here:
            buckets.append(Bucket(EMAIL, email))
        if wait_s := self._guesses.take(buckets):
            raise SignInsTooMany(
                f"Too many attempts to sign in with this address failed. Try again in {wait_s} s, or choose a"
                " new password by mail."
            )
        return Taken(self._guesses, buckets)

    def take_code(self, account: Found | None, code: str | None) -> Taken | None:
        """Counts a guess at a code of somebody's app, if it is one; to be given back when it was right.
        Raises SignInsTooMany.
        """
        if account is None or not account.has_second_factor or code is None or not is_of_app(code):
            return None
        buckets = [Bucket(CODE, str(account.person_id))]
        if wait_s := self._guesses.take(buckets):
            raise SignInsTooMany(
                f"Too many wrong codes were given. Try again in {wait_s} s, or use a recovery code."
            )
        return Taken(self._guesses, buckets)

    def take_mail(self, purpose: Purpose, email: str, asker: str) -> None:
        """Counts a mail to this address. `asker`: who or which network asks, empty where that is not known.
        Raises MailsTooMany.
        """
        self.sending.take(purpose, email, asker)

    def take_attempt(self, address: str) -> None:
        """Counts a way of signing in that leaves a row until it comes back. Raises SignInsTooMany."""
        if wait_s := self._guesses.take([Bucket(BEGUN, network_of(address) or address)]):
            raise SignInsTooMany(f"Too many sign-ins were begun from this address. Try again in {wait_s} s.")

    def close(self) -> None:
        """Gives the connection back."""
        self._guesses.close()
