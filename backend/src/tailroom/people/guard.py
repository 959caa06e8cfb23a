"""Limits for guesses at passwords and codes; no account is ever locked out.

Each limit is a bucket that a wrong guess empties and time refills. Guesses at a password count in up to three
buckets (`PAIR`, `ADDRESS`, `EMAIL`). `EMAIL` does not count if the person is signed in from the same address
already, so that strangers cannot keep them out. Guesses at a code of a second factor count in `CODE`: with
six digits, an attacker who knows the password needs about 450 days. Recovery codes are too long to be guessed
and are not counted.

The processes of an installation share the buckets (`access.shared_guesses`). `access.sending` counts mails.
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
"""Passwords of one network for one e-mail address: 10, then another every 30 s."""
ADDRESS = BucketKind("address", 100, 1.0)
"""Passwords of one network: 100, then another every second."""
EMAIL = BucketKind("email", 50, 1 / 10)
"""Passwords of all networks for one e-mail address: 50, then another every 10 s."""
CODE = BucketKind("code", 5, 1 / 120)
"""Codes of a second factor of one person: 5, then another every 2 minutes."""
BEGUN = BucketKind("begun", 60, 1 / 2)
"""Sign-ins begun from one network: 60, then another every 2 s."""


class CountedGuess(NamedTuple):
    """A guess, and the buckets in which it was counted."""

    guesses: SharedGuesses
    buckets: Sequence[Bucket]

    def give_back(self) -> None:
        """Undo the count, because the guess was right."""
        self.guesses.give_back(self.buckets)


class SignInGuard:
    """Limits of guesses, sign-ins and mails, counted in Valkey, or in `own` without Valkey."""

    def __init__(self, redis_url: str | None = None, own: Buckets | None = None) -> None:
        self._guesses = SharedGuesses(redis_url, own)
        self.sending = SendingLimits(self._guesses)
        """Limits of mails, with buckets beside those of guesses."""

    def take(self, email: str, address: str, *, is_known_here: bool) -> CountedGuess:
        """Count a guess at a password. The caller calls `give_back` on the result if the guess was right.

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
        """Count a guess at a code of the account's app. The caller calls `give_back` if the guess was right.

        Return None, without counting, if the account is None or has no second factor, or the text does not
        have the form of an app's code. Raise SignInsTooMany, and count nothing, after too many guesses.
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
        """Count a mail of `asker` (empty: unknown) to this address. Raise MailsTooMany beyond a limit."""
        self.sending.take(purpose, email, asker)

    def take_attempt(self, address: str) -> None:
        """Count a sign-in that a network begins. Raise SignInsTooMany, and count nothing, beyond `BEGUN`."""
        if wait_s := self._guesses.take([Bucket(BEGUN, rate_limit_key(address) or address)]):
            raise SignInsTooMany(f"Too many sign-ins were begun from this address. Try again in {wait_s} s.")

    def close(self) -> None:
        """Close the connection to Valkey."""
        self._guesses.close()
