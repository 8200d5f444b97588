"""Work and text grow with what a model has: by counts of calls, nodes and bytes, never by time."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import sympy
import sympy.physics.mechanics as me

import eomc
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.passes import routine, sharing
from eomc.trees import Joint, JointTree, Link

PACKAGE = str(Path(eomc.__file__).parent)
FEW, MANY = 12, 45
SLACK = 60  # calls that are not counted
_t = me.dynamicsymbols._t


def _world(n: int) -> tuple[Any, Any, list[Any], list[Any]]:
    frame, origin = me.ReferenceFrame("N"), me.Point("O")
    origin.set_vel(frame, 0)
    return frame, origin, list(me.dynamicsymbols(f"q:{n}")), list(me.dynamicsymbols(f"u:{n}"))


def _model(name: str, frame: Any, q: list[Any], u: list[Any], **more: Any) -> eomc.Model:
    kinematics = [x.diff(_t) - v for x, v in zip(q, u, strict=True)]
    return eomc.Model(
        name=name, inertial_frame=frame, coordinates=q, speeds=u, kinematical_equations=kinematics, **more
    )


def particles(n: int) -> eomc.Model:
    """Return free particles of masses of their own, under gravity."""
    frame, origin, q, u = _world(n)
    m, g = sympy.symbols(f"m:{n}"), sympy.Symbol("g")
    bodies = []
    for i in range(n):
        point = origin.locatenew(f"P{i}", q[i] * frame.x)
        point.set_vel(frame, u[i] * frame.x)
        bodies.append(me.Particle(f"B{i}", point, m[i]))
    return _model(
        "particles", frame, q, u, bodies=bodies, gravity=-g * frame.x, parameters={**dict.fromkeys(m, 2), g: 9}
    )


def pendulums(n: int) -> eomc.Model:
    """Return pendulums that hang side by side and know nothing of each other."""
    frame, origin, q, u = _world(n)
    m, length, g = sympy.symbols("m l g")
    bodies = []
    for i in range(n):
        turned = frame.orientnew(f"A{i}", "Axis", [q[i], frame.z])
        turned.set_ang_vel(frame, u[i] * frame.z)
        point = origin.locatenew(f"P{i}", length * turned.x)
        point.v2pt_theory(origin, frame, turned)
        inertia = me.inertia(turned, 0, 0, m * length**2 / 12)
        bodies.append(me.RigidBody(f"B{i}", point, turned, m, (inertia, point)))
    return _model("pendulums", frame, q, u, bodies=bodies, gravity=-g * frame.y, parameters={m: 1, length: 2, g: 9})


def grid(n: int) -> eomc.Model:
    """Return particles on a strip of three rows, with nonlinear springs to their neighbours in rows and columns."""
    n = 3 * (n // 3)
    frame, origin, q, u = _world(n)
    m, k = sympy.symbols("m k")
    bodies, loads = [], []
    for i in range(n):
        point = origin.locatenew(f"P{i}", q[i] * frame.x)
        point.set_vel(frame, u[i] * frame.x)
        bodies.append(me.Particle(f"B{i}", point, m))
        near = [j for j in (i - 3, i + 3) if 0 <= j < n] + [
            j for j in (i - 1, i + 1) if 0 <= j < n and j // 3 == i // 3
        ]
        loads.append((point, sum(k * (q[j] - q[i]) * (1 + (q[j] - q[i]) ** 2) for j in near) * frame.x))
    return _model("grid", frame, q, u, bodies=bodies, loads=loads, parameters={m: 1, k: 2})


Family = Callable[[int], eomc.Model]
FAMILIES = pytest.mark.parametrize("family", [particles, pendulums, grid])
METHODS = pytest.mark.parametrize(
    ("family", "method"),
    [
        (particles, None), (grid, None),
        (grid, "lagrange"), (pendulums, "gibbs-appell"), (pendulums, "hamilton"),
    ],
)  # fmt: skip


def calls_of(work: Callable[[], Any]) -> tuple[Counter[str], Any]:
    """Return how often each of eomc's functions, generators and lambdas is entered, and what the work returns."""
    counts: Counter[str] = Counter()

    def note(frame: FrameType, event: str, argument: Any) -> None:  # returns nothing: no line within a call is told
        code = frame.f_code
        if code.co_filename.startswith(PACKAGE):
            counts[f"{code.co_filename.removeprefix(PACKAGE)}:{code.co_firstlineno} {code.co_name}"] += 1

    before = sys.gettrace()
    sys.settrace(note)
    try:
        result = work()
    finally:
        sys.settrace(before)
    return counts, result


@pytest.mark.sampled(2)  # each family by another method
@METHODS
def test_no_function_is_called_more_than_in_proportion(
    family: Family, method: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four times the bodies: four times the calls of every function, from the model's check to the last Jacobian."""
    monkeypatch.setattr(sharing, "SPEED", sharing.SPEED._replace(least=12))  # functions share at both sizes,
    monkeypatch.setattr(routine, "_is_short", lambda *_: False)  # and none is known to be short
    eomc.compile(family(3), method, functions="all")  # what is done once
    found = []
    for n in (FEW, MANY):
        made, model = calls_of(lambda n=n: family(n))
        compiled, _ = calls_of(lambda model=model: eomc.compile(model, method, functions="all"))
        found.append(made + compiled)
    few, many = found
    grown = {name: (few[name], many[name]) for name in few if many[name] > 4.3 * few[name] + SLACK}
    assert grown == {}
    assert many.total() > 20_000


@FAMILIES
def test_nodes_and_text_grow_in_proportion(family: Family) -> None:
    """Nodes, statements and bytes per body do not grow, mass matrix and Jacobian included."""
    small, large = (eomc.compile(family(n), functions="all") for n in (FEW, MANY))
    assert len(large.program.graph) <= 4.3 * len(small.program.graph)
    sizes = []
    for build in (small, large):
        routines = build.schedule.all_routines
        statements = sum(len(chunk.steps) for routine in routines for chunk in routine.chunks)
        sizes.append((statements, sum(len(file.text) for file in build.artifacts if file.kind != "main")))
    assert sizes[1][0] <= 4.5 * sizes[0][0]
    assert sizes[1][1] <= 4.5 * sizes[0][1]


def row_of_links(n: int) -> eomc.Model:
    """Return links in a row, hinged about z and x in turn."""
    links, joints = [Link(name="ground")], []
    inertia = ((0.02, 0, 0), (0, 0.03, 0), (0, 0, 0.04))
    for k in range(n):
        links.append(Link(name=f"l{k}", mass=1.0 + k % 3, centre=(0.25, 0, 0), inertia=inertia))
        axis, offset = (1, 0, 0) if k % 2 else (0, 0, 1), (0.5, 0, 0)
        moved = {"coordinates": (me.dynamicsymbols(f"q{k}"),), "speeds": (me.dynamicsymbols(f"u{k}"),)}
        joints.append(
            Joint(name=f"j{k}", kind="revolute", parent=links[k].name, child=f"l{k}", axis=axis, offset=offset, **moved)
        )
    return eomc.from_tree(JointTree(links, joints, gravity=(0, 0, -9.81)))


def test_a_row_of_links_takes_work_in_proportion_to_its_length() -> None:
    """Three times the joints: three times the calls of every function of derivation, nodes, statements and bytes."""
    derived, sizes = [], []
    for n in (60, 180):  # both with loops, which shorter rows have not
        model = row_of_links(n)
        calls, _ = calls_of(lambda model=model: derive(model, choose_method(model, "kane")))
        derived.append(calls)
        calls, build = calls_of(lambda model=model: eomc.compile(model, functions=["energy"]))
        steps = [len(chunk.steps) for routine in build.schedule.all_routines for chunk in routine.chunks]
        text = sum(len(file.text) for file in build.artifacts if file.kind != "main")
        sizes.append((calls.total(), len(build.program.graph), sum(steps), text))
        assert max(steps) <= 1500
    few, many = derived
    grown = {name: (few[name], many[name]) for name in few if many[name] > 3.2 * few[name] + SLACK}
    assert grown == {}
    most = (3.3, 3.3, 3.3, 4.0)  # what is handed from one function to the next is text that short ones lack
    assert all(large <= k * small for k, small, large in zip(most, *sizes, strict=True)), sizes
