"""The functions of a compiled model, at one state or at many."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.contract import Compiled
from eomc.binding.evaluation import Evaluator
from eomc.binding.events import EventFunctions
from eomc.binding.library import Library
from eomc.binding.sources import InputSource
from eomc.binding.vectors import Values
from eomc.model.placements import placements

_FLOAT64 = np.dtype(np.float64)


class Functions(EventFunctions):
    """A method for each function of the emitted C."""

    def __init__(self, build: Compiled, library: Library, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._build = build
        self._library = library
        self._buffers = evaluator.buffers
        self._shape = evaluator.shape
        self._kinds = build.program.events

    def rhs(self, t: Any, x: Any, inputs: InputSource = None, parameters: Values | None = None) -> NDArray[np.float64]:
        """Return the state derivative dx/dt, shape (nx,), or (k, nx) for k states.

        ``scipy.integrate.solve_ivp(sim.rhs, (0, 10), x0, method="Radau", jac=sim.jac)`` works as it is,
        ``args=(inputs, parameters)`` too; with ``vectorized=True`` take ``sim.columns.rhs``. Many states of a long
        function are taken several at a time where the build has ``rhs_lanes``.

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
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the mass matrix, shape (n, n) or (k, n, n); over the independent speeds when some are dependent."""
        return self.evaluator.evaluate("mass_matrix", t, x, inputs, parameters)

    def jacobian(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
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

    def jac(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return df/dx alone, shape (nx, nx) or (k, nx, nx), as implicit integrators ask for it; see `jacobian`."""
        return self.jacobian(t, x, inputs, parameters)[0]

    def time_derivative(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
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
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return df/dp of the state derivative, shape (nx, number of p) or (k, nx, number of p).

        p are all parameters, or those that the build names: ``functions=["rhs_parameter_jacobian:m:l"]``.
        """
        (P,) = self.evaluator.arrays("rhs_parameter_jacobian", t, x, inputs, parameters)
        return P

    def outputs_jacobian(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
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
        inputs: InputSource = None,
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
        inputs: InputSource = None,
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
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
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
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return c of M v' + c + g = Q, shape (n,) or (k, n): the inertia forces at v' = 0, their sign turned.

        Coriolis and centrifugal forces are in it, those of prescribed motions and of masses that vary.

        Raises
        ------
        UnsupportedError
            A Hamiltonian as given does not tell gravity from inertia.
        """
        return self.evaluator.evaluate("coriolis_forces", t, x, inputs, parameters)

    def poses(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the poses of bodies, links and points, a row for each of `pose_names`.

        A build with the usual functions gets them when they are first asked for, as it gets `jacobian`.

        Returns
        -------
        NDArray, shape (n, 7), or (k, n, 7) for k states
            x, y, z of a body's mass centre, of the origin of a link's frame or of a point, from the model's origin
            along the axes of the inertial frame; then the unit quaternion w, x, y, z that turns
            components in axes of the body to those in inertial axes, as SciPy's ``Rotation.from_quat(row[3:],
            scalar_first=True)`` does. (1, 0, 0, 0) for what is a point.
            Its sign is continuous in angles; of what a matrix or a quaternion turns it may change from state to state.

        Raises
        ------
        UnsupportedError
            Of a build with the usual functions: nothing has a position from a point that is fixed.
        UsageError
            The model has neither bodies nor points, or the functions of this build were chosen, and this is not among
            them.
        """
        return self.evaluator.evaluate("poses", t, x, inputs, parameters)

    @property
    def pose_names(self) -> tuple[str, ...]:
        """What the rows of `poses` are of: bodies or links in the model's order, then points."""
        return tuple(row.name for row in placements(self._build.model).rows)

    def forcing(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the right side f of M du/dt = f, shape (n,) or (k, n)."""
        return self.evaluator.evaluate("forcing", t, x, inputs, parameters)

    def outputs(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return the model's outputs in the order of `output_names`, shape (ny,) or (k, ny)."""
        return self.evaluator.evaluate("outputs", t, x, inputs, parameters)

    def constraint_residuals(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return how far the state is from its constraints, configuration before velocity, shape (nc,) or (k, nc)."""
        return self.evaluator.evaluate("constraint_residuals", t, x, inputs, parameters)

    def multipliers(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return the multipliers lambda of M v' + J^T lambda = f by name; of least norm where rows are redundant.

        Names are ``lambda_velocity_0``, ``lambda_configuration_1`` after the constraint; in Hamilton's form with
        dependent coordinates they are sigma, whose rates are the multipliers.
        """
        return self.evaluator.by_name("multipliers", t, x, inputs, parameters)

    def constraint_forces(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return the generalized constraint forces -J^T lambda by name: ``force_u1`` acts on the speed u1."""
        return self.evaluator.by_name("constraint_forces", t, x, inputs, parameters)

    def reactions(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return by name the forces and torques that hold the auxiliary speeds at zero.

        Those that the model names in its loads, or else ``reaction_u3``, the generalized force along the speed u3: the
        component of a force [N] along the direction in which u3 moves its point, or of a torque [N m].
        """
        return self.evaluator.by_name("reactions", t, x, inputs, parameters)

    def project(
        self, t: float, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> NDArray[np.float64]:
        """Return a state on the constraints near `x`, shape (nx,), as ``_project`` of the emitted C does.

        The corrections are least in the mass metric: Newton's steps for the coordinates, one solve for the velocities.
        Constraints that the kinematics keep, such as the norm of a quaternion, are met along their gradients.

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
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return the energies [J] by name: floats for one state, arrays of shape (k,) for k states.

        The potential energy is that of gravity and of ``potential_energy``: loads are not in it.
        """
        return self.evaluator.by_name("energy", t, x, inputs, parameters)

    def power(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return the powers [W] that change the energy, by their causes, and last their sum.

        The sum has the name of the energy whose rate it is: ``total`` (T + V), ``jacobi`` or ``hamiltonian``. Floats
        for one state, arrays of shape (k,) for k states.
        """
        return self.evaluator.by_name("power", t, x, inputs, parameters)

    def gibbs(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
    ) -> dict[str, Any]:
        """Return the Gibbs function at the motion [J/s^2], by the method gibbs-appell: float, or (k,) for k states."""
        return self.evaluator.by_name("gibbs", t, x, inputs, parameters)

    def momenta(
        self, t: Any, x: ArrayLike, inputs: InputSource = None, parameters: Values | None = None
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
        inputs: InputSource = None,
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
