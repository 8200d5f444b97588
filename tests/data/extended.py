"""Motions of the Test Set for IVP Solvers in long arithmetic, by equations written out here: no part of eomc is used.

    python tests/data/extended.py pleiades car_axis andrews        # prints the ends of the motions
    python tests/data/extended.py --write                          # all, into reference/extended.yaml

Steps of the explicit midpoint rule, extrapolated in h^2 (Gragg, Bulirsch and Stoer; Hairer, Norsett and Wanner, Solving
ODEs I, section II.9), in mpmath with 50 digits. Constraints are differentiated twice and solved with M for q'' and
lambda, M q'' + J^T lambda = f. Each motion is computed twice, with orders and tolerances apart; what is written has as
many digits as both have in common. It takes some minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import yaml
from mpmath import mp, mpc, mpf

Vector: TypeAlias = list[mpf]
PLACE = Path(__file__).with_name("reference")
mp.dps = 50
WAYS = ((15, mpf(10) ** -30), (11, mpf(10) ** -27))
"""Columns of the extrapolation, and the tolerance of a step."""


class Motion(NamedTuple):
    """x' = rates(t, x) from x at t = 0; multipliers at a state where there are constraints."""

    rates: Callable[[mpf, Vector], Vector]
    start: Vector
    t_end: mpf
    first_step: mpf
    multipliers: Callable[[mpf, Vector], Vector] | None = None


# -- integration and linear systems ------------------------------------------------------------------------------------


def midpoint(motion: Motion, t: mpf, x: Vector, slope: Vector, step: mpf, count: int) -> Vector:
    """Return x(t + step) by an even number of midpoint steps after one of Euler's: an error in even powers of h."""
    h = step / count
    before, here = x, [a + h * b for a, b in zip(x, slope, strict=True)]
    for k in range(1, count):
        rates = motion.rates(t + k * h, here)
        before, here = here, [a + 2 * h * b for a, b in zip(before, rates, strict=True)]
    return here


def extrapolated(motion: Motion, t: mpf, x: Vector, step: mpf, columns: int) -> tuple[Vector, mpf]:
    """Return x(t + step), and how far the last two columns are apart."""
    slope = motion.rates(t, x)
    row: list[Vector] = []
    for j in range(columns):
        above, row = row, [midpoint(motion, t, x, slope, step, 2 * (j + 1))]
        for k in range(j):
            ratio = (mpf(j + 1) / (j - k)) ** 2 - 1
            row.append([a + (a - b) / ratio for a, b in zip(row[k], above[k], strict=True)])
    apart = max(abs(a - b) / (1 + abs(a)) for a, b in zip(row[-1], row[-2], strict=True))
    return row[-1], apart


def end(motion: Motion, columns: int, tolerance: mpf) -> Vector:
    """Return x at the end."""
    t, x, step = mpf(0), motion.start, motion.first_step
    while t < motion.t_end:
        step = min(step, motion.t_end - t)
        new, error = extrapolated(motion, t, x, step, columns)
        factor = mpf("0.8") * (tolerance / max(error, tolerance / 1e6)) ** (mpf(1) / (2 * columns - 1))
        if error <= tolerance:
            t, x = t + step, new
        step *= factor
    return x


def solved(matrix: list[Vector], right: Vector) -> Vector:
    """Return the solution of a linear system, by elimination with partial pivots."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for j in range(n):
        pivot = max(range(j, n), key=lambda i: abs(rows[i][j]))
        rows[j], rows[pivot] = rows[pivot], rows[j]
        for i in range(j + 1, n):
            if rows[i][j]:
                factor = rows[i][j] / rows[j][j]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[j], strict=True)]
    x = [mpf(0)] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - mp.fdot(rows[i][i + 1 : n], x[i + 1 :])) / rows[i][i]
    return x


def bordered(M: list[Vector], J: list[Vector], f: Vector, gamma: Vector) -> tuple[Vector, Vector]:
    """Return q'' and lambda of M q'' + J^T lambda = f, J q'' = gamma."""
    n, m = len(M), len(J)
    above = [[*M[i], *(J[k][i] for k in range(m))] for i in range(n)]
    x = solved([*above, *([*row, *[mpf(0)] * m] for row in J)], [*f, *gamma])
    return x[:n], x[n:]


# -- Pleiades ----------------------------------------------------------------------------------------------------------


def pleiades() -> Motion:
    """Return seven bodies of masses 1 to 7 in a plane, G = 1; x, y and their rates."""

    def rates(_t: mpf, x: Vector) -> Vector:
        total = [mpf(0)] * 14
        for i in range(7):
            for j in range(i):
                dx, dy = x[j] - x[i], x[7 + j] - x[7 + i]
                square = dx * dx + dy * dy
                pull = 1 / (square * mp.sqrt(square))
                for place, part in ((0, dx * pull), (7, dy * pull)):
                    total[place + i] += (j + 1) * part
                    total[place + j] -= (i + 1) * part
        return [*x[14:], *total]

    places = [3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4]
    speeds = ["0", "0", "0", "0", "0", "1.75", "-1.5", "0", "0", "0", "-1.25", "1", "0", "0"]
    return Motion(rates, [*map(mpf, places), *map(mpf, speeds)], mpf(3), mpf("0.1"))


# -- the car axis ------------------------------------------------------------------------------------------------------


def car_axis() -> Motion:
    """Return two masses eps^2 M / 2 on springs over a road that moves at the right; xl, yl, xr, yr and their rates."""
    length, free, height, omega = mpf(1), mpf("0.5"), mpf("0.1"), mpf(10)
    mass = mpf("0.01") ** 2 * 10 / 2

    def system(t: mpf, x: Vector) -> tuple[Vector, Vector]:
        xl, yl, xr, yr, ul, vl, ur, vr = x
        sine, cosine = mp.sin(omega * t), mp.cos(omega * t)
        yb, yb1, yb2 = height * sine, height * omega * cosine, -height * omega**2 * sine
        xb = mp.sqrt(length**2 - yb**2)
        xb1 = -yb * yb1 / xb
        xb2 = -(yb1**2 + yb * yb2 + xb1**2) / xb
        left, right = mp.sqrt(xl**2 + yl**2), mp.sqrt((xr - xb) ** 2 + (yr - yb) ** 2)
        pull, push = (free - left) / left, (free - right) / right
        f = [pull * xl, pull * yl - mass, push * (xr - xb), push * (yr - yb) - mass]
        dx, dy, du, dv = xl - xr, yl - yr, ul - ur, vl - vr
        J = [[xb, yb, mpf(0), mpf(0)], [2 * dx, 2 * dy, -2 * dx, -2 * dy]]
        gamma = [-(2 * (ul * xb1 + vl * yb1) + xl * xb2 + yl * yb2), -2 * (du**2 + dv**2)]
        M = [[mass if i == j else mpf(0) for j in range(4)] for i in range(4)]
        return bordered(M, J, f, gamma)

    def rates(t: mpf, x: Vector) -> Vector:
        return [*x[4:], *system(t, x)[0]]

    start = ["0", "0.5", "1", "0.5", "-0.5", "0", "-0.5", "0"]
    return Motion(rates, list(map(mpf, start)), mpf(3), mpf("0.02"), lambda t, x: system(t, x)[1])


# -- Andrews' squeezing mechanism --------------------------------------------------------------------------------------

ANGLES = {1: (0,), 2: (0, 1), 3: (2,), 4: (3, 4), 5: (4,), 6: (5, 6), 7: (6,)}
"""The angle of each body is a sum of coordinates."""


def andrews() -> Motion:
    """Return the seven bodies; points of the plane are complex, sums of arms that turn with the bodies."""
    entry = yaml.safe_load((PLACE / "andrews_squeezer.yaml").read_text(encoding="utf-8"))["entries"][0]
    p = {name: mpf(str(value)) for name, value in entry["parameters"].items()}
    A, B, C = (mpc(p[f"x{name}"], p[f"y{name}"]) for name in "abc")
    crank, rod = (1, mpc(p["rr"])), (2, mpc(-p["d"]))
    arms = {  # body -> base of its centre, and arms (body that it turns with, arm)
        1: (mpc(0), [(1, mpc(p["ra"]))]),
        2: (mpc(0), [crank, (2, mpc(-p["da"]))]),
        3: (B, [(3, mpc(p["sb"], -p["sa"]))]),
        4: (A, [(5, mpc(p["zt"])), (4, mpc(0, p["ea"] - p["e"]))]),
        5: (A, [(5, mpc(p["ta"], p["tb"]))]),
        6: (A, [(7, mpc(0, -p["u"])), (6, mpc(p["zf"] - p["fa"]))]),
        7: (A, [(7, mpc(-p["ub"], -p["ua"]))]),
    }
    closing = [  # where chains meet the rod: base and arms, one sum that is zero for each
        (-B, [crank, rod, (3, mpc(0, p["ss"]))]),
        (-A, [crank, rod, (5, mpc(-p["zt"])), (4, mpc(0, p["e"]))]),
        (-A, [crank, rod, (7, mpc(0, p["u"])), (6, mpc(-p["zf"]))]),
    ]
    spring = (B - C, [(3, mpc(p["sd"], -p["sc"]))])

    def system(x: Vector) -> tuple[Vector, Vector]:
        q, u = x[:7], x[7:]
        turned = {k: mp.expj(sum(q[i] for i in which)) for k, which in ANGLES.items()}
        turning = {k: sum(u[i] for i in which) for k, which in ANGLES.items()}

        def moved(point: tuple[mpc, list[tuple[int, mpc]]]) -> tuple[mpc, list[mpc], mpc]:
            """Return the point, its slopes by q, and the part of its acceleration that is quadratic in q'."""
            place, quadratic, slopes = point[0], mpc(0), [mpc(0)] * 7
            for body, arm in point[1]:
                now = arm * turned[body]
                place += now
                quadratic -= now * turning[body] ** 2
                for i in ANGLES[body]:
                    slopes[i] += mpc(-now.imag, now.real)
            return place, slopes, quadratic

        def dot(a: mpc, b: mpc) -> mpf:
            return a.real * b.real + a.imag * b.imag

        M = [[mpf(0)] * 7 for _ in range(7)]
        f = [p["mom"], *[mpf(0)] * 6]
        for body, point in arms.items():
            _, slopes, quadratic = moved(point)
            mass = p[f"m{body}"]
            moving = [i for i in range(7) if slopes[i]]
            for i in moving:
                f[i] -= mass * dot(slopes[i], quadratic)
                for j in moving:
                    M[i][j] += mass * dot(slopes[i], slopes[j])
            for i in ANGLES[body]:
                for j in ANGLES[body]:
                    M[i][j] += p[f"i{body}"]
        place, slopes, _ = moved(spring)
        length = abs(place)
        f = [a - p["c0"] * (length - p["l0"]) * dot(place, s) / length for a, s in zip(f, slopes, strict=True)]
        J, gamma = [], []
        for loop in closing:
            _, slopes, quadratic = moved(loop)
            J += [[s.real for s in slopes], [s.imag for s in slopes]]
            gamma += [-quadratic.real, -quadratic.imag]
        return bordered(M, J, f, gamma)

    def rates(_t: mpf, x: Vector) -> Vector:
        return [*x[7:], *system(x)[0]]

    start = [*map(mpf, entry["state"]["q0_digits"]), *[mpf(0)] * 7]
    return Motion(rates, start, mpf("0.03"), mpf("0.0003"), lambda _t, x: system(x)[1])


# -- the command -------------------------------------------------------------------------------------------------------

MOTIONS = {"pleiades": pleiades, "car_axis": car_axis, "andrews": andrews}


def computed(name: str) -> dict[str, object]:
    """Return the entry of a motion."""
    motion = MOTIONS[name]()
    first, second = (end(motion, *way) for way in WAYS)
    apart = max(abs(a - b) / abs(a) for a, b in zip(first, second, strict=True))
    digits = int(-mp.log10(apart))
    expected = {"end": [mp.nstr(value, digits) for value in first]}
    if motion.multipliers is not None:
        forces = motion.multipliers(motion.t_end, first)
        expected["multipliers"] = [mp.nstr(value, digits - 3) for value in forces]
    return {
        "name": f"{name}_in_long_arithmetic",
        "source": f"python tests/data/extended.py {name}",
        "t_end": str(motion.t_end),
        "expected": expected,
    }


def main() -> None:
    """Compute, and print or write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="|".join(MOTIONS))
    parser.add_argument("--write", action="store_true", help="all, into reference/extended.yaml")
    options = parser.parse_args()
    entries = [computed(name) for name in (MOTIONS if options.write else options.names)]
    table = {"description": "made by python tests/data/extended.py --write", "entries": entries}
    text = yaml.safe_dump(table, sort_keys=False, width=120)
    if options.write:
        (PLACE / "extended.yaml").write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
