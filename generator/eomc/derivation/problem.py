"""A model on the graph: its symbols, its kinematics, and the conversion of its expressions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from eomc.derivation.kinematics import Kinematics
from eomc.derivation.options import Options
from eomc.derivation.outside import OutsideRates, outside_rates
from eomc.derivation.ranks import Ranks
from eomc.derivation.sampling import Sampling
from eomc.derivation.symbols import Symbols
from eomc.derivation.zeros import Zeros
from eomc.ir.graph import Graph, Node
from eomc.lowering.scalars import ScalarLowering
from eomc.model.model import Model
from eomc.passes.dependence import Dependence
from eomc.passes.differentiate import Tangents
from eomc.passes.substitute import Substitution
from eomc.solving.checks import Checks


@dataclass(frozen=True, eq=False)
class Problem:
    """A model on a graph of its own, as `pose` writes it; rates and partial derivatives are taken when asked for.

    Attributes
    ----------
    graph, scalars, checks
        The graph, the conversion to it, the pivot tests.
    symbols, kinematics
        The leaves, and q' written in the motion variables.
    sampling, is_zero, ranks
        The points at which functions are looked at; which are zero there, and which matrices have an inverse.
    """

    model: Model
    options: Options
    graph: Graph
    scalars: ScalarLowering
    checks: Checks
    symbols: Symbols
    kinematics: Kinematics
    sampling: Sampling
    is_zero: Zeros
    ranks: Ranks

    @property
    def q(self) -> tuple[Node, ...]:
        """The coordinates."""
        return self.symbols.q

    @property
    def motion(self) -> tuple[Node, ...]:
        """The motion variables: speeds, or q'; a given Hamiltonian's are its momenta."""
        return self.kinematics.motion

    @property
    def rates(self) -> tuple[Node, ...]:
        """Q' written in the motion variables."""
        return self.kinematics.rates

    @property
    def motion_names(self) -> list[str]:
        """The names of the motion variables."""
        return [self.graph.symbol_of(v).name for v in self.motion]

    @cached_property
    def u_dots(self) -> tuple[Node, ...]:
        """The leaves that stand for the rates of the motion variables, one for each."""
        return tuple(self.graph.fresh(f"{name}_d") for name in self.motion_names)

    @property
    def has_u_dots(self) -> bool:
        """Whether the rates of the motion variables have leaves: before anybody asked for them, no node holds one."""
        return "u_dots" in vars(self)

    @cached_property
    def partials(self) -> list[Tangents]:
        """The partial derivatives with respect to the motion variables, one for each."""
        return [Tangents(self.graph, {u: self.graph.one}) for u in self.motion]

    @cached_property
    def speeds_in(self) -> Dependence:
        """Tells with which motion variables, by index, a node varies."""
        return Dependence(self.graph, self.motion, self.partials)

    @cached_property
    def outside_rates(self) -> OutsideRates:
        """The rates of time, extra states and inputs."""
        return outside_rates(self.model, self.symbols, self.scalars)

    @cached_property
    def still(self) -> Substitution:
        """Zero in the place of every motion variable."""
        return Substitution(self.graph, dict.fromkeys(self.motion, self.graph.zero))

    @cached_property
    def rate(self) -> Tangents:
        """The time derivative along the motion with the motion variables held: q -> q', t -> 1, u -> 0."""
        return Tangents(self.graph, {**self.outside_rates.of, **dict(zip(self.q, self.rates, strict=True))})
