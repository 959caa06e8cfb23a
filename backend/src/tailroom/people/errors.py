"""Refusals about people."""

from typing import ClassVar

from tailroom.kit.errors import HttpProblem


class SignInRefused(HttpProblem):
    """E-mail address or password is wrong: the answer does not distinguish these."""

    status = 401
    code = "sign-in-refused"
    title = "E-mail address or password is wrong"
    headers: ClassVar[dict[str, str]] = {"WWW-Authenticate": 'Bearer realm="tailroom"'}


class AccountGone(HttpProblem):
    """The account of the request was deleted meanwhile."""

    status = 401
    code = "account-gone"
    title = "The account was deleted"
    headers: ClassVar[dict[str, str]] = SignInRefused.headers


class LastWayIn(HttpProblem):
    """The change would remove the last method to sign in to an account."""

    status = 409
    code = "last-way-in"
    title = "Nothing else opens this account"


class SignInsTooMany(HttpProblem):
    """Too many wrong passwords or codes were given. The limit recovers with time."""

    status = 429
    code = "sign-ins-too-many"
    title = "Too many attempts to sign in"
    headers: ClassVar[dict[str, str]] = {"Retry-After": "30"}


class SignUpClosed(HttpProblem):
    """Sign-up is not open, and the request has no invitation."""

    status = 403
    code = "sign-up-closed"
    title = "An invitation is needed"


class CodeUnknown(HttpProblem):
    """The code of a mail is unknown, used or expired."""

    status = 404
    code = "code-unknown"
    title = "This link has ended"


class PasswordWeak(HttpProblem):
    """A new password is too short, too long or too easy to guess."""

    status = 422
    code = "password-weak"
    title = "The password is too easy to guess"


class PasswordWrong(HttpProblem):
    """The present password, which the change requires, is wrong."""

    status = 403
    code = "password-wrong"
    title = "The present password is wrong"


class SecondFactorNeeded(HttpProblem):
    """The account needs a code or a passkey as well, and the request has none."""

    status = 401
    code = "second-factor-needed"
    title = "A code is needed"
    headers: ClassVar[dict[str, str]] = {"WWW-Authenticate": 'Bearer realm="tailroom"'}


class SecondFactorWrong(HttpProblem):
    """The code is wrong, was used or is too old, or the passkey belongs to another account."""

    status = 403
    code = "second-factor-wrong"
    title = "The code is wrong"


class SecondFactorState(HttpProblem):
    """The account has a second factor and must not, or has none and needs one."""

    status = 409
    code = "second-factor-state"
    title = "The second factor is not in that state"


class SessionUnknown(HttpProblem):
    """The person has no session of this id."""

    status = 404
    code = "session-unknown"
    title = "There is no such session"


class MemberUnknown(HttpProblem):
    """The person is no member of the organisation."""

    status = 404
    code = "member-unknown"
    title = "There is no such member"


class RoleBeyond(HttpProblem):
    """Only an owner may decide about owners, or hand over the organisation."""

    status = 403
    code = "role-beyond"
    title = "Only an owner may do this"


class OrganisationsTooMany(HttpProblem):
    """The person owns as many organisations as allowed."""

    status = 409
    code = "organisations-too-many"
    title = "Too many organisations"


class LastOwner(HttpProblem):
    """The organisation would be left without an owner."""

    status = 409
    code = "last-owner"
    title = "The last owner cannot leave"


class InvitationEnded(HttpProblem):
    """The invitation is unknown, accepted, revoked or expired."""

    status = 404
    code = "invitation-ended"
    title = "This invitation has ended"


class InvitationForeign(HttpProblem):
    """The invitation is for another e-mail address."""

    status = 403
    code = "invitation-foreign"
    title = "The invitation is for somebody else"


class InvitationsTooMany(HttpProblem):
    """The organisation has as many open invitations as allowed."""

    status = 409
    code = "invitations-too-many"
    title = "Too many invitations are open"


class AccessTokenUnknown(HttpProblem):
    """The organisation has no such token, or it cannot be replaced because it has ended or is an agent's."""

    status = 404
    code = "access-token-unknown"
    title = "There is no such token"


class AccessTokensTooMany(HttpProblem):
    """The organisation has as many valid tokens as allowed."""

    status = 409
    code = "access-tokens-too-many"
    title = "Too many tokens"


class SavedTooMany(HttpProblem):
    """The person would have more saved items than allowed."""

    status = 409
    code = "saved-too-many"
    title = "Too much is saved"


class AttemptEnded(HttpProblem):
    """The sign-in was not begun here, was completed already, or took too long."""

    status = 404
    code = "attempt-ended"
    title = "This attempt to sign in has ended"


class PasskeyRefused(HttpProblem):
    """The passkey is unknown, or the answer of its device is not valid."""

    status = 403
    code = "passkey-refused"
    title = "The passkey does not open this"


class PasskeyUnknown(HttpProblem):
    """The account has no passkey of this id."""

    status = 404
    code = "passkey-unknown"
    title = "There is no such passkey"


class PasskeysTooMany(HttpProblem):
    """The account has as many passkeys as allowed."""

    status = 409
    code = "passkeys-too-many"
    title = "Too many passkeys"


class SingleSignOnOff(HttpProblem):
    """The installation has no provider of single sign-on."""

    status = 404
    code = "single-sign-on-off"
    title = "There is no single sign-on here"


class SingleSignOnRefused(HttpProblem):
    """The provider rejects the code, or its answer is not valid for this attempt."""

    status = 403
    code = "single-sign-on-refused"
    title = "The provider’s answer is not valid"


class ProviderUnavailable(HttpProblem):
    """The provider of single sign-on cannot be reached, or gives an unexpected answer."""

    status = 502
    code = "provider-away"
    title = "The provider of single sign-on cannot be used"


class MailUnproven(HttpProblem):
    """The provider has not verified the e-mail address, or it is no usable address."""

    status = 403
    code = "mail-unproven"
    title = "The e-mail address is not proven"


class IdentityUnconnected(HttpProblem):
    """The account with this address has a second factor, so its owner has to connect it."""

    status = 403
    code = "identity-unconnected"
    title = "The account is not connected"


class IdentityTaken(HttpProblem):
    """The provider's account belongs to another person here."""

    status = 409
    code = "identity-taken"
    title = "It is connected to another account"


class IdentityUnknown(HttpProblem):
    """The account has no connection of this id."""

    status = 404
    code = "identity-unknown"
    title = "There is no such connection"
