"""The table of `make bench`: agreement before times, ratios, empty cells, limits of time, rows that are kept."""

from __future__ import annotations

import dataclasses
import re
import shlex
import subprocess
import sys
import time
import zipfile
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import install_peers
import numpy as np
import pytest
from comparison import entries as entering
from comparison import measure as measuring
from comparison import worker
from comparison.columns import COLUMNS, TIMED
from comparison.contenders import CONTENDERS, HOW
from comparison.contenders.contender import Contender, Refused, Task
from comparison.contenders.eomc_ import Tool, describe
from comparison.entries import Entries
from comparison.gate import difference, disagreements, missed
from comparison.main import FLAGS, parser
from comparison.picture import MARKS, draw
from comparison.process import Ended, Process
from comparison.race import race
from comparison.record import Record, Told, load, save
from comparison.render import figure, share, table
from comparison.rows import ROWS, chosen, model_of
from comparison.tangents import rotation, tangent
from comparison.worker import answered

import eomc
from eomc.errors import ModelError

NAN = float("nan")


def record(**told: dict[str, float]) -> Record:
    """Return a row of Panda with figures of some contenders."""
    return Record("panda", {name: Told(dict(figures)) for name, figures in told.items()})


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([[1.0, 2.0]], [[1.0, 2.0]], 0.0),
        ([[1.0, 2.0], [100.0, 0.0]], [[1.0, 2.5], [100.0, 1.0]], 0.2),
        ([[0.0]], [[0.0]], 0.0),
        ([[1.0]], [[NAN]], np.inf),
        ([[np.inf]], [[np.inf]], np.inf),
        ([[1.0]], [[1.0, 2.0]], np.inf),
        (np.empty((0, 2)), np.empty((0, 2)), np.inf),
    ],
    ids=["equal", "by state", "zeros", "not a number", "infinite", "other shapes", "no state"],
)
def test_difference_is_beside_the_largest_component_of_each_state(one: Any, other: Any, expected: float) -> None:
    """A state of small values does not hide behind one of large ones, and what is not finite never agrees."""
    assert difference(np.array(one), np.array(other)) == pytest.approx(expected)


def test_accelerations_of_a_nearly_singular_matrix_are_judged_by_their_forces() -> None:
    """Two solutions that differ by a tenth need the same forces to rounding; what solves another equation does not."""
    m = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-12]])
    u, bias = np.array([1.0, 2.0]), np.array([0.5, -0.25])
    other = u + 0.1 * np.array([1.0, -1.0])
    given = m @ u + bias
    assert difference(u[None], other[None]) > 0.04
    assert missed((m @ other + bias)[None], given[None], bias[None]) < 1e-12
    assert missed((m @ np.array([1.1, 2.0]) + bias)[None], given[None], bias[None]) == pytest.approx(0.1 / 3.1)
    assert missed((m @ other * NAN)[None], given[None], bias[None]) == np.inf


def test_whoever_differs_is_named() -> None:
    """All are compared with the first, and each that is farther off than the tolerance has a sentence."""
    right = np.array([[1.0, -3.0]])
    found, worst = disagreements(
        {"eomc": right, "A": right * (1 + 1e-12), "B": right - [0.0, 1 / 3], "C": right * NAN}, 1e-9
    )
    assert found == ["eomc and B differ by 1.0e-01", "eomc and C differ by inf"]
    assert worst == np.inf


def test_ratio_is_to_the_best_peer() -> None:
    """The least of the peers, by name; none where eomc or all peers have no figure."""
    row = record(eomc={"rhs": 120.0, "text": 10.0}, CasADi={"rhs": 240.0, "emit": 1.0}, MuJoCo={"rhs": 200.0})
    assert row.ratio("rhs") == (0.6, "MuJoCo")
    assert row.ratio("text") is None
    assert row.ratio("emit") is None


def test_table_has_empty_cells_and_says_why() -> None:
    """A contender without a figure has nothing there, or the limit that it passed; the legend has the reasons."""
    row = record(eomc={"rhs": 139.4, "derive": 0.0435}, CasADi={"rhs": 219.0}, PyDy={})
    row.told["CasADi"].reasons["jacobian"] = "over 60 s"
    row.told["PyDy"].reasons = dict.fromkeys(COLUMNS, "has no trees")
    lines = table([row], ["derive", "rhs", "jacobian"], legend=True).splitlines()
    assert lines[0].split("  ")[0] == "mechanism"
    assert lines[2].split() == ["Panda", "eomc", "0.0435", "139"]
    assert lines[3].split() == ["CasADi", "219", "over", "60", "s"]
    assert lines[4].split() == ["ratio", "0.64", "CasADi"]
    assert len({len(line) for line in lines[1:2]}) == 1
    assert "  PyDy, all: has no trees (Panda)" in lines
    assert "  CasADi, Jacobian: over 60 s (Panda)" in lines


def test_picture_of_rows_with_and_without_figures(tmp_path: Path) -> None:
    """Empty cells, a row that disagrees and a column that nobody has are drawn as nothing."""
    rows = [record(eomc={"rhs": 139.4, "derive": 0.04}, CasADi={"rhs": 219.0}), record(eomc={"rhs": 3.0})]
    rows[1].row = "ur5"
    rows[1].disagreements.append("rhs: eomc and CasADi differ by 1.0e-03")
    draw(rows, list(COLUMNS), "of today", tmp_path / "table.png")
    assert (tmp_path / "table.png").read_bytes().startswith(b"\x89PNG")
    draw(rows[1:], list(COLUMNS), "of today", tmp_path / "table.png")
    assert not (tmp_path / "table.png").exists()


def test_every_contender_has_a_mark_and_says_how_it_is_asked() -> None:
    """None is left out of the picture or of the legend, and no two look alike."""
    assert list(MARKS) == list(CONTENDERS) == list(HOW)
    assert len(set(MARKS.values())) == len({mark for _, mark in MARKS.values()}) == len(CONTENDERS)


def test_a_row_that_disagrees_has_no_times() -> None:
    """Whatever figures there are, the row says who differs, and nothing else."""
    row = record(eomc={"rhs": 139.4}, CasADi={"rhs": 219.0})
    row.disagreements.append("rhs: eomc and CasADi differ by 1.0e-03")
    text = table([row], ["rhs"])
    assert "no agreement: rhs: eomc and CasADi differ by 1.0e-03" in text
    assert "139" not in text
    assert "219" not in text


@pytest.mark.parametrize(
    ("value", "text"), [(0.0435, "0.0435"), (139.4, "139"), (12345.6, "12 346"), (0.00012, "0.0001"), (7.0, "7")]
)
def test_figures_have_three_digits(value: float, text: str) -> None:
    """As many as the measurement knows."""
    assert figure(value) == text


@pytest.mark.parametrize(("ratio", "text"), [(0.634, "0.63"), (0.0003066, "0.0003"), (12.4, "12"), (1.0, "1.00")])
def test_ratios_are_never_told_as_zero(ratio: float, text: str) -> None:
    """A small one keeps a digit."""
    assert share(ratio) == text


def test_times_are_the_least_of_blocks_in_turn() -> None:
    """Blocks of all alternate, and a disturbance of some does not enter."""
    asked: list[str] = []

    def racer(name: str, each: float) -> Any:
        def seconds(calls: int) -> float:
            asked.append(name)
            disturbed = 3.0 if len(asked) % 5 == 0 else 1.0
            return each * calls * disturbed

        return seconds

    found = race({"a": racer("a", 1e-6), "b": racer("b", 3e-6)}, budget=0.0)
    assert found == pytest.approx({"a": 1e-6, "b": 3e-6})
    assert asked[-6:] == ["a", "b"] * 3


def test_a_contender_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    """After the limit it is gone with what it started, and the next question says so at once."""
    process = Process("slow", tmp_path, [sys.executable, "-c", "import time; time.sleep(600)"])
    begin = time.monotonic()
    with pytest.raises(Ended, match="late"):
        process.ask("build", 0.3, column="rhs")
    assert time.monotonic() - begin < 10
    with pytest.raises(Ended, match=r"by itself"):
        process.ask("build", 10.0, column="rhs")


def test_a_contender_that_dies_ends_its_cells_alone(tmp_path: Path) -> None:
    """No answer is no answer to wait for."""
    for wait in (0.0, 1.0):  # it ends while it is asked, or has ended before
        process = Process("dead", tmp_path, [sys.executable, "-c", "pass"])
        time.sleep(wait)
        with pytest.raises(Ended, match="by itself"):
            process.ask("build", 60.0, column="rhs")
        with pytest.raises(Ended, match="by itself"):
            process.ask("build", 60.0, column="rhs")


FAKE = """
import json, sys, time
from pathlib import Path
import numpy as np
name, folder = sys.argv[1:]
died, blocks = Path(folder, f"{name}.died"), 0
again = died.exists()
for line in sys.stdin:
    asked = json.loads(line)
    what, column = asked["what"], asked.get("column")
    answer = {}
    if what == "describe" and not folder.endswith("panda"):
        answer = {"failed": "FileNotFoundError: no such robot"}
    if what == "pin" and name == "Unpinned" and again:
        sys.exit(1)
    if what == "build":
        if name == "Slow" and column == "jacobian":
            time.sleep(600)
        answer = {"figures": {"derive": 0.5} if column == "rhs" else {}}
        if column not in ("rhs", "jacobian") and (column, name) not in (("rk4", "Forgetful"), ("rk4", "Shattered")):
            answer = {"refused": "has none"}
        if name == "Forgetful" and again and column == "rhs":
            answer = {"failed": "no space left"}
        if name == "Shattered" and again and column == "rhs":
            sys.exit(1)
    if what == "values":
        if name in ("Forgetful", "Shattered") and column == "rk4":
            died.touch()
            sys.exit(1)
        if name == "Mortal" and column == "jacobian":
            sys.exit(1)
        np.save(f"{folder}/{name}-{column}.npy", np.full((2, 2), 1.0 if name != "Wrong" else 1.001))
    if what == "block":
        if name == "Weary" and column == "rhs" and asked["calls"] > 1:
            sys.exit(1)
        blocks += 1
        if (name, column) in (("Tired", "rhs"), ("Unpinned", "rhs")) and blocks > 20:
            died.touch()
            sys.exit(1)
        answer = {"seconds": asked["calls"] * (1e-6 if name == "eomc" else 2e-6)}
    print(json.dumps(answer), flush=True)
"""


def measured(
    names: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, entries: Entries | None = None, row: str = "panda"
) -> Record:
    """Return a row of contenders that are written here."""

    class Faked(Process):
        def __init__(self, contender: str, folder: Path) -> None:
            super().__init__(contender, folder, [sys.executable, "-c", FAKE, contender, str(folder)])

        def ask(self, what: str, limit: float, **more: Any) -> dict[str, Any]:
            hangs = self.contender == "Slow" and more.get("column") == "jacobian"
            return super().ask(what, 0.3 if hangs else 600.0, **more)  # the machine may be busy

    monkeypatch.setattr(measuring, "Process", Faked)
    monkeypatch.setattr(measuring, "CONTENDERS", names)
    return measuring.measure(ROWS[row], folder, (), 30.0, tuple(COLUMNS), "libm", entries or Entries())


def test_a_row_from_its_description_to_its_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who agrees is timed, who is late has the limit in that cell alone, and what is refused has its reason."""
    row = measured(["eomc", "Slow"], tmp_path, monkeypatch)
    assert row.disagreements == []
    assert row.told["eomc"].figures == pytest.approx({"derive": 0.5, "rhs": 1000.0, "jacobian": 1000.0})
    assert row.told["Slow"].figures == pytest.approx({"derive": 0.5, "rhs": 2000.0})
    assert row.told["Slow"].reasons == {
        "jacobian": "over 30 s",
        **dict.fromkeys(set(TIMED) - {"rhs", "jacobian"}, "has none"),
    }
    assert row.ratio("rhs") == (pytest.approx(0.5), "Slow")


def test_who_ends_in_one_column_starts_again_for_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it dies in a comparison, after which its process is asked to keep to a processor, or in a block."""
    row = measured(["eomc", "Mortal", "Weary"], tmp_path, monkeypatch)
    assert row.disagreements == []
    assert row.told["eomc"].figures == pytest.approx({"derive": 0.5, "rhs": 1000.0, "jacobian": 1000.0})
    assert row.told["Mortal"].figures == pytest.approx({"derive": 0.5, "rhs": 2000.0})
    assert row.told["Mortal"].reasons["jacobian"] == "it ended by itself"
    assert row.told["Weary"].figures == pytest.approx({"derive": 0.5, "jacobian": 2000.0})
    assert row.told["Weary"].reasons["rhs"] == "it ended by itself"


@pytest.mark.parametrize(("name", "why"), [("Forgetful", "no space left"), ("Shattered", "it ended by itself")])
def test_what_is_not_made_again_has_its_reason(
    name: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was made before a crash, but not after it, or what crashes then: the rest is timed."""
    row = measured(["eomc", name], tmp_path, monkeypatch)
    assert row.told[name].figures == pytest.approx({"derive": 0.5, "jacobian": 2000.0})
    assert row.told[name].reasons["rhs"] == why
    assert row.told[name].reasons["rk4"] == "it ended by itself"
    (told,) = [line for line in table([row], ["rhs"], legend=True).splitlines() if line.startswith(f"  {name}, rhs")]
    assert told.endswith(f": {why} (Panda)")


def test_who_cannot_be_kept_to_a_processor_again_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are timed, and all that it had made has a reason."""
    row = measured(["eomc", "Unpinned"], tmp_path, monkeypatch)
    assert row.told["eomc"].figures == pytest.approx({"derive": 0.5, "rhs": 1000.0, "jacobian": 1000.0})
    assert row.told["Unpinned"].figures == {"derive": 0.5}
    assert [row.told["Unpinned"].reasons[column] for column in ("rhs", "jacobian")] == ["it ended by itself"] * 2


def test_who_ends_in_the_middle_of_a_race_has_no_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks before are no measurement; other columns are timed."""
    row = measured(["eomc", "Tired"], tmp_path, monkeypatch)
    assert row.told["Tired"].figures == pytest.approx({"derive": 0.5, "jacobian": 2000.0})
    assert row.told["Tired"].reasons["rhs"] == "it ended by itself"


def test_a_row_whose_mechanism_is_missing_says_what_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody disagrees there: it has not been measured."""
    row = measured(["eomc", "Right"], tmp_path, monkeypatch, row="ur5")
    assert (row.disagreements, row.told) == ([], {})
    text = table([row], ["rhs"])
    assert "UR5        not measured: FileNotFoundError: no such robot" in text
    assert "agreement" not in text
    draw([row, record(eomc={"rhs": 139.4})], ["rhs"], "of today", tmp_path / "table.png")
    save(row, tmp_path, "now")
    assert load("ur5", tmp_path, "now") == row


def test_robots_that_are_not_installed_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the package that has them."""

    def files(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.files", files)
    with pytest.raises(FileNotFoundError, match="example-robot-data, which has the robot, is not installed"):
        model_of(ROWS["talos"], Path())


def test_who_is_not_installed_has_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are compared and timed; the table says why once, and not again below."""
    entries = Entries({"Broken": "OSError: libpeer.so: cannot open"}, {"Right": {"ur5": "has no such row"}})
    row = measured(["eomc", "Broken", "Right"], tmp_path, monkeypatch, entries)
    assert row.ratio("rhs") == (pytest.approx(0.5), "Right")
    assert row.told["Broken"].figures == {}
    text = table([row], ["rhs", "text"], legend=True)
    lines = [line for line in text.splitlines() if "not installed" in line]
    assert [line.split(None, 1) for line in lines] == [["Broken", "not installed: OSError: libpeer.so: cannot open"]]


PEERS_OF_TEST = """
import json, sys
sys.path[:0] = {path!r}
from comparison import contenders, worker
from comparison.contenders.contender import Contender, Refused

class Sound(Contender):
    build = values = seconds = None

    @classmethod
    def serves(cls, row):
        return "too long" if row.size > 3 else ""

class Crashing(Sound):
    @classmethod
    def install(cls, folder, flags):
        import os
        os.abort()

def contender_class(name):
    if name == "Absent":
        import a_package_that_nobody_has
    if name == "Older" or (name == "eomc" and worker.Path({folder!r}, "spoilt").exists()):
        raise AttributeError("module 'numpy' has no attribute 'float'")
    if name == "Refused":
        from comparison.native import compiled
        (folder := worker.Path({folder!r}) / "text").mkdir()
        (folder / "driver.c").write_text("int peer(")
        compiled([folder / "driver.c"], folder / "new.so", (), 60.0)
    return Crashing if name == "Crashing" else Sound

worker.contender_class = contender_class
worker.main()
"""


def test_a_contender_that_cannot_be_installed_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No package, one of another version, a compiler that refuses, a crash: each has its reason, and the rest go on."""
    text = PEERS_OF_TEST.format(path=sys.path, folder=str(tmp_path))

    class Faked(Process):
        def __init__(self, contender: str, folder: Path) -> None:
            super().__init__(contender, folder, [sys.executable, "-c", text, str(folder)])

    monkeypatch.setattr(entering, "Process", Faked)
    rows = chosen("chain3 chain7")
    names = ["eomc", "Absent", "Older", "Refused", "Crashing", "Sound"]
    entries = entering.install(rows, tmp_path, ("-O2",), "libm", names)
    assert list(entries.missing) == ["Absent", "Older", "Refused", "Crashing"]
    assert entries.missing["Absent"] == "ModuleNotFoundError: No module named 'a_package_that_nobody_has'"
    assert entries.missing["Older"] == "AttributeError: module 'numpy' has no attribute 'float'"
    assert entries.missing["Refused"].startswith("RuntimeError: gcc refuses new: ")
    assert entries.missing["Crashing"].startswith("it ended by itself, see ")
    assert [entries.why_not("Sound", row) for row in rows] == ["", "too long"]
    assert entries.why_not("Older", rows[0]).startswith("not installed: AttributeError")
    (tmp_path / "spoilt").touch()
    with pytest.raises(SystemExit, match="eomc is not installed: AttributeError"):
        entering.install(rows, tmp_path, (), "libm", ["eomc"])


def test_peers_are_installed_without_those_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All are asked for at once; where pip refuses, each by itself, and what it says of the one is told."""
    assert "pin" in {re.split("[=>]", one)[0] for one in install_peers.peers()}
    wheel = tmp_path / "sound-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("sound.py", "")
        archive.writestr("sound-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: sound\nVersion: 1.0\n")
        archive.writestr("sound-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("sound-1.0.dist-info/RECORD", "")
    options = ("--no-index", "--no-cache-dir", "--no-compile", "--find-links", str(tmp_path))
    monkeypatch.setattr(install_peers, "PIP", (*install_peers.PIP, *options, "--target", str(tmp_path / "there")))
    missing = install_peers.install(["nobody-has-this==1", "sound==1.0"], install_peers.by_pip)
    assert missing == {"nobody-has-this==1": "No matching distribution found for nobody-has-this==1"}
    assert (tmp_path / "there" / "sound.py").exists()
    assert install_peers.install(["sound==1.0"], install_peers.by_pip) == {}


def test_the_next_call_tries_again_what_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stamp, by which make knows that nothing is to do, is written when nothing is missing."""
    stamp, answers = tmp_path / "stamp", ["no such version", "", *["" for _ in install_peers.peers()]]
    monkeypatch.setattr(install_peers, "by_pip", lambda wanted: "all" if len(wanted) > 1 else answers.pop(0))
    monkeypatch.setattr(sys, "argv", ["install_peers.py", str(stamp)])
    install_peers.main()
    assert not stamp.exists()
    monkeypatch.setattr(install_peers, "by_pip", lambda wanted: "")
    install_peers.main()
    assert stamp.exists()


def test_no_time_is_taken_of_a_row_that_disagrees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong contender is enough."""
    row = measured(["eomc", "Right", "Wrong"], tmp_path, monkeypatch)
    assert row.disagreements == [f"{title}: eomc and Wrong differ by 1.0e-03" for title in ("rhs", "Jacobian")]
    assert all(set(told.figures) <= {"derive"} for told in row.told.values())


def test_rows_are_kept_for_the_same_code_alone(tmp_path: Path) -> None:
    """An interrupted table goes on where it was; rows of another state are measured anew, and broken files, too."""
    row = dataclasses.replace(record(eomc={"rhs": 139.0}), worst=1e-12)
    row.told["eomc"].reasons["jacobian"] = "over 60 s"
    save(row, tmp_path, "now")
    assert load("panda", tmp_path, "now") == row
    assert load("panda", tmp_path, "later") is None
    assert load("ur5", tmp_path, "now") is None
    (tmp_path / "panda.json").write_text("{")
    assert load("panda", tmp_path, "now") is None


def test_rows_are_those_that_are_compared() -> None:
    """Thirty-five mechanisms, chosen by name."""
    assert len(ROWS) == 35
    assert [row.name for row in chosen("panda cart20")] == ["panda", "cart20"]
    assert chosen("") == tuple(ROWS.values())
    with pytest.raises(SystemExit, match="no row tesla"):
        chosen("panda tesla")


def test_a_task_is_the_same_in_another_process(tmp_path: Path) -> None:
    """What is written for a contender is what it reads."""
    task = Task(ROWS["ur5"], tmp_path / "ur5", ("-O2",), 3.0)
    task.write()
    assert Task.read(tmp_path / "ur5") == task


@pytest.mark.parametrize("flags", FLAGS)
def test_eomc_takes_part_with_all_flags(flags: str, tmp_path: Path) -> None:
    """Strict C99 has no clock unless it is asked for; the accelerations are the reference's."""
    task = Task(ROWS["chain3"], tmp_path / "chain3", FLAGS[flags], 60.0)
    task.write()
    describe(task)
    tool = Tool(task)
    figures = tool.build("rhs")
    assert set(figures) == {"derive", "emit", "compile", "text", "operations"}
    assert min(figures.values()) > 0
    oracle = eomc.reference(model_of(task.row, task.folder))
    x, r = task.arrays["x"], task.arrays["r"]
    expected = np.array([oracle.rhs(0.0, *both)[3:] for both in zip(x, r, strict=True)])
    assert difference(tool.values("rhs"), expected) < 1e-10
    assert tool.seconds("rhs", 100) > 0


@pytest.mark.parametrize(
    ("raised", "answer"),
    [
        (Refused("has none"), {"refused": "has none"}),
        (TimeoutError(), {"late": True}),
        (RuntimeError("gcc refuses run"), {"failed": "RuntimeError: gcc refuses run"}),
        (
            subprocess.CalledProcessError(1, "nm"),
            {"failed": "CalledProcessError: Command 'nm' returned non-zero exit status 1."},
        ),
        (ModelError("no model"), {"failed": "ModelError: no model"}),
        (TypeError("a mistake of ours"), None),
    ],
    ids=lambda one: type(one).__name__,
)
def test_what_libraries_raise_ends_a_cell(
    raised: Exception, answer: dict[str, Any] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal, a limit of time, faults of libraries and compilers; another mistake ends the process, and is seen."""

    class Faulty(Contender):
        columns = ("rhs",)
        faults = Tool.faults

        def build(self, column: str) -> dict[str, float]:
            raise raised

        values = seconds = None  # type: ignore[assignment]  # not asked for

    monkeypatch.setattr(worker, "contender_class", lambda name: Faulty)
    task = Task(ROWS["chain3"], tmp_path, (), 30.0)
    asked = {"what": "build", "column": "rhs", "contender": "Faulty"}
    if answer is None:
        with pytest.raises(TypeError, match="a mistake of ours"):
            answered(asked, task, [])
    else:
        assert answered(asked, task, []) == answer


def test_tangents_are_small_moves_and_turns_of_a_free_base() -> None:
    """Derivatives of a point of the body by them, beside differences."""
    rng = np.random.default_rng(1)
    place = rng.uniform(-1, 1, 7)
    place[3:] /= np.linalg.norm(place[3:])
    point, small = rng.uniform(-1, 1, 3), 1e-6
    r = rotation(place[3:])
    assert r @ r.T == pytest.approx(np.eye(3))
    for k in range(6):
        moved = place + small * tangent(place)[:, k]
        found = (moved[:3] + rotation(moved[3:]) @ point - place[:3] - r @ point) / small
        e = np.eye(3)[k % 3]
        assert found == pytest.approx(r @ (e if k < 3 else np.cross(e, point)), abs=1e-5)


ROOT = Path(__file__).resolve().parents[2]
PAGES = ("benchmarks/README.md", "docs/comparison/README.md")


@pytest.mark.parametrize("page", PAGES)
def test_commands_of_the_pages_are_what_the_table_takes(page: str) -> None:
    """Each `make bench` that is written there asks for rows, columns and flags that there are."""
    commands = re.findall(r"make bench[^`\n]*", (ROOT / page).read_text(encoding="utf-8"))
    assert commands
    for command in commands:
        told = subprocess.run(
            ["make", "-n", *shlex.split(command)[1:]], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        (line,) = re.findall(r"benchmarks/table\.py(.*)", told.replace("\\\n", " "))
        options = parser().parse_args(shlex.split(line))
        assert set(options.columns.split()) <= set(COLUMNS)
        assert chosen(options.rows)
        assert options.flags in FLAGS
