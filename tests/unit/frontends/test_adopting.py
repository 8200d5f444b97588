"""A file whose object is SymPy's, not eomc's: taken as it is when it says everything, else answered with the call."""

from __future__ import annotations

from pathlib import Path

import pytest

import eomc
from eomc.errors import ModelError, UsageError
from eomc.frontends.loading import load

PENDULUM = """
from sympy import cos, symbols
from sympy.physics.mechanics import *
q, u = dynamicsymbols("q u")
m, l, g = {values}
N = ReferenceFrame("N")
A = N.orientnew("A", "Axis", (q, N.z))
A.set_ang_vel(N, u * N.z)
O = Point("O")
O.set_vel(N, 0)
P = O.locatenew("P", l * A.x)
P.v2pt_theory(O, N, A)
bob = Particle("bob", P, m)
"""
KANE = """
{name} = KanesMethod(N, q_ind=[q], u_ind=[u], kd_eqs=[q.diff() - u])
"""
EQUATIONS = """
{name}.kanes_equations([bob], [(P, m * g * N.x)])
"""
NUMBERS = "2, 1, 9.81"
SYMBOLS = 'symbols("m l g")'


def write(folder: Path, text: str, values: str, name: str = "model") -> Path:
    """Return a file with the pendulum and what comes after it."""
    path = folder / "swing.py"
    path.write_text((PENDULUM + text).format(values=values, name=name), encoding="utf-8")
    return path


@pytest.mark.parametrize(("name", "suffix"), [("model", ""), ("kane", ""), ("kane", ":kane")])
def test_a_kanes_method_that_says_everything(tmp_path: Path, name: str, suffix: str) -> None:
    """Numbers for parameters: the object is the model, named after the file; q'' = -g/l sin(q)."""
    model = load(f"{write(tmp_path, KANE + EQUATIONS, NUMBERS, name)}{suffix}")
    assert model.name == "swing"
    acceleration = eomc.reference(model).rhs(0.0, [[0.3, 0.0]])[0][1]
    assert acceleration == pytest.approx(-9.81 * 0.29552020666133955, rel=1e-14)  # sin(0.3)


def test_a_function_that_returns_one(tmp_path: Path) -> None:
    """What a function of the file returns counts like what the file names."""
    text = KANE + EQUATIONS + "def model():\n    return kane\n"
    assert load(write(tmp_path, text, NUMBERS, "kane")).name == "swing"


def test_a_kanes_method_without_values(tmp_path: Path) -> None:
    """Symbols without values: the message is the line to write, and that line works."""
    path = write(tmp_path, KANE + EQUATIONS, SYMBOLS, "kane")
    with pytest.raises(ModelError, match=r"swing\.py: kane is a KanesMethod: write ") as caught:
        load(path)
    line = str(caught.value).partition(": write ")[2].partition(", with your values")[0]
    assert line == "model = eomc.from_kanes_method(kane, parameters={m: 1.0, l: 1.0, g: 1.0})"
    path.write_text(path.read_text(encoding="utf-8") + f"import eomc\n{line}\n", encoding="utf-8")
    assert [parameter.name for parameter in load(path).parameters] == ["m", "l", "g"]


def test_a_kanes_method_before_its_equations(tmp_path: Path) -> None:
    """Without bodies and loads, the message asks for these."""
    with pytest.raises(ModelError, match=r"write model = eomc\.from_kanes_method\(model, \.\.\.\); .*give bodies="):
        load(write(tmp_path, KANE, NUMBERS))


def test_a_lagranges_method(tmp_path: Path) -> None:
    """The other classes of SymPy go the same way."""
    text = "model = LagrangesMethod(m * l**2 * q.diff()**2 / 2 + m * g * l * cos(q), [q])\n"
    assert load(write(tmp_path, text, NUMBERS)).methods == ("lagrange", "kane", "hamilton")
    with pytest.raises(ModelError, match=r"write model = eomc\.from_lagranges_method\(model, parameters="):
        load(write(tmp_path, text, SYMBOLS))


def test_a_model_comes_before_them(tmp_path: Path) -> None:
    """A file that makes a Model of its KanesMethod offers the Model; two KanesMethods are one too many."""
    text = KANE + EQUATIONS + "import eomc\nmine = eomc.from_kanes_method(kane, name='mine')\n"
    assert load(write(tmp_path, text, NUMBERS, "kane")).name == "mine"
    with pytest.raises(UsageError, match="several models, kane, other: say which one"):
        load(write(tmp_path, KANE + KANE.replace("{name}", "other"), NUMBERS, "kane"))
