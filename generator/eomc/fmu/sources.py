"""The C of an FMU: that of the model, the functions of the interface, and the names of the files to compile."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eomc.backends.render import render
from eomc.fmu.derived import beside, depends_on_time, fixed_parameters
from eomc.fmu.description import Description
from eomc.fmu.exchange import Exchange
from eomc.fmu.kernels import kernels_once
from eomc.fmu.shortening import without_comments
from eomc.fmu.structure import structure_of
from eomc.fmu.variables import outputs_of, variables_of
from eomc.fmu.views import FmuView, UnitView

if TYPE_CHECKING:
    from eomc.build import Build
    from eomc.fmu.standards import Standard

_HEADERS = ("float.h", "math.h", "stddef.h", "stdint.h", "string.h")
"""Of the standard library, before what is hidden: theirs must stay seen."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What stands in an FMU beside its library."""

    description: str
    sources: Mapping[str, str]  # file name -> text, headers among them
    units: tuple[str, ...]  # those that are compiled


def contents_of(build: Build, standard: Standard, exchange: Exchange, dt: float, tool: str) -> Contents:
    """Return the texts of an FMU; the token that holds them together is a hash of all of them."""
    other = beside(build, feeds=exchange.feeds, timed=standard.timed and depends_on_time(build, exchange.feeds))
    derives, exchanges = other is not None and other.derives, other is not None or not exchange.feeds
    fed = other.build.program if other is not None and exchange.feeds else build.program
    programs = [build, other.build] if other else [build]
    own = {artifact.path for artifact in build.library}
    written = {artifact.path: artifact.text for one in programs for artifact in one.library}
    shared = kernels_once([one.view for one in programs], written)
    plain = {path: without_comments(text) for path, text in shared.items()}
    hidden = {
        f"fmu_{path}": render("fmu/unit.c.jinja", UnitView(path, _HEADERS, small=path not in own))
        for path in written
        if path.endswith(".c")
    }
    compiled = (*hidden, standard.interface)
    gains = exchange.gains if exchanges else ()
    variables = variables_of(
        build.model, fed, gains, build.program.events, fixed=fixed_parameters(build), timed=standard.timed
    )
    structure = structure_of(fed, variables, build.program)
    timely = any(variables.time in known for _, known in structure.rates)
    function = outputs_of(fed)
    indicators = tuple(k for k, kind in enumerate(build.program.events) if not kind.timed)
    interface, header = standard.templates

    def made(token: str) -> Contents:
        view = FmuView(
            model=build.view,
            token=token,
            outputs=len(function.outputs) if function else 0,
            exchanges=exchanges,
            beside=None if other is None else other.build.view,
            derives=derives,
            feeds=exchange.feeds and exchanges,
            closes=exchange.closes,
            parameters=len(variables.parameters),
            gains=tuple(map(repr, gains)),
            nominals=tuple(repr(1.0 if one.nominal is None else one.nominal) for one in variables.states),
            step=repr(dt),
            times=tuple(repr(float(time)) for time in build.tableau.times(build.program.projected)),
            run=None if build.view.code.runs is None else build.view.code.runs.own,
            indicators=indicators,
            timely=timely and derives,
            fixed=tuple(one.reference for one in variables.parameters if one.variability == "fixed"),
        )
        texts = {
            **plain,
            **hidden,
            standard.header: render(header, view),
            standard.interface: without_comments(render(interface, view)),
        }
        told = Description(
            name=build.program.name,
            words=" ".join((*build.program.description.split(), *exchange.words, *_of_events(build))),
            variables=variables,
            structure=structure,
            sources=compiled,
            t_end=build.program.run.t_end,
            dt=dt,
            exchanges=exchanges,
            derives=derives,
            steps=exchange.closes or bool(indicators),
            indicators=len(indicators),
            resets=exchange.closes or any(kind.resets for kind in build.program.events),
            ends=any(kind.ends_at for kind in build.program.events),
            token=token,
            tool=tool,
        )
        if standard.build is not None:
            texts["buildDescription.xml"] = standard.build(told)
        return Contents(standard.describe(told), texts, compiled)

    return made(_token(made("")))


def _of_events(build: Build) -> tuple[str, ...]:
    """Return what an importer has to know of the events, in sentences."""
    if not build.program.events:
        return ()
    names = ", ".join(kind.name for kind in build.program.events)
    return (
        f"Model exchange: events ({names}) need a look at the event indicators, at the next event time, and "
        "completedIntegratorStep after each step.",
    )


def _token(contents: Contents) -> str:
    """Return a hash of all texts, in the form of a GUID."""
    digest = hashlib.sha256(contents.description.encode())
    for name, text in contents.sources.items():
        digest.update(f"{name}\0{text}\0".encode())
    word = digest.hexdigest()
    return "{" + "-".join((word[:8], word[8:12], word[12:16], word[16:20], word[20:32])) + "}"
