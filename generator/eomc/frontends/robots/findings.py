"""What is told about a robot that is taken: findings, a record each, and few sentences for many of them."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from eomc.frontends.robots.names import shown
from eomc.wording import counted

_NAMED = 4  # of a group


class Severity(enum.Enum):
    """A note says what was done; a warning what may be wrong with the robot."""

    NOTE = "note"
    WARNING = "warning"


class Kind(enum.Enum):
    """Every kind of finding: how severe it is, what it is about, and what is said of one or many."""

    NO_ROBOT_NAME = Severity.WARNING, "robot", "it has no name, and is given that of the file"
    UNKNOWN_ELEMENT = Severity.WARNING, "element", "unknown, and not read"
    IGNORED_ELEMENT = Severity.NOTE, "element", "not read, for the motion does not depend on such"
    UNSEEN = Severity.WARNING, "link", "a visual cannot be drawn: correct it, or give the link's shapes by build="
    UNCOLOURED = Severity.NOTE, "material", "no colour of it is read: drawn in a colour of ours"
    IGNORED_ATTRIBUTE = Severity.NOTE, "attribute", "not read"
    NO_INERTIAL = Severity.NOTE, "link", "no inertial element: taken as massless"
    NO_MASS = Severity.NOTE, "link", "the mass is zero"
    INERTIA_WITHOUT_MASS = Severity.WARNING, "link", "the mass is zero, the inertia is not"
    POINT_MASS = Severity.NOTE, "link", "mass without inertia: taken as a point"
    TURNED_INERTIA = Severity.NOTE, "link", "the axes of the inertia are turned into those of the link"
    NEGATIVE_INERTIA = Severity.WARNING, "link", "a principal moment of inertia is negative: no body has such"
    BROKEN_TRIANGLE = (
        Severity.WARNING,
        "link",
        "a principal moment of inertia is larger than the sum of the others: no body has such",
    )
    INDEFINITE_BODY = (
        Severity.WARNING,
        "link",
        "with all that is fixed to it, its inertia is negative about some axis: accelerations may not be determined",
    )
    PLACEHOLDER = (
        Severity.WARNING,
        "link",
        "with all that is fixed to it, less than a millionth of the robot's mass moves here: a placeholder?",
    )
    MASSLESS_BODY = Severity.NOTE, "link", "moving without mass, but not what is carried"
    NO_ORIGIN = Severity.NOTE, "joint", "no origin: the child's frame is the parent's"
    NO_AXIS = Severity.NOTE, "joint", "no axis: taken as 1 0 0"
    LONG_AXIS = Severity.NOTE, "joint", "the axis has not the length one: taken as a direction"
    SNAPPED = Severity.NOTE, "frame", "an angle to twelve digits is taken as the right angle that it means"
    NEAR_RIGHT_ANGLE = (
        Severity.NOTE,
        "frame",
        "an angle is a right angle to a few digits, and is kept as it is written",
    )
    NO_LIMIT = Severity.WARNING, "joint", "no limits, which this type of joint should have"
    NO_BOUNDS = Severity.NOTE, "joint", "no lower and upper limit: taken as unlimited"
    EQUAL_BOUNDS = Severity.WARNING, "joint", "the lower limit equals the upper one: taken as unlimited"
    ENDLESS = Severity.NOTE, "joint", "limits of more than a hundred turns: taken as unlimited"
    NO_EFFORT = Severity.NOTE, "joint", "an effort or velocity limit is not positive: taken as none"
    START_OUTSIDE = Severity.WARNING, "joint", "zero is outside of the limits: the start is in the middle of them"
    MIMIC = Severity.NOTE, "joint", "in step with another joint"
    FIXED_MIMIC = Severity.NOTE, "joint", "fixed, and thus in step with no other joint"
    DRY_FRICTION = Severity.WARNING, "joint", "dry friction is left out, unless friction= gives a speed for it"
    RENAMED = Severity.NOTE, "name", "made a name of C"

    @property
    def severity(self) -> Severity:
        """How severe findings of this kind are."""
        return self.value[0]

    @property
    def noun(self) -> str:
        """What they are about."""
        return self.value[1]

    @property
    def text(self) -> str:
        """What is said of it."""
        return self.value[2]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: about what, on which line (0 where there is none), with numbers or further words."""

    kind: Kind
    where: str
    line: int = 0
    detail: str = ""

    @property
    def severity(self) -> Severity:
        """Note or warning."""
        return self.kind.severity

    @property
    def sentence(self) -> str:
        """The finding in words."""
        line = f" (line {self.line})" if self.line else ""
        detail = f" [{self.detail}]" if self.detail else ""
        return f"{self.kind.noun} {shown(self.where)}{line}: {self.kind.text}{detail}"


def summary(findings: Iterable[Finding], severity: Severity) -> list[str]:
    """Return a sentence for each kind of finding, however many there are, in the order of the kinds."""
    groups: dict[Kind, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.kind, []).append(finding)
    return [_told(kind, groups[kind]) for kind in Kind if kind in groups and kind.severity is severity]


def _told(kind: Kind, group: list[Finding]) -> str:
    if len(group) == 1:
        return group[0].sentence
    names = list(dict.fromkeys(shown(finding.where) for finding in group))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{counted(len(group), kind.noun)} ({', '.join(names[:_NAMED])}{more}): {kind.text}"
