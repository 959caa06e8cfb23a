"""What every refusal of the domain has in common: it names the broken rule and never gives a number."""


class DomainError(ValueError):
    """Base of errors about input from which nothing can be calculated; the message names the broken rule."""
