"""What a model with own mathematics holds of it: definitions of all that its functions call."""

from __future__ import annotations

from collections.abc import Collection

from eomc.backends.c99.mathematics.modes import Mathematics
from eomc.backends.c99.mathematics.record import Precision, Shape
from eomc.backends.c99.mathematics.texts import INCLUDES, OWN_FUNCTIONS, own_definitions
from eomc.backends.c99.spelling import MACROS
from eomc.backends.c99.use_views import BoundView, MathematicsView

_PRECISIONS: tuple[Precision, ...] = ("double", "single")
_OTHER_NAMES = {"FABS": "magnitude"}  # of own functions, by keys of MACROS; the others are called as the key


def mathematics_view(choice: Mathematics, keys: Collection[str], real: str) -> MathematicsView:
    """Return what has to be defined for functions that call macros.

    Parameters
    ----------
    choice
        Whose mathematics.
    keys
        Keys of MACROS, and names of own functions that are called without one.
    real
        The scalar type as it is called in C.
    """
    called = [key for key in MACROS if key in keys and key != "EPSILON"]
    if not choice.own:
        return MathematicsView(choice.name, False, True, (), ("math.h",) if called else (), (), "", "", "", ())
    functions = {key: _OTHER_NAMES.get(key, key.lower()) for key in called}
    functions |= {name: name for name in sorted(keys) if name in OWN_FUNCTIONS}
    shape: Shape = "fused" if choice.contracted else "floats"
    double, single = (own_definitions(functions.values(), real, one, shape) for one in _PRECISIONS)
    integers = own_definitions(functions.values(), real, "double", "integers") if choice.contracted else double
    aliases = []
    for key, function in functions.items():
        if key in MACROS and key != "SQRT":  # which is defined with its function
            macro = MACROS[key]
            aliases.append(f"#define {macro.name}{macro.arguments} (real_{function}{macro.arguments or '()'})")
    records = sorted((OWN_FUNCTIONS[name] for name in functions.values()), key=lambda record: record.name)
    return MathematicsView(
        name=choice.name,
        own=True,
        contracted=choice.contracted,
        flags=choice.flags,
        headers=("float.h", *(INCLUDES if functions else ())),
        aliases=tuple(aliases),
        double=double,
        single=single,
        integers=integers if integers != double else "",
        bounds=tuple(
            BoundView(one.name, f"{one.bound.double:g}", f"{one.bound.single:g}") for one in records if one.bound
        ),
    )
