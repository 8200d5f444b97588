"""EquationsOfMotion -> what is to be printed, in the order of a text-book: sections of nodes with names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from eomc.backends.report.checks import CheckedPivot, checked_pivots
from eomc.backends.report.notation import Name, Names
from eomc.ir.equations import EquationsOfMotion, ForcesApart
from eomc.ir.graph import Node
from eomc.ir.method import SecondHalf


@dataclass(frozen=True, slots=True)
class Show:
    """name = node, or 0 = node without a name."""

    name: Name | None
    node: Node
    remark: str = ""
    lasting: bool = True  # whether later sections may say the name instead of the node


@dataclass(frozen=True, slots=True)
class Grid:
    """A matrix with its name; `entries` are the names of its entries."""

    name: Name
    rows: tuple[tuple[Node, ...], ...]
    entries: tuple[tuple[Name, ...], ...]
    symmetric: bool


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence in which names may stand."""

    parts: tuple[str | Name, ...]


Item: TypeAlias = Show | Grid | Remark | CheckedPivot


def nodes_of(item: Item) -> list[Node]:
    """Return the nodes that are written out where an item stands."""
    if isinstance(item, Show):
        return [item.node]
    return [node for row in item.rows for node in row] if isinstance(item, Grid) else []


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands below it."""

    title: str
    items: tuple[Item, ...]
    by_name: bool = False  # whether what the section has shown goes by its name at once, however short it is
    given: tuple[tuple[Node, Name], ...] = ()  # what goes by a name here without being shown


_ENERGIES = {"kinetic": "T", "potential": "V", "total": "E", "jacobi": "h", "hamiltonian": "H"}


def make_outline(equations: EquationsOfMotion, names: Names, apart: ForcesApart | None) -> tuple[Section, ...]:
    """Return the sections of a report, empty ones left out."""
    outline = _Outline(equations, names, apart)
    return tuple(section for section in outline.sections() if section.items)


class _Outline:
    def __init__(self, equations: EquationsOfMotion, names: Names, apart: ForcesApart | None) -> None:
        self._equations = equations
        self._apart = apart
        self._graph = equations.graph
        self._matrices = equations.matrices
        self._names = names
        self._second = equations.method.second
        self._mass = names.letter("M")
        self._force = names.letter("f")
        self._energy_names = {
            q.name: Name.of(names.letter(_ENERGIES.get(q.name, q.name))) for q in equations.energetics.energies
        }
        self._rows = [names.by_word[label] for label in equations.motion.labels]

    def sections(self) -> list[Section]:
        """Return all sections."""
        return [*_LAYOUTS[self._second](self), *self._constrained(), *self._rest()]

    # -- the methods -------------------------------------------------------------------------------------------------

    def _in_speeds(self) -> list[Section]:
        eqs, seconds = self._equations, self._names.seconds
        sections = [
            self._kinematics("Kinematical differential equations"),
            *self._constraints(),
        ]
        independent = [name for name in seconds if name in self._rows]
        dependent = [name for name in seconds if name not in self._rows]
        if dependent:
            a, b = self._names.letter("A"), self._names.letter("B")
            rows = Remark(("Rows: ", *listed(dependent), "; columns: ", *listed(independent)))
            matrix = [_grid(a, eqs.motion.constraint_matrix, symmetric=False)] if eqs.motion.constraint_matrix else []
            sections.append(Section(f"Dependent speeds: u_D = {a} u_I + {b}", (rows, *matrix)))
        sections += self._forces_apart()
        sections.append(self._mass_matrix(f"Mass matrix {self._mass} of {self._mass} u' = {self._force}"))
        if self._equations.constraints.reactions_act:
            sections.append(self._reactions())
        if eqs.motion.gibbs is None:
            sections.append(self._forcing(f"Generalized active and inertia forces {self._force}, without u'"))
        else:
            gibbs, forces = self._names.letter("S"), self._names.letter("Q")
            sections.append(self._forcing(f"{self._force} = {forces} - d{gibbs}/du' at u' = 0"))
            show = Show(Name.of(gibbs), eqs.motion.gibbs.node, lasting=False)
            sections.append(Section("Gibbs function, the energy of the accelerations", (show,)))
        if dependent:
            rates = dict(zip(seconds, eqs.motion.accelerations, strict=True))
            shows = [Show(name.rate(), rates[name]) for name in dependent]
            solved = tuple((rates[name], name.rate()) for name in independent)
            sections.append(Section(f"Dependent speeds: u_D' = {a} u_I' + {b}'", tuple(shows), given=solved))
        if not self._equations.constraints.reactions_act:
            sections.append(self._reactions())
        return sections

    def _forces_apart(self) -> list[Section]:
        """Return the sections of F_r and F*_r, where they are asked for."""
        apart, eqs = self._apart, self._equations
        if apart is None:
            return []
        letter = self._names.letter("F")
        n = len(apart.active)
        active = [Name.entry(letter, (i,), n) for i in range(n)]
        inertia = [Name(f"{letter}star{i + 1}", f"{letter}*", (str(i + 1),)) for i in range(n)]
        balance = f"{letter}_r + {letter}*_r = 0"
        if len(self._rows) < n:
            a = self._names.letter("A")
            balance = f"{letter}_r + {letter}*_r + sum of {a}_sr ({letter}_s + {letter}*_s) = 0, s dependent"
        elif eqs.constraints.multipliers:
            balance = f"{letter}_r + {letter}*_r = ({self._names.letter('J')}^T lambda)_r"
        rows = Remark(("Rows: ", *listed(self._names.seconds)))
        acting = [Show(name, node, lasting=False) for name, node in zip(active, apart.active, strict=True)]
        resisting = [Show(name, node, lasting=False) for name, node in zip(inertia, apart.inertia, strict=True)]
        return [
            Section(f"Generalized active forces {letter}_r of {balance}", (rows, *acting)),
            Section(f"Generalized inertia forces {letter}*_r", tuple(resisting)),
        ]

    def _reactions(self) -> Section:
        eqs = self._equations
        shows = [
            Show(name, q.node, _described(q.description, q.unit))
            for name, q in zip(self._names.reactions, eqs.constraints.reactions, strict=True)
        ]
        solved = () if self._equations.constraints.reactions_act else tuple(
            (node, name.rate()) for node, name in zip(eqs.motion.accelerations, self._names.seconds, strict=True)
            if self._graph.args[node]
        )  # fmt: skip
        title = "Reactions: F_r + F*_r + R_r = 0 along the auxiliary speeds"
        return Section(title, tuple(shows), by_name=True, given=solved)

    def _in_velocities(self) -> list[Section]:
        forces, lagr = self._names.letter("Q"), self._names.letter("L")
        return [
            self._kinematics("Velocities"),
            self._mass_matrix(f"Mass matrix {self._mass} of {self._mass} q'' = {self._force}"),
            self._forcing(f"{self._force} = {forces} + d{lagr}/dq - d/dt(d{lagr}/dq'), without q''"),
        ]

    def _constrained(self) -> list[Section]:
        """Return the accelerations where constraints are met by a system that is solved numerically."""
        eqs, seconds = self._equations, self._names.seconds
        if not eqs.constraints.multipliers or self._second is SecondHalf.MOMENTA or len(seconds) != len(self._rows):
            return []
        shows = [Show(name.rate(), node) for name, node in zip(seconds, eqs.motion.accelerations, strict=True)]
        j = self._names.letter("J")
        title = f"Motion under the constraints: {self._mass} v' + {j}^T lambda = {self._force}, {j} v' = -({j}' v + b')"
        own = self._constraints() if self._second is SecondHalf.VELOCITIES else []
        return [*own, Section(title, tuple(shows), by_name=True)]

    def _in_momenta(self) -> list[Section]:
        eqs = self._equations
        momenta = zip(self._names.seconds, eqs.motion.accelerations, strict=True)
        if self._matrices.mass_matrix:
            first = [
                self._mass_matrix(f"Mass matrix {self._mass} of p = {self._mass} q' + b"),
                self._kinematics(f"q' from p = {self._mass} q' + b"),
            ]
            title = "p' = dL/dq + Q = -dH/dq + Q"
            if eqs.constraints.impulses:
                title = "p' = d(L + sigma^T (J q' + b))/dq + Q"
            elif eqs.constraints.multipliers:
                title = "p' = dL/dq + Q - J^T lambda"
            for letter in "LHJ":
                self._names.letter(letter)
        else:
            first = [self._energies(), self._kinematics(self._names.follow("q' = dH/dp"))]
            title = "p' = -dH/dq + Q"
        self._names.letter("Q")
        title = self._names.follow(title)
        return [*first, Section(title, tuple(Show(p.rate(), node) for p, node in momenta), by_name=True)]

    # -- the parts ---------------------------------------------------------------------------------------------------

    def _kinematics(self, title: str) -> Section:
        eqs = self._equations
        told = {state.rate_of for state in eqs.states}
        shows = [Show(name.rate(), rate) for name, rate in zip(self._names.coordinates, eqs.motion.rates, strict=True)]
        order = eqs.motion.order or range(len(shows))
        shown = tuple(shows[i] for i in order if eqs.states[i].name not in told)
        return Section(title, shown, by_name=True)

    def _constraints(self) -> list[Section]:
        """Return the constraints as they are given."""
        constraints = self._equations.constraints
        return [
            Section("Configuration constraints", tuple(Show(None, r.node) for r in constraints.configuration)),
            Section("Velocity constraints", tuple(Show(None, r.node) for r in constraints.velocity)),
        ]

    def _mass_matrix(self, title: str) -> Section:
        matrix = self._matrices.mass_matrix
        if not matrix:
            return Section(title, ())
        if len(matrix) == 1:
            return Section(title, (Show(Name.of(self._mass), matrix[0][0]),))
        remark = Remark(("Rows and columns: ", *listed(self._rows)))
        mirrored = all(row[j] == matrix[j][i] for i, row in enumerate(matrix) for j in range(i))
        return Section(title, (remark, _grid(self._mass, matrix, symmetric=mirrored)))

    def _forcing(self, title: str) -> Section:
        forcing = self._matrices.forcing
        if len(forcing) == 1:
            return Section(title, (Show(Name.of(self._force), forcing[0]),))
        entries = [Name.entry(self._force, (i,), len(forcing)) for i in range(len(forcing))]
        return Section(title, tuple(Show(name, node) for name, node in zip(entries, forcing, strict=True)))

    def _energies(self) -> Section:
        energies = self._equations.energetics.energies
        shows = [Show(self._energy_names[q.name], q.node, self._names.follow(q.description)) for q in energies]
        return Section("Hamiltonian" if len(shows) == 1 and not self._matrices.mass_matrix else "Energies",
                       tuple(shows), by_name=True)  # fmt: skip

    def _rest(self) -> list[Section]:
        eqs, names = self._equations, self._names
        extra = [Show(z.rate(), node) for z, node in zip(names.extras, eqs.motion.extra_rates, strict=True)]
        given = self._second is SecondHalf.MOMENTA and not self._matrices.mass_matrix
        outputs = [
            Show(name, q.node, _described(q.description, q.unit), False)
            for name, q in zip(names.outputs, eqs.outputs, strict=True)
        ]
        names.letter("L")
        momenta = [
            Show(name, q.node, _described(names.follow(q.description), q.unit))
            for name, q in zip(names.momenta, eqs.energetics.momenta, strict=True)
            if name not in names.seconds
        ]
        return [
            Section("Extra states", tuple(extra)),
            *([] if given else [self._energies()]),
            Section("Generalized momenta of coordinates that do not enter the Lagrangian", tuple(momenta)),
            Section("Outputs", tuple(outputs)),
            self._constants(),
            Section("Where the equations hold (elsewhere they are singular)", checked_pivots(eqs, names)),
        ]

    def _constants(self) -> Section:
        momenta = zip((q.name for q in self._equations.energetics.momenta), self._names.momenta, strict=True)
        named = self._energy_names | dict(momenta)
        remarks = (
            Remark((named[invariant.name], f" is constant {invariant.condition}".rstrip()))
            for invariant in self._equations.energetics.invariants
        )
        return Section("Constants of the motion", tuple(remarks))


_LAYOUTS = {
    SecondHalf.SPEEDS: _Outline._in_speeds,
    SecondHalf.VELOCITIES: _Outline._in_velocities,
    SecondHalf.MOMENTA: _Outline._in_momenta,
}


def _grid(letter: str, rows: Sequence[Sequence[Node]], symmetric: bool) -> Grid:
    largest = max(len(rows), len(rows[0]))
    entries = tuple(
        tuple(Name.entry(letter, (max(i, j), min(i, j)) if symmetric else (i, j), largest) for j in range(len(row)))
        for i, row in enumerate(rows)
    )
    return Grid(Name.of(letter), tuple(tuple(row) for row in rows), entries, symmetric)


def listed(names: Sequence[Name]) -> list[str | Name]:
    """Return names with commas between them."""
    return [part for name in names for part in (", ", name)][1:]


def _described(description: str, unit: str) -> str:
    return " ".join(filter(None, [description, f"[{unit}]" if unit else ""]))
