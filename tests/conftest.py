"""Fixtures that tests of all kinds share; kept small."""

from __future__ import annotations

import dataclasses
import gc
import itertools
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent

THOROUGH = "EOMC_THOROUGH" in os.environ

# The same examples in every run, more of them in `.ci/run`. No deadline: the machine may be busy.
EXAMPLES = 100 if THOROUGH else 30
hypothesis.settings.register_profile("eomc", max_examples=EXAMPLES, deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("eomc")

os.environ.setdefault("MPLBACKEND", "Agg")
for inherited in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):  # `make -C checkout test` would print folders
    os.environ.pop(inherited, None)
os.environ["EOMC_VERIFY"] = "1"  # every program that a test compiles keeps the graph's contract
gc.set_threshold(20_000)  # SymPy, Hypothesis and models stay alive for the whole run: they are walked less often


STRICT = {
    "gcc": (
        "-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow "
        "-Wstrict-prototypes -Wmissing-prototypes -Wcast-qual -Wundef -Wvla -Wfloat-equal -Werror"
    ),
    "clang": (
        "-std=c99 -Weverything -Werror -Wno-padded -Wno-declaration-after-statement -Wno-unknown-warning-option "
        "-Wno-unsafe-buffer-usage"
    ),
}
"""The strictest flags of each compiler, under which emitted C must be silent."""

SAME_BITS = {
    "gcc": (
        "-std=c99 -O0",
        "-std=c99 -O2 -fno-math-errno -ffp-contract=off",
        "-std=gnu11 -O3 -march=native -fno-math-errno",
    ),
    "clang": ("-std=c99 -O2 -fno-math-errno -ffp-contract=off", "-std=gnu11 -O3 -march=native"),
}
"""Flags of each compiler under which strict mathematics have the same bits; at -O0 errno may be wanted, so that the
root is our own, and what is native would contract, but for the pragma."""


class Answer(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep of a test marked `sampled(n)` every n-th case, all where EOMC_THOROUGH is set, as in `.ci/run`."""
    if "EOMC_THOROUGH" in os.environ:  # which a test of this sets
        return
    cases: Counter[str] = Counter()
    kept, left = [], []
    for item in items:
        mark = item.get_closest_marker("sampled")
        test = item.nodeid.partition("[")[0]
        (kept if mark is None or cases[test] % mark.args[0] == 0 else left).append(item)
        cases[test] += 1
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept


def pytest_sessionfinish() -> None:
    """Look for garbage once: pytest does so twice at its end, through all that SymPy and models keep alive."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the checkout."""
    return ROOT


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Return a Chromium, which draws WebGL, too; tests of it are skipped where Playwright is not installed."""
    playwright = pytest.importorskip("playwright.sync_api")
    options = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=shutil.which("chromium"), args=options)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session", autouse=True)
def compiled_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep compiled models of this run, of all its workers, in one folder of the run's own."""
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"
    cache.mkdir(exist_ok=True)
    usual = os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")
    os.environ.setdefault("MPLCONFIGDIR", str(Path(usual) / "matplotlib"))  # its list of fonts takes seconds to make
    os.environ["XDG_CACHE_HOME"] = str(cache)
    return cache


@pytest.fixture(scope="session", autouse=True)
def shipped_once() -> Iterator[None]:
    """Make each shipped model once in a worker, for nothing changes a model, which is looked at when all is done.

    A test that wants other fields in one sets them in a copy: ``model.renamed(model.name)``.
    """
    from eomc.frontends import loading

    made: dict[str, tuple[object, dict[str, object]]] = {}
    make = loading._shipped

    def fields(model: object) -> dict[str, object]:
        return {field.name: getattr(model, field.name) for field in dataclasses.fields(model)}

    def shipped(spec: str) -> object:
        if spec not in made:
            model = make(spec)
            made[spec] = model, fields(model)
        return made[spec][0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "_shipped", shipped)
        yield
    for spec, (model, before) in made.items():
        changed = [name for name, value in fields(model).items() if value is not before[name]]
        assert not changed, f"a test has set {changed} of the shared model {spec}"


@pytest.fixture(scope="module", autouse=True)
def optimization() -> Iterator[None]:
    """Compile without optimization: most tests ask for values, which are the same, in a quarter of the time.

    A folder or a file whose subject is what users compile has a fixture of this name that does nothing.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CFLAGS", "-std=c99 -O0")
        yield


@pytest.fixture(scope="session")
def strict() -> dict[str, list[str]]:
    """Return the commands of the compilers that are here with their strictest flags, by name; gcc is always there."""
    return {name: [name, *flags.split()] for name, flags in STRICT.items() if name == "gcc" or shutil.which(name)}


@pytest.fixture(scope="session")
def silent(strict: dict[str, list[str]]) -> Callable[..., None]:
    """Return a function (folder, macros of models, files, flags): no strict compiler has a word, in either precision.

    gcc has warnings that its optimizer alone finds, in either precision: it optimizes doubles, and floats where
    EOMC_THOROUGH is set. Those of clang need no code. Flags come last: they may say -O0.
    """

    def check(folder: Path, macros: str, files: Sequence[str], *flags: str) -> None:
        for (compiler, command), real in itertools.product(strict.items(), ("DOUBLE", "FLOAT")):
            optimizes = compiler == "gcc" and (THOROUGH or real == "DOUBLE")
            how = ["-O2", "-c"] if optimizes else ["-fsyntax-only"]
            defines = [f"-D{macro}_USE_{real}" for macro in macros.split()]
            words = [*command, *how, *defines, *flags, *files]
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr[:4000]) == (0, ""), " ".join(words)

    return check


@pytest.fixture(scope="session")
def same_bits() -> list[tuple[str, str]]:
    """Return the compilers that are here with all flags that must not tell in strict mathematics."""
    return [(name, flags) for name, several in SAME_BITS.items() if shutil.which(name) for flags in several]


@pytest.fixture
def eomc_command(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Return a function that runs the command line in this process: ``eomc_command("generate", model)``."""
    from eomc.cli import main

    def run(*arguments: str) -> Answer:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return run
