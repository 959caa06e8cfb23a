"""The base of all errors of the domain: the message names the broken rule."""


class DomainError(ValueError):
    """Base of errors about input from which nothing can be calculated; the message names the broken rule."""


def sentence(text: object) -> str:
    """Return a text, or an error's message, with a capital first letter and a full stop added in any case."""
    words = str(text)
    return f"{words[:1].upper()}{words[1:]}."
