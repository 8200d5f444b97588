"""The models of SymPy's own tests: the emitted C agrees with SymPy's equations to 1e-10.

SymPy's test functions build the models; they run until the wanted call of ``kanes_equations``, which is recorded.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.core.function import AppliedUndef
from sympy.physics.mechanics import KanesMethod, dynamicsymbols

import eomc
from eomc.analysis.agreement import compare
from eomc.frontends.resting import what_moves
from eomc.model.sympy_private import set_velocity

pytestmark = pytest.mark.needs_cc

t = dynamicsymbols._t
SAMPLES = 10

MODELS = [  # file, test, which call of kanes_equations
    ("test_kane", "test_two_dof", 0),
    ("test_kane", "test_pend", 0),
    ("test_kane", "test_rolling_disc", 0),
    ("test_kane", "test_aux", 1),  # its a2pt_theory sets an acceleration that is not dv/dt
    ("test_kane", "test_parallel_axis", 0),
    ("test_kane2", "test_aux_dep", 0),
    ("test_kane2", "test_non_central_inertia", 0),
    ("test_kane2", "test_sub_qdot", 0),
    ("test_kane4", "test_replace_qdots_in_force", 0),
    ("test_kane5", "test_kane_rolling_disc_lu", 0),
    ("test_linearize", "test_linearize_pendulum_kane_nonminimal", 0),
    ("test_jointsmethod", "test_chaos_pendulum", 0),
    ("test_jointsmethod", "test_four_bar_linkage_with_manual_constraints", 0),
    ("test_jointsmethod", "test_two_dof_joints", 0),
]

VALUES = {"Iz": 12.0}  # about the hinge: more than mass times length squared

INITIAL: dict[str, dict[str, float]] = {  # where SymPy's equations are singular with everything at zero
    "test_linearize_pendulum_kane_nonminimal": {"q1": 0.9, "q2": 0.5},
    "test_kane_rolling_disc_lu": {"q1": 0.2, "q2": 0.1, "q3": 0.3},
}


class Recorded(Exception):
    """Ends SymPy's test function once its equations are known."""


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that gives the KanesMethod of a test of SymPy's, with its equations formed."""
    derive = KanesMethod.kanes_equations

    def record(file: str, test: str, which: int, derived: bool = True) -> KanesMethod:
        module = pytest.importorskip(f"sympy.physics.mechanics.tests.{file}")
        found: list[KanesMethod] = []

        def kanes_equations(self: KanesMethod, *arguments: Any, **keywords: Any) -> Any:
            found.append(self)
            if len(found) > which and not derived:
                self._bodylist, self._forcelist = arguments  # all that it does before it derives
                raise Recorded
            result = derive(self, *arguments, **keywords)
            if len(found) > which:
                raise Recorded
            return result

        monkeypatch.setattr(KanesMethod, "kanes_equations", kanes_equations)
        with pytest.raises(Recorded):
            getattr(module, test)()
        return found[which]

    return record


@pytest.mark.filterwarnings("ignore::UserWarning:sympy", "ignore::DeprecationWarning", "ignore:.*acceleration set for")
@pytest.mark.sampled(2)
@pytest.mark.parametrize(("file", "test", "which"), MODELS)
def test_agreement(recorded: Any, file: str, test: str, which: int) -> None:
    """|a - b| <= 1e-10 (1 + |b|) at random states, on the constraints where there are any."""
    kane = recorded(file, test, which)
    parameters, inputs = symbols_of(kane)
    names = INITIAL.get(test, {})
    initial = {q: names[q.func.__name__] for q in kane.q if q.func.__name__ in names}
    model = eomc.from_kanes_method(kane, parameters=parameters, inputs=inputs, initial=initial)
    sim = eomc.compile(model).load()
    equations = lambdified(kane, [*parameters], inputs)
    draw = eomc.reference(model).random_state
    generator = np.random.default_rng(1)
    compared = 0
    for _ in range(SAMPLES):
        x = draw(generator, 1, 0.3)[0]
        r = generator.uniform(-1, 1, len(inputs))
        M, f = equations(0.3, x, r, list(parameters.values()))
        if np.linalg.cond(np.asarray(M, float)) > 1e6:
            continue
        expected = np.linalg.solve(np.asarray(M, float), np.asarray(f, float).ravel())
        found = sim.rhs(0.3, x, inputs=r) if inputs else sim.rhs(0.3, x)
        assert np.abs(found - expected).max() <= 1e-10 * (1 + np.abs(expected).max())
        compared += 1
    assert compared > SAMPLES // 2


@pytest.mark.slow
def test_bicycle(recorded: Any) -> None:
    """The bicycle (three dependent speeds, one dependent coordinate) as SymPy builds it agrees with the reference."""
    kane = recorded("test_kane3", "test_bicycle", 0, derived=False)
    parameters, _ = symbols_of(kane)
    *_, q4 = kane.q
    model = eomc.from_kanes_method(kane, parameters=parameters, ranges={q4: (-0.3, 0.3)})
    build = eomc.compile(model)
    for agreement in compare(build, 20):
        assert agreement.holds, agreement


def symbols_of(kane: KanesMethod) -> tuple[dict[sympy.Symbol, float], list[sympy.Expr]]:
    """Return the parameters of a model, with unlike values, and its inputs."""
    frame = kane._inertial
    expressions: list[Any] = [*kane._f_h, *kane._k_nh, *kane._f_nh]
    if kane._fr is not None:
        expressions += [*kane.mass_matrix_full, *kane.forcing_full]
    moving = what_moves(kane.bodies, list(kane.loads or ()), 0, frame)
    for body in moving["bodies"]:
        expressions.append(sympy.sympify(body.mass))
        if hasattr(body, "inertia"):
            expressions.extend(sympy.sympify(scalar) for scalar, _, _ in body.inertia[0].args)
        velocity = set_velocity(body.masscenter, frame)
        if velocity is not None:
            expressions.extend(entry for matrix, _ in velocity.args for entry in matrix)
    for _, vector in moving["loads"]:
        expressions.extend(entry for matrix, _ in vector.args for entry in matrix)
    atoms = set().union(*(one.atoms(sympy.Symbol, AppliedUndef) for one in expressions))
    states = {*kane.q, *kane.u, *kane._uaux, t}
    constants = sorted((one for one in atoms - states if one.is_Symbol), key=str)
    values = {one: VALUES.get(str(one), 1.0 + 0.13 * index) for index, one in enumerate(constants)}
    return values, sorted((one for one in atoms - states if not one.is_Symbol), key=str)


def lambdified(kane: KanesMethod, parameters: list[sympy.Symbol], inputs: list[sympy.Expr]) -> Any:
    """Return M and f of SymPy, with auxiliary speeds and the derivatives that it leaves at zero."""
    plain = {one: sympy.Dummy() for one in (*kane.q, *kane.u, *inputs)}

    def prepared(matrix: Any) -> Any:
        matrix = matrix.xreplace(dict.fromkeys(matrix.atoms(sympy.Derivative), 0))
        return matrix.xreplace(dict.fromkeys(kane._uaux, 0)).xreplace(plain)

    arguments = (t, [plain[one] for one in (*kane.q, *kane.u)], [plain[one] for one in inputs], parameters)
    return sympy.lambdify(arguments, [prepared(kane.mass_matrix_full), prepared(kane.forcing_full)], cse=True)
