"""The same mechanisms through SymPy alone: KanesMethod, common subexpressions, C printing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from sympy.physics.mechanics import KanesMethod, dynamicsymbols, find_dynamicsymbols
from sympy.physics.mechanics.models import n_link_pendulum_on_cart

__all__ = ["Peer", "derive", "print_c", "share", "straight_solve"]


@dataclass(frozen=True)
class Peer:
    """M u' = f with common subexpressions taken out of M, f and q' together, over plain symbols."""

    states: list[sympy.Symbol]  # q, then u
    inputs: list[sympy.Symbol]
    parameters: list[sympy.Symbol]
    shared: list[tuple[sympy.Symbol, sympy.Expr]]
    rates: list[sympy.Expr]  # q'
    mass_matrix: sympy.Matrix
    forcing: list[sympy.Expr]


def derive(name: str) -> KanesMethod:
    """Build a mechanism and run SymPy's derivation on it."""
    kind, _, links = name.partition(":")
    if kind == "n_link_pendulum":
        return n_link_pendulum_on_cart(int(links), cart_force=True, joint_torques=False)
    import eomc

    return _from_model(eomc.load(name))


def _from_model(model: Any) -> KanesMethod:
    """Run SymPy's KanesMethod on the frames, points and speeds of one of our models."""
    system = model.dynamics
    q, u, constrained = list(model.coordinates), list(model.speeds), {}
    if system.configuration_constraints or system.velocity_constraints:
        positions, velocities = list(system.configuration_constraints), list(system.velocity_constraints)
        velocities += [one.diff(dynamicsymbols._t) for one in positions]
        rates = sympy.solve(list(system.kinematical_equations), [one.diff() for one in q], dict=True)[0]
        velocities = [one.xreplace(rates) for one in velocities]
        constrained = {
            "q_dependent": list(system.dependent_coordinates) or q[len(q) - len(positions) :],
            "u_dependent": list(system.dependent_speeds) or u[len(u) - len(velocities) :],
            "velocity_constraints": velocities,
            "constraint_solver": "CRAMER",  # LU divides by a pivot that is zero without looking so (whipple_bicycle)
        }
        if positions:
            constrained["configuration_constraints"] = positions
        q = [one for one in q if one not in constrained["q_dependent"]]
        u = [one for one in u if one not in constrained["u_dependent"]]
    kane = KanesMethod(system.inertial_frame, q, u, kd_eqs=list(system.kinematical_equations), **constrained)
    weights = [(getattr(body, "masscenter", None) or body.point, body.mass * system.gravity) for body in system.bodies]
    kane.kanes_equations(list(system.bodies), [*system.loads, *weights])
    return kane


def share(kane: KanesMethod) -> Peer:
    """Take common subexpressions out of M, f and q' together."""
    M, f = kane.mass_matrix, kane.forcing
    kinematics = kane.kindiffdict()
    rates = sympy.Matrix([kinematics[q.diff()] for q in kane.q])
    moving = [*kane.q, *kane.u]
    signals = sorted((find_dynamicsymbols(M) | find_dynamicsymbols(f)) - set(moving), key=str)
    plain = {one: sympy.Symbol(one.func.__name__) for one in (*moving, *signals)}
    M, f, rates = M.xreplace(plain), f.xreplace(plain), rates.xreplace(plain)
    known = set(plain.values())
    parameters = sorted((M.free_symbols | f.free_symbols | rates.free_symbols) - known, key=str)
    shared, (rates, M, f) = sympy.cse([rates, M, f], symbols=sympy.numbered_symbols("z_"))
    return Peer([plain[x] for x in moving], [plain[r] for r in signals], parameters, shared, list(rates), M, list(f))


LOOPS = r"""
#include <math.h>

static void ldlt_solve(int n, double *a, double *y)
{
    for (int j = 0; j < n; ++j) {
        const double inverse = 1.0 / a[j * n + j];
        for (int i = j + 1; i < n; ++i) {
            const double l = a[i * n + j] * inverse;
            for (int k = j + 1; k <= i; ++k) {
                a[i * n + k] -= l * a[k * n + j];
            }
            y[i] -= l * y[j];
        }
        for (int i = j + 1; i < n; ++i) {
            a[i * n + j] *= inverse;
        }
        y[j] *= inverse;
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) {
            y[i] -= a[k * n + i] * y[k];
        }
    }
}
"""


def print_c(peer: Peer, name: str, *, loops: bool) -> str:
    """Return a C function: the shared subexpressions, M and f, then L D L^T.

    `loops`: M and f go into arrays, and L D L^T is a routine over them, as one would write it by hand; else it is the
    straight code over the nonzeros that eomc emits, unrolled for SymPy too.
    """
    n, nq = len(peer.forcing), len(peer.rates)
    head = f"void {name}(const double *x_, const double *r_, const double *p_, double *dx_)"
    lines = [LOOPS if loops else "#include <math.h>", "", head, "{"]
    lines += [f"    const double {symbol} = x_[{i}];" for i, symbol in enumerate(peer.states)]
    lines += [f"    const double {symbol} = r_[{i}];" for i, symbol in enumerate(peer.inputs)]
    lines += [f"    const double {symbol} = p_[{i}];" for i, symbol in enumerate(peer.parameters)]
    lines += [f"    const double {symbol} = {sympy.ccode(value)};" for symbol, value in peer.shared]
    if loops:
        lines += [f"    double a_[{n * n}], y_[{n}];"]
        for i in range(n):
            lines += [f"    a_[{i * n + j}] = {sympy.ccode(peer.mass_matrix[i, j])};" for j in range(i + 1)]
        lines += [f"    y_[{i}] = {sympy.ccode(value)};" for i, value in enumerate(peer.forcing)]
        lines += [f"    ldlt_solve({n}, a_, y_);"]
        return _finish(peer, lines, [f"y_[{i}]" for i in range(n)], nq)
    zero = {(i, j) for i in range(n) for j in range(i) if peer.mass_matrix[i, j] == 0}
    for i in range(n):
        for j in range(i + 1):
            if (i, j) not in zero:
                lines.append(f"    double w_{i}_{j} = {sympy.ccode(peer.mass_matrix[i, j])};")
    lines += [f"    double y_{i} = {sympy.ccode(value)};" for i, value in enumerate(peer.forcing)]
    lines += straight_solve(n, zero)
    return _finish(peer, lines, [f"y_{i}" for i in range(n)], nq)


def _finish(peer: Peer, lines: list[str], accelerations: list[str], nq: int) -> str:
    lines += [f"    dx_[{i}] = {sympy.ccode(value)};" for i, value in enumerate(peer.rates)]
    lines += [f"    dx_[{nq + i}] = {y};" for i, y in enumerate(accelerations)]
    used = " ".join(f"(void){symbol};" for symbol in (*peer.states, *peer.inputs, *peer.parameters))
    return "\n".join([*lines, f"    {used}" if used else "", "    (void)r_;", "    (void)p_;", "}", ""])


def straight_solve(n: int, zero: set[tuple[int, int]]) -> list[str]:
    """Return L D L^T and both substitutions as straight lines that use the zeros; the solution replaces y."""
    lines = []
    full = {(i, j) for i in range(n) for j in range(i + 1)} - zero
    for j in range(n):
        lines.append(f"    const double d_{j} = 1.0 / w_{j}_{j};")
        column = [i for i in range(j + 1, n) if (i, j) in full]
        lines += [f"    const double l_{i}_{j} = w_{i}_{j} * d_{j};" for i in column]
        for i in column:
            for k in column:
                if k <= i:
                    if (i, k) in full:
                        lines.append(f"    w_{i}_{k} -= l_{i}_{j} * w_{k}_{j};")
                    else:
                        lines.append(f"    double w_{i}_{k} = -l_{i}_{j} * w_{k}_{j};")
                        full.add((i, k))
    for i in range(n):
        lines += [f"    y_{i} -= l_{i}_{k} * y_{k};" for k in range(i) if (i, k) in full]
    for i in reversed(range(n)):
        lines.append(f"    y_{i} *= d_{i};")
        lines += [f"    y_{i} -= l_{k}_{i} * y_{k};" for k in range(i + 1, n) if (k, i) in full]
    return lines
