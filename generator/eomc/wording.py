"""Words that messages of all layers share."""

from __future__ import annotations

__all__ = ["are", "counted", "with_article"]


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "speed"), counted(2, "speed"), counted(0, "momentum", "momenta")
    ('1 speed', '2 speeds', '0 momenta')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def are(number: int, noun: str, plural: str = "") -> str:
    """Return what follows "there" where so many are counted.

    Examples
    --------
    >>> are(1, "speed"), are(2, "speed")
    ('is 1 speed', 'are 2 speeds')
    """
    return f"{'is' if number == 1 else 'are'} {counted(number, noun, plural)}"


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article, by its first letter.

    Examples
    --------
    >>> with_article("KanesMethod"), with_article("int")
    ('a KanesMethod', 'an int')
    """
    return f"{'an' if noun[:1].lower() in tuple('aeiou') else 'a'} {noun}"
