"""What is printed is what is computed: printed formulas, read back as arithmetic, against the oracle."""

from __future__ import annotations

import math
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.backends.report import render_equations
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.frontends.loading import shipped_models

LETTERS = {"kinetic": "T", "potential": "V", "total": "E", "jacobi": "h", "hamiltonian": "H"}
FUNCTIONS: dict[str, Any] = {
    "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos,
    "atan": math.atan, "atan2": math.atan2, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "exp": math.exp,
    "log": math.log, "abs": abs, "sign": lambda x: float(np.sign(x)), "min": min, "max": max, "floor": math.floor,
    "mod": lambda x, y: x % y, "pi": math.pi,
}  # fmt: skip
WORDS = {"if", "else", "and", "or", "not"}


def printed(model: Any, method: str, form: str = "text") -> str:
    """Return a report without emitting C."""
    return render_equations(SimpleNamespace(model=model, equations=derive(model, choose_method(model, method))), form)


def statements(text: str) -> list[tuple[str, str]]:
    """Return (name, formula) in the printed order; a matrix gives its entries, a continued line is joined."""
    found: list[tuple[str, str]] = []
    rows: list[list[str]] = []
    letter = ""
    for line in text.splitlines():
        row = re.fullmatch(r"\s+(?:(\w+) += )?\[ (.*) \]", line)
        if row:
            letter = row[1] or letter
            rows.append(re.split(r" {2,}", row[2].strip()))
            continue
        if rows:
            found += [(f"{letter}{i + 1}{j + 1}", cell) for i, r in enumerate(rows) for j, cell in enumerate(r)]
            rows, letter = [], ""
        start = re.fullmatch(r"  ([\w']+) += (.*)", line)
        if start:
            found.append((start[1], start[2]))
        elif re.match(r" {6,}\S", line) and found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
    return [(name, formula.partition("#")[0].strip()) for name, formula in found]


def stated(text: str) -> set[str]:
    """Return the names that the text gives a value."""
    return {name for name, _ in statements(text)}


def evaluated(formula: str, values: dict[str, float]) -> float:
    """Return the value by Python's own grammar, of which the printed one is a dialect."""

    def spelled(match: re.Match[str]) -> str:
        word = match[0]
        return word if word in FUNCTIONS or word in WORDS else f"_v[{word!r}]"

    code = re.sub(r"(?<![\w.])[A-Za-z_][\w]*'*", spelled, formula).replace("^", "**")
    return float(eval(code, {**FUNCTIONS, "_v": values, "__builtins__": {}}))


class Printed(dict[str, float]):
    """Values by printed name; entries of the solution of S1 x1 = b1 are found by solving it."""

    def __missing__(self, name: str) -> float:
        """Return x1_2."""
        number, row = re.fullmatch(r"[xX](\d+)_(\d+)", name).groups()
        places = [tuple(map(int, key.split("_")[1:])) for key in self if key.startswith(f"S{number}_")]
        n = max(i for i, _ in places)
        matrix = np.array([[self.get(f"S{number}_{i}_{j}", 0.0) for j in range(1, n + 1)] for i in range(1, n + 1)])
        if all(j <= i for i, j in places):  # a symmetric system gives its lower triangle
            matrix += np.tril(matrix, -1).T
        right = [self.get(f"b{number}_{i}", 0.0) for i in range(1, n + 1)]
        return float(np.linalg.solve(matrix, right)[int(row) - 1])


def walk(text: str, values: dict[str, float]) -> dict[str, float]:
    """Return values of everything printed, each formula from what was printed before."""
    values = Printed(values)
    for name, formula in statements(text):
        if name != "0":
            values[name] = evaluated(formula, values)
    return values


def state_names(model: Any, oracle: Any) -> list[str]:
    """Return the names under which a report speaks of the states: theta' for a theta_d that is q'."""
    coordinates = oracle.state_names[: len(model.coordinates)]
    velocities = {f"{q}_d": f"{q}'" for q in coordinates}
    return [velocities.get(name, name) for name in oracle.state_names]


def rates(values: dict[str, float], text: str, names: list[str], equations: Any) -> list[float]:
    """Return dx/dt from what is printed: q' as given (or the state itself), u' from M u' = f unless p' is given."""
    found = {name: values[f"{name}'"] for name in names if f"{name}'" in values}
    if not equations.method.name.startswith("hamilton") and not all(name in found for name in names):
        n = len(equations.matrices.mass_matrix)
        mass, force = re.search(r"^Mass matrix (\w+) of \w+ \w'+ = (\w+)$", text, re.MULTILINE).groups()
        if n == 1:
            matrix, right = np.array([[values[mass]]]), np.array([values[force]])
        else:
            matrix = np.zeros((n, n))
            for i in range(n):
                for j in range(n):
                    matrix[i, j] = values.get(f"{mass}{i + 1}{j + 1}", values.get(f"{mass}{j + 1}{i + 1}", 0.0))
            right = np.array([values[f"{force}{i + 1}"] for i in range(n)])
        velocities = {f"{name.removesuffix(chr(39))}_d" if name.endswith("'") else name: name for name in names}
        for label, acceleration in zip(equations.motion.labels, np.linalg.solve(matrix, right), strict=True):
            wanted = velocities.get(f"{label}_d") or velocities[label]
            found[wanted] = float(acceleration)
    return [found[name] for name in names]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", shipped_models())
def test_printed_formulas_are_the_equations_of_the_oracle(name: str) -> None:
    """Evaluating the text from top to bottom gives the oracle's dx/dt, energies, momenta and outputs."""
    model = eomc.load(name)
    for method in model.methods:
        check_printed_formulas(model, method)


def check_printed_formulas(model: Any, method: str) -> None:
    """Compare the report of one method with the oracle."""
    equations = derive(model, choose_method(model, method))
    text = render_equations(SimpleNamespace(model=model, equations=equations), "text")
    oracle = eomc.reference(model, method)
    names = state_names(model, oracle)
    generator = np.random.default_rng(5)
    states = oracle.random_state(generator, 3, 0.0)
    parameters = np.array([p.value for p in model.parameters]) * generator.uniform(0.9, 1.1, (3, len(model.parameters)))
    inputs = generator.uniform(-1.0, 1.0, (3, len(model.inputs)))
    arguments = (0.0, states, inputs, parameters)
    motion = equations.motion
    rhs, energies = oracle.rhs(*arguments), oracle.energy(*arguments)
    assert energies
    wanted = {LETTERS[energy]: of_all for energy, of_all in energies.items()}
    if motion.gibbs is not None:
        wanted["S"] = oracle.gibbs(*arguments)["gibbs_function"]
    if equations.energetics.momenta:
        momenta = oracle.momenta(*arguments)
        wanted |= {quantity.name: momenta[quantity.name] for quantity in equations.energetics.momenta}
    if model.outputs:
        wanted |= dict(zip(oracle.output_names, oracle.outputs(*arguments).T, strict=True))
    for row, expected in enumerate(rhs):
        given = dict(zip(names, states[row], strict=True)) | {"t": 0.0}
        given |= {p.name: value for p, value in zip(model.parameters, parameters[row], strict=True)}
        given |= {r.name: value for r, value in zip(model.inputs, inputs[row], strict=True)}
        supplied = {}
        first = len(motion.rates)
        second = names[first : first + len(motion.accelerations)]
        if motion.gibbs is not None or len(motion.labels) < len(second):  # functions of u', which M u' = f gives
            known = dict(zip(names, expected, strict=True))
            supplied = {
                f"{name}'": float(known[name]) for name in second if motion.gibbs is not None or name in motion.labels
            }
        values = walk(text, given | supplied)
        printed = Printed({name: x for name, x in values.items() if name not in supplied or name in stated(text)})
        scale = 1.0 + np.abs(expected).max()
        assert rates(printed, text, names, equations) == pytest.approx(expected, abs=1e-9 * scale)
        for name, of_all in wanted.items():
            assert values[name] == pytest.approx(float(of_all[row]), rel=1e-9, abs=1e-9), name


def constrained() -> Any:
    """Return two particles with kinematics that need a numeric solve, and a dependent speed."""
    q, u = dynamicsymbols("q1:5"), dynamicsymbols("u1:5")
    m, a = sympy.symbols("m a")
    frame, origin, p, r = ReferenceFrame("N"), Point("O"), Point("P"), Point("R")
    origin.set_vel(frame, 0)
    p.set_vel(frame, u[0] * frame.x + u[1] * frame.y + u[2] * frame.z)
    r.set_vel(frame, u[3] * frame.x + u[0] * frame.y)
    mixing = sympy.Matrix(4, 4, lambda i, j: sympy.cos(q[(i + j) % 4]) + (5 if i == j else sympy.sin(q[j])))
    return eomc.Model(
        name="constrained",
        inertial_frame=frame,
        coordinates=q,
        speeds=u,
        kinematical_equations=list(mixing * sympy.Matrix([x.diff() for x in q]) - sympy.Matrix(u)),
        bodies=[Particle("p", p, m), Particle("r", r, m)],
        loads=[(p, -a * sympy.Abs(q[0]) * frame.x)],
        velocity_constraints=[u[3] - u[0] * sympy.sin(q[0]) - sympy.cos(q[1]) * u[1]],
        dependent_speeds=[u[3]],
        parameters={m: 1.5, a: 2.0},
    )


def test_dependent_speeds_and_numeric_solves_are_printed() -> None:
    """A, u_D' in terms of u_I', and the systems that are solved at run time are all there, and right."""
    model = constrained()
    equations = derive(model, choose_method(model, "kane"))
    text = render_equations(SimpleNamespace(model=model, equations=equations), "text")
    assert "S1 x1 = b1 is solved numerically for x1: 4 x 4, general" in text
    assert re.search(r"^  A = \[ sin\(q1\)  cos\(q2\)  0 \]$", text, re.MULTILINE)
    assert re.search(r"^  0 = u4 - u1\*sin\(q1\) - u2\*cos\(q2\)$", text, re.MULTILINE)
    found = dict(statements(text))
    assert "u1'*sin(q1)" in found["u4'"]
    assert "u2'*cos(q2)" in found["u4'"]
    oracle = eomc.reference(model, "kane")
    names = state_names(model, oracle)
    x = oracle.random_state(np.random.default_rng(2), 1, 0.0)[0]
    expected = oracle.rhs(0.0, x)
    given = {**dict(zip(names, x, strict=True)), "m": 1.5, "a": 2.0, "t": 0.0}
    given |= {f"u{i}'": float(expected[3 + i]) for i in (1, 2, 3)}  # what stands on the right of u_D'
    values = walk(text, given)
    assert [values[f"q{i}'"] for i in (1, 2, 3, 4)] == pytest.approx(expected[:4], rel=1e-9)
    assert values["u4'"] == pytest.approx(expected[7], rel=1e-9)
    matrix = [[values[f"M{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)]
    force = [values[f"f{i}"] for i in (1, 2, 3)]
    assert np.linalg.solve(matrix, force) == pytest.approx(expected[4:7], rel=1e-9, abs=1e-12)


def test_sympy_reads_the_rolling_disk() -> None:
    """The printed equations are those of O'Reilly (1996), as SymPy reads and compares them."""
    text = printed(eomc.load("rolling_disk"), "kane")
    symbols = {name: sympy.Symbol(name) for name in ("m", "R", "It", "Ia", "g", "theta", "u1", "u2", "u3")}
    read = {
        name: sympy.sympify(formula, locals=symbols)
        for name, formula in statements(text)
        if re.fullmatch(r"[Mf]\d+", name)
    }
    m, R, It, Ia, g, theta, u1, u2, u3 = symbols.values()
    cot = sympy.cos(theta) / sympy.sin(theta)
    expected = {
        "M11": It + m * R**2,
        "M22": It,
        "M33": Ia + m * R**2,
        "f1": -(Ia + m * R**2) * u2 * u3 + It * u2**2 * cot - m * g * R * sympy.cos(theta),
        "f2": -It * u1 * u2 * cot + Ia * u1 * u3,
        "f3": m * R**2 * u1 * u2,
    }
    assert all(sympy.expand(read[name] - formula) == 0 for name, formula in expected.items())
    assert all(read[f"M{i}{j}"] == 0 for i in (1, 2, 3) for j in (1, 2, 3) if i != j)


def test_sympy_reads_the_spherical_pendulum() -> None:
    """The printed canonical equations are those of H = (p_theta^2 + p_phi^2/sin^2 theta)/(2 m l^2) + V."""
    text = printed(eomc.load("spherical_pendulum"), "hamilton")
    symbols = {name: sympy.Symbol(name) for name in ("m", "l", "g", "theta", "p_theta", "p_phi")}
    m, length, g, theta, p_theta, p_phi = symbols.values()
    read = dict(statements(text))
    hamiltonian = (p_theta**2 + p_phi**2 / sympy.sin(theta) ** 2) / (2 * m * length**2)
    hamiltonian += m * g * length * (1 - sympy.cos(theta))
    expected = {
        "theta'": hamiltonian.diff(p_theta),
        "phi'": hamiltonian.diff(p_phi),
        "p_theta'": -hamiltonian.diff(theta),
        "p_phi'": 0,
    }
    for name, formula in expected.items():
        assert sympy.simplify(sympy.sympify(read[name], locals=symbols) - formula) == 0


@pytest.mark.parametrize("name", ["simple_pendulum", "spherical_pendulum", "rolling_disk", "two_masses_on_rod"])
def test_a_small_model_reads_like_a_text_book(name: str) -> None:
    """No intermediate variable is needed where the formulas are short; a Gibbs function is not."""
    for method in eomc.load(name).methods:
        equations, gibbs, rest = printed(eomc.load(name), method).partition("Gibbs function, ")
        assert bool(gibbs) == (method == "gibbs-appell")
        assert not re.search(r"\bz\d", equations + rest.partition("Energies")[2])


def test_a_long_model_is_cut_into_readable_pieces() -> None:
    """However long the chain, formulas stay short: printing it takes no more than some lines per variable."""
    text = printed(eomc.load("n_link_pendulum:8"), "hamilton")
    assert max(map(len, text.splitlines())) <= 100
    assert max(len(formula) for _, formula in statements(text)) < 450
    assert "z0 " in text
