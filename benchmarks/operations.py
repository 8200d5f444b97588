"""Operations per evaluation, of what we ship and of other people's KanesMethod objects.

python benchmarks/operations.py

Counted are real operations whose value varies with the state: + - * /, square roots, calls of libm, each once however
often its result is used. Not counted: what depends on parameters alone (``_prepare`` does it once), changes of sign
(they melt into the additions beside them), the pivots' tests, q'. "M, f" is the mass matrix and the right side of
M u' = f, reduced to the independent speeds where some are dependent; "with solve" goes as far as u', dependent speeds
included. The trials' arm had another geometry: there, only the order of magnitude compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from unittest import mock

import sympy
from reporting import print_machine, print_table
from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.backends.c99.kernels import count_system
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.model import Model
from eomc.passes.count import count_operations


def operations(graph: Graph, roots: Iterable[Node]) -> int:
    """Return the operations between the state and `roots`."""
    varying = [n for n in graph.reachable(roots) if graph.level[n] == Level.VARYING and graph.ops[n] is not Op.NEG]
    return count_operations(graph, varying, count_system).total


def counts(model: Model) -> tuple[int, int]:
    """Return the operations of (M, f) and of u'."""
    program = eomc.compile(model, "kane").program
    functions = {function.name: function.outputs for function in program.functions}
    speeds = functions["rhs"][len(model.coordinates) :]
    system = [*functions["mass_matrix"], *functions["forcing"]]
    return operations(program.graph, system), operations(program.graph, speeds)


def two_dependent_speeds() -> Model:
    """Return the rolling disk of SymPy's tests: five speeds, two of which keep the point of contact from slipping."""
    q = q1, q2, q3, q4, q5 = dynamicsymbols("q1:6")
    u1, u2, u3, u4, u5 = dynamicsymbols("u1:6")
    m, g, r = sympy.symbols("m g r")
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
    C = Point("C")
    C.set_vel(N, u4 * L.x + u5 * Y.z.cross(L.x))
    centre = C.locatenew("Dmc", r * L.z)
    centre.v2pt_theory(C, N, R)
    slip = [C.vel(N).dot(Y.x), C.vel(N).dot(Y.y)]
    kinematics = [
        q1.diff() - u3 / sympy.cos(q2),
        q2.diff() - u1,
        q3.diff() - u2 + u3 * sympy.tan(q2),
        q4.diff() - u4,
        q5.diff() - u5,
    ]
    body = RigidBody("BodyD", centre, R, m, (inertia(L, m / 4 * r**2, m / 2 * r**2, m / 4 * r**2), centre))
    kane = KanesMethod(N, q, [u1, u2, u3], kd_eqs=kinematics, u_dependent=[u4, u5], velocity_constraints=slip)
    return eomc.from_kanes_method(
        kane,
        bodies=[body],
        loads=[(centre, -m * g * Y.z)],
        velocity_constraints=slip,
        parameters=dict.fromkeys((m, g, r), 1.0),
    )


def sympys_bicycle() -> Model:
    """Return the bicycle of SymPy's own test, caught where the test begins its derivation."""
    from sympy.physics.mechanics.tests import test_kane3

    class Caught(Exception):
        """Ends the test."""

    class Catching(KanesMethod):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.raw = kwargs["velocity_constraints"]

        def kanes_equations(self, bodies: Any = None, loads: Any = None) -> Any:
            raise Caught(self, bodies, loads)

    try:
        with mock.patch.object(test_kane3, "KanesMethod", Catching):
            test_kane3.test_bicycle()
    except Caught as caught:
        kane, bodies, loads = caught.args
    symbols = sympy.symbols(
        "WFrad WRrad htangle forkoffset forklength framelength forkcg1 forkcg3 framecg1 framecg3 Iwr11 Iwr22 Iwf11 "
        "Iwf22 Iframe11 Iframe22 Iframe33 Iframe31 Ifork11 Ifork22 Ifork33 Ifork31 g mframe mfork mwf mwr"
    )
    return eomc.from_kanes_method(
        kane,
        bodies=bodies,
        loads=loads,
        velocity_constraints=kane.raw,
        parameters={symbol: 0.3 + 0.1 * index for index, symbol in enumerate(symbols)},
    )


def arm(joints: int = 7) -> Model:
    """Return a serial arm with joints about z and y in turn, mass centres anywhere, all six moments of inertia."""
    q, u = dynamicsymbols(f"q:{joints}"), dynamicsymbols(f"u:{joints}")
    g = sympy.Symbol("g")
    N = ReferenceFrame("N")
    joint = Point("O")
    joint.set_vel(N, 0)
    parameters: dict[Any, Any] = {g: 9.81}
    bodies = []
    outer = N
    for i in range(joints):
        frame = ReferenceFrame(f"A{i}")
        axis = outer.z if i % 2 == 0 else outer.y
        frame.orient_axis(outer, axis, q[i])
        frame.set_ang_vel(outer, u[i] * axis)
        mass, length, *rest = sympy.symbols(f"m{i} l{i} x{i} y{i} z{i} Ixx{i} Iyy{i} Izz{i} Ixy{i} Iyz{i} Izx{i}")
        values = (1.0 + 0.1 * i, 0.4, 0.01, 0.02, 0.2, 0.03, 0.04, 0.05, 0.001, 0.002, 0.003)
        parameters |= dict(zip((mass, length, *rest), values, strict=True))
        x, y, z, *moments = rest
        centre = joint.locatenew(f"C{i}", x * frame.x + y * frame.y + z * frame.z)
        centre.v2pt_theory(joint, N, frame)
        bodies.append(RigidBody(f"link{i}", centre, frame, mass, (inertia(frame, *moments), centre)))
        outer = frame
        if i < joints - 1:
            following = joint.locatenew(f"J{i + 1}", length * frame.z)
            following.v2pt_theory(joint, N, frame)
            joint = following
    return eomc.Model(
        name="arm",
        inertial_frame=N,
        coordinates=q,
        speeds=u,
        kinematical_equations=[a.diff() - b for a, b in zip(q, u, strict=True)],
        bodies=bodies,
        gravity=-g * N.z,
        parameters={p: v for p, v in parameters.items() if str(p) != f"l{joints - 1}"},
    )


ROWS: tuple[tuple[str, Callable[[], Model], str, str], ...] = (
    ("cart + 5 links", lambda: eomc.load("n_link_pendulum:5"), "", "314"),
    ("cart + 10 links", lambda: eomc.load("n_link_pendulum:10"), "362", "1089"),
    ("rolling disk, 3 body rates", lambda: eomc.load("rolling_disk"), "33", "36"),
    ("rolling disk, 2 dependent speeds", two_dependent_speeds, "62", "170"),
    ("sympy's bicycle, 3 dependent speeds", sympys_bicycle, "1465", ""),
    ("7-joint arm, general links", arm, "2166", ""),
)
"""What, how to make it, figures of the trials: M, f and with solve."""


def main() -> None:
    """Count and print."""
    print_machine()
    rows = []
    for name, make, system, solved in ROWS:
        own_system, own_solved = counts(make())
        rows.append([name, str(own_system), system, str(own_solved), solved])
    print_table(["model", "M, f", "trial", "with solve", "trial"], rows)


if __name__ == "__main__":
    main()
