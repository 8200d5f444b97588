"""A system of bodies at given states: velocities, partial velocities, central inertias, generalized active forces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import sympy

from eomc.reference.arrays import lifted, multiplied, product
from eomc.reference.bodies import BodyForm, Construction, PointForm, RotationForm
from eomc.reference.clock import Clock
from eomc.reference.frames import Rotations, VectorForm
from eomc.reference.instant import constants
from eomc.reference.jets import Array, Jet, constant


class Moving:
    """The bodies of `construction` at k states.

    Parameters
    ----------
    environment
        All symbols as jets over the clock's seeds.
    values
        All symbols as numbers, for what is not differentiated.
    rate_partials
        dq'/d(speeds), shape (k, nq, n).
    rates_are_speeds
        The speeds are q' themselves; then the partial velocity of a position r is dr/dq, one order better.
    """

    def __init__(
        self,
        construction: Construction,
        environment: Mapping[sympy.Basic, Jet],
        values: Mapping[sympy.Basic, Array],
        clock: Clock,
        states: int,
        rate_partials: Array,
        rates_are_speeds: bool,
    ) -> None:
        self.construction = construction
        self.clock = clock
        self.states = states
        self.rate_partials = rate_partials
        self.rates_are_speeds = rates_are_speeds
        self.environment = environment
        self.results = construction.motion.run(environment)
        self.rotations = Rotations(construction.frames, self.results, states)
        self._values = values
        self._loads = self._loads_at(None)
        self._velocities: dict[int, tuple[Jet, Jet]] = {}

    def velocity(self, point: PointForm) -> tuple[Jet, Jet]:
        """Return the velocity (k, 3) and the partial velocities (k, 3, n) of a point in the inertial frame."""
        if id(point) not in self._velocities:
            velocity = self.rotations.vector(point.velocity)
            position = self.rotations.sum(point.positions)
            total = velocity + self.clock.rate(position) if point.positions else velocity
            if self.rates_are_speeds and point.positions:
                partials = self._by_speeds(velocity) + self._by_coordinates(position)
            elif total.order < 1:  # dr/dt has no derivatives left: d(dr/dt)/du = dr/dq dq'/du
                moved = self._by_coordinates(position).value @ self.rate_partials
                partials = constant(self._by_speeds(velocity).value + moved)
            else:
                partials = self._by_speeds(total)
            self._velocities[id(point)] = (total, partials)
        return self._velocities[id(point)]

    def angular_velocity(self, form: VectorForm) -> tuple[Jet, Jet]:
        """Return the angular velocity (k, 3) and the partial angular velocities (k, 3, n)."""
        if id(form) not in self._velocities:
            velocity = self.rotations.vector(form)
            self._velocities[id(form)] = (velocity, self._by_speeds(velocity))
        return self._velocities[id(form)]

    def mass(self, body: BodyForm) -> Jet:
        """Return the mass, shape (k, 1), to multiply vectors."""
        return lifted(self.results[body.mass], self.states, 1)

    def central_inertia(self, body: BodyForm, rotation: RotationForm) -> Jet:
        """Return the inertia about the mass centre: I - m (d . d 1 - d d^T) for an arm d, shape (k, 3, 3)."""
        return self._central_inertia(body, rotation, self.rotations)

    def central_inertia_value(self, body: BodyForm, rotation: RotationForm) -> Array:
        """Return its value, for a small part of what its derivatives cost; shape (k, 3, 3)."""
        return self._central_inertia(body, rotation, self._without_derivatives).expanded((self.states, 3, 3)).value

    @cached_property
    def _without_derivatives(self) -> Rotations:
        return self.rotations.truncated(0)

    def _central_inertia(self, body: BodyForm, rotation: RotationForm, rotations: Rotations) -> Jet:
        inertia = rotations.dyadic(rotation.inertia)
        if not rotation.arm:
            return inertia
        arm = rotations.sum(rotation.arm)
        square = lifted(product(arm, arm, "i", "i", ""), self.states, 2) * constant(np.eye(3))
        steiner = square - product(arm, arm, "i", "j", "ij")
        return inertia - lifted(rotations.values[body.mass], self.states, 2) * steiner

    def _loads_at(self, speed_rates: Array | None) -> list[Jet]:
        """Return the components of the loads at rates (k, n) of the motion variables, zero where none are given."""
        if not self.construction.following:
            return self.construction.loads.run(constants(self._values))
        values = dict(self._values)
        for symbol, derivative in self.construction.following.items():
            jet = self.environment[symbol].expanded((self.states,))
            values[derivative] = self.clock.rate(jet).value
            if speed_rates is not None:
                slopes = jet.partials(self.clock.seeds.speed_block, len(self.clock.seeds.speeds))
                values[derivative] = values[derivative] + np.einsum("kn,kn->k", slopes, speed_rates)
        return self.construction.loads.run(constants(values))

    def load_matrix(self) -> Array:
        """Return -dF/du' (k, n, n) of loads that are linear in u', from their values at u' = 0 and at unit rates."""
        count = len(self.clock.seeds.speeds)
        matrix = np.zeros((self.states, count, count))
        if self.construction.following:
            still = self._applied(self._loads)
            for index in range(count):
                unit = np.zeros((self.states, count))
                unit[:, index] = 1.0
                matrix[:, :, index] = still - self._applied(self._loads_at(unit))
        return matrix

    def _applied(self, loads: list[Jet]) -> Array:
        """Return the generalized forces (k, n) of the loads, whose components are given."""
        count = len(self.clock.seeds.speeds)
        total = np.zeros((self.states, count))
        for load in self.construction.applied:
            vector = self.rotations.vector(load.vector, loads).value
            if load.point is not None:
                partials = self.velocity(load.point)[1].value
            else:
                assert load.angular_velocity is not None
                partials = self.angular_velocity(load.angular_velocity)[1].value
            total += np.einsum("ki,kin->kn", vector, np.broadcast_to(partials, (self.states, 3, count)))
        return total

    def generalized_forces(self, speed_rates: Array | None = None) -> Array:
        """Return the generalized active forces (k, n): loads, weights, -dV/dq dq'/du and -dF/du.

        Loads that are linear in u' are taken at `speed_rates`, or at u' = 0.
        """
        total = self._applied(self._loads if speed_rates is None else self._loads_at(speed_rates))
        return total + self.conservative_forces() - self._by_speeds(self._scalar(self.construction.dissipation)).value

    def conservative_forces(self) -> Array:
        """Return the weights and -dV/dq dq'/du (k, n)."""
        construction = self.construction
        total = np.zeros((self.states, len(self.clock.seeds.speeds)))
        if construction.gravity is not None:
            gravity = self.gravity()
            for body in construction.bodies:
                weight = self.mass(body).value * gravity
                total += np.einsum("ki,kin->kn", weight, self.velocity(body.centre)[1].value)
        slopes = self._scalar(construction.potential).derivative(
            self.clock.seeds.coordinate_block, len(self.clock.seeds.coordinates)
        )
        total -= np.einsum("ki,kin->kn", slopes.value, self.rate_partials)
        return total

    def inertia_forces(self, given: list[Jet]) -> tuple[Array, Array]:
        """Return M (k, n, n) and -F* at u' = 0 (k, n), with the accelerations that the user set."""
        count = len(self.clock.seeds.speeds)
        matrix, bias = np.zeros((self.states, count, count)), np.zeros((self.states, count))
        for body in self.construction.bodies:
            velocity, partials = self.velocity(body.centre)
            mass = self.mass(body)
            force = self.clock.rate(mass * velocity).value
            if body.centre.acceleration is not None:  # the user's own acceleration takes the place of dv/dt
                own = self.rotations.vector(body.centre.acceleration, given).value
                force = force + mass.value * (own - self.clock.rate(velocity).value)
            matrix += np.einsum("kir,k,kis->krs", partials.value, mass.value[:, 0], partials.value)
            bias += np.einsum("kir,ki->kr", partials.value, force)
            if body.rotation is None:
                continue
            velocity, partials = self.angular_velocity(body.rotation.angular_velocity)
            root = body.rotation.inertia.root or body.rotation.angular_velocity.root
            inertia = self.central_inertia(body, body.rotation)
            momentum = product(inertia, velocity, "ij", "j", "i")
            torque = self.rotations.rate(root, momentum, self.clock).value
            if body.rotation.acceleration is not None:
                own = self.rotations.vector(body.rotation.acceleration, given).value
                difference = own - self.rotations.rate(root, velocity, self.clock).value
                torque = torque + multiplied(inertia.value, difference)
            matrix += np.einsum("kir,kij,kjs->krs", partials.value, inertia.value, partials.value)
            bias += np.einsum("kir,ki->kr", partials.value, torque)
        return matrix, bias

    def gravity(self) -> Array:
        """Return the acceleration of free fall (k, 3)."""
        assert self.construction.gravity is not None
        return self.rotations.vector(self.construction.gravity, self._loads).value

    def potential(self) -> Array:
        """Return the part of the potential energy that was given as a function (k,)."""
        return self._scalar(self.construction.potential).value

    def kinetic_energy(self) -> tuple[Array, Array]:
        """Return T (k,) and its derivatives with respect to the speeds (k, n)."""
        energy = np.zeros(self.states)
        slopes = np.zeros((self.states, len(self.clock.seeds.speeds)))
        for body in self.construction.bodies:
            velocity, partials = self.velocity(body.centre)
            momentum = self.mass(body).value * velocity.value
            energy += 0.5 * np.einsum("ki,ki->k", momentum, velocity.value)
            slopes += np.einsum("ki,kin->kn", momentum, partials.value)
            if body.rotation is not None:
                velocity, partials = self.angular_velocity(body.rotation.angular_velocity)
                momentum = multiplied(self.central_inertia_value(body, body.rotation), velocity.value)
                energy += 0.5 * np.einsum("ki,ki->k", momentum, velocity.value)
                slopes += np.einsum("ki,kin->kn", momentum, partials.value)
        return energy, slopes

    def mass_matrix(self) -> Array:
        """Return d2T/du2 (k, n, n) of velocities that are linear in the speeds."""
        count = len(self.clock.seeds.speeds)
        matrix = np.zeros((self.states, count, count))
        for body in self.construction.bodies:
            partials = self.velocity(body.centre)[1].value
            matrix += self.mass(body).value[..., None] * (np.swapaxes(partials, 1, 2) @ partials)
            if body.rotation is not None:
                partials = self.angular_velocity(body.rotation.angular_velocity)[1].value
                matrix += np.swapaxes(partials, 1, 2) @ self.central_inertia_value(body, body.rotation) @ partials
        return matrix

    def _scalar(self, place: int) -> Jet:
        return self.results[place].expanded((self.states,))

    def _by_speeds(self, jet: Jet) -> Jet:
        return jet.derivative(self.clock.seeds.speed_block, len(self.clock.seeds.speeds))

    def _by_coordinates(self, jet: Jet) -> Jet:
        return jet.derivative(self.clock.seeds.coordinate_block, len(self.clock.seeds.coordinates))
