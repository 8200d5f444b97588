"""The quantities of recursions over joints: how they are spelled in each language, and what they mean."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A quantity: its letter in text, LaTeX and MathML, and what it is."""

    text: str
    latex: str
    html: str
    meaning: str
    mark: str = ""  # raised: J of the joint alone, A and a of articulated bodies, C of composite ones
    dotted: bool = False


def _greek(name: str, code: str, meaning: str, mark: str = "") -> Word:
    return Word(name, rf"\{name}", f"<mi>&#x{code};</mi>", meaning, mark)


def _latin(letter: str, meaning: str, mark: str = "", dotted: bool = False) -> Word:
    return Word(letter, letter, f"<mi>{letter}</mi>", meaning, mark, dotted)


WORDS = {
    "q": _latin("q", "coordinate of the joint; of a ball or free joint the quaternion or angles"),
    "s": _latin("s", "position coordinates of a free joint, in axes of the link that carries it"),
    "u": _latin("u", "speed of the joint; of a ball joint its three, of a free joint the last three"),
    "ud": _latin("u", "acceleration of the joint", dotted=True),
    "v": _latin("v", "first three speeds of a free joint"),
    "e": _latin("e", "axis of the joint, in axes of the body"),
    "C": _latin("C", "rotation of the body at the zero position: vectors in its axes to axes of p"),
    "P": _latin("P", "rotation of the link that carries the joint, in the body of p that it is part of"),
    "d": _latin("d", "origin of the body at the zero position, in the frame of p"),
    "R": _latin("R", "rotation of the body: vectors in its axes to axes of p"),
    "r": _latin("r", "origin of the body, in the frame of p"),
    "phi": _greek("phi", "3C6", "angular velocity of the body against p for a unit speed"),
    "psi": _greek("psi", "3C8", "velocity of its origin against p for a unit speed"),
    "wj": _greek("omega", "3C9", "angular velocity of the body against p", "J"),
    "vj": _latin("v", "velocity of its origin against p", "J"),
    "w": _greek("omega", "3C9", "angular velocity of the body"),
    "b": _greek("beta", "3B2", "its angular acceleration where no speed changes"),
    "c": _greek("gamma", "3B3", "acceleration of its origin where no speed changes, less gravity"),
    "al": _greek("alpha", "3B1", "what the accelerations of joints add to the angular acceleration"),
    "a": _latin("a", "what they add to the acceleration of the origin"),
    "g": _latin("g", "acceleration of free fall, in axes of the root"),
    "m": _latin("m", "mass of the body, of all links that move as one"),
    "h": _latin("h", "first moment of its mass, mass times centre"),
    "I": _latin("I", "inertia of the body about its origin"),
    "f": _latin("f", "force that the body takes where no speed changes"),
    "n": _latin("n", "moment about its origin that it takes with that"),
    "F": _latin("F", "force of loads on its links"),
    "N": _latin("N", "moment of loads on its links about its origin"),
    "J": _latin("J", "armature: inertia of a rotor on the joint"),
    "tau": _greek("tau", "3C4", "force or torque on the joint: inputs and loads, less damping times speed"),
    # articulated bodies
    "IA": _latin("I", "articulated inertia: of the body with all it carries, whose joints give way", "A"),
    "HA": _latin("H", "moment that an acceleration of the origin takes", "A"),
    "MA": _latin("M", "force that an acceleration of the origin takes", "A"),
    "fA": _latin("f", "force that the body takes with all that it carries, whose joints give way", "A"),
    "nA": _latin("n", "moment that it takes with that", "A"),
    "k": _latin("k", "moment for a unit acceleration of the joint"),
    "l": _latin("l", "force for a unit acceleration of the joint"),
    "D": _latin("D", "inertia that the joint feels"),
    "T": _latin("T", "what of the joint's force is left to accelerate it"),
    "Ia": _latin("I", "articulated inertia when the joint itself gives way", "a"),
    "Ha": _latin("H", "moment for an acceleration of the origin when the joint gives way", "a"),
    "Ma": _latin("M", "force for an acceleration of the origin when the joint gives way", "a"),
    "fa": _latin("f", "force that joint i passes on to p", "a"),
    "na": _latin("n", "moment that it passes on", "a"),
    "K": _latin("K", "the mean of the turned H before and after the origin moves to that of p"),
    "al-": _greek("alpha", "3B1", "the first of these, from p alone", "-"),
    "a-": _latin("a", "the second of these, from p alone", "-"),
    "one": Word("1", "1", "<mn>1</mn>", "the unit tensor"),
    "qd": _latin("q", "rates of the coordinates", dotted=True),
    "sd": _latin("s", "rates of the position coordinates", dotted=True),
    # composite bodies
    "mC": _latin("m", "mass of the body with all that it carries", "C"),
    "hC": _latin("h", "first moment of these", "C"),
    "IC": _latin("I", "inertia of these about the origin of the body", "C"),
    "fC": _latin("f", "force that these take where no speed changes", "C"),
    "nC": _latin("n", "moment that these take with that", "C"),
    "Y": _latin("Y", "force for a unit acceleration of joint i, at the origin of body j"),
    "Z": _latin("Z", "moment for a unit acceleration of joint i, about the origin of body j"),
    "M": _latin("M", "entry of the mass matrix; zero where neither joint carries the other"),
    "x": _latin("x", "forces on the joints, eliminated from the ends to the ground"),
    "L": _latin("L", "factor of the mass matrix, M = L^T D L"),
    "G": _latin("G", "speeds of all joints from those that follow none: the factor of each follower"),
    "lam": _greek("lambda", "3BB", "multipliers of the constraints"),
}  # fmt: skip
"""By the names of `algebra.Sym`."""

FUNCTIONS = {
    "turn": "rotation about an axis by an angle; by a quaternion (w, x, y, z) of length one; by three angles, about x, "
    "y and z of the body",
    "half": "half the product of a quaternion q and (0, omega): the rate of q",
    "angular": "angular velocity, in axes of the body, of angles about its x, y and z with their rates",
}
"""What functions give, by their names."""
