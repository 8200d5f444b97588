"""The reference itself: what a simulator computes, computed from the model by numbers alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.errors import UsageError
from eomc.model import Model, name_of
from eomc.model.arguments import number_of
from eomc.reference.evaluation import Evaluation, Values
from eomc.reference.events import Events
from eomc.reference.inertias import Inertias
from eomc.reference.instant import Instant
from eomc.reference.interrupted import Interrupted
from eomc.reference.inverse import admissible_accelerations
from eomc.reference.jets import Array
from eomc.reference.method import choose
from eomc.reference.rates import Slope
from eomc.reference.remembered import Remembered
from eomc.reference.results import Results
from eomc.reference.slopes import Point, Slopes
from eomc.reference.states import Given, States
from eomc.reference.steps import step, step_slopes
from eomc.tableaus import DEFAULT, tableau

_STEPS = 15  # of Newton's method, for a state that there need not be


class Reference(Interrupted):
    """The equations of motion of `model` by one method, evaluated with jets and `numpy.linalg`.

    Functions take the time, a state (nx,) or k states (k, nx), inputs and parameters. At one state a singular system
    raises SingularSystemError; among several, the results at that state are NaN. What is given must be finite numbers;
    anything else raises UsageError.

    Parameters
    ----------
    model
        The mechanism.
    method
        ``"kane"``, ``"gibbs-appell"``, ``"lagrange"``, ``"hamilton"`` or ``"hamilton-multipliers"``; None for the
        model's native one.

    Raises
    ------
    UsageError
        There is no such method.
    UnsupportedError
        The method cannot serve the model.
    """

    def __init__(self, model: Model, method: str | None = None) -> None:
        if not isinstance(model, Model):
            raise UsageError(
                f"eomc.reference takes an eomc.Model, not {type(model).__name__}; "
                "eomc.load makes one from a name or file"
            )
        self.model = model
        self.method, self._method = choose(model, method)
        self.state_names: tuple[str, ...] = (
            *(name_of(q) for q in model.coordinates),
            *self._method.speed_names,
            *(z.name for z in model.extra_states),
        )
        self.input_names = tuple(r.name for r in model.inputs)
        self.parameter_names = tuple(p.name for p in model.parameters)
        self.output_names = tuple(output.name for output in model.outputs)
        self._evaluation = Evaluation(model, self._method, self.state_names)
        self._states = States(model, self._method, self._evaluation.inputs, self._evaluation.parameters)
        self._motion = Remembered(self._method)
        self._events = Events(model, self._method, self._motion, self._states)
        self._results = Results(model, self._method, self._motion, self._sample)

    def __repr__(self) -> str:
        return f"<eomc.reference of {self.model.name!r} by {self.method}>"

    def rhs(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return dx/dt, shape (nx,) or (k, nx)."""
        return self._evaluation.array(self._results.state_rates, t, x, inputs, parameters)

    def jacobian(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> tuple[Array, Array]:
        """Return d rhs/dx and d rhs/dr by differences, (nx, nx) and (nx, nr), after (k,) for k states."""
        return self._two_slopes("jacobian", t, x, inputs, parameters)

    def outputs_jacobian(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> tuple[Array, Array]:
        """Return d outputs/dx and d outputs/dr by differences, (ny, nx) and (ny, nr), after (k,) for k states."""
        return self._two_slopes("outputs_jacobian", t, x, inputs, parameters)

    def _two_slopes(
        self, function: str, t: ArrayLike, x: ArrayLike, inputs: Values, parameters: Values
    ) -> tuple[Array, Array]:
        first, second = (slope.value for slope in self.differences(function, t, x, inputs, parameters).values())
        return (first[0], second[0]) if np.ndim(x) < 2 else (first, second)

    def time_derivative(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return d rhs/dt at held states and inputs by differences, shape (nx,) or (k, nx)."""
        value = self.differences("time_derivative", t, x, inputs, parameters)[""].value
        return value[0] if np.ndim(x) < 2 else value

    def event_rates(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return dg/dt of the events along the motion by differences, shape (ne,) or (k, ne)."""
        value = self.differences("event_rates", t, x, inputs, parameters)[""].value
        return value[0] if np.ndim(x) < 2 else value

    def differences(
        self, function: str, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, Slope]:
        """Return what is known by differences only, with errors and sizes, by name at k states.

        Parameters
        ----------
        function
            ``"jacobian"`` and ``"outputs_jacobian"``: by states (k, m, nx), first, and by inputs (k, m, nr), second;
            ``"time_derivative"`` (k, nx) and ``"rhs_parameter_jacobian"`` (k, nx, np), without a name;
            ``"power"``: (k,) for each energy.
        t, x, inputs, parameters
            As everywhere.
        """
        return Slopes(self, self._point(t, x, inputs, parameters)).of(function)

    def turning(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array | None:
        """Return the projections, (nq, nq) or (k, nq, nq), onto those changes of q along which slopes have a meaning.

        None where all have one. What changes the length of a quaternion by which a body's frame is turned makes a
        matrix that is no rotation, and equations of motion that depend on how they are written.
        """
        closing = self._states.closing
        return self._evaluation.array(closing.turning, t, x, inputs, parameters) if closing.has_loose else None

    def _point(self, t: ArrayLike, x: ArrayLike, inputs: Values, parameters: Values) -> Point:
        """Return times (k,), states (k, nx), inputs (k, nr), parameters (k, np), and how far x and r may reach."""
        states = np.atleast_2d(self._evaluation.numbers(x))
        whole = self._evaluation.instant(t, states, inputs, parameters)
        reach = np.maximum(np.abs(states), self._states.reach(whole.time, whole.parameters))
        held = self._evaluation.inputs
        signals = np.maximum(np.abs(whole.inputs), np.where(held == 0.0, 1.0, np.abs(held)))
        return Point(whole.time, states, whole.inputs, whole.parameters, reach, signals)

    def mass_matrix(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return M, shape (n, n) or (k, n, n).

        Kane: over the independent speeds, u_I in M u_I' = f. Lagrange and Hamilton: d2L/dq'2. A given Hamiltonian: the
        identity, for nothing is solved.
        """
        return self._evaluation.array(lambda instant: self._motion.at(instant).mass_matrix, t, x, inputs, parameters)

    def forcing(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return f in M u_I' = f (Kane), M q'' = f (Lagrange, Hamilton) or p' = f (a given H), (n,) or (k, n)."""
        return self._evaluation.array(lambda instant: self._motion.at(instant, True).forcing, t, x, inputs, parameters)

    def velocities(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return q', shape (nq,) or (k, nq): by it the methods can be compared."""
        return self._evaluation.array(
            lambda instant: self._motion.at(instant).coordinate_rates, t, x, inputs, parameters
        )

    def accelerations(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return q'', shape (nq,) or (k, nq): by it the methods can be compared."""
        return self._evaluation.array(
            lambda instant: self._motion.at(instant, True).coordinate_accelerations, t, x, inputs, parameters
        )

    def inverse_dynamics(
        self,
        t: ArrayLike,
        x: ArrayLike,
        accelerations: ArrayLike,
        inputs: Values = None,
        parameters: Values = None,
        of: Sequence[str] = (),
    ) -> dict[str, float | Array]:
        """Return by name the forces with which the motion has the accelerations (n,) or (k, n), NaN where none do.

        They act along all speeds that are not dependent, as tau_u1, or along the inputs and speeds that `of` names.
        """
        results = self._results

        def forces(instant: Instant) -> dict[str, Array]:
            return results.inverse_dynamics(instant, of)

        return self._evaluation.by_name(forces, t, x, inputs, parameters, accelerations)

    def regressor(
        self,
        t: ArrayLike,
        x: ArrayLike,
        accelerations: ArrayLike,
        inputs: Values = None,
        parameters: Values = None,
        of: Sequence[str] = (),
    ) -> tuple[Array, Array]:
        """Return Y (n, number of p) and y0 (n,) of inverse dynamics Y p + y0, after (k,) for k states.

        `of` names the parameters p, and inputs and speeds along which the forces act.
        """
        names = self.parameter_names
        chosen, along = [n for n in of if n in names], [n for n in of if n not in names]
        whole = self._evaluation.parameters_of(parameters, max(1, len(np.atleast_2d(x)))).copy()
        places = [names.index(n) for n in chosen]
        columns = []
        for place in (None, *places):
            whole[:, places] = 0.0
            if place is not None:
                whole[:, place] = 1.0
            forces = self.inverse_dynamics(t, np.atleast_2d(x), accelerations, inputs, whole, along)
            columns.append(np.stack(list(forces.values()), axis=-1))
        rest = columns[0]
        Y = np.stack([column - rest for column in columns[1:]], axis=-1)
        return (Y[0], rest[0]) if np.ndim(x) < 2 else (Y, rest)

    def rhs_parameter_jacobian(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None, of: Sequence[str] = ()
    ) -> Array:
        """Return d rhs/dp by differences for the parameters `of`, or all, (nx, number of p), after (k,) for k."""
        value = self.differences("rhs_parameter_jacobian", t, x, inputs, parameters)[""].value
        value = value[..., [self.parameter_names.index(name) for name in of or self.parameter_names]]
        return value[0] if np.ndim(x) < 2 else value

    def random_accelerations(
        self,
        generator: np.random.Generator,
        t: ArrayLike,
        x: ArrayLike,
        inputs: Values = None,
        parameters: Values = None,
    ) -> Array:
        """Return accelerations that the constraints admit, shape (n,) or (k, n); NaN where the motion is singular."""

        def drawn(instant: Instant) -> Array:
            return admissible_accelerations(self._method.balance(instant), generator)

        return self._evaluation.array(drawn, t, x, inputs, parameters)

    def step_jacobian(
        self,
        t: float,
        x: ArrayLike,
        dt: float,
        inputs: Values = None,
        parameters: Values = None,
        integrator: str = DEFAULT.name,
    ) -> tuple[Array, Array, Array]:
        """Return the state (nx,) after a step with held inputs, and by differences its derivatives by x and r."""
        whole = self._evaluation.instant(t, np.atleast_2d(self._evaluation.numbers(x)), inputs, parameters)
        scheme, coordinates = tableau(integrator), len(self.model.coordinates)

        def rates(times: Array, states: Array, signals: Array) -> Array:
            return self.rhs(times, states, signals, whole.parameters[0])

        def advance(states: Array, signals: Array) -> Array:
            return step(rates, scheme, float(t), states, signals, dt, coordinates)

        state = np.concatenate([whole.coordinates[0], whole.speeds[0], whole.extra[0]])
        return advance(state[None], whole.inputs)[0], *step_slopes(advance, state, whole.inputs[0])

    def gravity_forces(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return g of M v' + c + g = Q, shape (n,) or (k, n): weights and dV/dq dq'/dv."""
        return self._evaluation.array(self._results.gravity_forces, t, x, inputs, parameters)

    def coriolis_forces(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return c of M v' + c + g = Q, shape (n,) or (k, n): the inertia forces at v' = 0."""
        return self._evaluation.array(self._results.coriolis_forces, t, x, inputs, parameters)

    def outputs(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return the model's outputs in their order, shape (ny,) or (k, ny)."""
        return self._evaluation.array(self._results.outputs, t, x, inputs, parameters)

    def energy(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return energies by name.

        Bodies: kinetic T, potential V, total T + V and jacobi T2 - T0 + V; potential and what contains it are missing
        where no point at rest is known to measure heights from. A Lagrangian: total and jacobi are both
        h = q' . dL/dq' - L, potential is h at q' = 0 (missing where that has no value), kinetic is h - potential. A
        Hamiltonian: hamiltonian, H.
        """
        return self._evaluation.by_name(self._results.energy, t, x, inputs, parameters)

    def moving_energy(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return the parts of the energies that depend on the motion, by name."""
        return self._evaluation.by_name(self._results.moving_energy, t, x, inputs, parameters)

    def resting_energy(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return the other parts by name, of those energies that have one."""
        return self._evaluation.by_name(self._results.resting_energy, t, x, inputs, parameters)

    def power(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return the rates of the energies along the motion [W], by the energies' names."""
        rates = self.differences("power", t, x, inputs, parameters)
        return {name: float(one.value[0]) if np.ndim(x) < 2 else one.value for name, one in rates.items()}

    def gibbs(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return the Gibbs function of a system of bodies at this motion [J/s^2], by its name gibbs_function."""
        return self._evaluation.by_name(self._results.gibbs, t, x, inputs, parameters)

    def momenta(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return the generalized momenta p = dL/dq' by name; none where there are fewer speeds than coordinates."""
        return self._evaluation.by_name(self._results.momenta, t, x, inputs, parameters)

    def constraint_residuals(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> Array:
        """Return the residuals of the configuration and then of the velocity constraints, shape (m,) or (k, m)."""
        return self._evaluation.array(self._results.constraint_residuals, t, x, inputs, parameters)

    def multipliers(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return lambda of M v' + J^T lambda = f by name, of least norm; sigma in Hamilton's form with its own."""
        return self._evaluation.by_name(self._results.multipliers, t, x, inputs, parameters)

    def constraint_forces(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return -J^T lambda by name: force_u acts on the motion variable u."""
        return self._evaluation.by_name(self._results.constraint_forces, t, x, inputs, parameters)

    def reactions(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return by name what keeps the auxiliary speeds zero: the reactions of the loads, or else reaction_u along u.

        None where the method has no auxiliary speeds.
        """
        return self._evaluation.by_name(self._results.reactions, t, x, inputs, parameters)

    def condition(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return the condition number of the mass matrix without its units, shape () or (k,).

        Rows and columns are divided by sizes that make the largest entry of each one. Where dependent speeds are solved
        for, that of their matrix counts, too: the larger one is returned.
        """
        return self._evaluation.array(self._results.condition, t, x, inputs, parameters)

    def candidates(
        self, generator: np.random.Generator, t: Array, parameters: Array
    ) -> tuple[Array, NDArray[np.bool_]]:
        """Return states (k, nx) from the model's ranges, and which of them (k,) the constraints admit.

        Parameters
        ----------
        generator
            Where the numbers come from.
        t, parameters
            Of each state, shapes (k,) and (k, np).
        """
        return self._states.with_parameters(parameters).drawn(generator, len(parameters), t, _STEPS)

    def bodies(self) -> Inertias:
        """Return the principal moments of inertia of the bodies, as functions of the parameters."""
        return Inertias(self.model, self._states.kane)

    def state(
        self,
        coordinates: Given | None = None,
        speeds: Given | None = None,
        t: float = 0.0,
        *,
        extra: Given | None = None,
    ) -> Array:
        """Return this method's state (nx,) from coordinates and speeds (or q', or momenta of a given Hamiltonian).

        Keys are names or symbols; what is not given has the model's initial value, or 0. Dependent coordinates and
        speeds are solved from the constraints.
        """
        return self._states.state(coordinates or {}, speeds or {}, extra or {}, number_of("t", t, UsageError))

    def random_state(
        self,
        generator: np.random.Generator,
        size: int | None = None,
        t: float = 0.0,
        parameters: Values = None,
    ) -> Array:
        """Return an admissible state (nx,), or `size` of them (size, nx), drawn uniformly from the model's ranges.

        Coordinates and speeds are drawn, in this order, and converted: the same generator gives the same motion under
        every method.
        """
        states = self._states
        if parameters is not None:
            states = states.with_parameters(self._evaluation.parameters_of(parameters)[0])
        drawn = states.random(generator, 1 if size is None else size, number_of("t", t, UsageError))
        return drawn[0] if size is None else drawn

    def _sample(self, count: int) -> Instant:
        states = self._states.random(np.random.default_rng(0), count, 0.3)
        return self._evaluation.instant(0.3, states, None, None)
