"""Decides how much somebody may have sent: mails and trial webhooks are counted by what they are for and whom
they go to, by who asks, and all together (docs/adr/0084). Whoever asks for many leaves enough for everybody
else, and what is sent for one purpose does not use up another.
"""

import math
from typing import Literal

from tailroom.access.errors import MailsTooMany
from tailroom.access.shared_guesses import Bucket, Kind, SharedGuesses

MAIL = Kind("mail", 5, 1 / 600)
ASKER = Kind("asker", 50, 1 / 20)
"""That one network address, person or organisation asks for."""
MAILS = Kind("mails", 200, 1.0)
Purpose = Literal["sign-up", "reset", "invitation", "trial"]


class SendingLimits:
    """The buckets of an installation."""

    def __init__(self, guesses: SharedGuesses) -> None:
        self._guesses = guesses

    def take(self, purpose: Purpose, recipient: str, asker: str) -> None:
        """Count what is sent to an address or a host. `asker`: who or which network asks, empty where that is
        not known. Raise MailsTooMany.
        """
        buckets = [Bucket(MAIL, f"{purpose} {recipient}"), Bucket(MAILS, "")]
        if asker:
            buckets.append(Bucket(ASKER, asker))
        if wait_s := self._guesses.take(buckets):
            what = "trials" if purpose == "trial" else "mails"
            where = "" if purpose == "trial" else "Look into the mailbox, also among unwanted mail, and try"
            raise MailsTooMany(
                f"Several {what} were asked for in a short time. {where or 'Try'} again in"
                f" {math.ceil(wait_s / 60)} min."
            )
