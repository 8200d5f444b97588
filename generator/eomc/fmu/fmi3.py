"""The descriptions of FMI 3.0: `modelDescription.xml`, and `buildDescription.xml` of the sources."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from eomc.fmu.description import Description, categories, experiment, measuring, naming, units, written
from eomc.fmu.variables import ScalarVariable
from eomc.fmu.xml import element


def describe(told: Description) -> str:
    """Return the text of the description."""
    root = element(
        "fmiModelDescription",
        fmiVersion="3.0",
        modelName=told.name,
        instantiationToken=told.token,
        description=told.words,
        generationTool=told.tool,
        variableNamingConvention="structured",
    )
    if told.exchanges:
        root.append(_interface("ModelExchange", told, needsCompletedIntegratorStep=told.steps))
    root.append(
        _interface(
            "CoSimulation",
            told,
            canHandleVariableCommunicationStepSize=True,
            providesIntermediateUpdate=True,
            canReturnEarlyAfterIntermediateUpdate=True,
            mightReturnEarlyFromDoStep=told.ends,
        )
    )
    root.extend(units(told.variables))
    root.append(categories())
    root.append(experiment(told))
    listed = element("ModelVariables")
    listed.extend(_variable(one, reinit=told.resets and one in told.variables.states) for one in told.variables)
    root.append(listed)
    structure = element("ModelStructure")
    for title, rows in (
        ("Output", told.structure.outputs),
        ("ContinuousStateDerivative", told.structure.rates),
        ("InitialUnknown", told.structure.initial),
        ("EventIndicator", told.structure.indicators),
    ):
        for unknown, known in rows:
            row = element(title, valueReference=unknown.reference)
            row.set("dependencies", " ".join(str(one.reference) for one in known))  # empty where there are none
            structure.append(row)
    root.append(structure)
    return written(root, told)


def build_description(told: Description) -> str:
    """Return how the sources are compiled."""
    root = element("fmiBuildDescription", fmiVersion="3.0")
    configuration = element("BuildConfiguration", modelIdentifier=told.name)
    files = element("SourceFileSet", language="C99")
    files.extend(element("SourceFile", name=source) for source in told.sources)
    configuration.append(files)
    root.append(configuration)
    return written(root, told)


def _interface(kind: str, told: Description, **abilities: bool) -> Element:
    """Return what an importer may do by model exchange or by co-simulation."""
    return element(
        kind,
        modelIdentifier=told.name,
        canGetAndSetFMUState=True,
        canSerializeFMUState=True,
        providesDirectionalDerivatives=told.derives,
        providesAdjointDerivatives=told.derives,
        **abilities,
    )


def _variable(variable: ScalarVariable, *, reinit: bool) -> Element:
    return element(
        "Float64",
        **naming(variable),
        intermediateUpdate=True if variable.causality in ("input", "output") else None,
        **measuring(variable),
        derivative=variable.derivative_of,
        reinit=True if reinit else None,
    )
