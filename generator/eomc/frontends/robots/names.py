"""Names of a file: as names of coordinates and parameters (letters, digits, underscores), and in messages."""

from __future__ import annotations

import re
import unicodedata


class Names:
    """Names that are given away, each to one thing."""

    def __init__(self, *taken: str) -> None:
        self._taken = set(taken)

    def take(self, name: str) -> str:
        """Return `name`, or with the least number behind it that makes it new."""
        found, number = name, 1
        while found in self._taken:
            number += 1
            found = f"{name}_{number}"
        self._taken.add(found)
        return found


def identifier(name: str, noun: str) -> str:
    """Return a name as an identifier of C: accents go, other characters become underscores.

    Examples
    --------
    >>> identifier("joint_13.0", "joint"), identifier("2dof", "robot"), identifier("épaule-1", "joint")
    ('joint_13_0', 'robot_2dof', 'epaule_1')
    """
    plain = "".join(one for one in unicodedata.normalize("NFKD", name) if not unicodedata.combining(one))
    clean = re.sub(r"[^A-Za-z0-9_]", "_", plain)
    return clean if re.match("[A-Za-z]", clean) else f"{noun}_{clean}".rstrip("_")


def shown(text: str, length: int = 40) -> str:
    """Return text of the file as it may stand in a message: quoted, on one line, not longer than `length`."""
    return repr(text if len(text) <= length else text[: length - 3] + "...")
