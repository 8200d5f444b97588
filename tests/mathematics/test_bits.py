"""Own functions as C: silent under strict flags, without libm, the same bits by every compiler and optimization."""

from __future__ import annotations

import subprocess
from importlib import import_module
from pathlib import Path

import pytest
from coefficients import FAMILIES
from harness import COMPILERS, build, digest, source

from eomc.backends.c99.mathematics import OWN_FUNCTIONS, Shape, with_needs
from eomc.backends.c99.mathematics.elementary import ELEMENTARY
from eomc.backends.c99.mathematics.trigonometric import TRIGONOMETRIC

NAMES = tuple(name for name, record in OWN_FUNCTIONS.items() if record.bound)
SHAPES: tuple[Shape, ...] = ("floats", "fused", "integers")
precisions = pytest.mark.parametrize("precision", ["double", "single"])
OTHERS = [  # those that are here
    (compiler, flags)
    for compiler, flags in [
        ("gcc", ("-std=c99", "-O0", "-fno-math-errno", "-ffp-contract=off")),
        ("gcc", ("-std=c99", "-O3", "-fno-math-errno", "-march=native", "-ffp-contract=off")),
        ("clang", ("-std=c99", "-O0", "-fno-math-errno", "-ffp-contract=off")),
        ("clang", ("-std=c99", "-O3", "-fno-math-errno", "-march=native", "-ffp-contract=off")),
    ]
    if compiler in COMPILERS
]


def test_records() -> None:
    """No two records have one name; needs are records; a part has no bound."""
    names = [record.name for record in (*TRIGONOMETRIC, *ELEMENTARY)]
    assert len(names) == len(set(names))
    for shape in SHAPES:
        assert set(with_needs(OWN_FUNCTIONS, shape)) == set(OWN_FUNCTIONS)


def test_only_what_is_needed_is_written() -> None:
    """The text of one function does not hold another's."""
    text = source(("sin",), "double")
    assert "real_sin(" in text
    assert "real_tan" not in text
    assert "real_cos(" not in text


@pytest.mark.needs_cc
@precisions
def test_compilers_are_silent(precision: str, strict: dict[str, list[str]], tmp_path: Path) -> None:
    """Each function, alone with what it calls, compiles without a warning in every shape: no function is unused."""
    texts = {source((name,), precision, shape) for name in NAMES for shape in SHAPES}
    paths = [tmp_path / f"{precision}_{i}.c" for i in range(len(texts))]
    for path, text in zip(paths, sorted(texts), strict=True):
        path.write_text(text, encoding="utf-8")
    for command in strict.values():
        flags = ["-fsyntax-only", "-Wno-unused-macros"]  # macros are the model's, which knows what it needs
        done = subprocess.run([*command, *flags, *paths], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pytest.mark.needs_cc
@precisions
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.sampled(3)
def test_no_libm(precision: str, shape: str) -> None:
    """Nothing is called but, at most, memcpy."""
    library = build(NAMES, precision, shape)
    listed = subprocess.run(
        ["nm", "-D", "--undefined-only", str(library.path)], capture_output=True, text=True, check=True
    )
    called = {line.split()[-1].partition("@")[0] for line in listed.stdout.splitlines()}
    assert {name for name in called if not name.startswith("_")} <= {"memcpy"}


@pytest.mark.needs_cc
@precisions
@pytest.mark.parametrize("shape", ["floats", "integers"])
@pytest.mark.sampled(3)
def test_same_bits_everywhere(precision: str, shape: str) -> None:
    """One hash, whoever compiles and however much is optimized, as long as nothing is contracted."""
    for family in FAMILIES:
        module = import_module(f"samples_{family}")
        wanted = build(NAMES, precision, shape)
        others = [build(NAMES, precision, shape, compiler, flags) for compiler, flags in OTHERS]
        for name in module.NAMES:
            arguments = module.samples(name, precision, 60_000)
            made = [library(name, *arguments) for library in (wanted, *others)]
            hashes = [digest(*(one if isinstance(one, tuple) else (one,))) for one in made]
            assert len(set(hashes)) == 1, (name, hashes)
