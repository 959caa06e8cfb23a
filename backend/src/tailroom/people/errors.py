"""Refusals about people."""

from tailroom.kit.errors import HttpProblem


class SignInRefused(
    HttpProblem,
    status=401,
    title="E-mail address or password is wrong",
    headers={"WWW-Authenticate": 'Bearer realm="tailroom"'},
):
    """E-mail address or password is wrong: the answer does not distinguish these."""


class AccountGone(HttpProblem, status=401, title="The account was deleted", headers=SignInRefused.headers):
    """The account of the request was deleted meanwhile."""


class LastWayIn(HttpProblem, status=409, title="Nothing else opens this account"):
    """The change would remove the last method to sign in to an account."""


class SignInsTooMany(
    HttpProblem, status=429, title="Too many attempts to sign in", headers={"Retry-After": "30"}
):
    """Too many wrong passwords or codes were given. The limit recovers with time."""


class SignUpClosed(HttpProblem, status=403, title="An invitation is needed"):
    """Sign-up is not open, and the request has no invitation."""


class CodeUnknown(HttpProblem, status=404, title="This link has ended"):
    """The code of a mail is unknown, used or expired."""


class PasswordWeak(HttpProblem, status=422, title="The password is too easy to guess"):
    """A new password is too short, too long or too easy to guess."""


class PasswordWrong(HttpProblem, status=403, title="The present password is wrong"):
    """The present password, which the change requires, is wrong."""


class SecondFactorNeeded(
    HttpProblem, status=401, title="A code is needed", headers={"WWW-Authenticate": 'Bearer realm="tailroom"'}
):
    """The account needs a code or a passkey as well, and the request has none."""


class SecondFactorWrong(HttpProblem, status=403, title="The code is wrong"):
    """The code is wrong, was used or is too old, or the passkey belongs to another account."""


class SecondFactorState(HttpProblem, status=409, title="The second factor is not in that state"):
    """The account has a second factor and must not, or has none and needs one."""


class SessionUnknown(HttpProblem, status=404, title="There is no such session"):
    """The person has no session of this id."""


class MemberUnknown(HttpProblem, status=404, title="There is no such member"):
    """The person is no member of the organisation."""


class RoleBeyond(HttpProblem, status=403, title="Only an owner may do this"):
    """Only an owner may decide about owners, or hand over the organisation."""


class OrganisationsTooMany(HttpProblem, status=409, title="Too many organisations"):
    """The person owns as many organisations as allowed."""


class LastOwner(HttpProblem, status=409, title="The last owner cannot leave"):
    """The organisation would be left without an owner."""


class InvitationEnded(HttpProblem, status=404, title="This invitation has ended"):
    """The invitation is unknown, accepted, revoked or expired."""


class InvitationForeign(HttpProblem, status=403, title="The invitation is for somebody else"):
    """The invitation is for another e-mail address."""


class InvitationsTooMany(HttpProblem, status=409, title="Too many invitations are open"):
    """The organisation has as many open invitations as allowed."""


class AccessTokenUnknown(HttpProblem, status=404, title="There is no such token"):
    """The organisation has no such token, or it cannot be replaced because it has ended or is an agent's."""


class AccessTokensTooMany(HttpProblem, status=409, title="Too many tokens"):
    """The organisation has as many valid tokens as allowed."""


class SavedTooMany(HttpProblem, status=409, title="Too much is saved"):
    """The person would have more saved items than allowed."""


class AttemptEnded(HttpProblem, status=404, title="This attempt to sign in has ended"):
    """The sign-in was not begun here, was completed already, or took too long."""


class PasskeyRefused(HttpProblem, status=403, title="The passkey does not open this"):
    """The passkey is unknown, or the answer of its device is not valid."""


class PasskeyUnknown(HttpProblem, status=404, title="There is no such passkey"):
    """The account has no passkey of this id."""


class PasskeysTooMany(HttpProblem, status=409, title="Too many passkeys"):
    """The account has as many passkeys as allowed."""


class SingleSignOnOff(HttpProblem, status=404, title="There is no single sign-on here"):
    """The installation has no provider of single sign-on."""


class SingleSignOnRefused(HttpProblem, status=403, title="The provider’s answer is not valid"):
    """The provider rejects the code, or its answer is not valid for this attempt."""


class ProviderUnavailable(
    HttpProblem, status=502, code="provider-away", title="The provider of single sign-on cannot be used"
):
    """The provider of single sign-on cannot be reached, or gives an unexpected answer."""


class MailUnproven(HttpProblem, status=403, title="The e-mail address is not proven"):
    """The provider has not verified the e-mail address, or it is no usable address."""


class IdentityUnconnected(HttpProblem, status=403, title="The account is not connected"):
    """The account with this address has a second factor, so its owner has to connect it."""


class IdentityTaken(HttpProblem, status=409, title="It is connected to another account"):
    """The provider's account belongs to another person here."""


class IdentityUnknown(HttpProblem, status=404, title="There is no such connection"):
    """The account has no connection of this id."""
