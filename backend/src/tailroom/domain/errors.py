"""What every refusal of the domain has in common: it names the broken rule and never gives a number."""


class DomainError(ValueError):
    """Input from which no honest number can be calculated; the message says which rule it breaks."""
