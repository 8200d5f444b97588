"""An importer of FMI 2.0 for tests: it reads the description, calls the library, and knows nothing of eomc."""

from __future__ import annotations

import ctypes
import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from instances import Calls

MODEL_EXCHANGE, CO_SIMULATION = 0, 1

_Logger = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p
)


class _Callbacks(ctypes.Structure):
    _fields_ = (
        ("logger", _Logger),
        ("allocate", ctypes.c_void_p),
        ("free", ctypes.c_void_p),
        ("finished", ctypes.c_void_p),
        ("environment", ctypes.c_void_p),
    )


class Importer:
    """A file that was unpacked and loaded."""

    def __init__(self, path: Path, folder: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        self.folder = folder
        self.root = ElementTree.parse(folder / "modelDescription.xml").getroot()
        self.variables = list(self.root.iter("ScalarVariable"))
        self.references = {one.get("name"): int(one.get("valueReference")) for one in self.variables}
        self.states = [self.variables[int(one.find("Real").get("derivative")) - 1].get("name") for one in self.rates]
        self.sources = sorted({one.get("name") for one in self.root.iter("File")})
        self.library = next((folder / "binaries" / "linux64").iterdir())
        self.functions = ctypes.CDLL(str(self.library))
        self.functions.fmi2Instantiate.restype = ctypes.c_void_p

    @property
    def rates(self) -> list[ElementTree.Element]:
        """The variables that are derivatives of others."""
        return [one for one in self.variables if one.find("Real").get("derivative")]

    def instance(self, kind: int = CO_SIMULATION, token: str | None = None) -> Instance:
        """Return an instance, before it is initialized."""
        return Instance(self, kind, token or self.root.get("guid"))


class Instance(Calls):
    """An instance; what it logs is kept."""

    prefix, state_word, read_word = "fmi2", "FMUstate", "DeSerializeFMUstate"

    def __init__(self, importer: Importer, kind: int, token: str) -> None:
        self.importer, self.log = importer, []
        self._logger = _Logger(lambda *told: self.log.append(told[-1].decode()))
        self._callbacks = _Callbacks(self._logger, None, None, None, None)
        self.handle = importer.functions.fmi2Instantiate(
            b"one", kind, token.encode(), None, ctypes.byref(self._callbacks), 0, 1
        )

    def begun(self, tolerance: float | None = None, **values: float) -> Instance:
        """Enter initialization, with a tolerance or without, and set values."""
        self.must("SetupExperiment", int(tolerance is not None), tolerance or 0.0, 0.0, 0, 0.0)
        self.must("EnterInitializationMode")
        self.put(values)
        return self

    def put(self, values: dict[str, float]) -> None:
        """Set variables."""
        numbers = (ctypes.c_double * len(values))(*values.values())
        self.must("SetReal", self.vr([*values]), ctypes.c_size_t(len(values)), numbers)

    def get(self, names: Sequence[str]) -> list[float]:
        """Return variables."""
        numbers = (ctypes.c_double * len(names))()
        self.must("GetReal", self.vr(names), ctypes.c_size_t(len(names)), numbers)
        return list(numbers)

    def slope(self, name: str, value: float) -> None:
        """Set the time derivative of an input."""
        order, number = (ctypes.c_int * 1)(1), (ctypes.c_double * 1)(value)
        self.must("SetRealInputDerivatives", self.vr([name]), ctypes.c_size_t(1), order, number)

    def step(self, t: float, h: float) -> None:
        """Make a communication step."""
        self.must("DoStep", float(t), float(h), 1)

    def derivatives(self, unknown: Sequence[str], known: Sequence[str], seed: Sequence[float]) -> list[float]:
        """Return the derivatives of variables along a direction of others."""
        numbers, result = (ctypes.c_double * len(known))(*seed), (ctypes.c_double * len(unknown))()
        sizes = ctypes.c_size_t(len(unknown)), ctypes.c_size_t(len(known))
        self.must("GetDirectionalDerivative", self.vr(unknown), sizes[0], self.vr(known), sizes[1], numbers, result)
        return list(result)

    def rates_at(self, t: float, x: Sequence[float]) -> list[float]:
        """Return the derivatives of model exchange."""
        n = ctypes.c_size_t(len(x))
        numbers = (ctypes.c_double * len(x))(*x)
        self.must("SetTime", float(t))
        self.must("SetContinuousStates", numbers, n)
        self.must("GetDerivatives", numbers, n)
        return list(numbers)
