"""SymPy scalars as a list of steps on jets, made once and run at many states.

The walk is a post-order with an explicit stack and a memory by expression: equal subexpressions become one step,
and deep expressions meet no recursion limit. Nothing is expanded, simplified or reordered.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
import sympy
from sympy.core.function import AppliedUndef

from eomc.errors import LoweringError, ModelError
from eomc.model.arrays import is_element
from eomc.model.definitions import definition, has_implementation
from eomc.reference.jets import Jet, constant
from eomc.reference.vocabulary import SWITCHES, product, step_of

Environment: TypeAlias = Mapping[sympy.Basic, Jet]
"""What symbols, time functions and their derivatives are worth."""


class Plan:
    """Expressions that are evaluated together; :meth:`add` returns the place of one in the results of :meth:`run`."""

    def __init__(self, expressions: Iterable[sympy.Basic] = ()) -> None:
        self._slots: dict[sympy.Basic, int] = {}
        self._constants: list[tuple[int, Jet]] = []
        self._symbols: list[tuple[int, sympy.Basic]] = []
        self._steps: list[tuple[Callable[..., Any], tuple[int, ...], int]] = []
        self._results: list[int] = []
        self._places: dict[int, int] = {}
        self._switches: set[int] = set()  # slots of what may rest at zero
        self._releases: list[tuple[int, ...]] | None = None
        self._size = 0
        for expression in expressions:
            self.add(expression)

    @property
    def symbols(self) -> list[sympy.Basic]:
        """Return the symbols, time functions and derivatives that the expressions rest on."""
        return [symbol for _, symbol in self._symbols]

    def add(self, expression: Any) -> int:
        """Add an expression and return its place in the results."""
        slot = self._compile(sympy.sympify(expression))
        self._releases = None
        if slot not in self._places:
            self._places[slot] = len(self._results)
            self._results.append(slot)
        return self._places[slot]

    def run(self, environment: Environment) -> list[Jet]:
        """Return the jets of all results.

        Raises
        ------
        ModelError
            A symbol has no value in `environment`.
        """
        if self._releases is None:
            self._releases = self._last_uses()
        values: list[Any] = [None] * self._size
        for slot, jet in self._constants:
            values[slot] = jet
        for slot, symbol in self._symbols:
            try:
                values[slot] = environment[symbol]
            except KeyError:
                raise ModelError(
                    f"{symbol} has no value: give it among the parameters, inputs, coordinates or speeds of the model"
                ) from None
        with np.errstate(all="ignore"):
            for (step, arguments, slot), released in zip(self._steps, self._releases, strict=True):
                values[slot] = step(*[values[argument] for argument in arguments])
                for argument in released:
                    values[argument] = None
        return [values[slot] for slot in self._results]

    def _compile(self, root: sympy.Basic) -> int:
        stack = [root]
        while stack:
            node = stack[-1]
            if node in self._slots:
                stack.pop()
                continue
            if _is_leaf(node):
                self._slots[node] = self._leaf(node)
                stack.pop()
                continue
            replacement = _worked_out(node)
            arguments = list(node.args) if replacement is node else [replacement]
            open_arguments = [argument for argument in arguments if argument not in self._slots]
            if open_arguments:
                stack.extend(open_arguments)
                continue
            slots = [self._slots[argument] for argument in arguments]
            self._slots[node] = self._emit(node, slots) if replacement is node else slots[0]
            stack.pop()
        return self._slots[root]

    def _leaf(self, node: sympy.Basic) -> int:
        slot = self._new_slot()
        if isinstance(node, (sympy.Symbol, AppliedUndef, sympy.Derivative)) or is_element(node):
            self._symbols.append((slot, node))
        else:
            self._constants.append((slot, value_of(node)))
        return slot

    def _emit(self, node: sympy.Basic, slots: list[int]) -> int:
        step, folded = step_of(node)
        switches = [slot in self._switches for slot in slots]
        if any(switches) and isinstance(node, sympy.Mul):
            step, folded = functools.partial(product, switches), False
        if folded:
            result = slots[0]
            for slot in slots[1:]:
                result = self._step(step, (result, slot))
        else:
            result = self._step(step, tuple(slots))
        if any(switches) or type(node) in SWITCHES:
            self._switches.add(result)
        return result

    def _step(self, step: Callable[..., Any], arguments: tuple[int, ...]) -> int:
        slot = self._new_slot()
        self._steps.append((step, arguments, slot))
        return slot

    def _new_slot(self) -> int:
        self._size += 1
        return self._size - 1

    def _last_uses(self) -> list[tuple[int, ...]]:
        """Return for each step the slots that nothing reads after it: jets of large models take memory."""
        kept = set(self._results)
        releases: list[tuple[int, ...]] = []
        for _, arguments, _ in reversed(self._steps):
            last = tuple(dict.fromkeys(argument for argument in arguments if argument not in kept))
            kept.update(last)
            releases.append(last)
        return releases[::-1]


def value_of(number: sympy.Basic) -> Any:
    """Return a number or truth value of SymPy as the plan's own.

    Raises
    ------
    LoweringError
        The number is not finite or not real.
    """
    if number is sympy.true or number is sympy.false:
        return np.bool_(number is sympy.true)
    try:
        value = float(number)
    except (TypeError, ValueError):
        value = np.nan
    if not np.isfinite(value):
        raise LoweringError(f"{number} is not a finite real number: correct the expression that makes it")
    return constant(value)


def _is_leaf(node: sympy.Basic) -> bool:
    if isinstance(node, sympy.Derivative):
        return _is_signal(node.expr) and node.expr not in node.variables
    return not node.args or _is_signal(node) or is_element(node) or bool(getattr(node, "is_Number", False))


def _is_signal(node: sympy.Basic) -> bool:
    return isinstance(node, AppliedUndef) and not has_implementation(node)


def _worked_out(node: sympy.Basic) -> sympy.Basic:
    """Return what a function outside the vocabulary stands for, a derivative or substitution carried out."""
    meaning = definition(node)
    if meaning is None and isinstance(node, (sympy.Derivative, sympy.Subs)):
        raise LoweringError(f"{node} has no derivative in elementary functions: rewrite the expression")
    return node if meaning is None else meaning
