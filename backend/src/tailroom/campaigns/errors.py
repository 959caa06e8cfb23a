"""Refusals about agents and campaigns."""

from tailroom.kit.errors import HttpProblem


class EnrolmentCodeUnknown(HttpProblem):
    """The code is unknown, used or expired; the answer does not say which."""

    status = 403
    code = "enrolment-code-unknown"
    title = "The enrolment code is not valid"


class ServingAgentUnknown(HttpProblem):
    """The organisation has no such agent."""

    status = 404
    code = "serving-agent-unknown"
    title = "No such agent"


class NotEnrolled(HttpProblem):
    """The token belongs to no enrolled agent, or to a removed one."""

    status = 403
    code = "not-enrolled"
    title = "This agent is not enrolled"


class CampaignUnknown(HttpProblem):
    """The organisation has no such campaign."""

    status = 404
    code = "campaign-unknown"
    title = "No such campaign"


class CampaignRefused(HttpProblem):
    """The campaign cannot begin (an agent may be away or busy), or too many enrolment codes are unused."""

    status = 409
    code = "campaign-refused"
    title = "The campaign cannot begin"
