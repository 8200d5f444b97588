"""Models with own mathematics: silent, without libm, the same bits from every compiler, values within their bounds."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import re
import shutil
import subprocess

import numpy as np
import pytest

import eomc
from eomc.analysis.agreement import compare
from eomc.binding.compiler import find_compiler
from eomc.errors import BuildError, UsageError
from eomc.frontends.loading import shipped_models
from eomc.ir.ops import Op
from eomc.ir.symbols import Named

pytestmark = pytest.mark.needs_cc

OWN = ("strict", "fast")
FLAGS = {"strict": ["-fno-math-errno", "-ffp-contract=off"], "fast": ["-fno-math-errno", "-ffp-contract=fast"]}
TRAJECTORIES = {
    "rolling_disk": {},
    "double_pendulum": {},
    "spherical_pendulum": {},
    "cart_pole": {"functions": "rhs_lanes"},
    "four_bar": {"stabilization": "projection"},
    "heavy_top": {},
}
DRIVER = """
#include "{name}.h"
#include <stdio.h>

int main(void)
{{
    static {name}_constants c;
    static {name}_work work;
    {name}_real x[{macro}_NX];
    int i;

    for (i = 0; i < {macro}_NX; ++i) {{
        x[i] = {name}_initial_state[i];
    }}
    if ({name}_prepare(&{name}_default_parameters, &c) != {macro}_OK) {{
        return 1;
    }}
    for (i = 0; i < {steps}; ++i) {{
        const {name}_real h = ({name}_real)0.01;

        if ({name}_rk4_step_held(({name}_real)i * h, h, &{name}_default_inputs, &c, &work, x) != {macro}_OK) {{
            return 1;
        }}
        (void)fwrite(x, sizeof x[0], {macro}_NX, stdout);
    }}
    return 0;
}}
"""


@pytest.fixture
def of_one(builder):
    """Return a maker of programs whose one output is made from a state."""

    def make(rule, name="one"):
        b = builder(name)
        x = b.state("x", 0.3)
        b.function("rhs", [rule(b.graph, x)])
        return b.program()

    return make


SINGLE = {
    "root": lambda g, x: g.unary(Op.SQRT, x),
    "magnitude": lambda g, x: g.unary(Op.ABS, x),
    "nan": lambda g, x: g.select(g.binary(Op.LT, x, g.constant(0)), x, g.constant(Named.NAN)),
    "least": lambda g, x: g.binary(Op.MIN, x, g.constant(1)),
    "arc": lambda g, x: g.unary(Op.ASIN, x),
    "none": lambda g, x: x,
    "power": lambda g, x: g.powi(x, 40),
    "modulo": lambda g, x: g.binary(Op.MOD, x, g.constant(2)),
}


def test_compilers_find_nothing_to_say(of_one, emit, programs, silent):
    """Whatever functions a model calls, alone or together, none is unused or warned of; in several files, too."""
    folders = [emit(of_one(rule, name), math="strict") for name, rule in SINGLE.items()]
    folders += [emit(programs["all_ops"](), math=name) for name in OWN]
    folders += [emit(programs["eliminated"](), math="strict"), emit(programs["all_ops"](), math="strict", largest=2)]
    for folder in folders:
        for flags in ([], ["-fno-math-errno"], ["-D__arm__"]):
            silent(folder.path, folder.macro, folder.sources, "-fsyntax-only", *flags)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_nothing_of_libm_is_called(compiler, emit, programs):
    """No object wants a function of another library but, at most, memcpy and memset; with any flags."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is missing")
    for folder in (emit(programs["all_ops"](), math="strict"), emit(programs["augmented"](), math="fast")):
        for real in ("double", "float"):
            for flags in (["-O0"], ["-O1", "-fno-math-errno"]):
                folder.compile(
                    [
                        compiler,
                        "-std=c99",
                        "-fno-pie",
                        *flags,
                        *folder.defines(real),
                        "-c",
                        *folder.sources,
                        "-o",
                        "o.o",
                    ]
                )
                wanted = folder.run(["nm", "-u", "o.o"]).stdout.split()
                assert {name for name in wanted if name != "U" and not name.startswith("_")} <= {"memcpy", "memset"}


def test_integers_where_double_is_soft(emit, programs):
    """On a Cortex-M4 fast functions of double reduce angles by integers; strict ones have the bits of others."""
    if shutil.which("arm-none-eabi-gcc") is None:
        pytest.skip("arm-none-eabi-gcc is missing")
    command = ["arm-none-eabi-gcc", "-std=c99", "-O2", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-Wall"]
    for choice in OWN:
        folder = emit(programs["all_ops"](), math=choice)
        for unit, by_integers in (("fpv4-sp-d16", choice == "fast"), ("fpv5-d16", False)):
            folder.compile([*command, f"-mfpu={unit}", *FLAGS[choice], "-Werror", "-c", *folder.sources, "-o", "o.o"])
            listed = folder.run(["arm-none-eabi-nm", "o.o"]).stdout
            assert ("real_count_usual_turns" in listed) == by_integers
            wanted = {line.split()[-1] for line in listed.splitlines() if " U " in line}
            assert {name for name in wanted if not name.startswith("__aeabi")} <= {"memcpy", "memset"}


@pytest.mark.parametrize("choice", OWN)
def test_every_op(choice, emit, programs, expected):
    """Each op means what Python's math means."""
    folder = emit(programs["all_ops"](), math=choice)
    for flag in ("-O0", "-O2", "-D__arm__"):  # the last stands for a machine without hardware for double
        loaded = folder.load(optimize=flag)
        loaded.prepare()
        for point in ((0.3, 0.7), (0.7, 0.3), (0.9, 0.01)):
            status, values = loaded.call("outputs", 0.0, point)
            assert status == 0
            for found, wanted in zip(values, expected["all_ops"](*point), strict=True):
                assert found == pytest.approx(wanted, rel=2e-15, abs=1e-16, nan_ok=True)
    loaded = folder.load("float")
    loaded.prepare()
    _, values = loaded.call("outputs", 0.0, (0.25, 0.75))
    wanted = expected["all_ops"](0.25, 0.75)
    for found, exact in zip(values[:25], wanted[:25], strict=True):
        assert found == pytest.approx(exact, rel=5e-7, abs=0.0)


def test_not_a_number(emit, programs):
    """What has no value is NaN, infinities stay, and a comparison with NaN is false."""
    loaded = emit(programs["all_ops"](), math="strict").load()
    loaded.prepare()
    _, values = loaded.call("outputs", 0.0, (-2.0, math.inf))
    named = dict(zip(("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh"), values, strict=False))
    assert all(math.isnan(named[name]) for name in ("sqrt", "asin", "acos"))
    assert named["sin"] == pytest.approx(math.sin(-2.0), rel=2e-16)
    _, values = loaded.call("outputs", 0.0, (math.inf, 1.0))
    assert values[0] == math.inf
    assert math.isnan(values[1])


def angles(builder, count):
    """Return a program that needs sine and cosine of many angles, and its rates as Python knows them."""
    b = builder("angles")
    g = b.graph
    q = [b.state(f"q{i}", 0.1 * i) for i in range(count)]
    sums = [g.add(one, other) for one, other in zip(q, [*q[1:], q[0]], strict=True)]
    sines, cosines = ([g.unary(op, angle) for angle in sums] for op in (Op.SIN, Op.COS))
    rates = [g.add(g.mul(s, g.add(c, one)), g.mul(s, c)) for s, c, one in zip(sines, reversed(cosines), q, strict=True)]
    b.function("rhs", rates)

    def expected(x):
        turned = [one + other for one, other in zip(x, [*x[1:], x[0]], strict=True)]
        pairs = zip(turned, reversed(turned), x, strict=True)
        return [math.sin(a) * (math.cos(c) + one) + math.sin(a) * math.cos(c) for a, c, one in pairs]

    return b.program(), expected


@pytest.mark.parametrize("count", [5, 500])
def test_one_call_for_sine_and_cosine(count, builder, emit, silent):
    """Each angle is reduced once, in a function of one part or of several; the values are those of two calls."""
    program, expected = angles(builder, count)
    folder = emit(program, math="strict")
    silent(folder.path, folder.macro, folder.sources, "-fsyntax-only")
    body = (folder.path / folder.sources[0]).read_text(encoding="utf-8").partition("_default_parameters")[2]
    parts = body.count("static void rhs_")
    assert (parts > 1) == (count > 100)
    apart = len(re.findall(r"REAL_(SIN|COS)\(", body))
    assert apart <= 2 * parts  # where a function is cut
    fours = body.count("    real_sincos_four(")
    assert fours >= (count - parts) // 4 - parts
    assert body.count("= real_sincos(") + 4 * fours == count - apart // 2
    loaded = folder.load()
    loaded.prepare()
    x = [0.1 * i - 3.0 for i in range(count)]
    _, values = loaded.call("rhs", 0.0, x)
    assert values == pytest.approx(expected(x), rel=1e-14, abs=1e-14)
    usual = emit(program).load()
    usual.prepare()
    assert usual.call("rhs", 0.0, x)[1] == pytest.approx(values, rel=1e-14, abs=1e-14)


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("model", TRAJECTORIES)
@pytest.mark.sampled(5)
def test_same_bits_everywhere(model, real, same_bits, tmp_path):
    """One hash over all states of a run, whoever compiles, in whatever dialect, however much is optimized."""
    build = eomc.compile(eomc.load(model), math="strict", **TRAJECTORIES[model])
    build.write(tmp_path)
    name, macro = build.view.name, build.view.macro
    (tmp_path / "driver.c").write_text(DRIVER.format(name=name, macro=macro, steps=1000), encoding="utf-8")
    hashes = {}
    for compiler, flags in same_bits:
        command = [compiler, *flags.split(), f"-D{macro}_USE_{real.upper()}", f"{name}.c", "driver.c", "-o", "driver"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        run = subprocess.run(["./driver"], cwd=tmp_path, check=True, capture_output=True)
        hashes[compiler, flags] = hashlib.sha256(run.stdout).hexdigest()
    assert len(hashes) > 1
    assert len(set(hashes.values())) == 1, hashes


@pytest.mark.parametrize(
    ("flags", "advice"),
    [(["-ffast-math"], "without -ffast-math"), (["-m32", "-mfpmath=387"], "with -msse2 -mfpmath=sse")],
)
def test_arithmetic_that_is_not_ieee_is_refused(flags, advice, of_one, emit):
    """An #error says which options to take or to leave away."""
    folder = emit(of_one(SINGLE["arc"]), math="fast")
    answer = folder.run(["gcc", "-std=c99", *flags, "-fsyntax-only", *folder.sources])
    if "-m32" in flags and "bits/" in answer.stderr:
        pytest.skip("headers for 32 bits are missing")
    assert answer.returncode != 0
    assert f"compile it {advice}" in answer.stderr


def test_names_of_own_functions_are_not_the_models(builder, emit, silent):
    """Variables that are called like own functions and types stand aside; results go with them."""
    b = builder("clash")
    g = b.graph
    x, y = b.state("real_sin", 0.3), b.state("real_reduced", 0.5)
    p, r = b.parameter("real_bits", 2.0), b.input("real_sin_core", 4.0)
    b.function("rhs", [g.mul(p, g.unary(Op.SIN, x)), g.mul(r, g.unary(Op.SIN, y))])
    folder = emit(b.program(), math="strict")
    silent(folder.path, folder.macro, folder.sources, "-fsyntax-only")
    loaded = folder.load()
    loaded.prepare()
    _, values = loaded.call("rhs", 0.0, (0.3, 0.5))
    assert values == pytest.approx([2 * math.sin(0.3), 4 * math.sin(0.5)], rel=1e-15)


@functools.cache
def texts(choice):
    """Return the files of a shipped model."""
    return {file.path: file.text for file in eomc.compile(eomc.load("double_pendulum"), math=choice).artifacts}


def test_the_choice_is_told_everywhere():
    """Banner, options, Makefile and README tell it; with libm there is no word of it."""
    banners = {choice: re.search(r"sha256:\w+", texts(choice)["double_pendulum.h"])[0] for choice in ("libm", *OWN)}
    assert len(set(banners.values())) == 3
    for choice in OWN:
        assert f" math={choice}" in texts(choice)["double_pendulum.h"]
        assert f"MATH = {' '.join(FLAGS[choice])}\n" in texts(choice)["Makefile"]
        assert f"`--math {choice}`" in texts(choice)["README.md"]
        assert re.search(r"\| sincos \| 0\.9 \| 0\.9 \|", texts(choice)["README.md"])
        assert "real_tan" not in texts(choice)["double_pendulum.c"]
    assert not any(re.search(r"--math|MATH\b|math=|real_sin", text) for text in texts("libm").values())


def test_make_builds_it(tmp_path):
    """The Makefile compiles the model with its flags, and the program passes its own test."""
    eomc.compile(eomc.load("double_pendulum"), math="strict").write(tmp_path)
    made = subprocess.run(["make", "test"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert made.stdout.count(" ".join(FLAGS["strict"])) == 2
    assert made.stderr == ""


def test_a_build_keeps_its_choice(monkeypatch):
    """Functions and schemes that are asked for later have the same mathematics; the binding has its flags last."""
    build = eomc.compile(eomc.load("double_pendulum"), math="strict")
    assert build.math == "strict"
    for other in (build.with_functions("jacobian"), build.with_integrator("heun")):
        assert other.math == "strict"
        assert "math=strict" in other.view.banner.options
    monkeypatch.setenv("CFLAGS", "-ffp-contract=fast")
    assert find_compiler(build.flags).flags[-2:] == tuple(FLAGS["strict"])
    monkeypatch.setenv("CFLAGS", "-ffast-math")
    with pytest.raises(BuildError, match="compile it without -ffast-math"):
        build.load()
    with pytest.raises(UsageError, match="math is 'fats': it must be 'libm' or 'strict' or 'fast'"):
        eomc.compile(build.model, math="fats")


@pytest.mark.parametrize("model", shipped_models())
@pytest.mark.sampled(12)
def test_shipped_models_agree_with_the_reference(model):
    """Every function of every model, where the reference has NumPy's mathematics."""
    build = eomc.compile(eomc.load(model), math="strict")
    assert compare(build, count=10).holds


def test_lanes_have_the_same_bits():
    """The right-hand side of several states side by side is that of one, to the last bit."""
    model = eomc.load("double_pendulum")
    build = eomc.compile(model, math="strict", functions="rhs_lanes")
    states = np.random.default_rng(1).uniform(-3, 3, (21, 4))
    states[5, 0], states[9, 1] = 1e9, math.nan
    one = eomc.compile(model, math="strict").load()
    with pytest.warns(RuntimeWarning):
        found = build.load().rhs(0.0, states)
    with pytest.warns(RuntimeWarning):
        alone = np.array([one.rhs(0.0, states[i : i + 1])[0] for i in range(len(states))])
    np.testing.assert_array_equal(found, alone)


def test_the_command_line_hands_it_on(eomc_command, tmp_path):
    """`--math` reaches the C of every command that takes it; another word is one line."""
    options = ("double_pendulum", "--math", "strict")
    assert eomc_command("generate", *options, "-o", tmp_path).code == 0
    assert "= real_sincos(" in (tmp_path / "double_pendulum.c").read_text(encoding="utf-8")
    assert json.loads(eomc_command("stats", *options, "--json").out)["math"] == "strict"
    for command in (("check", *options, "--samples", "3"), ("simulate", *options, "--t-end", "0.1")):
        assert eomc_command(*command).code == 0
    answer = eomc_command("generate", "double_pendulum", "--math", "exact")
    assert answer.code == 2
    assert answer.err == "eomc: error: math is 'exact': it must be 'libm' or 'strict' or 'fast'\n"
