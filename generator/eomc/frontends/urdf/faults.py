"""What is wrong with a description, and on which line: one sentence, which ends the reading."""

from __future__ import annotations


class Fault(Exception):
    """A fault on a line of the file; :func:`~eomc.frontends.urdf.robot.read_robot` tells it with the file's name."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line
        self.text = text
