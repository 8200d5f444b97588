"""A tree of joints at given states: M = sum of J^T m J over all links; bias, loads, energies as they are defined."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import sympy

from eomc.model import JointTree
from eomc.model.trees.records import WORLD, JointLoad, LinkForce
from eomc.reference.arrays import crossed, multiplied
from eomc.reference.clock import Clock
from eomc.reference.instant import constants
from eomc.reference.jets import Array, Jet
from eomc.reference.moving import Moving
from eomc.reference.plan import Plan
from eomc.reference.trees.entries import Entries
from eomc.reference.trees.links import LinkAt, Links


class Parts:
    """What a tree is made of beside its joints: the places of masses, inertias and loads among its entries."""

    def __init__(self, tree: JointTree, links: Links, entries: Entries) -> None:
        self.tree = tree
        self.links = links
        add = entries.add
        self.masses = [add(link.mass) for link in tree.links]
        self.centres = [add(link.centre) for link in tree.links]
        self.inertias = [add(link.inertia) for link in tree.links]
        self.armatures = [add(joint.armature) for joint in tree.joints]
        self.dampings = [add(joint.damping) for joint in tree.joints]
        self.gravity = add(tree.gravity)
        self.points = [add(load.at) if isinstance(load, LinkForce) else -1 for load in tree.loads]
        self.plan = Plan()
        self.components = [[self.plan.add(component) for component in load.components] for load in tree.loads]
        self.joints = {joint.name: number for number, joint in enumerate(tree.joints)}


class TreeMoving(Moving):
    """The links of a tree at k states, in place of bodies of sympy.physics.

    Parameters
    ----------
    parts
        The tree.
    links, given
        Its links at these states, and its entries.
    environment, values, clock, rate_partials
        As for bodies.
    """

    def __init__(
        self,
        parts: Parts,
        links: list[LinkAt],
        given: list[Array],
        environment: Mapping[sympy.Basic, Jet],
        values: Mapping[sympy.Basic, Array],
        clock: Clock,
        rate_partials: Array,
    ) -> None:
        self.parts = parts
        self.links = links
        self.given = given
        self.environment = environment
        self.clock = clock
        self.rate_partials = rate_partials
        self.states, self.count = len(rate_partials), len(parts.tree.speeds)
        self._values = values
        self._speeds = np.stack([values[u] for u in parts.tree.speeds], axis=-1)

    @cached_property
    def _centres(self) -> list[tuple[Array, Array, Array, Array]]:
        """Place, velocity, bias and Jacobian of the mass centre of each link."""
        pairs = zip(self.links, self.parts.centres, strict=True)
        return [link.point(self.given[place]) for link, place in pairs]

    def _inertia(self, number: int) -> Array:
        """Return a link's inertia about its mass centre in the root's axes (k, 3, 3)."""
        rotation = self.links[number].rotation
        return np.asarray(rotation @ self.given[self.parts.inertias[number]] @ np.swapaxes(rotation, 1, 2))

    def mass_matrix(self) -> Array:
        """Return sum of J^T m J, and on the diagonal what rotors add (k, n, n)."""
        masses = [self.given[place][:, None, None] for place in self.parts.masses]
        columns = [column for *_, column in self._centres] + [link.turning for link in self.links]
        weighted = [mass * column for mass, (*_, column) in zip(masses, self._centres, strict=True)]
        weighted += [self._inertia(number) @ link.turning for number, link in enumerate(self.links)]
        matrix = np.swapaxes(np.concatenate(columns, axis=1), 1, 2) @ np.concatenate(weighted, axis=1)
        for number, place in enumerate(self.parts.armatures):
            speeds, factor = self.parts.links.speeds_of(number), self.given[self.parts.links.factor_of(number)]
            for index in range(speeds.start, speeds.stop):
                matrix[:, index, index] += self.given[place] * factor**2
        return matrix

    def inertia_forces(self, given: list[Jet]) -> tuple[Array, Array]:
        """Return M (k, n, n) and sum of J^T (m a; I alpha + w x I w) at u' = 0 (k, n)."""
        bias = np.zeros((self.states, self.count))
        for number, link in enumerate(self.links):
            _, _, acceleration, moving = self._centres[number]
            force = self.given[self.parts.masses[number]][:, None] * acceleration
            inertia = self._inertia(number)
            torque = multiplied(inertia, link.spin_bias) + crossed(link.spin, multiplied(inertia, link.spin))
            bias += np.einsum("kir,ki->kr", moving, force) + np.einsum("kir,ki->kr", link.turning, torque)
        return self.mass_matrix(), bias

    def load_matrix(self) -> Array:
        """Return zeros: no load of a tree follows accelerations."""
        return np.zeros((self.states, self.count, self.count))

    def generalized_forces(self, speed_rates: Array | None = None) -> Array:
        """Return the generalized active forces (k, n): loads, damping and weights."""
        results = self.parts.plan.run(constants({s: self._values[s] for s in self.parts.plan.symbols}))
        total = self.conservative_forces() - self._damped()
        tree = self.parts.tree
        for load, places, point in zip(tree.loads, self.parts.components, self.parts.points, strict=True):
            vector = np.stack([results[place].expanded((self.states,)).value for place in places], axis=-1)
            if isinstance(load, JointLoad):
                number = self.parts.joints[load.joint]
                total[:, self.parts.links.speeds_of(number)] += self._factor(number) * vector
                continue
            link = self.links[tree.place(load.link)]
            axes = self.links[0 if load.axes == WORLD else tree.place(load.axes)]
            columns = link.point(self.given[point])[3] if isinstance(load, LinkForce) else link.turning
            total += np.einsum("kin,ki->kn", columns, multiplied(axes.rotation, vector))
        return total

    def _damped(self) -> Array:
        """Return d u of viscous joints (k, n), and what mimic joints add to those that they follow."""
        total = np.zeros((self.states, self.count))
        for number, place in enumerate(self.parts.dampings):
            speeds = self.parts.links.speeds_of(number)
            total[:, speeds] += self.given[place][:, None] * self._factor(number) ** 2 * self._speeds[:, speeds]
        return total

    def _factor(self, number: int) -> Array:
        return self.given[self.parts.links.factor_of(number)][:, None]

    def conservative_forces(self) -> Array:
        """Return the weights (k, n)."""
        total, gravity = np.zeros((self.states, self.count)), self.given[self.parts.gravity]
        for number, mass in enumerate(self.parts.masses):
            weight = self.given[mass][:, None] * gravity
            total += np.einsum("kin,ki->kn", self._centres[number][3], weight)
        return total

    def potential(self) -> Array:
        """Return the potential energy of the weights, zero at the root's origin (k,)."""
        energy, gravity = np.zeros(self.states), self.given[self.parts.gravity]
        for number, mass in enumerate(self.parts.masses):
            energy -= self.given[mass] * np.einsum("ki,ki->k", gravity, self._centres[number][0])
        return energy

    def kinetic_energy(self) -> tuple[Array, Array]:
        """Return T (k,), from velocities, and its derivatives with respect to the speeds (k, n)."""
        energy = np.zeros(self.states)
        for number, link in enumerate(self.links):
            velocity = self._centres[number][1]
            energy += 0.5 * self.given[self.parts.masses[number]] * np.einsum("ki,ki->k", velocity, velocity)
            energy += 0.5 * np.einsum("ki,kij,kj->k", link.spin, self._inertia(number), link.spin)
        for number, place in enumerate(self.parts.armatures):
            own = self._factor(number) * self._speeds[:, self.parts.links.speeds_of(number)]
            energy += 0.5 * self.given[place] * np.einsum("ki,ki->k", own, own)
        return energy, multiplied(self.mass_matrix(), self._speeds)

    def gibbs_function(self, speed_rates: Array) -> Array:
        """Return S (k,) = sum of m a.a/2 + alpha.I.alpha/2 + alpha.(w x I w), and of rotors, at u' (k, n)."""
        total = np.zeros(self.states)
        for number, link in enumerate(self.links):
            _, _, bias, moving = self._centres[number]
            acceleration = bias + multiplied(moving, speed_rates)
            spinning = link.spin_bias + multiplied(link.turning, speed_rates)
            inertia = self._inertia(number)
            total += 0.5 * self.given[self.parts.masses[number]] * np.einsum("ki,ki->k", acceleration, acceleration)
            total += 0.5 * np.einsum("ki,kij,kj->k", spinning, inertia, spinning)
            total += np.einsum("ki,ki->k", spinning, crossed(link.spin, multiplied(inertia, link.spin)))
        for number, place in enumerate(self.parts.armatures):
            own = self._factor(number) * speed_rates[:, self.parts.links.speeds_of(number)]
            total += 0.5 * self.given[place] * np.einsum("ki,ki->k", own, own)
        return total
