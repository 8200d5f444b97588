"""What quantities are called on paper: theta' for a velocity, subscripts, letters that no name of the model takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from eomc.backends.ascii import spell
from eomc.backends.report.letters import with_greek_subscript
from eomc.ir.equations import EquationsOfMotion, ForcesApart
from eomc.ir.program import Variable
from eomc.ir.symbols import Symbol

_SUBSTITUTES = {
    "A": "G", "B": "D", "E": "W", "F": "Fa", "H": "K", "J": "C D", "L": "Lagr", "M": "W", "Q": "N", "S": "G", "T": "K",
    "V": "U", "f": "F R", "h": "J",
}  # fmt: skip
"""The letters of the text-books, and what stands for them where the model has a name like that."""

_NUMBERED = {"S": "Y", "b": "B c", "x": "X y", "z": "s w"}
"""Letters that are never alone, of intermediate variables and linear systems; no matrix above has one of them."""

_SHAPE = re.compile(r"([A-Za-z]+?)(\d*)((?:_[A-Za-z0-9]+)*)")


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart: letter, subscripts, dots above; `text` is all of it in ASCII."""

    text: str
    base: str
    subscripts: tuple[str, ...] = ()
    dots: int = 0

    @classmethod
    def of(cls, text: str) -> Name:
        """Return ``u1`` as u with subscript 1, ``p_theta`` as p with subscript theta, ``It`` as it stands."""
        match = _SHAPE.fullmatch(text)
        if match is None:
            return cls(text, text)
        letters, digits, rest = match.groups()
        subscripts = tuple(filter(None, [digits, *rest.split("_")]))
        pair = with_greek_subscript(letters)
        return cls(text, letters, subscripts) if pair is None else cls(text, pair[0], (pair[1], *subscripts))

    @classmethod
    def entry(cls, letter: str, indices: Sequence[int], largest: int) -> Name:
        """Return the name of an entry of a vector or matrix, ``M12``; ``M_3_12`` where an index has two digits."""
        if largest < 10:
            digits = "".join(str(i + 1) for i in indices)
            return cls(f"{letter}{digits}", letter, (digits,) if digits else ())
        numbers = tuple(str(i + 1) for i in indices)
        return cls("_".join([letter, *numbers]), letter, numbers)

    def rate(self, order: int = 1) -> Name:
        """Return the name of a time derivative."""
        return replace(self, text=self.text + order * "'", dots=self.dots + order)


class Names:
    """The names of one model's symbols.

    Parameters
    ----------
    equations
        A state ``theta_d`` that is the derivative of coordinate ``theta`` is called theta'.
    apart
        Forces that hold u', where they are to be printed.

    Attributes
    ----------
    symbols
        Symbol -> its name.
    by_word
        The model's word (``u1``, ``theta_d``) -> its name.
    coordinates, seconds, extras, inputs, parameters, outputs, reactions, momenta
        Names in the order of the equations; `seconds` are the speeds, velocities or momenta.
    """

    def __init__(self, equations: EquationsOfMotion, apart: ForcesApart | None = None) -> None:
        self._used: set[str] = set()
        self._letters: dict[str, str] = {}  # the letter of the text-books -> what stands for it here
        self.symbols: dict[Symbol, Name] = {}
        self.by_word: dict[str, Name] = {}
        n, n_second = len(equations.motion.rates), len(equations.motion.accelerations)
        states = equations.states
        self.coordinates = [self._named(variable) for variable in states[:n]]
        self._coordinates = {q.name: name.text for q, name in zip(states[:n], self.coordinates, strict=True)}
        for variable, name in zip(states[:n], self.coordinates, strict=True):
            self.by_word.setdefault(f"{variable.name}_d", name.rate())
        self.seconds = [
            self._named(v, self.by_word[v.rate_of].rate() if v.rate_of else None) for v in states[n : n + n_second]
        ]
        for made in (equations.motion.gibbs, apart):
            for node, name in zip(made.accelerations if made else (), self.seconds, strict=False):  # u' are symbols
                symbol = equations.graph.data[node]
                assert isinstance(symbol, Symbol)
                self.symbols[symbol] = name.rate()
        self.extras = [self._named(variable) for variable in states[n + n_second :]]
        signals = {v.signal: self._named(v) for v in equations.inputs if not v.order}
        self.inputs = [
            self._named(v, base.rate(v.order) if (base := signals.get(v.signal)) else None) for v in equations.inputs
        ]
        self.parameters = [self._named(variable) for variable in equations.parameters]
        self.time = self._unique(equations.time.name)
        self.symbols[equations.time] = self.time
        self.outputs = [self._unique(quantity.name) for quantity in equations.outputs]
        self.reactions = [self._unique(quantity.name) for quantity in equations.constraints.reactions]
        known = {variable.name: name for variable, name in zip(states[n:], self.seconds, strict=False)}
        words = {f"p_{word}": f"p_{text}" for word, text in self._coordinates.items()}
        self.momenta = [
            known.get(p.name) or self._unique(words.get(p.name, p.name)) for p in equations.energetics.momenta
        ]

    def letter(self, letter: str) -> str:
        """Return what stands for a letter of the text-books: `follow` puts it in its place from now on.

        It is the letter, or the first substitute, that no name of the model is, or begins with before its index.
        """
        if letter not in self._letters:
            wishes = (letter, *_SUBSTITUTES.get(letter, "").split())
            found = _first(wishes, lambda wish: any(re.fullmatch(rf"{wish}[_\d]*", word) for word in self._used))
            self._used.add(found)
            self._letters[letter] = found
        return self._letters[letter]

    def follow(self, text: str) -> str:
        """Return one of our own texts in the letters and names of this report: total energy K + V, dLagr/dtheta_2'."""
        renamed = {word: name for word, name in {**self._coordinates, **self._letters}.items() if word != name}
        if not renamed:
            return text
        words = "|".join(map(re.escape, renamed))
        return re.sub(rf"(?<![^\W\d]|\^)(d?\d?)({words})(?![^\W\d])", lambda m: m[1] + renamed[m[2]], text)

    def numbered(self, letter: str) -> str:
        """Return what stands for a letter with numbers: the first that, with a number, is no name of the model."""
        wishes = (letter, *_NUMBERED[letter].split())
        return _first(wishes, lambda wish: any(re.fullmatch(rf"{wish}[_\d]+", word) for word in self._used))

    def _named(self, variable: Variable, known: Name | None = None) -> Name:
        """Return and remember the name of a variable: one that is known, as the rate of another, or its own."""
        told = "_".join([variable.array, *map(str, variable.index)]) if variable.array else variable.name
        name = known or self._unique(told)
        self._used.add(name.text)
        self.symbols[variable.symbol] = name
        self.by_word[variable.name] = name
        return name

    def _unique(self, told: str) -> Name:
        word = spell(told) or "a"
        text, copies = word, 1
        while text in self._used:
            copies += 1
            text = f"{word}_{copies}"
        self._used.add(text)
        return Name.of(text)


def _first(wishes: Sequence[str], is_taken: Callable[[str], bool]) -> str:
    """Return the first wish that is not taken; doubled if none is left."""
    every = (*wishes, *(2 * wish for wish in wishes), *(f"{wish}_{wish}" for wish in wishes))
    return next(wish for wish in every if not is_taken(wish))
