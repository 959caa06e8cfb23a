"""Texts of mails; `base` is the address of the installation.

Links end in a fragment, which browsers do not send: no log and no other site gets it.
"""

from typing import NamedTuple


class Mail(NamedTuple):
    """A mail to be sent."""

    to: str
    subject: str
    text: str


_NOT_YOU = "If you did not ask for this, do nothing: without the link nothing happens."


def welcome(email: str, base: str, code: str) -> Mail:
    """Return the mail for a sign-up, with the link to choose a password."""
    text = (
        f"Somebody signed up at {base} with this address.\n\n"
        f"Choose a password to finish. The link holds for a day:\n\n{base}/password#{code}\n\n{_NOT_YOU}\n"
    )
    return Mail(email, "Finish signing up at Tailroom", text)


def account_exists(email: str, base: str) -> Mail:
    """Return the mail for a sign-up with an address that already has an account."""
    text = (
        f"Somebody signed up at {base} with this address, which has an account already.\n\n"
        f"Sign in: {base}/sign-in\nForgot the password: {base}/forgot\n\nIf it was not you, do nothing.\n"
    )
    return Mail(email, "You have an account at Tailroom", text)


def reset(email: str, base: str, code: str) -> Mail:
    """Return the mail for a forgotten password, with the link to choose another."""
    text = (
        f"Choose a new password for {base}. The link holds for an hour:\n\n{base}/password#{code}\n\n"
        f"It ends every session that is signed in now. {_NOT_YOU}\n"
    )
    return Mail(email, "Choose a new password for Tailroom", text)


def password_changed(email: str, base: str) -> Mail:
    """Return the mail that the password was changed."""
    text = (
        f"The password of your account at {base} was changed.\n\n"
        f"If it was not you: choose a new one at {base}/forgot, which ends every session.\n"
    )
    return Mail(email, "Your password at Tailroom was changed", text)


def invitation(email: str, by: str, organisation: str, link: str) -> Mail:
    """Return the mail with an invitation; `by`: inviting person, `link`: address to accept it."""
    text = (
        f"{by} invites you into {organisation} at Tailroom.\n\n"
        f"Open the link to accept:\n\n{link}\n\nIf you do not know them, do nothing.\n"
    )
    return Mail(email, f"An invitation into {organisation}", text)


def owner_changed(email: str, organisation: str, by: str, to: str) -> Mail:
    """Return the mail that an organisation has another owner. Both owners get it.

    `email`: recipient; `by` and `to`: e-mail addresses of the previous and the new owner.
    """
    text = f"{by} handed {organisation} at Tailroom over to {to}, who is its owner now.\n"
    return Mail(email, f"{organisation} has another owner", text)


def account_deleted(email: str, base: str) -> Mail:
    """Return the last mail to the owner of a deleted account."""
    text = (
        f"Your account at {base} was deleted, with everything that was stored of you. Audit trails of your"
        " organisations keep what you did.\n\n"
        "If it was not you: ask an owner of your organisation for an invitation, and tell whoever runs that"
        " server.\n"
    )
    return Mail(email, "Your account at Tailroom was deleted", text)


def second_factor_changed(email: str, base: str, *, is_on: bool) -> Mail:
    """Return the mail that the second factor was turned on or off."""
    text = (
        f"The second factor of your account at {base} was turned {'on' if is_on else 'off'}.\n\n"
        f"If it was not you: choose a new password at {base}/forgot, and tell whoever runs that server.\n"
    )
    return Mail(email, f"Second factor at Tailroom turned {'on' if is_on else 'off'}", text)


def sign_in_method_changed(email: str, base: str, what: str, *, is_new: bool) -> Mail:
    """Return the mail that `what`, such as a passkey, opens the account, or does not any more."""
    change = "opens" if is_new else "does not open any more"
    text = (
        f"{what} {change} your account at {base}.\n\n"
        f"If it was not you: choose a new password at {base}/forgot, look at {base}/settings, and tell"
        " whoever runs that server.\n"
    )
    return Mail(email, "A way into your account at Tailroom changed", text)
