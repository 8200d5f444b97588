"""Linear systems that are solved at run time: calls of kernels, and of fixed orders before them."""

from __future__ import annotations

from eomc.backends.c99.fixed_order import FixedOrders
from eomc.backends.c99.kernels import KERNELS
from eomc.backends.c99.places import Places
from eomc.passes.steps import Multipliers, Solve


class SystemPrinter:
    """Prints the calls of one routine.

    Parameters
    ----------
    places
        Names and storage of the routine.
    fixed
        Functions that are tried before kernels.
    used
        Macros and helper functions that the text calls; added to.
    """

    def __init__(self, places: Places, fixed: FixedOrders, used: set[str]) -> None:
        self._places = places
        self._fixed = fixed
        self._used = used

    def solve(self, step: Solve) -> list[str]:
        """Return the call of a kernel, or of what is tried before it."""
        place, spec = self._places.systems[step.system], self._places.spec(step.system)
        kernel, storage = KERNELS[spec.factorization], self._places.storage
        self._used.add(kernel.function)
        given = {
            "n": f"{spec.n}",
            "m": f"{spec.constraints}",
            "columns": f"{spec.columns}",
            "strict": "true" if spec.strict else "false",
            "a": f"&{storage}matrix[{place.matrix}]",
            "b": f"&{storage}right[{place.right}]",
            "s": f"{storage}scratch",
            "order": f"{storage}order",
        }
        call = f"{self._places.scope.shared}{kernel.function}({', '.join(given[name] for name in kernel.arguments)})"
        what = f"with {spec.constraints} constraints, {kernel.title}" if spec.constraints else kernel.title
        first = f"{place.first_check} + row" if place.first_check else "row"
        tried = self._fixed.name_of(place.fixed)
        lines = [
            f"    /* linear system {spec.n} x {spec.n}, {what}; the solution replaces the right side */",
            *(self._waiting_forces(step) if place.multipliers else ()),
            f"    if (REAL_RARELY(!{tried}({given['a']}, {given['b']}))) {{" if tried else "    {",
            f"        const int row = {call};",
            "",
            "        if (row >= 0) {",
            f"            {self._places.failed} = {first};",
        ]
        lines += [f"            return {self._places.scope.macro}_SINGULAR;", "        }"]
        if place.multipliers:
            lines.append(f"        {self._multiplied(step.system)} = REAL(-1.0); /* with its multipliers */")
        return [*lines, "    }"]

    def _waiting_forces(self, step: Solve) -> list[str]:
        """Return lines that keep forces, which the solution replaces, for the multipliers."""
        place, spec = self._places.systems[step.system], self._places.spec(step.system)
        assert place.fixed
        right, columns = f"{self._places.storage}right", range(spec.columns)
        entries = [unknown * spec.columns + c for _, unknown in place.fixed.pivots for c in columns]
        first = place.right + spec.right_entries
        return [f"    {right}[{first + k}] = {right}[{place.right + entry}];" for k, entry in enumerate(entries)]

    def _multiplied(self, system: int) -> str:
        """Return the place that is below zero where the multipliers of a system are found: it held a size."""
        place, spec = self._places.systems[system], self._places.spec(system)
        return f"{self._places.storage}matrix[{place.matrix + spec.matrix_entries - 1}]"

    def multipliers(self, step: Multipliers) -> list[str]:
        """Return what finds the multipliers of a system, unless they are there."""
        place, storage = self._places.systems[step.system], self._places.storage
        found, call = self._multiplied(step.system), self._fixed.name_of(place.multipliers)
        return [
            f"    if (!({found} < REAL(0.0))) {{ /* the multipliers of the linear system, unless they are there */",
            f"        {call}(&{storage}matrix[{place.matrix}], &{storage}right[{place.right}]);",
            f"        {found} = REAL(-1.0);",
            "    }",
        ]
