"""Power series in emitted C: they solve the equations of motion, at every order, for every kind of model."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

import eomc
from eomc.backends.c99 import generate
from eomc.backends.c99.units import LARGEST
from eomc.errors import UnsupportedError
from eomc.frontends.loading import shipped_models
from eomc.ir.program import Program

pytestmark = pytest.mark.needs_cc

# Compares the slope of the series with `_rhs` at its value, at parts of the radius of convergence that the last
# coefficients tell; inputs vary. Returns the largest difference beside the largest slope.
DEFECT = r"""
#include "@.h"
#include <math.h>

double defect_@(double part, double rate);

double defect_@(double part, double rate)
{
    static @_constants c;
    static @_work work;
    static @_real series[@@_TAYLOR_ORDER + 1][@@_NX];
    @_inputs r[2], now;
    @_real x[@@_NX], dx[@@_NX], slope[@@_NX];
    double radius = 1e3, defect = 0.0, size = 1e-3;
    int i, k, n, s;

    r[0] = @_default_inputs;
    for (i = 0; i < (int)(sizeof(r[0]) / sizeof(@_real)); ++i) {
        ((@_real *)&r[1])[i] = (@_real)(rate * (1.0 + i));
    }
    for (i = 0; i < @@_NX; ++i) {
        x[i] = @_initial_state[i] + (@_real)(1e-3 * (i % 3));
    }
    if (@_prepare(&@_default_parameters, &c) != @@_OK || @_taylor_coefficients(0.3, x, r, &c, &work, series) != @@_OK) {
        return 1e300;
    }
    for (k = @@_TAYLOR_ORDER - 1; k <= @@_TAYLOR_ORDER; ++k) {
        for (i = 0; i < @@_NX; ++i) {
            if (fabs((double)series[k][i]) > 0.0) {
                radius = fmin(radius, pow(fabs((double)series[k][i]), -1.0 / k));
            }
        }
    }
    for (s = -2; s <= 2; ++s) {
        const double h = 0.5 * s * part * radius;

        for (i = 0; i < @@_NX; ++i) {
            x[i] = series[@@_TAYLOR_ORDER][i];
            slope[i] = 0;
            for (n = @@_TAYLOR_ORDER - 1; n >= 0; --n) {
                slope[i] = (@_real)(slope[i] * h + x[i]);
                x[i] = (@_real)(x[i] * h + series[n][i]);
            }
        }
        for (i = 0; i < (int)(sizeof now / sizeof(@_real)); ++i) {
            ((@_real *)&now)[i] = ((@_real *)&r[0])[i] + (@_real)h * ((@_real *)&r[1])[i];
        }
        if (@_rhs((@_real)(0.3 + h), x, &now, &c, &work, dx) != @@_OK) {
            return 1e300;
        }
        for (i = 0; i < @@_NX; ++i) {
            size = fmax(size, fabs((double)dx[i]));
            defect = fmax(defect, fabs((double)(dx[i] - slope[i])));
        }
    }
    return defect / size;
}
"""

KINKED = {"coulomb_bead"}
"""Shipped models whose equations have kinks."""


def series_program(name: str, method: str | None = None, constraints: str = "eliminated") -> Program:
    """Return the program of a shipped model with its power series and its right-hand side alone."""
    return eomc.compile(eomc.load(name), method, constraints=constraints, functions=["taylor_coefficients"]).program


class Shared:
    """Programs in one library."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.names: list[str] = []

    def add(self, program: Program, largest: int = LARGEST) -> str:
        """Write a program, and what measures its defect; return its name."""
        result = generate(program, version="0.0.0", largest=largest)
        name = result.view.name
        for artifact in result.artifacts:
            if artifact.kind in ("header", "source"):
                (self.path / artifact.path).write_text(artifact.text, encoding="utf-8")
        text = DEFECT.replace("@@", name.upper()).replace("@", name)
        (self.path / f"defect_{name}.c").write_text(text, encoding="utf-8")
        self.names.append(name)
        return name

    def load(self, real: str = "double", order: int = 30, optimize: str = "-O0") -> ctypes.CDLL:
        """Compile all."""
        if shutil.which("gcc") is None:
            pytest.skip("gcc is missing")
        macros = [f"-D{name.upper()}_TAYLOR_ORDER={order}" for name in self.names]
        macros += [f"-D{name.upper()}_USE_FLOAT" for name in self.names] if real == "float" else []
        sources = sorted(path.name for path in self.path.glob("*.c"))
        command = ["gcc", "-std=c99", optimize, "-shared", "-fPIC", *macros, *sources, "-o", f"{real}.so", "-lm"]
        answer = subprocess.run(command, cwd=self.path, capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stderr[:4000]
        return ctypes.CDLL(str(self.path / f"{real}.so"))


def defect(library: ctypes.CDLL, name: str, part: float = 0.3, rate: float = 0.5) -> float:
    """Return how far the series is from solving the equations."""
    function = getattr(library, f"defect_{name}")
    function.restype = ctypes.c_double
    return float(function(ctypes.c_double(part), ctypes.c_double(rate)))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("part", range(4))
def test_every_shipped_model_has_its_series(part: int, tmp_path: Path) -> None:
    """At order 30 and 0.3 of the radius what is cut off is 1e-16: every coefficient up to the twentieth shows."""
    shared = Shared(tmp_path)
    for name in shipped_models()[part::4]:
        if name in KINKED:
            with pytest.raises(
                UnsupportedError, match=r"taylor_coefficients: abs.*has no power series.*such as dop853"
            ):
                series_program(name)
        else:
            shared.add(series_program(name))
    library = shared.load()
    found = {name: defect(library, name) for name in shared.names}
    assert found == dict.fromkeys(found, pytest.approx(0, abs=1e-10))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("constraints", ["eliminated", "augmented", "range-space", "null-space"])
@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton", "hamilton-multipliers"])
@pytest.mark.parametrize("name", ["four_bar", "slider_crank"])
def test_constrained_systems(name: str, method: str, constraints: str, tmp_path: Path) -> None:
    """Bordered systems of all forms; the multipliers are part of the series."""
    shared = Shared(tmp_path)
    shared.add(series_program(name, method, constraints))
    assert defect(shared.load(), name) < 1e-10


@pytest.mark.parametrize("name", ["two_link_arm", "n_link_pendulum:22"])
def test_several_files_and_floats(name: str, tmp_path: Path) -> None:
    """A model in several files, and a long one with a kernel; floats have a series of fewer orders."""
    shared = Shared(tmp_path)
    made = shared.add(series_program(name), largest=40 if name == "two_link_arm" else LARGEST)
    assert defect(shared.load(), made, rate=0.0) < 1e-10
    assert defect(shared.load("float", order=9), made, part=0.1, rate=0.0) < 1e-4


@pytest.mark.parametrize("name", ["double_pendulum", "two_link_arm", "henon_heiles", "vertical_rolling_disk"])
def test_compilers_find_nothing_to_say(name: str, emit, silent) -> None:
    """Both compilers under the strictest flags, in both precisions."""
    folder = emit(series_program(name))
    silent(folder.path, folder.macro, folder.sources)


def test_products_are_vectors(emit) -> None:
    """At -O2 gcc makes vectors of the sums over orders, which keep them in registers: no fast-math, no intrinsics."""
    if shutil.which("objdump") is None:
        pytest.skip("objdump is missing")
    folder = emit(series_program("double_pendulum"))
    folder.compile(["gcc", "-std=c99", "-O2", "-c", f"{folder.name}.c", "-o", "model.o"])
    code = folder.run(["objdump", "-d", "model.o"]).stdout
    if "xmm" not in code:
        pytest.skip("no SSE2 here")
    assert code.count("mulpd") >= 4


@pytest.mark.parametrize(("method", "products", "squares"), [("kane", 16, 4), ("lagrange", 16, 0), ("hamilton", 20, 0)])
def test_products_of_the_double_pendulum(method: str, products: int, squares: int) -> None:
    """In whole groups of four: M u' = f is one system, whose two varying entries take a product each."""
    form = "taylor" if method == "hamilton" else f"taylor:{method}"
    program = eomc.compile(eomc.load("double_pendulum"), method, functions=(), integrator=form).program
    sizes = {array.name: array.size for array in program.series[1].arrays}
    assert (sizes["first"], sizes.get("squared", 0)) == (products, squares)


def test_a_singular_state_is_told(tmp_path: Path) -> None:
    """A disk that lies flat: the status and the check are those of the right-hand side."""
    shared = Shared(tmp_path)
    program = series_program("rolling_disk")
    shared.add(program)
    library = shared.load()
    buffers = [ctypes.create_string_buffer(1 << 16) for _ in range(3)]  # constants, work, series
    state, inputs = (ctypes.c_double * 8)(), (ctypes.c_double * 8)()
    parameters = (ctypes.c_double * len(program.parameters))(*(p.value for p in program.parameters))
    view = generate(program, version="0.0.0").view
    assert getattr(library, view.code.link_double)(parameters, buffers[0]) == 0
    arguments = (ctypes.c_double(0.0), state, inputs, *buffers[:2])
    assert library.rolling_disk_taylor_coefficients(*arguments, buffers[2]) == 1
    assert library.rolling_disk_rhs(*arguments, buffers[2]) == 1
