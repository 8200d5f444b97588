"""What the description says: units and dependencies are looked at here, for no checker does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sympy
from importer import MODEL_EXCHANGE, Importer
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import OutputError, UnsupportedError, UsageError
from eomc.fmu import write_fmu
from eomc.fmu.units import define_unit

pytestmark = pytest.mark.needs_cc

CAUSES = ("input", "parameter", "output")
EXPONENTS = {  # by the definitions of SI
    "N": {"kg": 1, "m": 1, "s": -2},
    "kg": {"kg": 1},
    "m": {"m": 1},
    "m/s": {"m": 1, "s": -1},
    "m/s^2": {"m": 1, "s": -2},
    "rad": {"rad": 1},
    "rad/s": {"rad": 1, "s": -1},
    "rad/s^2": {"rad": 1, "s": -2},
    "N m/rad": {"kg": 1, "m": 2, "s": -2, "rad": -1},
    "kg m^2": {"kg": 1, "m": 2},
    "N m": {"kg": 1, "m": 2, "s": -2},
}


def odd_model() -> eomc.Model:
    """Return a model with units as people write them, a name that is no identifier, and a kink."""
    angle, omega, torque = dynamicsymbols("angle omega torque")
    inertia, spring, friction = sympy.symbols("J k 'c\\\"<'")
    rate = (torque - spring * angle - friction * sympy.sign(omega)) / inertia
    return eomc.Model(
        name="odd",
        coordinates=[],
        speeds=[],
        extra_states={
            angle: (omega, "rad", 'angle < 1 & "more"\n of it'),
            omega: (rate, "rad/s"),
        },
        inputs={torque: (0.1, "N*m")},
        outputs={"power": (torque * omega, "W"), "half": sympy.Float(0.5) * angle},
        parameters={
            inertia: (2.0, "kg*m**2"),
            spring: (0.1, "N mm/deg"),
            friction: (sympy.Rational(1, 10), "N m"),
        },
        initial={angle: (30, "deg")},
        ranges={spring: (0.0, 100.0), angle: (-2.0, 3.0)},
    )


@pytest.fixture(scope="module")
def odd(tmp_path_factory) -> Importer:
    """Load the FMU of that model."""
    folder = tmp_path_factory.mktemp("odd")
    return Importer(write_fmu(eomc.compile(odd_model()), folder / "odd.fmu"), folder / "odd")


@pytest.fixture(params=["cart_pole", "bouncing_ball", pytest.param("odd", marks=pytest.mark.importers)])
def importer(request: pytest.FixtureRequest, tmp_path: Path) -> Importer:
    """Load one FMU or another."""
    if request.param == "odd":
        return request.getfixturevalue("odd")
    return Importer(request.getfixturevalue("written")[request.param], tmp_path)


def test_units_have_their_base_units(importer: Importer) -> None:
    """Every unit of a variable is defined, with the exponents of SI."""
    defined = {
        one.get("name"): {key: int(value) for key, value in one.find("BaseUnit").attrib.items()}
        for one in importer.root.iter("Unit")
    }
    used = {one.find("Real").get("unit") for one in importer.variables} - {None}
    assert used == set(defined)
    assert {name: EXPONENTS.get(name, exponents) for name, exponents in defined.items()} == defined


def test_a_unit_with_broken_exponents_has_no_base_units() -> None:
    """Exponents of a description are integers: a square root of metres is defined by its name alone."""
    assert define_unit("m^(1/2)").exponents is None
    assert dict(define_unit("V^2/ohm").exponents) == {"kg": 1, "m": 2, "s": -3}


@pytest.mark.importers
def test_units_are_shown_as_they_were_written(odd: Importer) -> None:
    """A number in a unit of the user's is its start times the factor of that unit: 0.1 N mm/deg, 30 degrees."""
    factors = {one.get("name"): float(one.get("factor")) for one in odd.root.iter("DisplayUnit")}
    shown = {}
    for one in odd.variables:
        real = one.find("Real")
        if real.get("displayUnit"):
            shown[one.get("name")] = float(real.get("start")) * factors[real.get("displayUnit")]
    assert shown["k"] == pytest.approx(0.1, rel=1e-14)
    assert shown["angle"] == pytest.approx(30.0, rel=1e-14)


@pytest.mark.importers
def test_what_is_written_is_read_back(odd: Importer) -> None:
    """Names are structured and unique, starts have every digit, bounds and sizes are those of the ranges."""
    by_name = {one.get("name"): one for one in odd.variables}
    assert len(by_name) == len(odd.variables)
    assert [int(one.get("valueReference")) for one in odd.variables] == list(range(len(odd.variables)))
    assert "der(angle)" in by_name
    assert by_name["angle"].get("description") == 'angle < 1 & "more" of it'
    assert by_name["angle"].find("Real").get("nominal") == "3.0"
    assert float(by_name["angle"].find("Real").get("start")) == eomc.compile(odd_model()).load().state()[0]
    assert (by_name["k"].find("Real").get("min"), by_name["k"].find("Real").get("max")) == ("0.0", "100.0")
    odd_names = [name for name in by_name if name.startswith("'")]
    assert len(odd_names) == 1


def test_dependencies_are_exact(importer: Importer) -> None:
    """At random states a rate or an output changes with what it is said to depend on, and with nothing else."""
    rng = np.random.default_rng(5)
    names = [one.get("name") for one in importer.variables]
    inputs = [one.get("name") for one in importer.variables if one.get("causality") == "input"]
    parameters = [one.get("name") for one in importer.variables if one.get("causality") == "parameter"]
    for title, known in (
        ("Outputs", [*importer.states, *inputs]),
        ("Derivatives", [*importer.states, *inputs]),
        ("InitialUnknowns", [*importer.states, *inputs, *parameters]),
    ):
        rows = importer.root.find(f"ModelStructure/{title}")
        assert len(rows)
        said = {
            (names[int(row.get("index")) - 1], names[int(k) - 1])
            for row in rows
            for k in row.get("dependencies").split()
        }
        unknown = [names[int(row.get("index")) - 1] for row in rows]
        seen = set()
        one = importer.instance(MODEL_EXCHANGE).begun()
        for _ in range(8):
            point = dict(zip(known, rng.uniform(0.5, 1.5, len(known)), strict=True))
            one.put(point)
            before = one.get(unknown)
            for name in known:
                for factor in (0.7, 1.3 if name in parameters else -1.0):  # a sign tells of kinks
                    one.put({name: factor * point[name]})
                    after = one.get(unknown)
                    seen |= {(row, name) for row, a, b in zip(unknown, before, after, strict=True) if a != b}
                one.put({name: point[name]})
        assert seen == said, title


def test_derivatives_are_those_of_the_values(importer: Importer) -> None:
    """Along random directions of states, inputs and parameters: central differences of what is given out."""
    rng = np.random.default_rng(6)
    kinds = {kind: [one.get("name") for one in importer.variables if one.get("causality") == kind] for kind in CAUSES}
    known = [*importer.states, *kinds["input"], *kinds["parameter"]]
    unknown = [*(one.get("name") for one in importer.rates), *kinds["output"]]
    assert importer.root.find("CoSimulation").get("providesDirectionalDerivative") == "true"
    one = importer.instance(MODEL_EXCHANGE).begun()
    for _ in range(5):
        point, seed = rng.uniform(0.5, 1.5, len(known)), rng.normal(size=len(known))
        sides = []
        for h in (1e-6, -1e-6):
            one.put(dict(zip(known, point + h * seed, strict=True)))
            sides.append(np.array(one.get(unknown)))
        one.put(dict(zip(known, point, strict=True)))
        found = np.array(one.derivatives(unknown, known, seed))
        assert abs(found - (sides[0] - sides[1]) / 2e-6).max() < 1e-7 * (1.0 + abs(found).max())


def test_derivatives_by_what_is_none_are_told(written, tmp_path: Path) -> None:
    """A rate is no known, a parameter is no unknown; a system without a solution has no derivatives."""
    importer = Importer(written["cart_pole"], tmp_path)
    one = importer.instance(MODEL_EXCHANGE).initialized()
    for unknown, known, words in (("der(x)", "der(x)", "a known is"), ("m", "x", "an unknown is")):
        with pytest.raises(AssertionError, match="GetDirectionalDerivative"):
            one.derivatives([unknown], [known], [1.0])
        assert words in one.log[-1]


def test_what_cannot_be_an_fmu_is_refused(tmp_path: Path) -> None:
    """What an FMU has no place for is told with a remedy; a file that is none is left alone."""
    with pytest.raises(UnsupportedError, match="leave out --real float"):
        write_fmu(eomc.compile(eomc.load("cart_pole"), real="float"), tmp_path / "a.fmu")
    with pytest.raises(UsageError, match="have outputs among its functions"):
        write_fmu(eomc.compile(eomc.load("cart_pole"), functions="energy"), tmp_path / "a.fmu")
    build = eomc.compile(eomc.load("henon_heiles"))
    with pytest.raises(UsageError, match=r"ends in \.fmu"):
        write_fmu(build, tmp_path / "a.zip")
    with pytest.raises(UsageError, match="dt must be a positive number"):
        write_fmu(build, tmp_path / "a.fmu", dt=0.0)
    for version in (1, "2", None):
        with pytest.raises(UsageError, match="fmi must be 2 or 3, not"):
            write_fmu(build, tmp_path / "a.fmu", fmi=version)
    (tmp_path / "mine.fmu").write_text("mine")
    with pytest.raises(OutputError, match="no Functional Mock-up Unit"):
        write_fmu(build, tmp_path / "mine.fmu")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.fmu"]


@pytest.mark.importers
def test_the_command_writes_one(eomc_command, tmp_path: Path) -> None:
    """`eomc fmu` takes the options of a build and the longest step."""
    path = tmp_path / "new" / "kepler.fmu"
    answer = eomc_command("fmu", "kepler", "-o", str(path), "--dt", "0.01", "--method", "hamilton")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("kepler: hamilton, 4 states, FMI 2.0, ")
    importer = Importer(path, tmp_path / "x")
    assert importer.root.find("DefaultExperiment").get("stepSize") == "0.01"
    answer = eomc_command("fmu", "kepler", "--dt", "0")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
