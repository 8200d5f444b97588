"""A name, a file or a robot description on the command line becomes a model, or one clear sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from eomc.errors import EomcError, ModelError, UsageError
from eomc.frontends.loading import load, shipped_models
from eomc.model import Model

OSCILLATOR = """
import sympy
from sympy.physics.mechanics import dynamicsymbols
from eomc.frontends.hamiltonian import from_hamiltonian
x, p = dynamicsymbols("x p")
m = sympy.Symbol("m")
def oscillator(name):
    return from_hamiltonian(p**2 / (2 * m) + x**2, coordinates=[x], momenta=[p], parameters={m: 1}, name=name)
"""


def write(folder: Path, text: str, name: str = "mine.py") -> Path:
    """Return the path of a file with `text` after the definition of an oscillator."""
    path = folder / name
    path.write_text(OSCILLATOR + text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", shipped_models())
def test_every_shipped_model_loads_under_its_own_name(name: str) -> None:
    """The module's name is the model's."""
    assert load(name).name == name


def test_shipped_models_are_listed_without_sympy() -> None:
    """Listing imports neither SymPy nor a model."""
    code = (
        "import sys; from eomc.frontends.loading import shipped_models; names = shipped_models();"
        "assert 'n_link_pendulum' in names and names == sorted(names);"
        "assert 'sympy' not in sys.modules, 'sympy'"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


def test_arguments_go_into_the_name() -> None:
    """n_link_pendulum:2 has three coordinates and is called n_link_pendulum_2."""
    model = load("n_link_pendulum:2")
    assert model.name == "n_link_pendulum_2"
    assert len(model.coordinates) == 3


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rolling_disc", "no shipped model 'rolling_disc': did you mean rolling_disk"),
        ("zzzz", "no shipped model 'zzzz': eomc models lists them all"),
        ("", "no shipped model ''"),
        ("n_link_pendulum:x", "'x' is no number"),
        ("n_link_pendulum:", "'' is no number"),
        ("n_link_pendulum:nan", "'nan' is not finite"),
        ("n_link_pendulum:1,2", "n_link_pendulum takes the arguments n"),
        ("n_link_pendulum:0", "positive whole number"),
        ("kepler:1", "kepler takes no arguments"),
        ("./none.py", "none.py: there is no such file"),
        ("none.py:model", "none.py: there is no such file"),
        ("robot.sdf", "robot.sdf: a model's file ends in .py, .urdf or .xml"),
        ("robot.urdf", "robot.urdf: there is no such file"),
        ("a/robot.urdf:angles", "a/robot.urdf: there is no such file"),
        ("folder/model", "folder/model: a model's file ends in .py"),
        ("n_link_pendulum:1.5", "positive whole number"),
    ],
)
def test_names_that_mean_nothing(spec: str, message: str) -> None:
    """UsageError with what to write instead."""
    with pytest.raises(UsageError, match=message) as caught:
        load(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["robot.urdf", "robot.xml"])
def test_a_folder_is_no_robot(tmp_path: Path, name: str) -> None:
    """It exists, and that is what the message says."""
    (tmp_path / name).mkdir()
    with pytest.raises(UsageError, match=f"{name}: this is a folder"):
        load(tmp_path / name)


def test_something_that_is_no_text() -> None:
    """A wrong type is a UsageError too."""
    with pytest.raises(UsageError, match="3 is no name of a model"):
        load(3)


def test_formats_that_are_not_read_are_not_offered(tmp_path: Path) -> None:
    """A description in SDF is no model file, and no message says that it were one."""
    path = tmp_path / "robot.sdf"
    path.write_text("<sdf/>", encoding="utf-8")
    for spec in (path, "robot.sdf", 3):
        with pytest.raises(UsageError) as caught:
            load(spec)
        assert "sdf" not in str(caught.value).removeprefix(str(spec))


def test_a_file_of_the_same_name_is_pointed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bare name is a shipped model; a file in the folder is reached by ./name.py."""
    write(tmp_path, "")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"write \./mine\.py"):
        load("mine")


@pytest.mark.parametrize(
    ("text", "suffix", "name"),
    [
        ("whatever = oscillator('one')", "", "one"),
        ("model = other = oscillator('one')", "", "one"),
        ("a = oscillator('one')\nmodel = oscillator('two')", "", "two"),
        ("a = oscillator('one')\nb = oscillator('two')", ":a", "one"),
        ("def model():\n    return oscillator('made')", "", "made"),
        ("def build():\n    return oscillator('made')", ":build", "made"),
        ("print_name = __name__\nif __name__ == '__main__':\n    1 / 0\na = oscillator('one')", "", "one"),
    ],
)
def test_which_object_of_a_file(tmp_path: Path, text: str, suffix: str, name: str) -> None:
    """The only Model, the one called model, the one asked for, or what a function of that name returns."""
    assert load(f"{write(tmp_path, text)}{suffix}").name == name


@pytest.mark.parametrize(
    ("text", "suffix", "error", "message"),
    [
        ("", "", ModelError, "there is no Model in this file"),
        (
            "a = oscillator('a')\nb = oscillator('b')",
            "",
            UsageError,
            r"several models, a, b: say which one, as in .*mine.py:a",
        ),
        ("a = oscillator('a')", ":b", UsageError, "there is no object 'b'; it has a"),
        ("a = 3", ":a", ModelError, "a is an int, not a Model; it has no Model"),
        ("def a():\n    return 3", ":a", ModelError, r"a\(\) returns an int, not a Model"),
        ("raise ValueError('boom\\nbang')", "", ModelError, r"mine\.py, line 9: ValueError: boom bang"),
        ("1 / 0", "", ModelError, r"mine\.py, line 9: ZeroDivisionError: division by zero"),
        ("raise KeyError", "", ModelError, r"mine\.py, line 9: KeyError$"),
        ("import sys\nsys.exit(3)", "", ModelError, r"mine\.py, line 10: the file ends the program"),
        ("def (", "", ModelError, r"mine\.py, line 9: SyntaxError: "),
        ("import no_such_module", "", ModelError, "ModuleNotFoundError: No module named 'no_such_module'"),
        ("oscillator('a b')", "", ModelError, r"mine\.py, line 8: the model's name 'a b' is no identifier"),
        ("def model():\n    return 1 / 0", "", ModelError, r"mine\.py, line 10: ZeroDivisionError"),
        ("x = '\\0'\n\0", "", ModelError, "mine.py"),
    ],
)
def test_files_with_mistakes(tmp_path: Path, text: str, suffix: str, error: type[EomcError], message: str) -> None:
    """A file's mistake is one sentence with file and line, never a traceback."""
    with pytest.raises(error, match=message) as caught:
        load(f"{write(tmp_path, text)}{suffix}")
    assert "\n" not in str(caught.value)


def test_a_file_sees_its_neighbours_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """The folder is importable while the file runs; two folders may hold neighbours of equal names."""
    before = list(sys.path)
    for folder, name in (("first", "one"), ("second", "two")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "neighbour_of_a_model.py").write_text(f"name = {name!r}", encoding="utf-8")
        path = write(tmp_path / folder, "import neighbour_of_a_model as n\na = oscillator(n.name)")
        assert load(path).name == name
    assert sys.path == before
    assert not [name for name in sys.modules if "neighbour_of_a_model" in name or name.startswith("_eomc_file_")]


def test_a_virtual_environment_beside_the_file_is_no_neighbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is installed below the file's folder stays loaded: a second copy of SymPy's classes would be strangers."""
    site = tmp_path / ".venv" / "site-packages"
    (site / "installed_for_a_model").mkdir(parents=True)
    (site / "installed_for_a_model" / "__init__.py").write_text("name = 'one'", encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    load(write(tmp_path, "import installed_for_a_model as n\na = oscillator(n.name)"))
    assert sys.modules.pop("installed_for_a_model", None) is not None


def test_a_shipped_file_can_be_loaded_as_a_file(root: Path) -> None:
    """A copy of a shipped model is a model file."""
    model = load(root / "generator" / "eomc" / "models" / "kepler.py")
    assert isinstance(model, Model)
    assert model.name == "kepler"
