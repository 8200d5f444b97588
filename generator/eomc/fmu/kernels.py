"""Kernels of linear systems, of which the program of a run and the one beside it have the same: once, in a header."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from eomc.backends.c99.folding import drawn
from eomc.backends.c99.views import ModelView

HEADER = "fmu-kernels.h"  # no model has this name
_INCLUDE = f'\n#include "{HEADER}"\n'


def kernels_once(views: Sequence[ModelView], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the files of two programs with the kernels that both have in a header of their own.

    What a kernel calls is common where it is, and stands before it: the header takes the place of the first.

    Parameters
    ----------
    views
        Of the programs: in double precision, for there the scalar types are one.
    texts
        File name -> text, of both programs.
    """
    first, *others = views
    common = [kernel for kernel in first.uses.kernels if all(kernel in one.uses.kernels for one in others)]
    names = [f"{view.name}.c" for view in views]
    spelled = [[drawn(f"c99/kernels/{kernel}.c.jinja", view) for kernel in common] for view in views]
    there = all(kernel in texts[name] for name, kernels in zip(names, spelled, strict=True) for kernel in kernels)
    if not common or not others or not there:  # several files of one program share them under names of its own
        return dict(texts)
    made = dict(texts)
    for name, kernels in zip(names, spelled, strict=True):
        for kernel in kernels:
            made[name] = made[name].replace(kernel, _INCLUDE if kernel is kernels[0] else "")
    of = re.compile(rf"\b{re.escape(first.name)}_real\b")
    made[HEADER] = of.sub("double", drawn("fmu/kernels.h.jinja", first) + "".join(spelled[0]))
    return made
