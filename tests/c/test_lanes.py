"""Several states side by side: the bits of one state at a time, whichever lanes fail."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import eomc
from eomc.backends.c99 import generate
from eomc.backends.c99.units import LARGEST
from eomc.frontends.loading import shipped_models
from eomc.ir.ops import Op
from eomc.ir.program import Program
from eomc.ir.systems import Factorization

pytestmark = pytest.mark.needs_cc

# Compares all lanes with calls for each of them. What is random lies around `@_initial_state`; lanes whose bit is set
# in `bad` have the state `singular` instead. Returns how much is wrong: numbers, statuses, what should be untouched.
COMPARE = r"""
#include "@.h"
#include <string.h>

int check_@(unsigned bad, const @_real *singular, double spread, double input_spread);

static double chance(unsigned *seed)
{
    *seed = (*seed * 1103515245U) + 12345U;
    return ((double)((*seed >> 8) & 0xffffU) / 32768.0) - 1.0;
}

int check_@(unsigned bad, const @_real *singular, double spread, double input_spread)
{
    static @_lanes x[@@_NX], dx[@@_NX], t;
    static @_inputs r[@@_LANES];
    static @_constants c;
    static @_work work, own;
    static @_status status[@@_LANES];
    @_status first = @@_OK, all;
    unsigned seed = 1U;
    int round, lane, i, wrong = 0, failed = -77;

    wrong += @_prepare(&@_default_parameters, &c) != @@_OK;
    for (round = 0; round < 20; ++round) {
        memset(dx, 77, sizeof dx);
        for (lane = 0; lane < @@_LANES; ++lane) {
            @_real inputs[sizeof(@_inputs) / sizeof(@_real)];

            t.of[lane] = (@_real)chance(&seed);
            memcpy(inputs, &@_default_inputs, sizeof inputs);
            for (i = 0; i < (int)(sizeof inputs / sizeof inputs[0]); ++i) {
                inputs[i] += (@_real)(input_spread * chance(&seed));
            }
            memcpy(&r[lane], inputs, sizeof inputs);
            for (i = 0; i < @@_NX; ++i) {
                x[i].of[lane] = @_initial_state[i] + (@_real)(spread * chance(&seed));
                if ((bad >> lane) & 1U) {
                    x[i].of[lane] = singular[i];
                }
            }
        }
        all = @_rhs_lanes(&t, x, r, &c, &work, dx, status);
        first = @@_OK;
        for (lane = @@_LANES - 1; lane >= 0; --lane) {
            @_real state[@@_NX], rate[@@_NX];
            @_status alone;

            memset(rate, 77, sizeof rate);
            for (i = 0; i < @@_NX; ++i) {
                state[i] = x[i].of[lane];
            }
            alone = @_rhs(t.of[lane], state, &r[lane], &c, &own, rate);
            if (alone != @@_OK) {
                first = alone;
                failed = own.failed;
            }
            wrong += alone != status[lane];
            if (bad != 0U) {
                wrong += (alone != @@_OK) != (int)((bad >> lane) & 1U);
            }
            for (i = 0; i < @@_NX; ++i) {
                wrong += memcmp(&rate[i], &dx[i].of[lane], sizeof rate[i]) != 0;
            }
        }
        wrong += all != first;
        wrong += (first != @@_OK) && (work.failed != failed);
    }
    return wrong;
}
"""


def compare(name: str) -> str:
    """Return the text of `check_<name>`."""
    return COMPARE.replace("@@", name.upper()).replace("@", name)


class Folder:
    """Emitted sources of some programs, and one program that compares."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.names: list[str] = []

    def add(self, program: Program, largest: int = LARGEST, math: str = "libm") -> None:
        """Write a program that wants its right-hand side in lanes."""
        result = generate(replace(program, further=("rhs_lanes",)), version="0.0.0", largest=largest, math=math)
        self.names.append(result.view.name)
        for artifact in result.artifacts:
            if artifact.kind in ("header", "source"):
                (self.path / artifact.path).write_text(artifact.text, encoding="utf-8")
        (self.path / f"check_{result.view.name}.c").write_text(compare(result.view.name), encoding="utf-8")

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a command there."""
        return subprocess.run(command, cwd=self.path, capture_output=True, text=True, check=False)

    def check(self, command: Sequence[str], calls: Sequence[str]) -> list[str]:
        """Compile everything and return what the calls of `check_...`, C expressions, answer, one line each."""
        declared = "".join(
            f"int check_{name}(unsigned bad, const SCALAR *singular, double spread, double input_spread);\n"
            for name in self.names
        )
        body = "".join(f'    printf("%d\\n", {call});\n' for call in calls)
        main = f"#include <math.h>\n#include <stdio.h>\n{declared}int main(void)\n{{\n{body}    return 0;\n}}\n"
        (self.path / "all.c").write_text(main, encoding="utf-8")
        sources = sorted(path.name for path in self.path.glob("*.c"))
        answer = self.run([*command, "-std=c99", *sources, "-o", "all", "-lm"])
        assert answer.returncode == 0, answer.stderr[:4000]
        answer = self.run(["./all"])
        assert (answer.returncode, answer.stderr[:4000]) == (0, "")
        return answer.stdout.split()


def compilers() -> list[str]:
    """Return those that are here."""
    return [name for name in ("gcc", "clang") if shutil.which(name)]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Return an empty folder."""
    if not compilers():
        pytest.skip("no C compiler")
    return Folder(tmp_path)


def shipped(name: str) -> Program:
    """Return the program of a shipped model, of its right-hand side alone."""
    return eomc.compile(eomc.load(name), functions=["rhs_lanes"]).program


def defines(folder: Folder, real: str, lanes: int = 8) -> list[str]:
    """Return the macros of all programs there."""
    macros = [name.upper() for name in folder.names]
    precision = [f"-D{macro}_USE_FLOAT" for macro in macros] if real == "float" else []
    return [*precision, *(f"-D{macro}_LANES={lanes}" for macro in macros), f"-DSCALAR={real}"]


@pytest.fixture(scope="module")
def every_model(tmp_path_factory: pytest.TempPathFactory) -> tuple[Folder, Folder]:
    """Return folders of shipped models, each in its native form: those in loops over lanes, and the others.

    Every second one, all where EOMC_THOROUGH is set.
    """
    together, one_by_one = (Folder(tmp_path_factory.mktemp(name)) for name in ("together", "one_by_one"))
    for name in shipped_models()[:: 1 if "EOMC_THOROUGH" in os.environ else 2]:
        build = eomc.compile(eomc.load(name), functions=["rhs_lanes"])
        (together if build.schedule.lanes[0].loops else one_by_one).add(build.program)
    assert len(together.names) > len(one_by_one.names) > 0
    return together, one_by_one


@pytest.mark.parametrize(("compiler", "real"), [("gcc", "double"), ("clang", "float")])
def test_every_lane_has_the_bits_of_one_state(every_model: tuple[Folder, Folder], compiler: str, real: str) -> None:
    """Shipped models, at random states, times and inputs; vectors or not, nothing else is computed."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is missing")
    together, one_by_one = every_model
    folders = [(together, "-O2")]
    if (compiler, real) == ("gcc", "double"):  # one by one is one text for all models
        folders.append((one_by_one, "-O0"))
    for folder, optimization in folders:
        command = [compiler, optimization, "-ffp-contract=off", *defines(folder, real)]
        answers = folder.check(command, [f"check_{name}(0U, NULL, 0.05, 0.5)" for name in folder.names])
        assert dict(zip(folder.names, answers, strict=True)) == dict.fromkeys(folder.names, "0")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("lanes", [1, 3, 8])
@pytest.mark.parametrize("real", ["double", "float"])
def test_a_lane_that_fails_leaves_the_others_right(folder: Folder, lanes: int, real: str) -> None:
    """A disk that lies flat, as first, last, any or every lane: its rates stay untouched; `failed` is of the first."""
    folder.add(shipped("rolling_disk"))
    masks = range(2**lanes) if lanes < 8 else (0x01, 0x80, 0x18, 0x55, 0x7F, 0xFE, 0xFF)
    calls = [f"check_rolling_disk({mask}U, (const SCALAR[8]){{0}}, 0.2, 0.0)" for mask in masks]
    for compiler in compilers():
        command = [compiler, "-O2", "-ffp-contract=off", *defines(folder, real, lanes)]
        assert folder.check(command, calls) == ["0"] * len(calls)


@pytest.mark.parametrize("kind", [Factorization.LDLT, Factorization.LU])
def test_a_kernel_takes_the_lanes_one_by_one(folder: Folder, system, kind: Factorization) -> None:
    """A linear system with an input of its own in each lane, its state no number in some of them."""
    folder.add(system(4, 1, kind))
    (name,) = folder.names
    assert "rhs_one_by_one" not in (folder.path / f"{name}.c").read_text(encoding="utf-8")
    calls = [f"check_{name}({mask}U, (const SCALAR[4]){{NAN, NAN, NAN, NAN}}, 0.05, 0.2)" for mask in range(8)]
    assert folder.check(["gcc", "-O2", *defines(folder, "double", 3)], calls) == ["0"] * 8


def alternating(builder) -> Program:
    """Functions and choices of arithmetic, in turns; checks that fail for some states, each for others."""
    b = builder("alternating")
    g = b.graph
    x, y, force = b.state("x", 0.4), b.state("y", 0.8), b.input("force", 0.5)
    k = b.parameter("k", 2.0)
    value, rates, choices = g.add(g.mul(x, k), force), [], []
    for _ in range(3):
        for _ in range(6):
            value = g.add(g.mul(g.add(value, y), x), g.mul(g.sub(value, force), g.constant(0.3)))
        choices.append(g.binary(Op.LT, g.unary(Op.ABS, value), g.one))
        value = g.select(choices[-1], g.unary(Op.SIN, value), g.unary(Op.TANH, g.mul(value, value)))
        rates.append(g.select(choices[-1], value, g.mul(value, g.symbol(b.time))))
    quotient = g.div(g.sum(rates), value)
    b.check(quotient, g.binary(Op.LT, g.constant(0.05), g.unary(Op.ABS, value)), "x")
    second = g.div(g.select(choices[0], rates[2], rates[1]), g.add(y, g.one))
    b.check(second, g.binary(Op.LT, g.constant(-0.5), y), "y")
    b.function("rhs", [quotient, second])
    return b.program()


def functions(builder) -> Program:
    """Every function that has a form without branches, of bounded arguments and of others; a choice among them."""
    b = builder("functions")
    g = b.graph
    x, y = b.state("x", 0.4), b.state("y", -0.3)
    sine, root = g.unary(Op.SIN, g.add(x, y)), g.unary(Op.SQRT, g.add(g.one, g.mul(x, x)))
    values = [g.mul(sine, g.unary(Op.COS, g.add(x, y))), g.unary(Op.COS, g.mul(x, y)), g.unary(Op.TAN, y), root]
    values += [g.unary(op, g.neg(g.unary(Op.ABS, x))) for op in (Op.EXP, Op.SINH, Op.COSH, Op.TANH, Op.ATAN, Op.FLOOR)]
    values += [g.unary(op, g.mul(sine, g.constant(0.9))) for op in (Op.ASIN, Op.ACOS)]
    chosen = g.select(g.binary(Op.LT, values[0], values[1]), g.unary(Op.LOG, root), g.unary(Op.EXP, sine))
    b.function("rhs", [g.sum([*values[::2], chosen]), g.sum(values[1::2])])
    return b.program()


def driven(builder) -> Program:
    """Arithmetic of as many inputs as a robot has motors, one of which is an angle."""
    b = builder("driven")
    g = b.graph
    x = [b.state(f"x{i}", 0.1 * i - 0.2) for i in range(5)]
    r = [b.input(f"tau{i}", 0.3 - 0.1 * i) for i in range(6)]
    rates = [g.mul(g.add(x[i], r[i]), g.sub(x[i - 1], g.mul(r[i - 1], x[i - 2]))) for i in range(5)]
    b.function("rhs", [*rates[:4], g.mul(rates[4], g.unary(Op.SIN, g.add(r[5], x[0])))])
    return b.program()


OWN = {"functions": functions, "driven": driven}

EACH = pytest.mark.parametrize(
    ("compiler", "real"), [("gcc", "double"), ("clang", "double"), ("clang", "float"), ("gcc", "float")]
)


def test_each_lane_has_its_own_inputs(folder: Folder, builder) -> None:
    """Several inputs, which go into arrays before the loops, differ from lane to lane as states do."""
    folder.add(driven(builder), math="strict")
    for compiler in compilers():
        command = [compiler, "-O2", "-ffp-contract=off", *defines(folder, "double", 8)]
        assert folder.check(command, ["check_driven(0U, NULL, 0.5, 0.5)"]) == ["0"]


@pytest.mark.sampled(2)
@EACH
def test_own_functions_side_by_side(folder: Folder, builder, compiler: str, real: str) -> None:
    """The bits of one state, also where an argument of some lanes is out of the range of what has no branches."""
    folder.add(functions(builder), math="strict")
    for name in ("rolling_disk", "n_link_pendulum:3"):
        folder.add(shipped(name), math="strict")
    calls = [f"check_functions(0U, NULL, {spread}, 0.0)" for spread in ("0.3", "3.0", "200.0", "2e3", "1e6")]
    calls += [f"check_rolling_disk({mask}U, (const SCALAR[8]){{0}}, 0.2, 0.0)" for mask in (0, 0x80, 0x55)]
    calls += ["check_n_link_pendulum_3(0U, NULL, 5e5, 0.5)"]
    if compiler not in compilers():
        pytest.skip(f"{compiler} is missing")
    for flags in (["-O2", "-fno-math-errno"], ["-O3", "-march=native", "-fno-math-errno", "-ffp-contract=off"]):
        assert folder.check([compiler, *flags, *defines(folder, real)], calls) == ["0"] * len(calls)


@pytest.mark.sampled(2)
@EACH
def test_arithmetic_and_choices_in_turns(folder: Folder, builder, dag, compiler: str, real: str) -> None:
    """Many loops, truth values that outlive theirs, checks that some lanes fail: still the bits of one state."""
    folder.add(alternating(builder))
    folder.add(dag(300, 4).program)
    text = (folder.path / "alternating.c").read_text(encoding="utf-8")
    assert re.search(r"^    bool z\d+\[ALTERNATING_LANES\];", text, re.MULTILINE)
    calls = ["check_alternating(0U, NULL, 2.0, 1.0)", "check_dag_300(0U, NULL, 1.0, 0.0)"]
    if compiler not in compilers():
        pytest.skip(f"{compiler} is missing")
    assert folder.check([compiler, "-O3", "-ffp-contract=off", *defines(folder, real)], calls) == ["0", "0"]


def test_lanes_of_a_model_of_several_files(folder: Folder, builder) -> None:
    """They stand beside the integrator and see the small functions that all files share."""
    folder.add(shipped("rolling_disk"), largest=20)
    folder.add(alternating(builder), largest=20)
    folder.add(shipped("coulomb_bead"), largest=5)
    assert len(list(folder.path.glob("*_part1.c"))) == 3
    calls = [f"check_{name}(0U, NULL, 0.2, 0.5)" for name in folder.names]
    assert folder.check(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", *defines(folder, "double")], calls) == ["0"] * 3


def test_sanitizers_find_nothing(folder: Folder, builder, system) -> None:
    """No access beyond an array, no undefined behaviour: lanes that fail, lanes one by one, one lane, an odd number."""
    folder.add(shipped("rolling_disk"))
    folder.add(system(3, 1, Factorization.LDLT))
    folder.add(alternating(builder))
    calls = [f"check_rolling_disk({mask}U, (const SCALAR[8]){{0}}, 0.2, 0.0)" for mask in (0, 1)]
    calls += [f"check_{name}(0U, NULL, 0.1, 0.5)" for name in folder.names[1:]]
    for lanes in (1, 3):
        command = ["gcc", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
        assert folder.check([*command, *defines(folder, "double", lanes)], calls) == ["0"] * len(calls)


def test_the_strictest_compilers_have_nothing_to_say(folder: Folder, builder, programs, silent) -> None:
    """Warnings are errors, in both precisions, for one lane and for several; the header is C++, too."""
    programs_here = [*map(shipped, ("rolling_disk", "henon_heiles", "four_bar")), alternating(builder)]
    for program in (
        *programs_here,
        *(programs[name]() for name in ("bare", "constant", "nasty", "states_as_arguments")),
    ):
        folder.add(program)
    folder.add(functions(builder), math="fast")
    folder.add(shipped("double_pendulum"), math="strict")
    units = [f"{name}.c" for name in folder.names]
    macros = [name.upper() for name in folder.names]
    for lanes, how in ((8, "-O1"), (1, "-O1"), (3, "-fsyntax-only")):
        silent(folder.path, " ".join(macros), units, how, *(f"-D{macro}_LANES={lanes}" for macro in macros))
    silent(folder.path, "FUNCTIONS", ["functions.c"], "-D__arm__", "-fsyntax-only")  # no hardware for double
    if shutil.which("g++"):
        included = "".join(f'#include "{name}.h"\n' for name in folder.names)
        (folder.path / "headers.cc").write_text(included, encoding="utf-8")
        answer = folder.run(["g++", "-std=c++98", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", "headers.cc"])
        assert (answer.returncode, answer.stderr[:4000]) == (0, "")


def test_objects_of_another_number_of_lanes_do_not_link(folder: Folder) -> None:
    """The number is part of the name: eight lanes cannot be written into four."""
    folder.add(shipped("henon_heiles"))
    caller = (
        '#include "henon_heiles.h"\nint main(void)\n{\n    henon_heiles_lanes t = {{0}}, x[4] = {{{0}}}, dx[4];\n'
        "    henon_heiles_inputs r[HENON_HEILES_LANES];\n    henon_heiles_constants c;\n    henon_heiles_work work;\n"
        "    henon_heiles_status status[HENON_HEILES_LANES];\n\n"
        "    return (int)henon_heiles_rhs_lanes(&t, x, r, &c, &work, dx, status);\n}\n"
    )
    (folder.path / "caller.c").write_text(caller, encoding="utf-8")
    for macro, links in (("-DHENON_HEILES_LANES=4", False), ("-DHENON_HEILES_LANES=8", True)):
        assert folder.run(["gcc", "-std=c99", macro, "-c", "caller.c"]).returncode == 0
        answer = folder.run(["gcc", "-std=c99", "henon_heiles.c", "caller.o", "-o", "caller", "-lm"])
        assert (answer.returncode == 0) == links, answer.stderr


@pytest.mark.parametrize(
    ("name", "math", "command"),
    [
        *((name, "libm", "gcc -O3") for name in ("henon_heiles", "kepler", "rolling_disk", "n_link_pendulum:5")),
        *((name, "strict", "gcc -O2") for name in ("rolling_disk", "n_link_pendulum:5", "functions", "driven")),
        ("driven", "fast", "gcc -O3 -march=native"),
        ("kepler", "fast", "gcc -O3 -mavx2 -mfma"),
        *((name, "strict", "clang -O2") for name in ("rolling_disk", "heavy_top", "driven")),
    ],
)
def test_compilers_make_vectors_of_the_arithmetic(folder: Folder, builder, name: str, math: str, command: str) -> None:
    """Every loop of arithmetic is reported as vectorized: a call or a choice in it would keep it scalar."""
    compiler, *flags = command.split()
    if compiler not in compilers():
        pytest.skip(f"{compiler} is missing")
    folder.add(OWN[name](builder) if name in OWN else shipped(name), math=math)
    (own,) = folder.names
    lines = (folder.path / f"{own}.c").read_text(encoding="utf-8").splitlines()
    loops = {k + 2 for k, line in enumerate(lines) if "several lanes at a time" in line}
    assert loops
    report = "-fopt-info-vec-optimized" if compiler == "gcc" else "-Rpass=loop-vectorize"
    errno = [] if math == "libm" else ["-fno-math-errno"]
    answer = folder.run([compiler, "-std=c99", *flags, *errno, report, "-c", f"{own}.c"])
    told = rf"{own}\.c:(\d+):\d+: (?:optimized: loop vectorized|remark: vectorized loop)"
    reported = {int(found) for found in re.findall(told, answer.stderr)}
    assert loops <= reported, answer.stderr
