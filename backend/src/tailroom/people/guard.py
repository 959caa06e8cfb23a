"""Decides how fast passwords may be guessed and mails be asked for, without locking anybody out for ever.

Three buckets for guesses at a password: of one address at one e-mail (10, then one in 30 s), of one address
at any (100, then one a second), of all addresses at one e-mail (50, then one in 10 s). The last does not
count where the person is signed in from the same address already, so that strangers cannot keep them out. A
right password is not counted.

Codes of a second factor have a bucket for each person (5, then one in two minutes): of six digits, a day of
guesses by somebody who knows the password finds one in about 450 times. Recovery codes are too long to be
guessed and are not counted, so that the owner gets in meanwhile.
"""

from dataclasses import dataclass, field

from tailroom.access.guesses import Guesses, GuessesByKey
from tailroom.people.accounts import Found
from tailroom.people.errors import MailsTooMany, SignInsTooMany
from tailroom.people.second_factors import is_of_app

PAIR_BURST, PAIR_PER_S = 10, 1 / 30
ADDRESS_BURST, ADDRESS_PER_S = 100, 1.0
EMAIL_BURST, EMAIL_PER_S = 50, 1 / 10
CODE_BURST, CODE_PER_S = 5, 1 / 120
MAIL_BURST, MAIL_PER_S = 5, 1 / 600
MAILS_BURST, MAILS_PER_S = 200, 1.0
BEGUN_BURST, BEGUN_PER_S = 60, 1 / 2


@dataclass(slots=True)
class SignInGuard:
    """The buckets of one process."""

    _pairs: GuessesByKey = field(default_factory=lambda: GuessesByKey(PAIR_BURST, PAIR_PER_S))
    _addresses: GuessesByKey = field(default_factory=lambda: GuessesByKey(ADDRESS_BURST, ADDRESS_PER_S))
    _emails: GuessesByKey = field(default_factory=lambda: GuessesByKey(EMAIL_BURST, EMAIL_PER_S))
    _codes: GuessesByKey = field(default_factory=lambda: GuessesByKey(CODE_BURST, CODE_PER_S))
    _mails: GuessesByKey = field(default_factory=lambda: GuessesByKey(MAIL_BURST, MAIL_PER_S))
    _begun: GuessesByKey = field(default_factory=lambda: GuessesByKey(BEGUN_BURST, BEGUN_PER_S))
    _mails_of_all: Guesses = field(default_factory=lambda: Guesses(MAILS_BURST, MAILS_PER_S))

    def take(self, email: str, address: str, *, is_known_here: bool) -> list[Guesses]:
        """Counts a guess; the buckets to give it back to when it was right. Raises SignInsTooMany."""
        buckets = [self._pairs.of((email, address)), self._addresses.of(address)]
        if not is_known_here:
            buckets.append(self._emails.of(email))
        wait_s = max(one.wait_s() for one in buckets)
        if wait_s:
            raise SignInsTooMany(
                f"Too many attempts to sign in with this address failed. Try again in {wait_s} s, or choose a"
                " new password by mail."
            )
        for one in buckets:
            one.are_too_many()
        return buckets

    def take_code(self, account: Found | None, code: str | None) -> Guesses | None:
        """Counts a guess at a code of somebody's app; where to give it back when it was right, if it was
        counted. Raises SignInsTooMany.
        """
        if account is None or not account.has_second_factor or code is None or not is_of_app(code):
            return None
        bucket = self._codes.of(account.person_id)
        wait_s = bucket.wait_s()
        if bucket.are_too_many():
            raise SignInsTooMany(
                f"Too many wrong codes were given. Try again in {wait_s} s, or use a recovery code."
            )
        return bucket

    def take_mail(self, email: str) -> None:
        """Counts a mail to this address. Raises MailsTooMany."""
        if self._mails.of(email).are_too_many() or self._mails_of_all.are_too_many():
            raise MailsTooMany(
                "Several mails were asked for in a short time. Look into the mailbox, also among unwanted"
                " mail, and try again in ten minutes."
            )

    def take_attempt(self, address: str) -> None:
        """Counts a way of signing in that leaves a row until it comes back. Raises SignInsTooMany."""
        bucket = self._begun.of(address)
        wait_s = bucket.wait_s()
        if bucket.are_too_many():
            raise SignInsTooMany(f"Too many sign-ins were begun from this address. Try again in {wait_s} s.")
