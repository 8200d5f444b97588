"""The parts of a report: well-formed, with the numbers that closed forms have."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc import report
from eomc.report.formulas import LONGEST, MOST

pytestmark = pytest.mark.needs_cc


def rows(markup: str) -> list[list[str]]:
    """Return the texts of a table's cells."""
    root = ElementTree.fromstring(f"<div>{markup}</div>")
    return [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]


def hanging(damping: float = 0.0, theta0: float = 0.0, spins: float = 0.0) -> eomc.Model:
    """Return a pendulum of length 0.5 m with damping about a pivot, on a wheel that spins freely."""
    theta, phi = dynamicsymbols("theta phi")
    m, length, g, c = sympy.symbols("m l g c")
    t = dynamicsymbols._t
    lagrangian = m * length**2 * (theta.diff(t) ** 2 + phi.diff(t) ** 2) / 2 + m * g * length * sympy.cos(theta)
    return eomc.from_lagrangian(
        lagrangian,
        coordinates=[theta, phi],
        generalized_forces={theta: -c * theta.diff(t)},
        parameters={m: (2.0, "kg", "the <bob>"), length: (50, "cm"), g: (9.81, "m/s^2"), c: (damping, "N m s")},
        initial={theta: theta0, phi.diff(t): spins},
        name="hanging",
    )


def test_parameters_have_their_values_in_si() -> None:
    """Letter, name, value, unit, meaning; a value of a run takes the place of the default."""
    build = eomc.compile(hanging(0.25))
    found = {row[1]: row for row in rows(report.parameters(build, {"g": 1.62}))}
    assert found["m"] == ["m", "m", "2", "kg", "the <bob>"]
    assert found["l"][2:4] == ["0.5", "m"]
    assert found["g"][2:4] == ["1.62", "m/s\u00b2"]
    assert report.inputs(build) == ""
    assert report.outputs(build) == ""
    names = [row[1] for row in rows(report.states(build))[1:]]
    assert tuple(names) == build.load().state_names


def test_letters_are_those_of_the_equations() -> None:
    """What a table calls a symbol occurs in the equations so."""
    build = eomc.compile(eomc.load("four_bar"))
    equations = report.equations(build)
    for letter in re.findall(
        r"<td><math>(.*?)</math></td>", report.parameters(build).replace(' displaystyle="true"', "")
    ):
        assert letter in equations


@pytest.mark.parametrize("damping", [0.0, 0.25])
def test_eigenvalues_about_an_equilibrium(damping: float) -> None:
    """s^2 + (c/m l^2) s + g/l = 0, and twice zero of the wheel that nothing turns."""
    build = eomc.compile(hanging(damping))
    found = report.modes(build, build.load().simulate(t_end=0.1))
    assert "The start is an equilibrium" in found
    ((s, frequency, ratio),) = (row for row in rows(found)[1:] if "\u00b1" in row[0])
    omega, delta = np.sqrt(9.81 / 0.5), damping / (2 * 2.0 * 0.5**2)
    real, imaginary = (float(one.strip(" i")) for one in s.split("\u00b1"))
    assert real == pytest.approx(-delta, abs=1e-6)
    assert imaginary == pytest.approx(np.sqrt(omega**2 - delta**2), rel=1e-5)
    assert float(frequency) == pytest.approx(omega, rel=1e-5)
    assert float(ratio) == pytest.approx(delta / omega, rel=1e-5, abs=1e-6)


def test_a_steady_motion_is_none_at_rest_and_others_have_no_eigenvalues() -> None:
    """The wheel spins: steady. The pendulum falls: nothing is told."""
    build = eomc.compile(hanging(spins=3.0))
    assert "The start is a steady motion" in report.modes(build, build.load().simulate(t_end=0.1))
    build = eomc.compile(hanging(theta0=1.0))
    assert report.modes(build, build.load().simulate(t_end=0.1)) == ""


def test_energies_say_how_far_they_go() -> None:
    """A damped pendulum loses its energy; a point mass without energy of its own has no chart."""
    build = eomc.compile(hanging(0.25, theta0=1.0))
    found = report.energies(build.load().simulate(t_end=20.0, dt=1e-2))
    root = ElementTree.fromstring(found)
    assert [one.text for one in root.iter("span")] == ["kinetic", "potential", "total"]
    told = re.search(r"Total energy (\S+) J at first, (\S+) J at last", found)
    assert told is not None
    weight = 2.0 * 9.81 * 0.5
    assert float(told[1]) == pytest.approx(-weight * np.cos(1.0), rel=1e-5)
    assert float(told[2]) == pytest.approx(-weight, rel=1e-3)


def test_an_energy_that_is_kept_is_a_line() -> None:
    """Rounding does not fill the chart: the wheel alone spins, all energies are level."""
    build = eomc.compile(hanging(spins=3.0))
    found = report.energies(build.load().simulate(t_end=10.0))
    for path in (one.attrib["d"] for one in ElementTree.fromstring(found).iter("path") if "stroke" in one.attrib):
        heights = np.array([int(one[1]) for one in re.findall(r"l(-?\d+) ?(-?\d+)", path)])
        assert np.abs(np.cumsum(heights)).max() <= 1


def parts_of(name: str) -> Iterator[str]:
    """Yield all parts of a model but its picture."""
    build = eomc.compile(eomc.load(name))
    run = build.load().simulate(t_end=0.2)
    for table in (report.parameters, report.inputs, report.states, report.outputs, report.operations, report.equations):
        yield table(build)
    yield report.energies(run)
    yield report.modes(build, run)


@pytest.mark.parametrize("name", ["rolling_disk", "bouncing_ball", "kepler", "n_link_pendulum:4", "four_bar"])
def test_parts_are_well_formed(name: str) -> None:
    """Each is XML, and no TeX is left in it."""
    for part in parts_of(name):
        ElementTree.fromstring(f"<div>{part}</div>")
        assert not re.search(r"\\[a-z]+|\$|\^\{", part)


def test_equations_are_those_that_the_command_prints() -> None:
    """The same formulas, but for the spelling of characters and of what a style says."""
    build = eomc.compile(eomc.load("cart_pole"))
    printed = eomc.equations(build.model).html

    def formulas(text: str) -> list[str]:
        root = ElementTree.fromstring(f"<div>{text}</div>")
        for one in root.iter():
            one.attrib.pop("displaystyle", None)
            one.tail = None
        return [ElementTree.tostring(one, "unicode") for one in root.iter("math")]

    whole = printed[printed.index("<section>") : printed.rindex("</section>") + len("</section>")]
    assert formulas(report.equations(build)) == formulas(whole)


def test_long_equations_are_left_out_with_what_prints_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """By operations before they are printed, by bytes after that."""
    build = eomc.compile(eomc.load("n_link_pendulum:40"), functions=[])
    found = report.equations(build, "n_link_pendulum:40")
    assert f"more than the {MOST} that a page has" in found
    assert "<code>eomc equations n_link_pendulum:40</code>" in found
    assert "<math" not in found
    monkeypatch.setattr("eomc.report.formulas.LONGEST", 1000)
    found = report.equations(eomc.compile(eomc.load("cart_pole")))
    assert "are more than the 1 kB that a page has" in found
    assert "<code>print(eomc.equations(model))</code>" in found
    assert LONGEST > 1000


def test_a_tree_of_joints_has_its_short_form() -> None:
    """Many joints: a table of them and the recursion over one, as `eomc equations` prints."""
    build = eomc.compile(eomc.load("n_link_pendulum:4"))
    assert len(report.equations(build)) > 1000


def test_units_that_were_ignored_stay_so() -> None:
    """A page of a build whose units do not agree has its equations all the same."""
    q = dynamicsymbols("q")
    m, k = sympy.symbols("m k")
    lagrangian = m * q.diff(dynamicsymbols._t) ** 2 / 2 - k * q**2 / 2
    model = eomc.from_lagrangian(
        lagrangian, coordinates=[q], parameters={m: (2.0, "kg"), k: (8.0, "N")}, initial={q: (1.0, "m")}, name="wrong"
    )
    with pytest.raises(eomc.errors.ModelError, match="the Lagrangian"):
        eomc.compile(model)
    assert "<math" in report.equations(eomc.compile(model, units="ignore"))
