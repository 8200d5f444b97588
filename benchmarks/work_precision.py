"""Work and precision: the time that a run takes against its error, by every integrator that serves, as pictures.

python benchmarks/work_precision.py [--heyoka PYTHON] [--rounds N] [--only PROBLEM ...] [-o PNG]

eomc's integrators run in C, and beside them SciPy's over `sim.rhs` and `sim.jac`, CVODE in C on the same functions
(needs SUNDIALS), scikit-sundae's CVODE over `sim.rhs` (pip install scikit-sundae), and heyoka, fed with the same graph
(PYTHON is an interpreter that has it). Peers that are not there are left out, and named.

First every integrator has to agree, at its tightest tolerance, with the end that is known: of Pleiades that in long
arithmetic (tests/data), of the others that of Taylor series or rodas5p to rounding. Then all take their runs in turn;
times are medians of processor time. Errors are the largest of a state at the end, in units of 1 + |x|.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import yaml
from integrators import Racer, at_error
from matplotlib.figure import Figure
from numpy.typing import NDArray
from reporting import print_machine, print_table
from scipy.integrate import solve_ivp
from stiff import pendulum
from sundials import Cvode, cvode_is_here
from taylor import Peer, graph_of

import eomc
from eomc.expansions import order_for

Run: TypeAlias = Callable[[float], tuple[float, NDArray[np.float64]]]

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "integrators" / "work_precision.png"
TOLERANCES = tuple(10.0**-k for k in range(3, 15))
STIFF = TOLERANCES[:-2]  # beyond, rounding of forces of 1e8 N/m stops every scheme
LOOSE = tuple(10.0**-k for k in range(3, 13, 2))  # of peers that take long
SCIPY_LEAST = 3e-14
HEYOKA_UNROLLS = 600  # operations, in half a minute; beyond it takes its compact mode
AGREE = 1e-5  # at the tightest tolerance that is tried
TOLD = (1e-4, 1e-6, 1e-8, 1e-10)  # errors of the table of times


class Problem(NamedTuple):
    """A motion: its model, its length, and the number of fixed steps."""

    title: str
    model: Callable[[], eomc.Model]
    t_end: float
    stiff: bool
    steps: tuple[int, ...] = ()


class Line(NamedTuple):
    """The runs of one integrator: how each is asked for, and what makes one."""

    name: str
    asked: tuple[float, ...]
    run: Run


class Point(NamedTuple):
    """Error and time of a run."""

    how: float
    error: float
    seconds: float


PROBLEMS = {
    "double_pendulum": Problem(
        "double pendulum, 20 s",
        lambda: eomc.load("double_pendulum"),
        20.0,
        False,
        (2000, 8000, 32000, 128000),
    ),
    "cart": Problem(
        "cart with 5 links, 5 s", lambda: eomc.load("n_link_pendulum:5"), 5.0, False, (1000, 4000, 16000, 64000)
    ),
    "pleiades": Problem(
        "Pleiades, t = 3",
        lambda: eomc.load(str(ROOT / "tests" / "data" / "models" / "pleiades.py")),
        3.0,
        False,
        (2000, 8000, 32000, 128000),
    ),
    "stiff": Problem("double pendulum on springs of 1e8 N/m, 5 s", lambda: pendulum(1e8), 5.0, True),
}
"""From the smallest right-hand side to the largest, and a stiff one."""

STYLES = {  # colours after Okabe and Ito, told apart by everybody; a marker for each, ours filled
    "rk4": ("#000000", "s", "-"),
    "dopri5": ("#E69F00", "^", "-"),
    "dop853": ("#0072B2", "o", "-"),
    "taylor": ("#009E73", "D", "-"),
    "rodas5p": ("#D55E00", "v", "-"),
    "SciPy DOP853": ("#56B4E9", "o", "--"),
    "SciPy Radau": ("#56B4E9", "P", "--"),
    "SciPy LSODA": ("#999999", "X", "--"),
    "CVODE in C": ("#CC79A7", "h", "--"),
    "CVODE by scikit-sundae": ("#000000", "<", "--"),
    "heyoka": ("#009E73", "*", "--"),
}


def own_lines(problem: Problem, model: eomc.Model) -> list[Line]:
    """Return eomc's integrators in C; a Taylor series has the order that is best at its tolerance."""
    t_end = problem.t_end
    names = ("rodas5p",) if problem.stiff else ("dopri5", "dop853")
    racers = {name: Racer(model, name, fixed=False) for name in names}
    asked = STIFF if problem.stiff else TOLERANCES
    lines = [Line(name, asked, lambda how, racer=racer: racer.once(t_end, how)) for name, racer in racers.items()]
    if not problem.stiff:
        fixed = Racer(model, "rk4", fixed=True)
        lines.insert(0, Line("rk4", tuple(t_end / n for n in problem.steps), lambda how: fixed.once(t_end, how)))
        series = {how: Racer(model, "taylor", fixed=False, order=order_for(how)) for how in TOLERANCES[1::2]}
        lines.append(Line("taylor", tuple(series), lambda how: series[how].once(t_end, how)))
    return lines


def scipy_lines(problem: Problem, sim: Any) -> list[Line]:
    """Return SciPy's integrators over the compiled functions."""

    def line(method: str, **options: Any) -> Line:
        def run(how: float) -> tuple[float, NDArray[np.float64]]:
            begin = time.process_time()
            found = solve_ivp(
                sim.rhs,
                (0.0, problem.t_end),
                sim.initial_state,
                method,
                rtol=max(how, SCIPY_LEAST),
                atol=how,
                **options,
            )
            return time.process_time() - begin, found.y[:, -1]

        return Line(f"SciPy {method}", LOOSE[:-1] if method == "Radau" else LOOSE, run)

    return [line("Radau", jac=sim.jac), line("LSODA", jac=sim.jac)] if problem.stiff else [line("DOP853")]


def sundae_line(problem: Problem, sim: Any) -> Line:
    """Return scikit-sundae's CVODE over the compiled functions.

    Raises
    ------
    ImportError
        It is not there.
    """
    from sksundae.cvode import CVODE

    def rates(t: float, x: NDArray[np.float64], dx: NDArray[np.float64]) -> None:
        dx[:] = sim.rhs(t, x)

    def slopes(t: float, x: NDArray[np.float64], _dx: Any, matrix: NDArray[np.float64]) -> None:
        matrix[:] = sim.jac(t, x)

    options: dict[str, Any] = {"method": "BDF", "jacfn": slopes} if problem.stiff else {"method": "Adams"}

    def run(how: float) -> tuple[float, NDArray[np.float64]]:
        begin = time.process_time()
        solver = CVODE(rates, rtol=how, atol=how, max_num_steps=10**7, **options)
        found = solver.solve(np.array([0.0, problem.t_end]), sim.initial_state)
        return time.process_time() - begin, np.asarray(found.y[-1])

    return Line("CVODE by scikit-sundae", LOOSE, run)


def peer_lines(problem: Problem, model: eomc.Model, heyoka: Peer | None) -> tuple[list[Line], list[str]]:
    """Return the lines of others, and who is not there."""
    build = eomc.compile(model, functions=["jacobian"] if problem.stiff else [])
    sim = build.load()
    lines, absent = scipy_lines(problem, sim), []
    if cvode_is_here():
        cvode = Cvode(model, problem.stiff)
        lines.append(Line("CVODE in C", STIFF, lambda how: cvode.once(problem.t_end, how)))
    else:
        absent.append("CVODE (libsundials-dev)")
    try:
        lines.append(sundae_line(problem, sim))
    except ImportError:
        absent.append("scikit-sundae")
    if heyoka is None:
        absent.append("heyoka")
    elif not problem.stiff:
        graph = graph_of(build)
        compact = len(graph["nodes"]) > HEYOKA_UNROLLS
        options = {"rounds": 3, "compact": compact}

        def run(how: float) -> tuple[float, NDArray[np.float64]]:
            seconds, _, x = heyoka.run(graph, build.view.name, problem.t_end, tol=how, **options)
            return seconds, x

        lines.append(Line("heyoka", TOLERANCES[1::2], run))
    return lines, absent


def known_end(name: str, problem: Problem, model: eomc.Model) -> NDArray[np.float64]:
    """Return the end of a motion, as it is known apart from the runs that are compared, or to rounding."""
    if name == "pleiades":
        table = yaml.safe_load((ROOT / "tests" / "data" / "reference" / "extended.yaml").read_text(encoding="utf-8"))
        entry = next(one for one in table["entries"] if one["name"] == "pleiades_in_long_arithmetic")
        return np.array([float(value) for value in entry["expected"]["end"]])
    scheme, tolerance = ("rodas5p", 1e-13) if problem.stiff else ("taylor", 2.0**-52)
    return Racer(model, scheme, fixed=False).once(problem.t_end, tolerance)[1]


def measured(name: str, heyoka: Peer | None, rounds: int) -> dict[str, list[Point]]:
    """Return the points of every integrator, after it was seen that all agree."""
    problem = PROBLEMS[name]
    model = problem.model()
    exact = known_end(name, problem, model)
    others, absent = peer_lines(problem, model, heyoka)
    lines = [*own_lines(problem, model), *others]
    print(problem.title + (f"; not here: {', '.join(absent)}" if absent else ""))

    def error(x: NDArray[np.float64]) -> float:
        return float(np.max(np.abs(x - exact) / (1.0 + np.abs(exact))))

    errors = {line.name: [error(line.run(how)[1]) for how in line.asked] for line in lines}
    apart = {line: min(values) for line, values in errors.items() if not min(values) < AGREE}
    if apart:
        raise SystemExit(f"{name}: runs do not agree: {apart}")
    times = [[[line.run(how)[0] for how in line.asked] for line in lines] for _ in range(rounds)]
    points = {
        line.name: [
            Point(how, errors[line.name][k], statistics.median(once[i][k] for once in times))
            for k, how in enumerate(line.asked)
        ]
        for i, line in enumerate(lines)
    }
    rows = [
        [line, f"{p.how:.1e}", f"{p.error:.1e}", f"{1e3 * p.seconds:.3g}"] for line, of in points.items() for p in of
    ]
    print_table(["integrator", "tolerance or step", "error", "ms"], rows)
    print()
    rows = [[line, *(told(at_error(of, error)) for error in TOLD)] for line, of in points.items()]
    print_table(["ms at an error of", *(f"{error:g}" for error in TOLD)], rows)
    print()
    return points


def told(seconds: float) -> str:
    """Return milliseconds, nothing where no run has been."""
    if not np.isfinite(seconds):
        return ""
    return f"{1e3 * seconds:.2g}" if seconds < 0.0995 else f"{1e3 * seconds:.0f}"


def draw(found: dict[str, dict[str, list[Point]]], picture: Path) -> None:
    """Draw a panel for each problem, times over errors."""
    rows = (len(found) + 1) // 2
    figure = Figure(figsize=(11.0, 4.4 * rows + 0.7), layout="constrained")
    panels = np.ravel(figure.subplots(rows, min(2, len(found)), squeeze=False))
    handles: dict[str, Any] = {}
    for axes, (name, lines) in zip(panels, found.items(), strict=False):
        for line, points in lines.items():
            shown = [point for point in points if point.error < 1.0]
            color, marker, dashes = STYLES[line]
            face = color if dashes == "-" else "white"
            (handles[line],) = axes.loglog(
                [point.error for point in shown], [1e3 * point.seconds for point in shown],
                linestyle=dashes, marker=marker, color=color, markerfacecolor=face, markersize=6, linewidth=1.3,
                label=line,
            )  # fmt: skip
        axes.set_title(PROBLEMS[name].title)
        axes.set_xlabel("error of the last state, in units of 1 + |x|")
        axes.set_ylabel("processor time [ms]")
        axes.invert_xaxis()
        axes.grid(alpha=0.3)
    for axes in panels[len(found) :]:
        axes.set_visible(False)
    order = [line for line in STYLES if line in handles]
    figure.legend([handles[line] for line in order], order, loc="outside lower center", ncols=5, fontsize="small")
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture, dpi=110)
    print(f"drawn in {picture}")


def main() -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heyoka", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=PROBLEMS, default=list(PROBLEMS), metavar="PROBLEM")
    parser.add_argument("-o", "--output", type=Path, default=PICTURE, metavar="PNG")
    options = parser.parse_args()
    print_machine()
    asked = [options.heyoka, "-c", "import heyoka"]
    here = subprocess.run(asked, capture_output=True, check=False).returncode == 0
    heyoka = Peer(options.heyoka) if here else None
    draw({name: measured(name, heyoka, options.rounds) for name in options.only}, options.output)


if __name__ == "__main__":
    main()
