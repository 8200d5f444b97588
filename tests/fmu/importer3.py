"""An importer of FMI 3.0 for tests: it reads the descriptions, calls the library, and knows nothing of eomc."""

from __future__ import annotations

import ctypes
import zipfile
from collections.abc import Callable, Sequence
from ctypes import c_bool, c_char_p, c_double, c_int, c_size_t, c_void_p
from pathlib import Path
from xml.etree import ElementTree

from instances import Calls

_Logger = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)
_Update = ctypes.CFUNCTYPE(
    None, c_void_p, c_double, c_bool, c_bool, c_bool, c_bool, ctypes.POINTER(c_bool), ctypes.POINTER(c_double)
)


class Importer3:
    """A file that was unpacked and loaded."""

    def __init__(self, path: Path, folder: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        self.folder = folder
        self.root = ElementTree.parse(folder / "modelDescription.xml").getroot()
        self.variables = list(self.root.find("ModelVariables"))
        self.references = {one.get("name"): int(one.get("valueReference")) for one in self.variables}
        self.names = {reference: name for name, reference in self.references.items()}
        self.rates = self.structure("ContinuousStateDerivative")
        of = {one.get("name"): one.get("derivative") for one in self.variables}
        self.states = [self.names[int(of[rate])] for rate in self.rates]
        built = ElementTree.parse(folder / "sources" / "buildDescription.xml").getroot()
        self.sources = [one.get("name") for one in built.iter("SourceFile")]
        self.load(folder / "binaries" / "x86_64-linux" / f"{self.root.find('CoSimulation').get('modelIdentifier')}.so")

    def load(self, library: Path) -> None:
        """Take the functions of a library."""
        self.library, self.functions = library, ctypes.CDLL(str(library))
        for kind in ("ModelExchange", "CoSimulation", "ScheduledExecution"):
            getattr(self.functions, f"fmi3Instantiate{kind}").restype = c_void_p

    def instance(self, kind: str = "CoSimulation") -> Instance3:
        """Return a new instance."""
        return Instance3(self, kind)

    def structure(self, kind: str) -> dict[str, set[str]]:
        """Return unknowns with the names of what they depend on, in order."""
        return {
            self.names[int(row.get("valueReference"))]: {self.names[int(k)] for k in row.get("dependencies").split()}
            for row in self.root.find("ModelStructure").iter(kind)
        }

    def of(self, causality: str) -> list[str]:
        """Return the names of the variables of a kind."""
        return [one.get("name") for one in self.variables if one.get("causality") == causality]


class Instance3(Calls):
    """An instance; what it logs is kept. `update` is called in the course of a communication step."""

    prefix, state_word, read_word = "fmi3", "FMUState", "DeserializeFMUState"

    def __init__(
        self,
        importer: Importer3,
        kind: str = "CoSimulation",
        *,
        token: str | None = None,
        asks: Sequence[str] = (),
        update: Callable[..., bool] | None = None,
        early: bool = False,
        events: bool = False,
        logs: bool = True,
    ) -> None:
        self.importer, self.log = importer, []
        self._logger = _Logger(lambda _environment, _status, _category, text: self.log.append(text.decode()))
        self._update = _Update(0) if update is None else _Update(self._calling(update))
        first = (b"one", (token or importer.root.get("instantiationToken")).encode(), None, False, logs)
        last: tuple[object, ...] = (None, self._logger)
        if kind == "CoSimulation":
            last = (events, early, self.vr(asks), c_size_t(len(asks)), *last, self._update)
        if kind == "ScheduledExecution":
            last = (*last, None, None, None)
        self.handle = getattr(importer.functions, f"fmi3Instantiate{kind}")(*first, *last)

    def _calling(self, update: Callable[..., bool]) -> Callable[..., None]:
        def called(_environment, t, sets, gets, finished, may_return, returns, _at) -> None:
            returns[0] = bool(update(self, t, sets, gets, finished, may_return))

        return called

    def begun(self, start: float = 0.0, **values: float) -> Instance3:
        """Enter initialization at a time, and set values."""
        self.must("EnterInitializationMode", False, 0.0, start, False, 0.0)
        self.put(values)
        return self

    def put(self, values: dict[str, float]) -> None:
        """Set variables."""
        numbers, n = (c_double * len(values))(*values.values()), c_size_t(len(values))
        self.must("SetFloat64", self.vr([*values]), n, numbers, n)

    def get(self, names: Sequence[str]) -> list[float]:
        """Return variables."""
        numbers, n = (c_double * len(names))(), c_size_t(len(names))
        self.must("GetFloat64", self.vr(names), n, numbers, n)
        return list(numbers)

    def step(self, t: float, h: float) -> tuple[bool, float]:
        """Make a communication step, and return whether it has ended early, and when."""
        event, ends, early, last = c_bool(), c_bool(), c_bool(), c_double()
        self.must("DoStep", float(t), float(h), True, *map(ctypes.byref, (event, ends, early, last)))
        return early.value, last.value

    def discrete(self) -> list[bool]:
        """Update discrete states, and return what has changed."""
        flags, time = [c_bool(True) for _ in range(5)], c_double()  # what is not written counts as changed
        self.must("UpdateDiscreteStates", *map(ctypes.byref, flags), ctypes.byref(time))
        return [flag.value for flag in flags]

    def completed(self) -> tuple[bool, bool]:
        """Tell that a step of the integrator is accepted, and return whether event mode or the end is asked for."""
        enters, ends = c_bool(), c_bool()
        self.must("CompletedIntegratorStep", True, ctypes.byref(enters), ctypes.byref(ends))
        return enters.value, ends.value

    def derivatives(
        self, kind: str, unknown: Sequence[str], known: Sequence[str], seed: Sequence[float]
    ) -> list[float]:
        """Return the products of the derivatives of variables by others with a seed."""
        numbers = (c_double * len(seed))(*seed)
        result = (c_double * len(unknown if kind == "Directional" else known))()
        sizes = [c_size_t(len(one)) for one in (unknown, known, seed, result)]
        self.must(
            f"Get{kind}Derivative", self.vr(unknown), sizes[0], self.vr(known), sizes[1], numbers, sizes[2], result,
            sizes[3],
        )  # fmt: skip
        return list(result)

    def rates_at(self, t: float, x: Sequence[float]) -> list[float]:
        """Return the derivatives of model exchange."""
        numbers, n = (c_double * len(x))(*x), c_size_t(len(x))
        self.must("SetTime", float(t))
        self.must("SetContinuousStates", numbers, n)
        self.must("GetContinuousStateDerivatives", numbers, n)
        return list(numbers)
