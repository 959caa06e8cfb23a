"""What every refusal of the domain has in common: it names the broken rule and never gives a number."""


class DomainError(ValueError):
    """Base of errors about input from which nothing can be calculated; the message names the broken rule."""


def sentence(text: object) -> str:
    """Return a text, or that of an error, with a capital letter and a full stop."""
    words = str(text)
    return f"{words[:1].upper()}{words[1:]}."
