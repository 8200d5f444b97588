"""A model on the graph: its symbols, its kinematics, and the conversion of its expressions.

The same model can be written in speeds (Kane: q' = Y^-1 (u - Z) from the kinematical differential equations) or in
generalized velocities (Lagrange, Hamilton: u = Y q' + Z). Either way every expression of the user (velocity, load,
output) may hold q' and u; both have nodes here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy

from eomc.derivation.accelerations import define_accelerations
from eomc.derivation.options import DEFAULT_OPTIONS, Options
from eomc.derivation.ranks import Nodes, Ranks
from eomc.derivation.sampling import Sampling
from eomc.derivation.states import second_names, state_variables
from eomc.derivation.zeros import Zeros
from eomc.errors import DerivationError, UnsupportedError
from eomc.ir.graph import Graph, Node
from eomc.ir.method import SecondHalf
from eomc.ir.program import Variable
from eomc.ir.symbols import Role, Symbol
from eomc.lowering.scalars import ScalarLowering
from eomc.model.model import DEFAULT_RANGE, Model
from eomc.model.names import name_of
from eomc.model.parts import Lagrangian, MechanicalSystem
from eomc.model.signals import signal_of
from eomc.passes.dependence import Dependence
from eomc.passes.differentiate import Tangents, depends_on, jacobian
from eomc.passes.substitute import Substitution
from eomc.solving.checks import Checks
from eomc.solving.linear import solve_general
from eomc.solving.structure import StructurallySingularError

__all__ = ["Problem", "has_constraints"]

_FURTHER = 3  # derivatives of an input that may be found missing: accelerations need two, their check one more
_GAIN = 5.0
_GAINS = (
    ("baumgarte_alpha", "Baumgarte's gain on the rates of the constraints"),
    ("baumgarte_beta", "Baumgarte's gain on the configuration constraints"),
)


def has_constraints(model: Model) -> bool:
    """Whether a model has constraints of either kind."""
    dynamics = model.dynamics
    return isinstance(dynamics, (MechanicalSystem, Lagrangian)) and bool(
        dynamics.configuration_constraints or dynamics.velocity_constraints
    )


class Problem:
    """A model's symbols and kinematics on a fresh graph.

    Parameters
    ----------
    model
        The model.
    second
        What follows the coordinates in the state. The motion is written in the model's speeds, or else in generalized
        velocities: under momenta, q' stays a placeholder until it is known from them.
    options
        How constraints are met; Baumgarte's stabilization brings two parameters.

    Attributes
    ----------
    graph, scalars, checks
        The graph, the conversion to it, the pivot tests.
    q, rates
        Nodes of the coordinates and of q'.
    motion
        The motion variables: speeds or q', as symbol nodes.
    states, inputs, parameters
        The program's variables.
    mentions_accelerations
        Whether u' or q'' stood in an expression that was converted.
    """

    def __init__(
        self,
        model: Model,
        second: SecondHalf = SecondHalf.SPEEDS,
        options: Options = DEFAULT_OPTIONS,
    ) -> None:
        self.model = model
        self.options = options
        self.graph = graph = Graph()
        self.scalars = ScalarLowering(graph, {})
        self.checks = Checks(graph)
        self._sampling: Sampling | None = None
        self._unknowns: dict[tuple[str, str], Node] = {}
        self._zeros: Zeros | None = None
        self._ranks: Ranks | None = None
        self.time = Symbol(Role.TIME, 0, "t")
        self.t = graph.symbol(self.time)
        self.scalars.define(model.time, self.t)
        self._define_parameters()
        self._define_inputs()
        self._define_states(second)
        self.mentions_accelerations = False
        self._missing: dict[Node, str] = {}  # placeholder -> the derivative of an input that it stands for
        self._rate: Tangents | None = None
        self._partials: list[Tangents] | None = None
        self._speeds_in: Dependence | None = None

    # -- symbols -----------------------------------------------------------------------------------------------------

    def _define_parameters(self) -> None:
        self.parameters = tuple(
            Variable(
                Symbol(Role.PARAMETER, index, p.name), p.name, p.unit, p.description, p.value,
                array=p.array, index=p.index, shape=p.shape,
            )
            for index, p in enumerate(self.model.parameters)
        )  # fmt: skip
        for parameter, variable in zip(self.model.parameters, self.parameters, strict=True):
            self.scalars.define(parameter.symbol, self.graph.symbol(variable.symbol))
        for idle in self.model.idle:
            self.scalars.define(idle, self.graph.zero)
        self.baumgarte: tuple[Node, Node] | None = None
        if self.options.stabilization == "baumgarte" and has_constraints(self.model):
            gains = tuple(
                Variable(Symbol(Role.PARAMETER, len(self.parameters) + k, name), name, "1/s", description, _GAIN)
                for k, (name, description) in enumerate(_GAINS)
            )
            self.parameters += gains
            alpha, beta = (self.graph.symbol(gain.symbol) for gain in gains)
            self.baumgarte = (alpha, beta)

    def _define_inputs(self) -> None:
        made = []
        for index, r in enumerate(self.model.inputs):
            base, order = signal_of(r.symbol)
            symbol = Symbol(Role.INPUT, index, r.name)
            made.append(Variable(symbol, r.name, r.unit, r.description, r.value, name_of(base), order))
        self.inputs = tuple(made)
        for signal, variable in zip(self.model.inputs, self.inputs, strict=True):
            self.scalars.define(signal.symbol, self.graph.symbol(variable.symbol))

    def _define_states(self, half: SecondHalf) -> None:
        model, graph, scalars = self.model, self.graph, self.scalars
        dynamics = model.dynamics
        mechanical = isinstance(dynamics, MechanicalSystem)
        auxiliary = set(dynamics.auxiliary_speeds) if isinstance(dynamics, MechanicalSystem) else set()
        kept = [u for u in model.speeds if u not in auxiliary]
        second = second_names(model, half)
        names = [name_of(q) for q in model.coordinates] + second + [z.name for z in model.extra_states]
        symbols = [Symbol(Role.STATE, index, name) for index, name in enumerate(names)]
        nodes = [graph.symbol(symbol) for symbol in symbols]
        n = len(model.coordinates)
        self.q = nodes[:n]
        self.second_half = nodes[n : n + len(second)]
        self.extra = nodes[n + len(second) :]
        for q, node in zip(model.coordinates, self.q, strict=True):
            scalars.define(q, node)
        for z, node in zip(model.extra_states, self.extra, strict=True):
            scalars.define(z.symbol, node)
        self._define_reactions()
        for u in sorted(auxiliary, key=name_of):
            scalars.define(u, graph.zero)
            scalars.define(sympy.Derivative(u, model.time), graph.zero)
        if mechanical:
            self._define_kinematics(kept, half)
        else:
            self._define_velocities(kept, half)
        define_accelerations(self, kept)
        self.states = state_variables(model, symbols, half)

    def _define_reactions(self) -> None:
        """Reactions that loads hold are placeholders until they are solved for."""
        dynamics = self.model.dynamics
        given = dynamics.reactions if isinstance(dynamics, MechanicalSystem) else ()
        self.reactions = [self.graph.fresh(reaction.name) for reaction in given]
        for reaction, node in zip(given, self.reactions, strict=True):
            self.scalars.define(reaction.symbol, node, unknown=True)

    def auxiliary_view(self) -> tuple[ScalarLowering, list[Node]]:
        """Return a conversion in which the auxiliary speeds move, as placeholders, and these."""
        system = self.model.dynamics
        assert isinstance(system, MechanicalSystem)
        derivatives = [sympy.Derivative(q, self.model.time) for q in self.model.coordinates]
        kept = [u for u in self.model.speeds if u not in system.auxiliary_speeds]
        known = self._defined_symbols([*kept, *derivatives, *(r.symbol for r in system.reactions)])
        view = ScalarLowering(self.graph, {symbol: self.scalars(symbol) for symbol in known})
        moving = [self.unknown("speed", name_of(u)) for u in system.auxiliary_speeds]
        for u, node in zip(system.auxiliary_speeds, moving, strict=True):
            view.define(u, node)
        for reaction, node in zip(system.reactions, self.reactions, strict=True):
            view.define(reaction.symbol, node, unknown=True)
        return view, moving

    def _define_velocities(self, kept: list[sympy.Expr], half: SecondHalf) -> None:
        """Lagrangian: q' are states or placeholders. Hamiltonian: the momenta are states, q' comes out."""
        model = self.model
        derivatives = [sympy.Derivative(q, model.time) for q in model.coordinates]
        if kept == derivatives:
            self.motion = self._placeholders(derivatives) if half is SecondHalf.MOMENTA else self.second_half
            self.rates = list(self.motion)
            for derivative, node in zip(derivatives, self.motion, strict=True):
                self.scalars.define(derivative, node)
        else:
            self.motion, self.rates = self.second_half, []
            for p, node in zip(kept, self.second_half, strict=True):
                self.scalars.define(p, node)

    def _placeholders(self, symbols: Sequence[sympy.Basic]) -> list[Node]:
        return [self.graph.fresh(name_of(symbol)) for symbol in symbols]

    # -- kinematics --------------------------------------------------------------------------------------------------

    def _define_kinematics(self, kept: list[sympy.Expr], half: SecondHalf) -> None:
        """Solve the kinematical differential equations for q' (or for u)."""
        model, graph, scalars = self.model, self.graph, self.scalars
        system = model.dynamics
        assert isinstance(system, MechanicalSystem)
        derivatives = [sympy.Derivative(q, model.time) for q in model.coordinates]
        in_speeds = half is SecondHalf.SPEEDS
        if in_speeds:
            self.motion = self.second_half
            known, unknown = kept, derivatives
        else:
            self.motion = self._placeholders(derivatives) if half is SecondHalf.MOMENTA else self.second_half
            known, unknown = derivatives, kept
        for symbol, node in zip(known, self.motion, strict=True):
            scalars.define(symbol, node)
        # A conversion of its own: the unknowns are placeholders only while these equations are read.
        local = ScalarLowering(graph, {symbol: scalars(symbol) for symbol in self._defined_symbols(known)})
        holders = [graph.fresh(name_of(symbol)) for symbol in unknown]
        for symbol, node in zip(unknown, holders, strict=True):
            local.define(symbol, node)
        for u in system.auxiliary_speeds:
            local.define(u, graph.zero)
        equations = [local(equation) for equation in system.kinematical_equations]
        names = [name_of(symbol) for symbol in unknown]
        if not in_speeds:  # u = Y q' + Z exists always; the coordinates must follow from the speeds, too
            slopes = jacobian(graph, equations, self.motion)
            self._refuse_singular(slopes, [name_of(symbol) for symbol in known], "kinematical_equations")
        solved = self._solve_linear(equations, holders, names, "kinematical_equations")
        self.kinematics = (equations, holders)
        for symbol, node in zip(unknown, solved, strict=True):
            scalars.define(symbol, node)
        self.rates = solved if in_speeds else list(self.motion)

    def still_speeds(self) -> list[Node]:
        """Return the speeds at which q' = 0: zero, unless u = Y q' + Z with Z != 0 says otherwise."""
        graph = self.graph
        equations, holders = self.kinematics
        at_rest = Substitution(graph, dict.fromkeys(holders, graph.zero))
        still = [at_rest(equation) for equation in equations]
        zero = Substitution(graph, dict.fromkeys(self.motion, graph.zero))
        offsets = [zero(equation) for equation in still]
        if all(graph.is_zero(offset) for offset in offsets) or len(self.motion) != len(self.q):
            return [graph.zero] * len(self.motion)
        matrix = jacobian(graph, still, self.motion)
        names = [self.symbol_of(node).name for node in self.motion]
        solution = solve_general(graph, matrix, [[graph.neg(w)] for w in offsets], names, self.checks)
        return [row[0] for row in solution]

    def _defined_symbols(self, known: Sequence[sympy.Basic]) -> list[sympy.Basic]:
        model = self.model
        return [
            model.time,
            *(p.symbol for p in model.parameters),
            *model.idle,
            *(r.symbol for r in model.inputs),
            *model.coordinates,
            *(z.symbol for z in model.extra_states),
            *known,
        ]

    def _solve_linear(self, equations: list[Node], unknowns: list[Node], names: list[str], what: str) -> list[Node]:
        """Solve equations that are linear in the unknowns, each = 0."""
        graph = self.graph
        matrix = jacobian(graph, equations, unknowns)
        nonlinear = depends_on(graph, [entry for row in matrix for entry in row], unknowns)
        for index, row in enumerate(matrix):
            if not nonlinear.isdisjoint(row):
                raise DerivationError(f"{self.model.name}: {what}[{index}] is not linear in {', '.join(names)}")
        self._refuse_singular(matrix, names, what)
        zero = Substitution(graph, dict.fromkeys(unknowns, graph.zero))
        right = [[graph.neg(zero(equation))] for equation in equations]
        try:
            solution = solve_general(graph, matrix, right, names, self.checks)
        except StructurallySingularError as error:
            raise DerivationError(
                f"{self.model.name}: {what} cannot be solved for {', '.join(names)}: "
                f"no equation is left for {', '.join(names[j] for j in error.columns)}"
            ) from error
        return [row[0] for row in solution]

    def _refuse_singular(self, matrix: list[list[Node]], names: list[str], what: str) -> None:
        """Refuse a matrix that is singular everywhere, naming the unknown that it does not determine."""
        weakest = self.undetermined(matrix)
        if weakest is None:
            return
        raise DerivationError(
            f"{self.model.name}: the matrix of {what} has no inverse: "
            f"{names[weakest]} is not determined by them; give an equation that contains it"
        )

    # -- looking and differentiating ---------------------------------------------------------------------------------

    @property
    def sampling(self) -> Sampling:
        """The points at which functions are looked at."""
        if self._sampling is None:
            ranges = {bounds.symbol: (bounds.low, bounds.high) for bounds in self.model.ranges}
            symbols = [self.symbol_of(node) for node in self.q]
            within = [ranges.get(q, DEFAULT_RANGE) for q in self.model.coordinates]
            self._sampling = Sampling(
                self.graph,
                {variable.symbol: variable.value for variable in self.parameters},
                dict(zip(symbols, within, strict=True)),
                [self.symbol_of(node) for node in self.motion],
                [self.time, *(v.symbol for v in self.inputs), *map(self.symbol_of, self.extra)],
            )
        return self._sampling

    @property
    def zeros(self) -> Zeros:
        """Says whether functions are zero."""
        if self._zeros is None:
            self._zeros = Zeros(self.sampling)
        return self._zeros

    def is_zero(self, node: Node) -> bool:
        """Whether a node is zero as a function of states, parameters and all else that it holds."""
        return self.zeros(node)

    @property
    def ranks(self) -> Ranks:
        """Says which matrices have an inverse and which rows follow from others."""
        if self._ranks is None:
            self._ranks = Ranks(self.sampling)
        return self._ranks

    def undetermined(self, matrix: Nodes) -> int | None:
        """Return the unknown that a matrix determines nowhere, None where it has an inverse somewhere.

        States at which the matrix has no value (outside the domain of a square root, say) do not count.

        Raises
        ------
        DerivationError
            The matrix has a value at none of the states that were tried.
        """
        try:
            return self.ranks.undetermined(matrix)
        except LookupError:
            raise DerivationError(
                f"{self.model.name}: the equations have no value at random states within the ranges; "
                "give ranges={coordinate: (low, high)} in which they have"
            ) from None

    def refuse_redundant(self, matrix: Nodes, what: str) -> None:
        """Refuse equations `what` of which one follows everywhere from those before it."""
        index = self.ranks.redundant(matrix)
        if index is not None:
            raise DerivationError(
                f"{self.model.name}: {what}[{index}] follows from the others (or contradicts them): its coefficients "
                "are a combination of theirs; take it out, and one of the dependent speeds"
            )

    def symbol_of(self, node: Node) -> Symbol:
        """Return the symbol that a leaf stands for."""
        symbol = self.graph.data[node]
        assert isinstance(symbol, Symbol)
        return symbol

    @property
    def growths(self) -> list[Node]:
        """The symbols that stand for the rates of the motion variables, one for each."""
        return [self.unknown("growth", f"{self.symbol_of(u).name}_d") for u in self.motion]

    def unknown(self, kind: str, name: str) -> Node:
        """Return the leaf that stands in for what is not known yet: the same one for the same kind and name."""
        key = (kind, name)
        if key not in self._unknowns:
            self._unknowns[key] = self.graph.fresh(name)
        return self._unknowns[key]

    @property
    def partials(self) -> list[Tangents]:
        """The partial derivatives with respect to the motion variables, one for each."""
        if self._partials is None:
            one = self.graph.one
            self._partials = [Tangents(self.graph, {u: one}) for u in self.motion]
        return self._partials

    @property
    def speeds_in(self) -> Dependence:
        """Tells with which motion variables, by index, a node varies."""
        if self._speeds_in is None:
            self._speeds_in = Dependence(self.graph, self.motion, self.partials)
        return self._speeds_in

    @property
    def rate(self) -> Tangents:
        """The time derivative along the motion with the motion variables held: q -> q', t -> 1, u -> 0."""
        if self._rate is None:
            direction = {**self.outside_rates(), **dict(zip(self.q, self.rates, strict=True))}
            direction.update(self._second_rates(direction))
            self._rate = Tangents(self.graph, direction)
        return self._rate

    def outside_rates(self) -> dict[Node, Node]:
        """Return the rates of time, extra states and inputs, of what moves beside coordinates and motion variables."""
        graph = self.graph
        rates = {self.t: graph.one}
        for z, state in zip(self.model.extra_states, self.extra, strict=True):
            rates[state] = self.scalars(z.rate)
        for signal, variable in zip(self.model.inputs, self.inputs, strict=True):
            derivative = sympy.Derivative(signal.symbol, self.model.time)
            node = graph.symbol(variable.symbol)
            if self.scalars.knows(derivative):
                rates[node] = self.scalars(derivative)
                continue
            for further in range(1, _FURTHER + 1):  # a leaf has a rate, too: all that is missing is found at once
                missing = self.unknown("rate", f"{variable.name}_{'d' * further}")
                self._missing[missing] = self._as_written(signal.symbol, variable.order + further)
                rates[node] = missing
                node = missing
        return rates

    def _as_written(self, symbol: sympy.Basic, order: int) -> str:
        """Return how the derivative of an input's signal is written; a plain symbol has none."""
        name = name_of(signal_of(symbol)[0])
        which = f", with {name} made by dynamicsymbols," if isinstance(symbol, sympy.Symbol) else ""
        return f"{name}.diff({self.model.time}{f', {order}' if order > 1 else ''}){which}"

    def _second_rates(self, direction: Mapping[Node, Node]) -> dict[Node, Node]:
        """Return q' -> its time derivative with the motion variables held, from the differentiated equations.

        With E(q', u, q, t) = 0 linear in q', dE/dq' q'' = -(dE/dt, q' and u held): much shorter than differentiating
        the solution q', with its determinants, where several q' are coupled.
        """
        graph = self.graph
        if not isinstance(self.model.dynamics, MechanicalSystem) or self.rates == self.motion:
            return {}
        equations, holders = self.kinematics
        held = Tangents(graph, {**direction, **dict.fromkeys(holders, graph.zero)})
        solved = Substitution(graph, dict(zip(holders, self.rates, strict=True)))
        matrix = jacobian(graph, equations, holders)
        right = [[graph.neg(solved(held(equation)))] for equation in equations]
        names = [self.symbol_of(holder).name for holder in holders]
        rows = solve_general(graph, matrix, right, names, self.checks)
        return {rate: row[0] for rate, row in zip(self.rates, rows, strict=True) if rate not in direction}

    def missing_derivatives(self, roots: Sequence[Node]) -> list[str]:
        """Return the time derivatives of inputs that are needed and are not inputs themselves, as one writes them."""
        if not self._missing:
            return []
        reached = set(self.graph.reachable(roots))
        return [name for node, name in self._missing.items() if node in reached]

    def refuse_missing_derivatives(self, roots: Sequence[Node]) -> None:
        """Complain when the equations need derivatives of inputs that are not inputs themselves."""
        needed = self.missing_derivatives(roots)
        if needed:
            raise UnsupportedError(
                f"{self.model.name}: the motion needs time derivatives of inputs: list {', '.join(needed)} among the "
                f"inputs too"
            )
