"""No name of a model is a macro where the emitted files are compiled; no macro of theirs is idle."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import eomc
from eomc.backends.c99.identifiers import distinct
from eomc.frontends.loading import shipped_models

pytestmark = pytest.mark.needs_cc

ROOT = Path(__file__).parents[2]
C99 = (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdarg stdbool stddef "
    "stdint stdio stdlib string tgmath time wchar wctype"
).split()
WORDS = (
    "EPSILON LARGEST MOST_STEPS MOST_DIGITS FEWEST_DIGITS DBL_DIG FLT_RADIX DECIMAL_DIG SEEK_SET TMP_MAX FILENAME_MAX "
    "BUFSIZ EOF RAND_MAX EXIT_FAILURE HUGE_VAL INT_MAX ERANGE stdout REAL RANK_TOLERANCE CONTRADICTION REAL_LARGEST "
    "MOST_CORRECTIONS SHORT_CORRECTION linux unix I M_PI isnan offsetof NULL E T M g"
).split()


def defined(compiler, folder, *arguments):
    """Return the macros, object-like or function-like, that a preprocessor has seen at the end of a text."""
    answer = subprocess.run(
        [compiler, *arguments, "-dM", "-E"], cwd=folder, capture_output=True, text=True, check=True
    ).stdout
    return set(re.findall(r"^#define (\w+)", answer, re.MULTILINE))


@pytest.mark.parametrize("dialect", ["-std=c99", "-std=gnu99", "-std=gnu17", "-D_GNU_SOURCE"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", ["pendulum", "eliminated", "dag_300"])
def test_no_name_of_a_model_is_a_macro(name, compiler, dialect, programs, emit):
    """Whatever macro the model or its main sees begins with an underscore or with the model's name, or is reserved."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is missing")
    folder = emit(programs[name]())
    for source in ("main.c", f"{folder.name}.c"):
        macros = defined(compiler, folder.path, dialect, source)
        assert "DBL_DIG" in macros or source != "main.c"
        for macro in macros:
            if not macro.startswith(("_", f"{folder.macro}_")) and macro != f"{folder.name}_prepare":
                assert distinct([macro], prefix=folder.name) != (macro,), f"{macro} in {source}"


@pytest.mark.parametrize("header", C99)
def test_macros_of_all_headers_are_reserved(header, tmp_path):
    """What any header of C99 defines in that dialect is reserved, whether or not our files include it."""
    (tmp_path / "all.c").write_text(f"#include <{header}.h>\n")
    for compiler in filter(shutil.which, ("gcc", "clang")):
        for macro in defined(compiler, tmp_path, "-std=c99", "all.c"):
            assert macro.startswith("_") or distinct([macro]) != (macro,), macro


@pytest.mark.parametrize("turned", [False, True])
def test_a_model_of_macro_names_builds(turned, tmp_path):
    """Parameters, inputs and states that are named like macros: the folder builds with one call of make and runs."""
    import sympy
    from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

    half = len(WORDS) // 2
    words = [*WORDS[half:], *WORDS[:half]] if turned else WORDS  # each is a parameter once and an input once
    parameters = {sympy.Symbol(word): 1.0 for word in words[:half]}
    inputs = [dynamicsymbols(word) for word in words[half:]]
    states = [dynamicsymbols(word) for word in ("FLT_DIG", "signbit", "LONG_MAX")]
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    point = origin.locatenew("P", states[0] * frame.x)
    force = sum(parameters) * states[0] + sum(inputs) + states[1] * states[2]
    model = eomc.Model(
        name="macro_names", inertial_frame=frame, coordinates=[states[0]], speeds=[states[0].diff()],
        bodies=[Particle("P", point, 1)], loads=[(point, -force * frame.x)], parameters=parameters, inputs=inputs,
        extra_states={states[1]: -states[1], states[2]: -states[2]},
    )  # fmt: skip
    eomc.compile(model, functions="all").write(tmp_path)
    answer = subprocess.run(
        ["make", "-s", "CFLAGS=-std=c99 -O0"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    answer = subprocess.run(["./macro_names", "--self-test"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout
    assert "FAIL" not in answer.stdout


def test_what_is_called_size_is_not_the_size(tmp_path):
    """Coordinates, momenta, outputs, constraints and multipliers named `size` have indices beside the lengths."""
    import sympy
    from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

    size, other = dynamicsymbols("Size other")
    frame, origin, m = ReferenceFrame("N"), Point("O"), sympy.Symbol("m_size")
    origin.set_vel(frame, 0)
    point = origin.locatenew("P", size * frame.x + other * frame.y)
    point.set_vel(frame, size.diff() * frame.x + other.diff() * frame.y)
    model = eomc.Model(
        name="sizes", inertial_frame=frame, coordinates=[size, other], speeds=[size.diff(), other.diff()],
        bodies=[Particle("P", point, m)], configuration_constraints=[size - other], parameters={m: 2.0},
        outputs={"size": size, "SIZE_2": 3 * other, "a size": 5 * size}, initial={size: 0.5},
    )  # fmt: skip
    for method in ("kane", "lagrange", "hamilton-multipliers"):
        folder = tmp_path / method
        build = eomc.compile(model, method, functions="all", stabilization="projection")
        build.write(folder)
        command = ["gcc", "-std=c99", "-fsyntax-only", "sizes.c", "main.c"]
        answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stderr
        header = (folder / "sizes.h").read_text()
        enumerators = re.findall(r"^    (SIZES_\w+) = \d+", header, re.MULTILINE)
        assert len(set(enumerators)) == len(enumerators) > 8
        assert not set(enumerators) & defined("gcc", folder, "sizes.h")


OTHERS = ("heavy_top:quaternion", "four_bar/projection", "hanging_chain/augmented")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("model", "real"),
    [
        *((name, "double") for name in (*shipped_models(), *OTHERS)),
        *((name, "float") for name in ("kepler", "cart_pole", *OTHERS)),  # no kernel, a definite one, all kinds
    ],
)
def test_no_macro_is_idle_and_no_choice_has_equal_arms(model, real):
    """Each macro that the emitted files define for themselves is used there; no `?:` or `if` chooses between equals."""
    name, _, how = model.partition("/")
    options = {"": {}, "projection": {"stabilization": "projection"}, "augmented": {"constraints": "augmented"}}[how]
    build = eomc.compile(eomc.load(name), real=real, **options)
    files = {file.path: file.text for file in build.artifacts if file.path.endswith((".c", ".h"))}
    for path, text in files.items():
        code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        for macro in set(re.findall(r"#define (\w+)", code)):
            where = code if path.endswith(".c") else "\n".join(files.values())
            uses = [line for line in where.splitlines() if re.search(rf"\b{macro}\b", line)]
            ours = path.endswith(".c") or path.endswith("_internal.h")
            if ours:
                assert any(not line.lstrip().startswith(f"#define {macro}") for line in uses), f"{macro} in {path}"
        assert not re.search(r"\? (-?[\w.>\[\]()-]+) : \1(?![\w.\[(>-])", code)
        for first, second in re.findall(r"\) \{\n([^{}]*?)\n\s*\} else \{\n([^{}]*?)\n\s*\}", code):
            assert first.split() != second.split()


ELSEWHERE = frozenset("far near small interface min max major minor linux unix i386 mips sparc sun vax".split())


def test_nothing_of_ours_is_a_macro_elsewhere():
    """`near`, `far` and `small` are macros of Windows: a member of that name does not compile behind its headers."""
    assert all(distinct([word]) != (word,) for word in ELSEWHERE)
    found = {}
    for file in sorted((ROOT / "templates").rglob("*.[ch].jinja")):
        text = re.sub(r"{#.*?#}|{{.*?}}|{%.*?%}|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", " ", file.read_text(), flags=re.DOTALL)
        if words := ELSEWHERE.intersection(re.findall(r"[A-Za-z_]\w*", text)):
            found[file.name] = sorted(words)
    assert found == {}


def test_every_constant_that_is_prepared_is_told(tmp_path):
    """Also one whose formula is long, such as sums of sizes in a closed loop."""
    eomc.compile(eomc.load("slider_crank")).write(tmp_path)
    lines = re.findall(r"^ +slider_crank_real c\d+;.*", (tmp_path / "slider_crank.h").read_text(), re.MULTILINE)
    assert len(lines) > 5
    assert [line for line in lines if not re.search(r"/\*\*< \S.*\*/", line)] == []
    assert any("..." in line for line in lines)
