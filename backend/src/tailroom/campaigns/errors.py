"""Refusals about agents and campaigns."""

from tailroom.kit.errors import HttpProblem


class EnrolmentCodeUnknown(HttpProblem):
    """The code is not known, was used, or has expired: the answer does not distinguish these."""

    status = 403
    code = "enrolment-code-unknown"
    title = "The enrolment code is not valid"


class ServingAgentUnknown(HttpProblem):
    """There is no such agent."""

    status = 404
    code = "serving-agent-unknown"
    title = "No such agent"


class NotEnrolled(HttpProblem):
    """The token is an agent's that never enrolled, or was removed."""

    status = 403
    code = "not-enrolled"
    title = "This agent is not enrolled"


class CampaignUnknown(HttpProblem):
    """There is no such campaign."""

    status = 404
    code = "campaign-unknown"
    title = "No such campaign"


class CampaignRefused(HttpProblem):
    """The campaign cannot begin: an agent is away or works already, or too many are open."""

    status = 409
    code = "campaign-refused"
    title = "The campaign cannot begin"
