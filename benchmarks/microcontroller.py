"""Instructions of a Runge-Kutta step on an emulated Cortex-M4, beside C that CasADi generates for the same mechanisms.

python benchmarks/microcontroller.py [MODEL ...] [--math M] [--steps N]

CasADi (`pip install casadi`) is given velocities of mass centres and angular velocities, takes partial velocities and
M u' = f from them and solves by its own symbolic elimination; the dependent speeds of the linkage are solved for by
hand's choice. Its right-hand side is a bare function; the step around it is ours. Its float calls the double sin as it
comes, and is counted with sin replaced by sinf, too. Both sides give the same derivative at the start, or this ends.
Bytes are those of the smallest program: start-up code, `_prepare` and steps for ever, linked at -Os.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from reporting import print_machine, print_table

import eomc
from eomc.build import Build

TARGET = "cortex-m4"

DRIVER = """
#include "port.h"

int rhs(const REAL **arg, REAL **res, long long int *iw, REAL *w, int mem);

static const REAL p[] = {@p};
static REAL x[] = {@x};
static REAL w[@w + 1];
static long long int iw[@iw + 1];

static void slope(const REAL *state, REAL *k)
{
    const REAL *arg[@args];
    REAL *res[@results];

    arg[0] = state;
    arg[1] = p;
    res[0] = k;
    (void)rhs(arg, res, iw, w, 0);
}

static void step(REAL h)
{
    REAL k[4][@n];
    REAL y[@n];
    int i;

    slope(x, k[0]);
    for (i = 0; i < @n; ++i) {
        y[i] = x[i] + h / 2 * k[0][i];
    }
    slope(y, k[1]);
    for (i = 0; i < @n; ++i) {
        y[i] = x[i] + h / 2 * k[1][i];
    }
    slope(y, k[2]);
    for (i = 0; i < @n; ++i) {
        y[i] = x[i] + h * k[2][i];
    }
    slope(y, k[3]);
    for (i = 0; i < @n; ++i) {
        x[i] += h / 6 * (k[0][i] + 2 * (k[1][i] + k[2][i]) + k[3][i]);
    }
}

int main(void)
{
    uint64_t sum = 0;
    uint32_t last;
    int i;
    char text[12];
    int place = 11;

    port_start();
    last = port_clock();
    for (i = 0; i < @steps; ++i) {
        uint32_t now;

        step((REAL)0.001);
        now = port_clock();
        sum += (now - last) & port_clock_mask;
        last = now;
    }
    sum = sum * port_clock_numerator / port_clock_denominator / @steps;
    text[place] = 0;
    do {
        text[--place] = (char)('0' + (char)(sum % 10));
        sum /= 10;
    } while (sum > 0);
    port_write("a step ");
    port_write(&text[place]);
    port_write("\\n");
    return port_end(0);
}
"""


FIRMWARE = """
#include "@.h"

int main(void)
{
    static @_constants constants;
    static @_work work;
    static @_real x[@@_NX];
    volatile @_real *const shown = x;
    int k;

    for (k = 0; k < @@_NX; ++k) {
        shown[k] = @_initial_state[k];
    }
    (void)@_prepare(&@_default_parameters, &constants);
    for (;;) {
        (void)@_rk4_step_held(0, (@_real)0.001, &@_default_inputs, &constants, &work, x);
    }
}
"""


def projected(cas: Any, q: Any, u: Any, rates: Any, bodies: Sequence[tuple[Any, ...]], along: Any = 0.0) -> Any:
    """Return u' of Kane's equations; of each body mass, inertia, v, w, the frame's own rotation and force.

    `along`: generalized forces beside.
    """
    size = u.shape[0]
    matrix, forcing = cas.SX(size, size), cas.SX(size, 1)
    for mass, inertia, v, w, turning, force in bodies:
        partial, angular = cas.jacobian(v, u), cas.jacobian(w, u)
        bias = cas.jacobian(v, q) @ rates + cas.cross(turning, v)
        spin = inertia @ w
        angular_bias = inertia @ (cas.jacobian(w, q) @ rates) + cas.cross(turning, spin)
        matrix += mass * partial.T @ partial + angular.T @ inertia @ angular
        forcing += partial.T @ (force - mass * bias) - angular.T @ angular_bias
    return cas.solve(matrix, forcing + along)


def double_pendulum(cas: Any) -> tuple[Any, ...]:
    """Two masses in a plane, absolute angles."""
    q, u, p = cas.SX.sym("q", 2), cas.SX.sym("u", 2), cas.SX.sym("p", 5)
    m1, m2, l1, l2, g = cas.vertsplit(p)
    none, still = cas.SX(3, 3), cas.SX(3, 1)
    first = cas.vertcat(l1 * cas.cos(q[0]) * u[0], l1 * cas.sin(q[0]) * u[0], 0)
    second = first + cas.vertcat(l2 * cas.cos(q[1]) * u[1], l2 * cas.sin(q[1]) * u[1], 0)
    bodies = [(m, none, v, still, still, cas.vertcat(0, -m * g, 0)) for m, v in ((m1, first), (m2, second))]
    return q, u, p, u, projected(cas, q, u, u, bodies)


def cart_pole(cas: Any) -> tuple[Any, ...]:
    """Take no force on the cart."""
    q, u, p = cas.SX.sym("q", 2), cas.SX.sym("u", 2), cas.SX.sym("p", 4)
    cart, m, length, g = cas.vertsplit(p)
    none, still = cas.SX(3, 3), cas.SX(3, 1)
    v = cas.vertcat(u[0] + length * cas.cos(q[1]) * u[1], length * cas.sin(q[1]) * u[1], 0)
    bodies = [
        (cart, none, cas.vertcat(u[0], 0, 0), still, still, still),
        (m, none, v, still, still, cas.vertcat(0, -m * g, 0)),
    ]
    return q, u, p, u, projected(cas, q, u, u, bodies)


def spherical_pendulum(cas: Any) -> tuple[Any, ...]:
    """By its Lagrangian: the azimuth's frame turns."""
    q, u, p = cas.SX.sym("q", 2), cas.SX.sym("u", 2), cas.SX.sym("p", 3)
    m, length, g = cas.vertsplit(p)
    position = length * cas.vertcat(cas.sin(q[0]) * cas.cos(q[1]), cas.sin(q[0]) * cas.sin(q[1]), -cas.cos(q[0]))
    energy = m / 2 * cas.sumsqr(cas.vertcat(length * u[0], length * cas.sin(q[0]) * u[1]))
    lagrangian = energy - m * g * position[2]
    momenta = cas.gradient(lagrangian, u)
    matrix = cas.jacobian(momenta, u)
    return q, u, p, u, cas.solve(matrix, cas.gradient(lagrangian, q) - cas.jacobian(momenta, q) @ u)


def rolling_disk(cas: Any) -> tuple[Any, ...]:
    """In the frame that leans but does not spin."""
    q, u, p = cas.SX.sym("q", 5), cas.SX.sym("u", 3), cas.SX.sym("p", 5)
    m, radius, across, along, g = cas.vertsplit(p)
    sine, cosine = cas.sin(q[0]), cas.cos(q[0])
    heading = u[1] / sine
    spin = u[2] - heading * cosine
    rates = cas.vertcat(u[0], heading, spin, -radius * spin * cas.cos(q[1]), -radius * spin * cas.sin(q[1]))
    turning = cas.vertcat(u[0], u[1], heading * cosine)
    v = cas.vertcat(-radius * u[2], 0, radius * u[0])
    gravity = -m * g * cas.vertcat(0, sine, cosine)
    inertia = cas.diag(cas.vertcat(across, across, along))
    return q, u, p, rates, projected(cas, q, u, rates, [(m, inertia, v, u, turning, gravity)])


def four_bar(cas: Any, torque: Any = 0.0) -> tuple[Any, ...]:
    """Take the crank, which the torque turns, as independent: coupler and rocker follow by J_D^-1 J_I."""
    q, u, p = cas.SX.sym("q", 3), cas.SX.sym("u", 3), cas.SX.sym("p", 8)
    a, b, c, _, m1, m2, m3, g = cas.vertsplit(p)
    sines, cosines = cas.sin(q), cas.cos(q)
    rows = cas.vertcat(
        cas.horzcat(-a * sines[0], -b * sines[1], c * sines[2]),
        cas.horzcat(a * cosines[0], b * cosines[1], -c * cosines[2]),
    )
    crank = cas.SX.sym("crank")
    rates = cas.vertcat(crank, -cas.solve(rows[:, 1:], rows[:, 0]) * crank)
    still, planar = cas.SX(3, 1), []
    pin = cas.vertcat(-a * sines[0], a * cosines[0], 0) * rates[0]
    for k, (mass, length, start) in enumerate(((m1, a, still), (m2, b, pin), (m3, c, still))):
        v = start + length / 2 * cas.vertcat(-sines[k], cosines[k], 0) * rates[k]
        inertia = mass * length**2 / 12 * cas.diag(cas.vertcat(0, 0, 1))
        planar.append((mass, inertia, v, cas.vertcat(0, 0, rates[k]), still, cas.vertcat(0, -mass * g, 0)))
    acceleration = projected(cas, q, crank, rates, planar, torque)
    dependent = cas.jacobian(rates, crank) * acceleration + cas.jacobian(rates, q) @ rates
    return q, u, p, u, cas.substitute(dependent, crank, u[0])


PEERS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    peer.__name__: peer for peer in (double_pendulum, rolling_disk, spherical_pendulum, cart_pole, four_bar)
}


def instructions(command: Sequence[str], folder: Path) -> int:
    """Return what a program says that a step takes."""
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    found = re.search(r"a step (\d+)", done.stdout + done.stderr)
    assert found is not None, done.stdout + done.stderr
    return int(found[1])


def ours(build: Build, folder: Path, steps: int) -> int:
    """Return the instructions of a step of ours; the folder keeps its files."""
    assert build.target is not None
    build.write(folder)
    return instructions(["make", "-s", build.target.runs, f"STEPS={steps}"], folder)


def size(build: Build, folder: Path) -> int:
    """Return the bytes of code and constants of the smallest program; the files are in the folder."""
    target, view = build.target, build.view
    assert target is not None
    text = FIRMWARE.replace("@@", view.macro).replace("@", view.name)
    (folder / "firmware.c").write_text(text)
    sources = ["firmware.c", *(file.path for file in build.library if file.kind == "source"), f"{target.name}/port.c"]
    command = [
        f"{target.prefix}gcc", "-std=c99", "-Os", "-ffunction-sections", "-fdata-sections", "-fno-math-errno",
        *build.flags, *target.flags, "-I.", f"-I{target.name}", "-nostartfiles", "-T", f"{target.name}/link.ld",
        "-Wl,--gc-sections", "-o", "firmware.elf", *sources, "-lm",
    ]  # fmt: skip
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    told = subprocess.run(
        [f"{target.prefix}size", "firmware.elf"], cwd=folder, check=True, capture_output=True, text=True
    )
    return int(told.stdout.splitlines()[1].split()[0])


def theirs(function: Any, build: Build, folder: Path, steps: int, mended: bool = False) -> int:
    """Return the instructions of a step of CasADi's right-hand side in the same program, on the same machine.

    `mended`: calls of sin and cos become those of sinf and cosf.
    """
    target = build.target
    assert target is not None
    function.generate("casadi_rhs.c", {"casadi_real": build.real, "with_header": False})
    generated = Path("casadi_rhs.c")  # CasADi writes where it stands
    text = generated.read_text()
    generated.unlink()
    if mended:
        text = re.sub(r"\b(sin|cos)\(", r"\1f(", text)
    (folder / "casadi_rhs.c").write_text(text)
    program = build.program
    words = {
        "@p": ", ".join(repr(one.value) for one in program.parameters),
        "@x": ", ".join(repr(one.value) for one in program.states),
        "@args": str(function.sz_arg()), "@results": str(function.sz_res()),
        "@w": str(function.sz_w()), "@iw": str(function.sz_iw()),
        "@n": str(len(program.states)), "@steps": str(steps),
    }  # fmt: skip
    text = DRIVER
    for word in sorted(words, key=len, reverse=True):
        text = text.replace(word, words[word])
    (folder / "casadi_main.c").write_text(text)
    command = [
        f"{target.prefix}gcc", "-std=c99", "-O2", "-ffunction-sections", "-fdata-sections", "-fno-math-errno",
        *target.flags, f"-DREAL={build.real}", f"-I{target.name}", "-nostartfiles", "-T", f"{target.name}/link.ld",
        "-Wl,--gc-sections", "-o", "casadi.elf", "casadi_main.c", "casadi_rhs.c", f"{target.name}/port.c", "-lm",
    ]  # fmt: skip
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return instructions([*target.emulator.split(), "casadi.elf"], folder)


def row(cas: Any, name: str, real: str, math: str, steps: int) -> list[str]:
    """Return a model's figures in one precision."""
    model = eomc.load(name)
    method = None if "kane" not in model.methods else "kane"
    build = eomc.compile(model, method, real=real, math=math, target=TARGET, functions=[])
    q, u, p, rates, accelerations = PEERS[name](cas)
    function = cas.Function("rhs", [cas.vertcat(q, u), p], [cas.vertcat(rates, accelerations)])
    x = eomc.compile(model, method).initial_state()
    values = [one.value for one in build.program.parameters]
    np.testing.assert_allclose(
        np.array(function(x, values)).ravel(), eomc.compile(model, method).load().rhs(0.0, x), rtol=1e-9, atol=1e-9
    )
    with tempfile.TemporaryDirectory() as folder:
        mine, bytes_ = ours(build, Path(folder), steps), size(build, Path(folder))
        plain = theirs(function, build, Path(folder), steps)
        mended = theirs(function, build, Path(folder), steps, mended=True) if real == "float" else plain
    return [
        name,
        real,
        str(mine),
        str(plain),
        str(mended) if real == "float" else "",
        f"{mine / mended:.2f}",
        str(bytes_),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", metavar="MODEL", nargs="*", default=list(PEERS), help=", ".join(PEERS))
    parser.add_argument("--math", default="fast", help="own mathematics: fast, strict, or libm")
    parser.add_argument("--steps", type=int, default=300)
    options = parser.parse_args()
    try:
        import casadi as cas
    except ImportError:
        raise SystemExit("casadi is missing: pip install casadi") from None
    print_machine()
    rows = [
        row(cas, name, real, options.math, options.steps) for real in ("float", "double") for name in options.models
    ]
    print_table(["model", "real", f"eomc {options.math}", "CasADi", "with sinf", "ratio", "bytes"], rows)


if __name__ == "__main__":
    main()
