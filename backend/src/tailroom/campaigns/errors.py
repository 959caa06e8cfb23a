"""Refusals about agents and campaigns."""

from tailroom.kit.errors import HttpProblem


class EnrolmentCodeUnknown(HttpProblem, status=403, title="The enrolment code is not valid"):
    """The code is unknown, used or expired; the answer does not say which."""


class ServingAgentUnknown(HttpProblem, status=404, title="No such agent"):
    """The organisation has no such agent."""


class NotEnrolled(HttpProblem, status=403, title="This agent is not enrolled"):
    """The token belongs to no enrolled agent, or to a removed one."""


class CampaignUnknown(HttpProblem, status=404, title="No such campaign"):
    """The organisation has no such campaign."""


class CampaignRefused(HttpProblem, status=409, title="The campaign cannot begin"):
    """The campaign cannot begin (an agent may be away or busy), or too many enrolment codes are unused."""
