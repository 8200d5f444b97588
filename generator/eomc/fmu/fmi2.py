"""The description of FMI 2.0, `modelDescription.xml`: variables, units, dependencies, abilities."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from eomc.fmu.description import Description, categories, experiment, measuring, naming, units, written
from eomc.fmu.variables import ScalarVariable
from eomc.fmu.xml import element


def describe(told: Description) -> str:
    """Return the text of the description."""
    root = element(
        "fmiModelDescription",
        fmiVersion="2.0",
        modelName=told.name,
        guid=told.token,
        description=told.words,
        generationTool=told.tool,
        variableNamingConvention="structured",
        numberOfEventIndicators=told.indicators,
    )
    if told.exchanges:
        root.append(_interface("ModelExchange", told, completedIntegratorStepNotNeeded=not told.steps))
    root.append(
        _interface("CoSimulation", told, canHandleVariableCommunicationStepSize=True, canInterpolateInputs=True)
    )
    root.extend(units(told.variables))
    root.append(categories())
    root.append(experiment(told))
    listed = element("ModelVariables")
    listed.extend(map(_variable, told.variables))
    root.append(listed)
    root.append(_structure(told))
    return written(root, told)


def _interface(kind: str, told: Description, **abilities: bool) -> Element:
    """Return what an importer may do by model exchange or by co-simulation."""
    made = element(
        kind,
        modelIdentifier=told.name,
        canNotUseMemoryManagementFunctions=True,
        canGetAndSetFMUstate=True,
        canSerializeFMUstate=True,
        **abilities,
        providesDirectionalDerivative=told.derives,
    )
    files = element("SourceFiles")
    files.extend(element("File", name=source) for source in told.sources)
    made.append(files)
    return made


def _variable(variable: ScalarVariable) -> Element:
    state = None if variable.derivative_of is None else variable.derivative_of + 1  # its place, counted from 1
    made = element("ScalarVariable", **naming(variable))
    made.append(element("Real", **measuring(variable), derivative=state))
    return made


def _structure(told: Description) -> Element:
    """Return the dependencies of outputs, derivatives, and what follows at the start."""
    structure = element("ModelStructure")
    for title, rows in (
        ("Outputs", told.structure.outputs),
        ("Derivatives", told.structure.rates),
        ("InitialUnknowns", told.structure.initial),
    ):
        section = element(title)
        for unknown, known in rows:
            row = element("Unknown", index=unknown.index)
            row.set("dependencies", " ".join(str(one.index) for one in known))  # empty where it depends on nothing
            section.append(row)
        structure.append(section)
    return structure
