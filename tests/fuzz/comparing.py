"""One model against the reference, and its methods and forms against each other, by the interpreter.

The reference is evaluated at the state and at a few neighbours, all numbers moved by a relative 1e-12: what a result
changes there says how much of a difference is only rounding. Beside that stand the sizes of the terms on the graph.
A wrong term is larger by many orders.
"""

from __future__ import annotations

import contextlib
import io
import random
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy
from interpreted import Interpreted

import eomc
from eomc.analysis.initial import InitialState
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.options import Options
from eomc.errors import EomcError, ModelError, VerificationError
from eomc.ir.program import Program
from eomc.ir.verify import verify
from eomc.model import JointTree
from eomc.programs.choice import OPTIONAL
from eomc.programs.functions import ROWS, Known
from eomc.programs.program import make_program

__all__ = ["FORMS", "Findings", "examine"]

FORMS = ("eliminated", "augmented", "range-space", "null-space")
RECURSIONS = ("composite", "articulated")  # by which trees of joints are solved where nothing else holds them
_NUDGE = 1e-12
_NEIGHBOURS = 3
_MORE = 30  # where a difference shows: three neighbours may all round alike
_ROUNDING = 1e-14  # relative to the errors that add up on the way
_BLUNT = 1e-5  # a result that rounding moves by more, relative to the largest beside it, tells nothing


@dataclass
class Findings:
    """What was compared, and what was found."""

    models: int = 0
    builds: int = 0
    comparisons: int = 0
    blunt: int = 0  # comparisons at states where rounding hides everything
    refusals: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def add(self, other: Findings) -> None:
        self.models += other.models
        self.builds += other.builds
        self.comparisons += other.comparisons
        self.blunt += other.blunt
        self.faults += other.faults
        for text, count in other.refusals.items():
            self.refusals[text] = self.refusals.get(text, 0) + count


@dataclass
class Place:
    """States of one method, with time, inputs and parameters; the first row is the state, the others its neighbours."""

    times: Any
    states: Any
    inputs: Any
    parameters: Any


def examine(
    model: Any, seed: int, time: float, later: Mapping[str, float], states: int = 2, everything: bool = False
) -> Findings:
    """Compare every function at some states: by the native method, one other and one form of the constraints.

    Parameters
    ----------
    model, seed, time
        The mechanism; what states and methods are drawn with; a time of its own size.
    later
        Parameters that are set at all states but the first: their defaults are next to nothing.
    states
        Number of states, the first at t = 0 with the default parameters.
    everything
        Whether all methods and forms are compared.
    """
    findings = Findings(models=1)
    chosen = random.Random(seed)
    references, builds = {}, {}
    for road, (written, method) in _roads(model, chosen, everything, findings).items():
        try:
            references[road] = eomc.reference(written, method)
        except EomcError as error:
            _refused(findings, error)
            continue
        if written is not model and not everything and chosen.random() < 0.7:
            continue  # of bodies the reference is enough
        forms = FORMS if _is_constrained(model) and method != "hamilton" else FORMS[:1]
        if forms != FORMS and isinstance(written.dynamics, JointTree):
            forms = (*forms, *RECURSIONS)
        for form in forms if everything else dict.fromkeys((FORMS[0], chosen.choice(forms))):
            try:
                builds[road, form] = Interpreted(program_of(written, method, form))
            except EomcError as error:
                _refused(findings, error)
    findings.builds = len(builds)
    for number in range(states):
        parameters = _parameters(model, later if number else None, random.Random(seed))
        _at_one_state(references, builds, seed * 1000 + number, time if number else 0.0, parameters, findings)
    return findings


def _roads(model: Any, chosen: random.Random, everything: bool, findings: Findings) -> dict[str, tuple[Any, str]]:
    """Return the native method and another, or all; of a tree of joints those of its bodies, too.

    Bodies may be refused for what the tree is refused for when it is derived, such as a constraint on what never moves.
    """
    native, *others = model.methods
    methods = [native, *(others if everything else chosen.sample(others, min(1, len(others))))]
    found = {method: (model, method) for method in methods}
    if isinstance(model.dynamics, JointTree):
        try:
            bodies = model.as_bodies()
        except ModelError as error:
            if _is_derived(model, native):
                raise
            _refused(findings, error)
            return found
        found |= {f"{method} of bodies": (bodies, method) for method in _few(bodies.methods, chosen, everything)}
    return found


def _is_derived(model: Any, method: str) -> bool:
    with contextlib.suppress(EomcError):
        program_of(model, method, FORMS[0])
        return True
    return False


def _few(methods: Sequence[str], chosen: random.Random, everything: bool) -> Sequence[str]:
    return methods if everything else [chosen.choice(methods[1:] or methods)]


def program_of(model: Any, method: str, form: str) -> Program:
    """Return the program of a model with all its functions, by a form or a recursion, without emitting it."""
    options = Options(algorithm=form) if form in RECURSIONS else Options(form, "none")
    chosen = choose_method(model, method)
    starts = InitialState(model, chosen, options)
    equations = derive(model, chosen, starts.problem, options)
    program = make_program(equations, model.name, model.description, starts.for_the_program()[0], (), OPTIONAL)
    verify(program)
    return program


def _parameters(model: Any, later: Mapping[str, float] | None, generator: random.Random) -> Any:
    """Return the defaults, or with `later` other values, over decades."""
    if later is None:
        return np.array([p.value for p in model.parameters])
    return np.array([later.get(p.name, p.value) * 10.0 ** generator.uniform(-1, 1) for p in model.parameters])


def _is_constrained(model: Any) -> bool:
    dynamics = model.dynamics
    if isinstance(dynamics, JointTree):
        return bool(dynamics.is_constrained)
    return bool(dynamics.configuration_constraints or dynamics.velocity_constraints)


def _refused(findings: Findings, error: EomcError) -> None:
    if isinstance(error, VerificationError):
        findings.faults.append(f"VerificationError: {error}")
        return
    text = f"{type(error).__name__}: {str(error).split(': ', 1)[-1][:90]}"
    findings.refusals[text] = findings.refusals.get(text, 0) + 1


def _at_one_state(references: Any, builds: Any, seed: int, time: float, parameters: Any, findings: Findings) -> None:
    accelerations = {}
    first, start = None, None
    for method, oracle in references.items():
        generator = np.random.default_rng(seed)  # the same motion under every method
        inputs = np.array([r.value for r in oracle.model.inputs])  # momenta are made from velocities with these
        try:
            if first is None or oracle.model is first.model:
                state = oracle.random_state(generator, None, time, parameters)
            else:  # bodies of a tree: loops may be closed in another way from there
                state = _carried(first, start, oracle, time, inputs, parameters)
        except EomcError as error:
            _refused(findings, error)
            return
        first, start = first or oracle, state if first is None else start
        place = _neighbours(np.random.default_rng(seed + 1), time, state, inputs, parameters)
        for (name, form), ours in builds.items():
            if name == method:
                found = Findings()
                _functions(f"{method} {form}", ours, oracle, place, found)
                if found.faults:
                    found, generator = Findings(), np.random.default_rng(seed + 2)
                    more = _neighbours(generator, time, state, inputs, parameters, _MORE)
                    _functions(f"{method} {form}", ours, oracle, more, found)
                findings.add(found)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            accelerations[method] = np.hstack(
                [f(place.times, place.states, place.inputs, place.parameters)
                 for f in (oracle.velocities, oracle.accelerations)]
            )  # fmt: skip
    native = next(iter(accelerations.values()), None)
    for method, found in accelerations.items():
        if found is not native and native is not None:
            allowed = 30 * (_spread(native) + _spread(found)) + 1e-9 * np.max(np.abs(native[0]))
            _judge(f"{method} against {next(iter(accelerations))}: q', q''", found[0], native[0], allowed, findings)


def _carried(first: Any, state: Any, oracle: Any, time: float, inputs: Any, parameters: Any) -> Any:
    """Return a state of another model and method with the same q, q' and extra states."""
    if oracle.state_names == first.state_names:
        return state
    count, extra = len(first.model.coordinates), state[len(state) - len(first.model.extra_states) :]
    carried = np.concatenate([state[:count], first.velocities(time, state, inputs, parameters), extra])
    if not oracle.method.startswith("hamilton"):
        return carried
    momenta = eomc.reference(oracle.model, "lagrange").momenta(time, carried, inputs, parameters)
    return np.concatenate([state[:count], list(momenta.values()), extra])


def _neighbours(
    generator: Any, time: float, state: Any, inputs: Any, parameters: Any, count: int = _NEIGHBOURS
) -> Place:
    """Return the state and some very near to it."""

    def moved(values: Any) -> Any:
        factors = 1.0 + _NUDGE * generator.choice([-1.0, 1.0], (count, np.size(values)))
        return np.vstack([np.atleast_2d(values), np.atleast_2d(values) * factors])

    return Place(np.full(count + 1, time), moved(state), moved(inputs), moved(parameters))


def _spread(rows: Any) -> Any:
    return np.max(np.abs(rows - rows[0]), axis=0)


def _functions(where: str, ours: Interpreted, oracle: Any, place: Place, findings: Findings) -> None:
    found = ours.at(place.times, place.states, place.inputs, place.parameters)
    for name, values in found.items():
        if ROWS[name].known is not Known.VALUES:
            continue  # by differences, or not at all
        if name in ("mass_matrix", "forcing") and where.endswith(FORMS[1:]):
            continue  # of all speeds there, of the independent ones in the reference
        rows = _reference_rows(oracle, name, ours, place)
        if rows is None:
            continue
        kept, theirs = rows
        values, sizes = values[:, kept], ours.sizes(name)[kept]
        allowed = 100 * (_spread(theirs) + _spread(values)) + _ROUNDING * (sizes + np.abs(theirs[0]))
        if name == "outputs" and (isinstance(oracle.model.dynamics, JointTree) or " of bodies" in where):
            allowed = allowed + _ROUNDING  # these are about one, and some of them zero but for rounding
        if name == "gravity_forces" and isinstance(oracle.model.dynamics, JointTree):
            allowed = allowed + _ROUNDING * _weights(oracle, place)
        if name in ("multipliers", "constraint_forces", "reactions"):
            allowed = allowed + 1e-10 * np.max(np.abs(theirs[0]), initial=0.0)
        _judge(f"{where}: {name}", values[0], theirs[0], allowed, findings)
    if not np.all(np.isfinite(found["rhs"][0])):
        return
    if "jacobian" in found:
        _jacobian(where, ours, found, place, findings)
    if "power" in found:
        _power(where, ours, found, place, findings)


def _weights(oracle: Any, place: Place) -> Any:
    """Return bounds of the weights along the speeds, sqrt(M_ii m) |g|: a sum of squares bounds one of products."""
    matrix = oracle.mass_matrix(place.times, place.states, place.inputs, place.parameters)[0]
    values = dict(zip(oracle.parameter_names, place.parameters[0], strict=True))
    tree = oracle.model.dynamics

    def number(entry: Any) -> float:
        return float(sympy.sympify(entry).subs({s: values[s.name] for s in sympy.sympify(entry).free_symbols}))

    mass = sum(number(link.mass) for link in tree.links)
    return np.sqrt(np.abs(np.diag(matrix)) * mass) * np.linalg.norm([number(entry) for entry in tree.gravity])


def _reference_rows(oracle: Any, name: str, ours: Interpreted, place: Place) -> tuple[Any, Any] | None:
    """Return which results the reference knows, and its values at all places."""
    with np.errstate(all="ignore"), warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        found = getattr(oracle, name)(place.times, place.states, place.inputs, place.parameters)
    names = ours.functions[name].output_names
    if not isinstance(found, dict):
        rows = np.asarray(found).reshape(len(place.times), -1)
        return (slice(None), rows) if rows.shape[1] == len(names) else None
    kept = [index for index, key in enumerate(names) if key in found]
    return (kept, np.stack([found[names[index]] for index in kept], axis=1)) if kept else None


def _judge(what: str, values: Any, theirs: Any, allowed: Any, findings: Findings) -> None:
    findings.comparisons += 1
    if not np.all(np.isfinite(theirs)):
        return
    findings.blunt += bool(np.any(allowed > _BLUNT * np.max(np.abs(theirs), initial=0.0)) and np.any(theirs))
    wrong = ~(np.abs(values - theirs) <= allowed)
    if np.any(wrong):
        worst = int(np.argmax(np.where(np.isfinite(values), np.abs(values - theirs) / (allowed + 1e-300), np.inf)))
        findings.faults.append(
            f"{what}[{worst}]: {float(values[worst])!r}, the reference has {float(theirs[worst])!r}, "
            f"rounding moves it by {float(np.ravel(allowed)[worst % np.size(allowed)]):.1e}"
        )


def _jacobian(where: str, ours: Interpreted, found: Any, place: Place, findings: Findings) -> None:
    """Compare df/dx, df/dr and df/dt along a direction with differences of the program's own right-hand side."""
    state, inputs = place.states[0], place.inputs[0]
    nx, nr = len(state), len(inputs)
    point = np.concatenate([state, inputs, place.times[:1]])
    matrix = found["jacobian"][0]
    parts = [matrix[: nx * nx].reshape(nx, nx), matrix[nx * nx :].reshape(nx, nr)]
    if "time_derivative" in found:
        parts.append(found["time_derivative"][0][:, None])
    slopes = np.hstack(parts)
    generator = np.random.default_rng(int(abs(state[0]) * 1e6) % 2**32)
    direction = np.zeros_like(point)
    used = slice(0, slopes.shape[1])  # drawn at random, so that one wrong entry shows
    scale = np.abs(point) + (point == 0)
    direction[used] = (scale * generator.uniform(0.5, 1.0, len(point)) * generator.choice([-1.0, 1.0], len(point)))[
        used
    ]
    estimate, error = _slope(ours, "rhs", place, direction)
    sizes = ours.sizes("rhs")
    allowed = error + 1e-9 * np.abs(estimate) + 1e-9 * np.where(np.isfinite(sizes), sizes, 0.0)
    _judge(f"{where}: df/d(x, r, t) along a direction", slopes @ direction[used], estimate, allowed, findings)


def _power(where: str, ours: Interpreted, found: Any, place: Place, findings: Findings) -> None:
    """Compare the sum of the powers with the rate of the energy along the motion."""
    name = ours.functions["power"].output_names[-1]
    index = ours.functions["energy"].output_names.index(name)
    inputs = ours.program.inputs
    rates = np.zeros(len(inputs))
    for k, variable in enumerate(inputs):
        rates[k] = sum(
            place.inputs[0][j]
            for j, other in enumerate(inputs)
            if other.signal == variable.signal and other.order == variable.order + 1
        )
    rates = np.concatenate([found["rhs"][0], rates, [1.0]])
    point = np.concatenate([place.states[0], place.inputs[0], place.times[:1]])
    quickest = np.max(np.abs(rates) / (np.abs(point) + 1e-300), initial=0.0)
    scale = 1.0 / quickest if quickest else 1.0  # of a step along which nothing changes by more than its own size
    estimate, error = _slope(ours, "energy", place, rates * scale)
    size = np.nanmax(np.abs(found["energy"][0]))
    power = found["power"][0, -1:]
    allowed = (error[index : index + 1] + 1e-9 * size) / scale + 1e-9 * np.abs(power)
    _judge(f"{where}: power of {name}", power, estimate[index : index + 1] / scale, allowed, findings)


def _slope(ours: Interpreted, name: str, place: Place, direction: Any) -> tuple[Any, Any]:
    """Return the slope of a function along a direction in (x, r, t) by differences of sixth order, and its error."""
    nx, nr = place.states.shape[1], place.inputs.shape[1]
    point = np.concatenate([place.states[0], place.inputs[0], place.times[:1]])
    steps = np.array([4e-3, 2e-3, 1e-3])
    away = (steps[:, None] * np.array([-3, -2, -1, 1, 2, 3])).ravel()
    points = point + away[:, None] * direction
    parameters = np.tile(place.parameters[0], (len(away), 1))
    f = ours.at(points[:, -1], points[:, :nx], points[:, nx : nx + nr], parameters, [name])[name].reshape(3, 6, -1)
    estimates = np.tensordot([-1, 9, -45, 45, -9, 1], f, axes=(0, 1)) / (60 * steps[:, None])
    error = np.abs(estimates[2] - estimates[1]) + 0.02 * np.abs(estimates[1] - estimates[0])
    return estimates[2], 10 * error
