"""Precision is part of the emitted program: it goes with the files, and halves that differ do not link."""

from __future__ import annotations

import math
import re
import subprocess

import pytest

import eomc
from eomc.backends.c99 import generate
from eomc.errors import SingularSystemError

pytestmark = pytest.mark.needs_cc

CALLER = """
#include <stdio.h>
#include "pendulum.h"
int main(void)
{
    pendulum_constants c;
    (void)printf("%d %d\\n", (int)sizeof(pendulum_real), (int)sizeof(pendulum_work));
    return (int)pendulum_prepare(&pendulum_default_parameters, &c);
}
"""


def gcc(folder, *arguments):
    return subprocess.run(["gcc", "-std=c99", *arguments], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def objects(tmp_path, programs):
    """Return what makes the objects of caller and model for a precision, a version and further flags."""

    def make(name, real, *flags, version="0.0.0"):
        folder = tmp_path / name
        folder.mkdir()
        result = generate(programs["pendulum"](), real=real, version=version)
        for file in result.artifacts:
            (folder / file.path).write_text(file.text)
        (folder / "caller.c").write_text(CALLER)
        answer = gcc(folder, *flags, "-c", "caller.c", "pendulum.c")
        assert answer.returncode == 0, answer.stderr
        return folder, result

    return make


def linked(caller, model):
    """Return whether a caller and a model link, and what the program prints."""
    answer = gcc(caller, "caller.o", str(model / "pendulum.o"), "-lm", "-o", "program")
    if answer.returncode:
        return False, answer.stderr
    return True, subprocess.run([caller / "program"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("real", "flags", "size"),
    [
        ("double", (), 8),
        ("float", (), 4),
        ("double", ("-DPENDULUM_USE_FLOAT",), 4),
        ("float", ("-DPENDULUM_USE_FLOAT",), 4),
        ("float", ("-DPENDULUM_USE_DOUBLE",), 8),
        ("double", ("-DPENDULUM_USE_DOUBLE",), 8),
    ],
)
def test_copied_files_keep_their_precision(real, flags, size, objects):
    """The header alone decides, unless a macro does; its comment has the size of the work struct that it declares."""
    folder, result = objects("m", real, *flags)
    works, text = linked(folder, folder)
    assert works
    assert text.split()[0] == str(size)
    if not flags:
        assert f"{text.split()[1]} bytes ({real})" in (folder / "pendulum.h").read_text()
        assert f"work {text.split()[1]} bytes ({real})" in (folder / "README.md").read_text()
        assert result.statistics.work_bytes == int(text.split()[1])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("double",), ("float",)),
        (("double",), ("double", "-DPENDULUM_USE_FLOAT")),
        (("float",), ("float", "-DPENDULUM_USE_DOUBLE")),
    ],
)
def test_halves_of_different_precision_do_not_link(first, second, objects):
    """A caller and a model of different precision are refused by the linker, either way round."""
    folders = [objects(name, *how)[0] for name, how in (("m", first), ("n", second))]
    for caller, model in (folders, folders[::-1]):
        assert linked(caller, caller)[0]
        works, message = linked(caller, model)
        assert not works
        assert re.search(r"pendulum_prepare_f(32|64)_[0-9a-f]{8}", message)


def test_halves_of_different_versions_do_not_link(objects):
    """The same model of another version of eomc is refused too."""
    old, _ = objects("old", "double")
    new, _ = objects("new", "double", version="0.0.1")
    assert not linked(old, new)[0]
    assert not linked(new, old)[0]


@pytest.mark.parametrize("name", ["m", "cart_pole", "eighteen_letters_x", "a_name_of_twenty_eight_chars"])
def test_the_linker_can_tell_the_name_apart(name, programs):
    """Not more than the 31 characters that C99 promises, the precision and eight digits last."""
    view = generate(eomc.compile(_named(name)).program).view
    for bits, text in ((64, view.code.link_double), (32, view.code.link_float)):
        assert len(text) <= 31
        assert re.fullmatch(rf"{name[:10]}\w*_f{bits}_[0-9a-f]{{8}}", text)
        assert text.endswith(view.code.interface_version[2:10])


def _named(name):
    import sympy
    from sympy.physics.mechanics import dynamicsymbols

    q = dynamicsymbols("q")
    return eomc.from_lagrangian(q.diff() ** 2 / sympy.Integer(2) - q**2, coordinates=[q], name=name)


def test_python_binds_float_without_a_macro(programs):
    """A float build is float in Python, and its numbers are those of float."""
    sim = eomc.compile(_named("bound"), real="float").load()
    value = sim.rhs(0.0, [0.1, 0.0])[1]
    assert value == pytest.approx(-0.2, rel=1e-6)
    assert abs(value + 0.2) > 1e-12


@pytest.mark.parametrize("real", ["float", "double"])
def test_what_float_loses_is_told(real, tmp_path):
    """m l^2 = 1e-50 kg m^2 is a moment of inertia in double; where float finds none, both programs say why."""
    build = eomc.compile(eomc.load("simple_pendulum"), real=real)
    build.write(tmp_path)
    subprocess.run(["make", "-s"], cwd=tmp_path, check=True)
    command = [tmp_path / "simple_pendulum", "--t-end", "0.001", "--set", "m=1e-30", "L=1e-10"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    lost = "in float a product below 1e-38, such as m l^2 of a small body, is lost"
    simulator, parameters = build.load(), {"m": 1e-30, "L": 1e-10}
    if real == "double":
        assert (answer.returncode, answer.stderr) == (0, "")
        assert simulator.rhs(0.0, [0.5, 0.0], parameters=parameters)[1] == pytest.approx(9.81e10 * math.cos(0.5))
        return
    assert answer.returncode != 0
    assert lost in answer.stderr
    with pytest.raises(SingularSystemError, match=re.escape(lost)):
        simulator.rhs(0.0, [0.5, 0.0], parameters=parameters)
