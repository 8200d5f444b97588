"""A state and inputs at which a motion is steady."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from eomc.binding.vectors import Array, name_of_key, unknown_name


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trim:
    """What `eomc.trim` finds: ``trim["theta"]`` is a state or an input by name, `state` and `inputs` are all of them.

    ``eomc.linearize(model, at=trim)`` and ``sim.simulate(x0=trim.state, inputs=trim.inputs)`` take it.

    Notes
    -----
    `model` and `method` tell of what, `state_names` and `input_names` the order, `parameters`, `t` and `rates` for
    what it was asked; `family` names states that may be chosen, `residual` is what is left of the conditions.

    Examples
    --------
    >>> import eomc
    >>> steady = eomc.trim(eomc.load("cart_pole"), held={"x": 0.0, "x_d": 1.0}, free=["F"], rates={"x_d": 2.0})
    >>> round(steady["F"], 9), steady.input_names
    (2.4, ('F',))
    """

    model: str
    method: str
    state_names: tuple[str, ...]
    input_names: tuple[str, ...]
    state: Array  # (nx,)
    inputs: Array  # (nr,)
    parameters: Array  # (np,)
    t: float  # [s]
    rates: Array = field()  # (nx,) the rates dx/dt there
    family: tuple[str, ...]  # unknowns that may be chosen near here: there is a solution for each; () where it is alone
    residual: float  # the largest of what should vanish, beside its size around the state

    def __getitem__(self, name: Any) -> float:
        """Return the value of a state or an input.

        Raises
        ------
        UsageError
            Neither has this name.
        """
        key = name_of_key(name)
        names = (*self.state_names, *self.input_names)
        if key not in names:
            raise unknown_name(self.model, "state or input", key, names)
        return float([*self.state, *self.inputs][names.index(key)])

    def as_dict(self) -> dict[str, float]:
        """Return states and inputs by name."""
        return {name: self[name] for name in (*self.state_names, *self.input_names)}

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.6g}" for name, value in self.as_dict().items())
        of = f"; one of a family over {', '.join(self.family)}" if self.family else ""
        return f"<eomc.Trim of {self.model} ({self.method}): {values}{of}>"
