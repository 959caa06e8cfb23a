"""Limits of outgoing mails and trial webhooks: by purpose and recipient, by requester, and in total."""

import math
from typing import Literal

from tailroom.access.errors import MailsTooMany
from tailroom.access.shared_guesses import Bucket, BucketKind, SharedGuesses

MAIL = BucketKind("mail", 5, 1 / 600)
"""Messages of one purpose to one recipient: five, then one in ten minutes."""
ASKER = BucketKind("asker", 50, 1 / 20)
"""Messages that a network, person or organisation requests: 50, then one in 20 s."""
MAILS = BucketKind("mails", 200, 1.0)
"""All messages of the installation: 200, then one a second."""
Purpose = Literal["sign-up", "reset", "invitation", "trial"]
"""Reason of a message: sign-up, reset of a password, invitation, or trial of a webhook."""


class SendingLimits:
    """Limits of an installation for outgoing messages."""

    def __init__(self, guesses: SharedGuesses) -> None:
        self._guesses = guesses

    def take(self, purpose: Purpose, recipient: str, asker: str) -> None:
        """Count a message. Raise MailsTooMany if one of its limits is reached; then it is not counted.

        `recipient`: e-mail address, or host of a webhook; `asker`: person, network or organisation that
        requests it, empty if unknown.
        """
        buckets = [Bucket(MAIL, f"{purpose} {recipient}"), Bucket(MAILS, "")]
        if asker:
            buckets.append(Bucket(ASKER, asker))
        if wait_s := self._guesses.take(buckets):
            noun = "trials" if purpose == "trial" else "mails"
            hint = "" if purpose == "trial" else "Look into the mailbox, also among unwanted mail, and try"
            raise MailsTooMany(
                f"Several {noun} were asked for in a short time. {hint or 'Try'} again in"
                f" {math.ceil(wait_s / 60)} min."
            )
