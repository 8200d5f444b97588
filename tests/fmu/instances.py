"""What instances of FMI 2.0 and 3.0 share for tests: their functions are called alike, and keep their whole state."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Self

OK, ERROR = 0, 3


class Calls:
    """An instance, by the functions of its importer's library; what it logs is kept."""

    prefix: str
    state_word: str  # the versions spell their functions otherwise
    read_word: str

    def __call__(self, name: str, *arguments: object) -> int:
        """Call a function of the interface; floats are doubles."""
        passed = [ctypes.c_double(one) if isinstance(one, float) else one for one in arguments]
        return int(getattr(self.importer.functions, f"{self.prefix}{name}")(ctypes.c_void_p(self.handle), *passed))

    def must(self, name: str, *arguments: object) -> None:
        """Call a function that has to succeed."""
        assert self(name, *arguments) == OK, (name, self.log)

    def initialized(self, **values: float) -> Self:
        """Set values, and go through initialization."""
        self.begun(**values).must("ExitInitializationMode")
        return self

    def vr(self, names: Sequence[str]) -> object:
        """Return value references."""
        return (ctypes.c_uint32 * len(names))(*(self.importer.references[name] for name in names))

    def kept(self) -> ctypes.c_void_p:
        """Return the whole state as it is now."""
        state = ctypes.c_void_p()
        self.must(f"Get{self.state_word}", ctypes.byref(state))
        return state

    def restore(self, state: ctypes.c_void_p) -> None:
        """Go back to a state."""
        self.must(f"Set{self.state_word}", state)

    def free(self, state: ctypes.c_void_p) -> None:
        """Give up a state: there is none in its place then."""
        self.must(f"Free{self.state_word}", ctypes.byref(state))
        assert state.value is None

    def written_out(self, state: ctypes.c_void_p) -> ctypes.Array[ctypes.c_ubyte]:
        """Return the bytes of a state."""
        size = ctypes.c_size_t()
        self.must(f"Serialized{self.state_word}Size", state, ctypes.byref(size))
        text = (ctypes.c_ubyte * size.value)()
        self.must(f"Serialize{self.state_word}", state, text, size)
        return text

    def read(self, text: ctypes.Array[ctypes.c_ubyte]) -> ctypes.c_void_p:
        """Return the state that was written in these bytes."""
        state = ctypes.c_void_p()
        self.must(self.read_word, text, ctypes.c_size_t(len(text)), ctypes.byref(state))
        return state
