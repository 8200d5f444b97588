"""NumPy in, NumPy out: a compiled model as Python objects see it."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.contract import Compiled
from eomc.binding.evaluation import Evaluator
from eomc.binding.integration import (
    Follower,
    InputSource,
)
from eomc.binding.library import Library
from eomc.binding.running import Runner
from eomc.binding.states import States
from eomc.binding.trajectory import Trajectory
from eomc.binding.vectors import NamedVector, Values
from eomc.tableaus import tableau
from eomc.wording import suggesting

_FLOAT64 = np.dtype(np.float64)


class Simulator:
    """The functions of one compiled model.

    Every function takes ``(t, x, inputs=None, parameters=None)``: `t` [s]; `x` one state of shape (nx,) or k states
    of shape (k, nx), with one time for all or (k,) times; `inputs` and `parameters` as a mapping by name or an array in
    order, `inputs` also as (k, nr) for k states. What is not given has the model's default value. Calls may run in
    several threads at once; the interpreter's lock is released while the C runs.

    For one state a system without solution raises ``SingularSystemError``; among many its row becomes NaN, and a
    ``RuntimeWarning`` counts such rows.
    """

    def __init__(self, build: Compiled, library: Library, load: Callable[[Compiled], Simulator]) -> None:
        program = build.program
        self._build = build
        self._library = library
        self._inputs = NamedVector.of("input", program.name, program.inputs)
        self._parameters = NamedVector.of("parameter", program.name, program.parameters)
        self.evaluator = Evaluator(build, library, self._inputs, self._parameters, lambda other: load(other).evaluator)
        self._states = States(build, self._inputs, self._parameters)
        self._runner = Runner(build, library, self.evaluator, self._states, self._parameters)
        self._functions = self.evaluator.functions
        self._stepper = functools.cache(lambda scheme: load(build.with_integrator(scheme)))  # with other steps
        self._buffers = self.evaluator.buffers
        self._shape = self.evaluator.shape
        self.name = program.name
        self.method = build.method
        self.real = build.real
        self.integrator = build.integrator.name
        self.state_names = self.evaluator.state_names
        self.input_names = self._inputs.names
        self.parameter_names = self._parameters.names
        self.output_names = self._functions["outputs"].output_names if "outputs" in self._functions else ()
        self.functions = tuple(self._functions)

    def __repr__(self) -> str:
        return f"<eomc.Simulator of {self.name} ({self.method}, {self.real}): x = [{', '.join(self.state_names)}]>"

    @property
    def parameters(self) -> dict[str, float]:
        """Default parameters by name."""
        return self._parameters.as_dict()

    @property
    def inputs(self) -> dict[str, float]:
        """Default inputs by name."""
        return self._inputs.as_dict()

    @property
    def initial_state(self) -> NDArray[np.float64]:
        """The model's initial state, shape (nx,)."""
        return np.array([state.value for state in self._build.program.states], dtype=np.float64)

    @property
    def momentum_names(self) -> tuple[str, ...]:
        """Names of the momenta that may have any value, where Hamilton's form has put them in the place of speeds."""
        return self._states.momentum_names

    # -- functions of one or many states ------------------------------------------------------------------------------

    def rhs(
        self, t: Any, x: Any, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the state derivative dx/dt, shape (nx,), or (k, nx) for k states.

        ``scipy.integrate.solve_ivp(sim.rhs, (0, 10), x0)`` works as it is, ``args=(inputs, parameters)`` too. Many
        states of a long function are taken several at a time where the build has ``rhs_lanes``.

        Raises
        ------
        SingularSystemError
            At this one state the accelerations are not determined.
        UsageError
            A wrong shape, an unknown name, a parameter or an input that is no finite number.
        """
        if inputs is None and parameters is None:
            try:  # the common call, without detours: anything unusual goes the general way
                slot = self._buffers.rhs
                if x.dtype is _FLOAT64 and x.shape == self._shape:
                    slot.x[...] = x
                    if slot.call(t, slot.arguments) == 0:
                        return slot.take()
            except (AttributeError, TypeError):
                pass
        return self.evaluator.evaluate("rhs", t, x, inputs, parameters)

    def mass_matrix(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the mass matrix, shape (n, n) or (k, n, n); over the independent speeds when some are dependent."""
        return self.evaluator.evaluate("mass_matrix", t, x, inputs, parameters)

    def jacobian(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the Jacobians df/dx and df/dr of the right-hand side dx/dt = f(t, x, r).

        They are exact derivatives of the state derivative as `rhs` returns it, all states independent. A build with the
        usual functions gets them when they are first asked for: that takes the compiler once more.

        Returns
        -------
        A, B
            Shapes (nx, nx) and (nx, nr), or (k, nx, nx) and (k, nx, nr) for k states.

        Raises
        ------
        UsageError
            The functions of this build were chosen, and the Jacobians are not among them.
        """
        A, B = self.evaluator.arrays("jacobian", t, x, inputs, parameters)
        return A, B

    def time_derivative(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the partial derivative df/dt of dx/dt = f(t, x, r), shape (nx,) or (k, nx): states and inputs held.

        A build with the usual functions gets it when it is first asked for, as it gets `jacobian`.

        Raises
        ------
        UsageError
            The functions of this build were chosen, and this is not among them.
        """
        return self.evaluator.evaluate("time_derivative", t, x, inputs, parameters)

    def rhs_parameter_jacobian(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return df/dp of the state derivative, shape (nx, number of p) or (k, nx, number of p).

        p are all parameters, or those that the build names: ``functions=["rhs_parameter_jacobian:m:l"]``.
        """
        (P,) = self.evaluator.arrays("rhs_parameter_jacobian", t, x, inputs, parameters)
        return P

    def outputs_jacobian(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the Jacobians C = dy/dx and D = dy/dr of the outputs y, made as `jacobian` is.

        Returns
        -------
        C, D
            Shapes (ny, nx) and (ny, nr), or (k, ny, nx) and (k, ny, nr) for k states.

        Raises
        ------
        UsageError
            The model has no outputs, or the functions of this build were chosen, and this is not among them.
        """
        C, D = self.evaluator.arrays("outputs_jacobian", t, x, inputs, parameters)
        return C, D

    def inverse_dynamics(
        self,
        t: Any,
        x: ArrayLike,
        accelerations: Values,
        inputs: Values | None = None,
        parameters: Values | None = None,
    ) -> dict[str, Any]:
        """Return by name the forces with which the motion has given accelerations.

        They act along all speeds or velocities (``tau_u1``), or along the independent ones where the model names
        dependent speeds; or along what a build names, ``functions=["inverse_dynamics:torque"]``: of inputs the value
        that each must have. Where there are more directions than needed, their norm is the least.

        Parameters
        ----------
        t, x, inputs, parameters
            As everywhere; inputs among the directions do not matter.
        accelerations
            Rates u' (Lagrange's and Hamilton's method: q'', a Hamiltonian as given: p') in the order of the state, by
            name or as an array, also as (k, n) for k states. Constraints must hold with them.

        Raises
        ------
        SingularSystemError
            At this one state the accelerations break a constraint, or no forces along these directions make them.
        UnsupportedError
            Forces follow reactions.
        """
        return self.evaluator.by_name("inverse_dynamics", t, x, inputs, parameters, accelerations)

    def regressor(
        self,
        t: Any,
        x: ArrayLike,
        accelerations: Values,
        inputs: Values | None = None,
        parameters: Values | None = None,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return Y and y0 of inverse dynamics tau = Y p + y0, for the parameters p that the build names.

        ``functions=["regressor:m1:m2"]`` names m1 and m2, and inputs and speeds as `inverse_dynamics` does. Neither Y
        nor y0 depends on p.

        Returns
        -------
        Y, y0
            Shapes (n, number of p) and (n,), after (k,) for k states.

        Raises
        ------
        SingularSystemError
            As of `inverse_dynamics`.
        UnsupportedError
            No parameter is named, or one does not enter linearly.
        """
        Y, y0 = self.evaluator.arrays("regressor", t, x, inputs, parameters, accelerations)
        return Y, y0

    def gravity_forces(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return g of M v' + c + g = Q, shape (n,) or (k, n): dV/dq dq'/dv of weights and potential energies.

        Of a Lagrangian V is -L at q' = 0. All speeds or velocities have their g, dependent ones too.

        Raises
        ------
        UnsupportedError
            A Hamiltonian as given does not tell gravity from inertia.
        """
        return self.evaluator.evaluate("gravity_forces", t, x, inputs, parameters)

    def coriolis_forces(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return c of M v' + c + g = Q, shape (n,) or (k, n): the inertia forces at v' = 0, their sign turned.

        Coriolis and centrifugal forces are in it, those of prescribed motions and of masses that vary.

        Raises
        ------
        UnsupportedError
            A Hamiltonian as given does not tell gravity from inertia.
        """
        return self.evaluator.evaluate("coriolis_forces", t, x, inputs, parameters)

    def forcing(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the right side f of M du/dt = f, shape (n,) or (k, n)."""
        return self.evaluator.evaluate("forcing", t, x, inputs, parameters)

    def outputs(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the model's outputs in the order of `output_names`, shape (ny,) or (k, ny)."""
        return self.evaluator.evaluate("outputs", t, x, inputs, parameters)

    def constraint_residuals(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return how far the state is from its constraints, configuration before velocity, shape (nc,) or (k, nc)."""
        return self.evaluator.evaluate("constraint_residuals", t, x, inputs, parameters)

    def multipliers(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return the multipliers lambda of M v' + J^T lambda = f by name; of least norm where rows are redundant.

        Names are ``lambda_velocity_0``, ``lambda_configuration_1`` after the constraint; in Hamilton's form with
        dependent coordinates they are sigma, whose rates are the multipliers.
        """
        return self.evaluator.by_name("multipliers", t, x, inputs, parameters)

    def constraint_forces(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return the generalized constraint forces -J^T lambda by name: ``force_u1`` acts on the speed u1."""
        return self.evaluator.by_name("constraint_forces", t, x, inputs, parameters)

    def reactions(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return by name the forces and torques that hold the auxiliary speeds at zero.

        Those that the model names in its loads, or else ``reaction_u3``, the generalized force along the speed u3: the
        component of a force [N] along the direction in which u3 moves its point, or of a torque [N m].
        """
        return self.evaluator.by_name("reactions", t, x, inputs, parameters)

    def project(
        self, t: float, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return a state on the constraints near `x`, shape (nx,), as ``_project`` of the emitted C does.

        The corrections are least in the mass metric: Newton's steps for the coordinates, one solve for the velocities.

        Raises
        ------
        RunError
            Newton's method finds no coordinates that meet the constraints, or the correction is not determined.
        UsageError
            The functions of this build were chosen, and the corrections are not among them.
        """
        state = np.array(x, dtype=np.float64)
        if self._build.view.projection is None:
            if self._build.functions is not None and self._build.model.is_constrained:
                raise self.evaluator.absent("velocity_correction")
            return state  # there is nothing to meet
        return self.evaluator.on_constraints(t, state, inputs, parameters)[0]

    def energy(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return the energies [J] by name: floats for one state, arrays of shape (k,) for k states.

        The potential energy is that of gravity and of ``potential_energy``: loads are not in it.
        """
        return self.evaluator.by_name("energy", t, x, inputs, parameters)

    def power(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return the powers [W] that change the energy, by their causes, and last their sum.

        The sum has the name of the energy whose rate it is: ``total`` (T + V), ``jacobi`` or ``hamiltonian``. Floats
        for one state, arrays of shape (k,) for k states.
        """
        return self.evaluator.by_name("power", t, x, inputs, parameters)

    def gibbs(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return the Gibbs function at the motion [J/s^2], by the method gibbs-appell: float, or (k,) for k states."""
        return self.evaluator.by_name("gibbs", t, x, inputs, parameters)

    def momenta(
        self, t: Any, x: ArrayLike, inputs: Values | None = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return momenta of coordinates that do not enter L, by name: floats for one state, (k,) arrays for k states.

        They are constant where no generalized force acts on the coordinate.
        """
        return self.evaluator.by_name("momenta", t, x, inputs, parameters)

    def evaluate(
        self,
        function: str,
        t: Any,
        x: ArrayLike,
        inputs: Values | None = None,
        parameters: Values | None = None,
        accelerations: Values | None = None,
    ) -> NDArray[np.float64]:
        """Return the results of any function by its name, in its shape, after (k,) for k states."""
        return self.evaluator.evaluate(function, t, x, inputs, parameters, accelerations)

    def seconds_in_c(self, t: float, x: ArrayLike, calls: int) -> float:
        """Return the processor time [s] of one C right-hand side, measured over a loop in C; for benchmarks."""
        self.evaluate("rhs", t, x)  # fills the general slot
        slot = self._buffers.slot("rhs")
        start = time.thread_time()
        self._library.lib.eomc_repeat(slot.call, calls, t, slot.arguments)
        return (time.thread_time() - start) / calls

    # -- motions ------------------------------------------------------------------------------------------------------

    @suggesting
    def state(
        self,
        coordinates: Mapping[Any, float] | None = None,
        speeds: Mapping[Any, float] | None = None,
        t: float = 0.0,
        parameters: Values | None = None,
        momenta: Mapping[Any, float] | None = None,
        inputs: Values | None = None,
    ) -> NDArray[np.float64]:
        """Return this method's state from coordinates and speeds.

        Parameters
        ----------
        coordinates, speeds
            By name or SymPy symbol; what is not given has the model's initial value. Extra states count as
            coordinates, derivatives q' (``theta_d``) as speeds. Dependent speeds are solved from the velocity
            constraints; in Hamilton's form the momenta are computed.
        t
            Time at which the constraints hold [s].
        parameters
            By name or in order.
        momenta
            In Hamilton's form of a Lagrangian or of bodies without constraints, momenta (``p_theta``) by name instead
            of speeds; the others are those of the model's initial speeds. A Hamiltonian's own momenta count as speeds.
        inputs
            By name or in order: a prescribed motion has its part in momenta, speeds and constraints.

        Raises
        ------
        UsageError
            An unknown name, or speeds and momenta together.
        """
        return self._states.state(coordinates, speeds, t, parameters, momenta, inputs)

    @suggesting
    def simulate(
        self,
        t_end: float = 10.0,
        dt: float = 1e-3,
        x0: ArrayLike | None = None,
        t0: float = 0.0,
        inputs: InputSource = None,
        parameters: Values | None = None,
        integrator: str | None = None,
        every: int = 1,
        follow: Follower | None = None,
    ) -> Trajectory:
        """Integrate the motion with a fixed step, in C.

        Parameters
        ----------
        t_end, dt, t0
            Interval and step [s]. Times are t0 + k dt; when the interval is not a whole number of steps, a shorter step
            ends it, so that the last point is at `t_end`.
        x0
            Initial state, shape (nx,); the model's by default, for these parameters. One that does not meet the
            constraints is moved onto them, as the emitted program does, with a warning.
        inputs
            Held: a mapping by name or an array (nr,). Sampled: an array with one row per time t0, t0 + dt, ..., t_end,
            each held over the step that it begins. Or a function of time that returns a mapping or an array; it is
            evaluated where the scheme takes inputs, for ``"rk4"`` at t, t + h/2 and t + h of each step. A mapping that
            has a signal has its time derivatives, too, as far as these are inputs.
        parameters
            By name or in order.
        integrator
            The scheme of the steps, as `eomc.compile` takes it; the build's own by default, which is ``"rk4"``
            unless it says otherwise.
        every
            Store only each `every`-th point; the first and the last are stored in any case.
        follow
            Called on the way with times, states and inputs at the ends of some thousand steps, all of them, and with
            the inputs that each of them takes, (steps, times, nr) or (1, times, nr): for what would not fit into
            memory.

        Raises
        ------
        UsageError
            Something above is not as described.
        SingularSystemError
            The accelerations are not determined somewhere on the way.
        DivergenceError
            The state leaves the finite numbers, or has no finite derivative at the start. This error and the one
            before carry the points so far as their ``trajectory``, unless there is no motion from the start.
        """
        if integrator is not None and tableau(integrator).name != self.integrator:
            return self._stepper(integrator).simulate(t_end, dt, x0, t0, inputs, parameters, None, every, follow)
        return self._runner.run(t_end, dt, x0, t0, inputs, parameters, every, follow)

    @property
    def input_times(self) -> tuple[Fraction, ...]:
        """When a step takes inputs, in steps from its beginning."""
        return self._build.integrator.times(self._build.program.projected)
