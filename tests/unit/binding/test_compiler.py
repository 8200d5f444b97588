"""Finding and running the system compiler."""

from __future__ import annotations

import re
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eomc.binding import load
from eomc.binding.compiler import find_compiler
from eomc.errors import BuildError

pytestmark = pytest.mark.needs_cc


@pytest.fixture(scope="module", autouse=True)
def optimization() -> None:
    """Compile as users do: the flags are the subject."""


def test_missing_compiler_named_by_cc(monkeypatch: pytest.MonkeyPatch, pendulum: Callable[..., Any]) -> None:
    """A CC that is no program: one line that names it and says what to do."""
    monkeypatch.setenv("CC", "/nonexistent/cc -m64")
    with pytest.raises(BuildError, match=r"CC names '/nonexistent/cc'.*install one.*or set CC") as caught:
        load(pendulum())
    assert "\n" not in str(caught.value)


def test_no_compiler_on_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without CC and without a compiler, the message lists what was tried."""
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BuildError, match=r"tried cc, gcc, clang on PATH; install one.*or set CC"):
        find_compiler()


def test_first_candidate_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Cc, else gcc, else clang; CC before all of them, with its arguments."""
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("clang", "gcc", "cc"):
        program(tmp_path / name, "exit 0")
        assert find_compiler().command == (name,)
    monkeypatch.setenv("CC", "clang --target='a b'")
    assert find_compiler().command == ("clang", "--target=a b")


def test_unbalanced_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A CFLAGS that no shell could split is an error that names the variable."""
    monkeypatch.setenv("CFLAGS", "-DX='")
    with pytest.raises(BuildError, match="CFLAGS cannot be split"):
        find_compiler()


def test_compiler_failure_shows_command_and_output(pendulum: Callable[..., Any]) -> None:
    """C that does not compile: the error holds the command line and what the compiler said."""
    with pytest.raises(BuildError) as caught:
        load(pendulum(source='#include "pendulum.h"\nint broken = undeclared_name;\n'))
    first, *below = str(caught.value).splitlines()
    assert re.fullmatch(r"the C compiler \S+ failed with exit code 1: set CC to another one, .*", first)
    assert below[0] == "  command:"
    assert "-O2 -std=c99 -fPIC -shared" in below[1]
    assert below[2] == "  output:"
    assert any("pendulum.c" in line and "undeclared_name" in line for line in below[3:])
    assert all(line.startswith("    ") for line in (below[1], *below[3:]))


def test_compiler_without_a_word(monkeypatch: pytest.MonkeyPatch, pendulum: Callable[..., Any], tmp_path: Path) -> None:
    """A compiler that fails in silence is named, and the silence too."""
    program(tmp_path / "mute", "exit 3")
    monkeypatch.setenv("CC", str(tmp_path / "mute"))
    with pytest.raises(BuildError) as caught:
        load(pendulum())
    lines = str(caught.value).splitlines()
    assert lines[0].startswith(f"the C compiler {tmp_path / 'mute'} failed with exit code 3: ")
    assert lines[-2:] == ["  output:", "    (nothing)"]


def test_compiler_with_many_words(
    monkeypatch: pytest.MonkeyPatch, pendulum: Callable[..., Any], tmp_path: Path
) -> None:
    """A flood of messages is cut, and the cut is told."""
    program(tmp_path / "cc", "for k in 0 1 2 3 4 5 6 7 8 9; do printf 'a\\nb\\nc\\nd\\ne\\n'; done; exit 1")
    monkeypatch.setenv("CC", str(tmp_path / "cc"))
    with pytest.raises(BuildError) as caught:
        load(pendulum())
    lines = str(caught.value).splitlines()
    assert len(lines) == 4 + 41
    assert lines[-1] == "    ... and 10 more lines"


def test_compiler_that_cannot_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pendulum: Callable[..., Any]
) -> None:
    """A CC whose file the system cannot execute is reported, not raised as OSError."""
    program(tmp_path / "cc", "", first_line="#!/nonexistent/shell")
    monkeypatch.setenv("CC", str(tmp_path / "cc"))
    with pytest.raises(BuildError, match="cannot be run"):
        load(pendulum())


def test_compiler_that_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pendulum: Callable[..., Any]
) -> None:
    """Exit code 0 without a library is a failure too."""
    program(tmp_path / "cc", "exit 0")
    monkeypatch.setenv("CC", str(tmp_path / "cc"))
    with pytest.raises(BuildError, match="exit code 0"):
        load(pendulum())


def test_file_that_is_no_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pendulum: Callable[..., Any]) -> None:
    """What the loader refuses is an error that points at CC and CFLAGS."""
    program(tmp_path / "cc", 'while [ "$1" != -o ]; do shift; done; echo nonsense > "$2"')
    monkeypatch.setenv("CC", str(tmp_path / "cc"))
    with pytest.raises(BuildError, match=r"cannot be loaded.*check CC and CFLAGS"):
        load(pendulum())


def test_no_temporary_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pendulum: Callable[..., Any]) -> None:
    """Where nothing can be written, the error says which variable to set."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    with pytest.raises(BuildError, match=r"needs a temporary folder: .*; set TMPDIR"):
        load(pendulum())


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_shim_is_clean_under_strict_flags(
    monkeypatch: pytest.MonkeyPatch,
    compiler: str,
    real: str,
    pendulum: Callable[..., Any],
    strict: dict[str, list[str]],
) -> None:
    """A user's CFLAGS with warnings as errors do not break the private C file."""
    monkeypatch.setenv("CC", compiler)
    monkeypatch.setenv("CFLAGS", " ".join(strict["gcc"][1:]))
    source = pendulum().artifacts[1].text
    quiet = (
        f'#pragma GCC diagnostic ignored "-Wdouble-promotion"\n#pragma GCC diagnostic ignored "-Wconversion"\n{source}'
    )
    assert load(pendulum(real, source=quiet)).rhs(0.0, [0.0, 1.0]).tolist() == [1.0, 0.0]


def test_cflags_reach_the_compiler(monkeypatch: pytest.MonkeyPatch, pendulum: Callable[..., Any]) -> None:
    """CFLAGS are honoured, and another CFLAGS is another library."""
    build = pendulum(source=pendulum().artifacts[1].text.replace("dx[0] = omega;", "dx[0] = omega * SCALE;"))
    for scale in (2.0, 3.0):
        monkeypatch.setenv("CFLAGS", f"-DSCALE={scale}")
        assert load(build).rhs(0.0, [0.0, 1.0])[0] == scale


def test_struct_that_is_no_array_is_refused(pendulum: Callable[..., Any]) -> None:
    """Parameters that are not all of the real type cannot be passed as an array: the compiler stops."""
    header = pendulum().artifacts[0].text.replace("pendulum_real g; }", "pendulum_real g; char more; }")
    with pytest.raises(BuildError, match="eomc_require_parameters"):
        load(pendulum(header=header))


def program(path: Path, script: str, first_line: str = "#!/bin/sh") -> None:
    path.write_text(f"{first_line}\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
