"""Schedule -> ModelView: every text that the C99 templates place."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from eomc.backends.ascii import plain
from eomc.backends.c99.arguments import function_signature, prepare_signature
from eomc.backends.c99.body import print_routine
from eomc.backends.c99.destinations import function_destinations, index_words, prepare_destinations
from eomc.backends.c99.layout import Line, declaration, doc, wrap_words
from eomc.backends.c99.results import result_arrays
from eomc.backends.c99.scope import Scope, make_scope
from eomc.backends.c99.spelling import MACROS, number
from eomc.backends.c99.stepping import step_view
from eomc.backends.c99.units import LARGEST, count_units, divide
from eomc.backends.c99.views import (
    ArrayView,
    Banner,
    CFunction,
    FunctionView,
    MacroView,
    ModelView,
    ProjectionView,
    ResultView,
    VariableView,
)
from eomc.ir.graph import Graph
from eomc.ir.ops import ROUGH, Op
from eomc.ir.program import Function, Program, Variable
from eomc.ir.remedies import told
from eomc.ir.symbols import Symbol
from eomc.passes.steps import Routine, Schedule
from eomc.tableaus import Tableau

__all__ = ["make_view", "work_bytes"]

_METHODS = {
    "kane": "Kane",
    "lagrange": "Lagrange",
    "hamilton": "Hamilton",
    "hamilton-multipliers": "Hamilton",
    "gibbs-appell": "Gibbs-Appell",
}
CONSTRAINED_KERNELS = ("eliminated", "augmented", "range-space", "null-space")
_KERNELS = ("ldlt_solve", "lu_solve", *(f"{form.replace('-', '_')}_solve" for form in CONSTRAINED_KERNELS))
_TEXT = 92  # columns of prose in a comment


def make_view(
    schedule: Schedule, *, real: str, tableau: Tableau, options_text: str, version: str, largest: int = LARGEST
) -> ModelView:
    """Return everything that the templates of this target place.

    Parameters
    ----------
    schedule
        The program, scheduled.
    real
        Scalar type that the emitted Makefile asks for: ``double`` or ``float``.
    tableau
        The scheme of the steps.
    options_text
        Further options, for the banner and its hash.
    version
        Version of the tool.
    largest
        Statements in one C file.
    """
    program = schedule.program
    files = count_units(schedule, largest)
    scope = make_scope(schedule, several_files=files > 0)
    used: set[str] = set()
    functions = tuple(_function_view(routine, scope) for routine in schedule.routines)

    routines = [(schedule.prepare, prepare_destinations(scope))]
    routines += [(routine, function_destinations(routine.function, scope)) for routine in schedule.routines]
    texts = [print_routine(schedule, routine, scope, places, used) for routine, places in routines]
    definitions = [function for text in texts for function in text]
    shared = [function.signature for text in texts for function in text[:-1]] if files else []
    if "mod" in used:
        used.add("FLOOR")
    called = [MACROS[key] for key in MACROS if key in used]
    kernels = tuple(key.removesuffix("_solve") for key in _KERNELS if key in used)
    constrained = tuple(form for form in CONSTRAINED_KERNELS if f"{form.replace('-', '_')}_solve" in used)
    if constrained:
        used.add("ldlt_solve")
        called += [MACROS[key] for key in ("FABS", "SQRT") if MACROS[key] not in called and _calls(constrained, key)]
    if ("ldlt_solve" in used or "lu_solve" in used) and MACROS["EPSILON"] not in called:
        called.append(MACROS["EPSILON"])
    if "lu_solve" in used and MACROS["FABS"] not in called:
        called.append(MACROS["FABS"])
    projection = _projection(program, scope)
    states = _variables(program.states, scope.states, scope.enumerators)
    inputs = _variables(program.inputs, scope.inputs)
    parameters = _variables(program.parameters, scope.parameters)
    by_name = {function.name: function for function in program.functions}
    outputs = by_name.get("outputs")
    columns = [program.time.name, *(state.name for state in program.states)]
    columns += list(outputs.output_names) if outputs is not None else []
    meaning = (
        states,
        inputs,
        parameters,
        functions,
        schedule.check_labels,
        program.name,
        program.description,
        program.notes,
    )
    digest = _model_hash(definitions, f"{meaning} {program.method} real {real} {options_text}")
    interface = _interface_version(version, digest)
    return ModelView(
        banner=Banner(version, digest, program.method, plain(options_text)),
        name=scope.prefix,
        title=plain(program.name) or scope.prefix,
        macro=scope.macro,
        description=tuple(wrap_words(doc(program.description), _TEXT)) if program.description else (),
        real=real,
        summary=_summary(schedule, scope, f"{work_bytes(schedule, real, tableau)} bytes ({real})"),
        notes=tuple(line for note in program.notes for line in _prose(note)),
        states=states,
        inputs=inputs,
        parameters=parameters,
        interface_version=interface,
        link_double=_link_name(scope.prefix, 64, interface),
        link_float=_link_name(scope.prefix, 32, interface),
        macro_lines=_macro_lines(schedule, scope, functions, interface),
        state_lines=_enumeration(scope.enumerators, [_remark(view) for view in states]),
        parameter_lines=_members(scope, scope.members, _array_remarks(program.parameters, parameters)),
        input_lines=_members(scope, scope.inputs, [_remark(view) for view in inputs]),
        constant_lines=_constant_lines(schedule, scope, parameters),
        work_lines=_work_lines(schedule, scope, tableau),
        parameter_defaults=_initializer(parameters, [_braces(v.index, v.shape) for v in program.parameters]),
        input_defaults=_initializer(inputs),
        initial_state=_initializer(states),
        check_names=tuple(c_string(told(label)) for label in schedule.check_labels),
        macros=tuple(MacroView(macro.name + macro.arguments, macro.double, macro.single) for macro in called),
        uses_libm=any(macro.name != "REAL_EPSILON" for macro in called),
        uses_sign="sign" in used,
        uses_mod="mod" in used,
        uses_equal="equal" in used,
        uses_clear="clear_reals" in used,
        uses_ldlt="ldlt_solve" in used,
        uses_lu="lu_solve" in used,
        constrained_kernels=constrained,
        functions=functions,
        prepare_signature=prepare_signature(scope),
        prepare_fallible=schedule.prepare.fallible,
        step_fallible=_step_is_fallible(schedule),
        can_open=projection is not None and projection.coordinates,
        step=step_view(tableau, scope, program.projected),
        state_units=program.kinds,
        projection=projection,
        definitions=tuple(definitions),
        units=divide(definitions, files, scope, interface) if files else (),
        shared_parts=tuple(shared),
        shared_kernels=kernels if files else (),
        outputs_size=len(outputs.outputs) if outputs is not None else 0,
        has_energy="energy" in by_name,
        energy_names=tuple(c_string(name) for name in by_name["energy"].output_names) if "energy" in by_name else (),
        smooth=_is_smooth(program.graph, program.functions[0]),
        csv_header=tuple(map(c_string, _pieces(",".join(_csv(column) for column in columns)))),
        help_name=c_string(f"./{scope.prefix}"),
        help=tuple(c_string(line) for line in _help(program, tableau)),
        work_bytes=f"{work_bytes(schedule, real, tableau)} bytes ({real})",
    )


def _calls(constrained: Sequence[str], key: str) -> bool:
    return key == "FABS" or "augmented" in constrained or "null-space" in constrained


def _model_hash(definitions: Sequence[CFunction], meaning: str) -> str:
    """Return the first digits of the SHA-256 over the emitted functions and what their arguments and results mean."""
    digest = hashlib.sha256(meaning.encode())
    for function in definitions:
        digest.update("\n".join((function.title, *function.signature, *function.body, "")).encode())
    return f"sha256:{digest.hexdigest()[:12]}"


def _interface_version(version: str, digest: str) -> str:
    """Return a C literal that another model, other options or another version of eomc would not have."""
    return f"0x{hashlib.sha256(f'{version} {digest}'.encode()).hexdigest()[:8]}U"


def _link_name(prefix: str, bits: int, interface: str) -> str:
    """Return the external name of ``_prepare``: 31 characters at most, different for every precision and version."""
    return f"{f'{prefix}_prepare'[:18].rstrip('_')}_f{bits}_{interface[2:10]}"


def _step_is_fallible(schedule: Schedule) -> bool:
    """Whether anything that a Runge-Kutta step calls may meet a pivot that vanishes."""
    called = {"rhs", "coordinate_correction", "velocity_correction"} if schedule.program.projected else {"rhs"}
    return any(routine.fallible for routine in schedule.routines if routine.function.name in called)


def work_bytes(schedule: Schedule, real: str, tableau: Tableau) -> int:
    """Return the size of the work struct."""
    size = 8 if real == "double" else 4
    states = (len(tableau.b) + _has_stage_state(schedule, tableau)) * len(schedule.program.states)
    *storage, order = _storage(schedule.routines)
    unpadded = (states + sum(storage)) * size + (order + 1) * 4
    return -(-unpadded // size) * size


_ESCAPED = frozenset('"\\?')


def c_string(text: str) -> str:
    """Return a C string literal of the text in UTF-8, written in ASCII."""
    if text.isascii() and text.isprintable() and not _ESCAPED.intersection(text):
        return f'"{text}"'
    pieces = []
    for byte in text.encode("utf-8"):
        character = chr(byte)
        if character in ('"', "\\"):
            pieces.append(f"\\{character}")
        elif character == "?":
            pieces.append("\\?")
        elif " " <= character <= "~":
            pieces.append(character)
        else:
            pieces.append(f"\\{byte:03o}")
    return f'"{"".join(pieces)}"'


def _pieces(text: str) -> list[str]:
    """Return a text in pieces that every C99 compiler takes as a string, of 4095 bytes at most; UTF-8 has up to 4."""
    longest = 1000
    return [text[start : start + longest] for start in range(0, len(text), longest)] if len(text) > longest else [text]


def _csv(name: str) -> str:
    """Return a field of a CSV header."""
    return '"' + name.replace('"', '""') + '"' if any(character in name for character in ',"\n\r') else name


def _variables(
    variables: Sequence[Variable], identifiers: Sequence[str], enumerators: Sequence[str] = ()
) -> tuple[VariableView, ...]:
    return tuple(
        VariableView(
            name=plain(variable.name),
            string=c_string(variable.name),
            identifier=identifiers[position],
            enumerator=enumerators[position] if enumerators else "",
            literal=f"REAL({number(variable.value)})",
            value=f"{variable.value:.12g}",
            unit=plain(variable.unit),
            description=plain(variable.description),
            name_cell=f"`{plain(variable.name)}`".replace("|", "\\|") if plain(variable.name) else "",
            description_cell=plain(variable.description).replace("|", "\\|"),
        )
        for position, variable in enumerate(variables)
    )


def _remark(view: VariableView) -> tuple[str, str]:
    """Return unit and description for a comment; a name that had to be changed is told."""
    words = [view.description] if view.description else []
    if view.name != view.identifier.rstrip("_") or (not view.enumerator and view.name != view.identifier):
        words.append(f'model name "{view.name}"')
    return f"[{doc(view.unit)}]" if view.unit else "", doc("; ".join(words))


def _remark_texts(remarks: Sequence[tuple[str, str]]) -> list[str]:
    """Return unit and description in two columns, or in one where nothing has a unit."""
    widest = max((len(unit) for unit, _ in remarks), default=0)
    return [f"{unit:<{widest}} {text}".rstrip() if widest else text for unit, text in remarks]


def _documented(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return struct members or enumerators with doxygen comments in one column."""
    code = max((len(line.code) for line in lines), default=0)
    text = max((len(line.remark) for line in lines), default=0)
    result = []
    for line in lines:
        if not line.remark:
            result.append(line.code)
        elif code + text <= 108:
            result.append(f"{line.code:<{code}} /**< {line.remark:<{text}} */")
        elif len(line.code) + len(line.remark) <= 110:
            result.append(f"{line.code} /**< {line.remark} */")
        else:
            indent = " " * (len(line.code) - len(line.code.lstrip()))
            prose = wrap_words(line.remark, 100)
            result.append(f"{indent}/** {prose[0]}")
            result += [f"{indent} *  {more}" for more in prose[1:]]
            result[-1] += " */"
            result.append(line.code)
    return tuple(result)


def _enumeration(names: Sequence[str], remarks: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    texts = _remark_texts(remarks) if remarks else [""] * len(names)
    last = len(names) - 1
    lines = [
        Line(f"    {name} = {position}{'' if position == last else ','}", text)
        for position, (name, text) in enumerate(zip(names, texts, strict=True))
    ]
    return _documented(lines)


def _members(scope: Scope, names: Sequence[str], remarks: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    texts = _remark_texts(remarks)
    if not names:
        return (f"    {scope.prefix}_real unused; /**< a struct must not be empty */",)
    return _documented(
        [Line(f"    {scope.prefix}_real {name};", text) for name, text in zip(names, texts, strict=True)]
    )


def _array_remarks(variables: Sequence[Variable], views: Sequence[VariableView]) -> list[tuple[str, str]]:
    """Return unit and description of each parameter that is no element of an array, and of each array."""
    remarks = []
    for variable, view in zip(variables, views, strict=True):
        if variable.array and not any(variable.index):
            name, field = plain(variable.array), view.identifier.partition("[")[0]
            view = replace(view, name=name, identifier=field)
        if not any(variable.index):
            remarks.append(_remark(view))
    return remarks


def _braces(index: Sequence[int], shape: Sequence[int]) -> tuple[str, str]:
    """Return the braces that open before an element of an array, and those that close after it."""
    first = next((k for k, i in enumerate(reversed(index)) if i), len(index))
    last = next(
        (k for k, (i, n) in enumerate(zip(reversed(index), reversed(shape), strict=True)) if i + 1 < n), len(index)
    )
    return ("{" * first).rjust(len(shape)), "}" * last


def _initializer(variables: Sequence[VariableView], braces: Sequence[tuple[str, str]] = ()) -> tuple[str, ...]:
    if not variables:
        return ("    REAL(0.0) /* unused */",)
    last = len(variables) - 1
    around = braces or [("", "")] * len(variables)
    codes = [
        f"    {opening}{view.literal}{closing}{'' if position == last else ','}"
        for position, (view, (opening, closing)) in enumerate(zip(variables, around, strict=True))
    ]
    widest = max(len(code) for code in codes)
    return tuple(
        f"{code:<{widest}} /* {view.identifier if not view.enumerator else view.enumerator} */"
        for code, view in zip(codes, variables, strict=True)
    )


def _constant_lines(schedule: Schedule, scope: Scope, parameters: Sequence[VariableView]) -> tuple[str, ...]:
    graph = schedule.program.graph
    lines = []
    for place, field in zip(schedule.constants, scope.constants, strict=True):
        text = ""
        if graph.ops[place.node] is Op.SYMBOL:
            symbol = graph.data[place.node]
            assert isinstance(symbol, Symbol)
            text = parameters[symbol.index].description
        else:
            text = place.label
        lines.append(Line(f"    {scope.prefix}_real {field};", doc(text)))
    lines.append(Line("    int failed;", "number of the check that failed, or -1"))
    prepare = schedule.prepare
    inner = [
        Line(f"        {scope.prefix}_real {name}[{size}];", text)
        for name, size, text in (
            ("passed", prepare.passed, "between parts"),
            ("matrix", prepare.matrix, "linear systems"),
            ("right", prepare.right, "their right sides and solutions"),
            ("scratch", prepare.scratch, "what solving them takes beside"),
        )
        if size
    ]
    if prepare.order:
        inner.append(Line(f"        int order[{prepare.order}];", "rows and columns as pivoted"))
    documented = list(_documented(lines))
    if inner:
        documented += ["    struct {", *_documented(inner), "    } scratch; /**< of the evaluation itself */"]
    return tuple(documented)


def _storage(routines: Sequence[Routine]) -> tuple[int, int, int, int, int]:
    """Return elements for passed values, matrices, right sides, their kernels' scratch, and pivoted rows."""
    return (
        max((routine.passed for routine in routines), default=0),
        max((routine.matrix for routine in routines), default=0),
        max((routine.right for routine in routines), default=0),
        max((routine.scratch for routine in routines), default=0),
        max((routine.order for routine in routines), default=0),
    )


def _has_stage_state(schedule: Schedule, tableau: Tableau) -> bool:
    """Whether something is evaluated beside the state: a later stage, or one on the way to the constraints."""
    return len(tableau.b) > 1 or _has_corrections(schedule.program)


def _has_corrections(program: Program) -> bool:
    """Whether states can be brought onto the constraints."""
    return any(function.name.endswith("_correction") for function in program.functions)


def _work_lines(schedule: Schedule, scope: Scope, tableau: Tableau) -> tuple[str, ...]:
    passed, matrix, right, scratch, order = _storage(schedule.routines)
    real = f"{scope.prefix}_real"
    members = [(f"{real} k[{len(tableau.b)}][{scope.macro}_NX];", "stage slopes of a Runge-Kutta step")]
    members += [(f"{real} y[{scope.macro}_NX];", "stage state")] if _has_stage_state(schedule, tableau) else []
    members += [(f"{real} passed[{passed}];", "values that one part leaves for a later one")] if passed else []
    members += [(f"{real} matrix[{matrix}];", "linear systems")] if matrix else []
    members += [(f"{real} right[{right}];", "their right sides and solutions")] if right else []
    members += [(f"{real} scratch[{scratch}];", "what solving them takes beside")] if scratch else []
    members += [(f"int order[{order}];", "rows and columns as pivoted")] if order else []
    members.append(("int failed;", "number of the check that failed last"))
    return _documented([Line(f"    {code}", text) for code, text in members])


def _function_view(routine: Routine, scope: Scope) -> FunctionView:
    function = routine.function
    arrays = result_arrays(function, scope.macro)
    enumerators = index_words(function, scope)
    texts = function.output_texts or (("", ""),) * len(function.outputs)
    described = list(zip(function.output_names, enumerators, texts, strict=False))
    remarks = [_output_remark(name, word, unit, text) for name, word, (unit, text) in described]
    return FunctionView(
        name=function.name,
        title=doc(function.title) or function.name,
        details=tuple(line for detail in function.details for line in _prose(detail)),
        arrays=tuple(ArrayView(array.name, array.macro, array.size, array.description) for array in arrays),
        counts=str(routine.counts),
        signature=function_signature(scope, function.name, arrays),
        fallible=routine.fallible,
        enumerators=_enumeration(enumerators, remarks) if enumerators else (),
        results=tuple(
            ResultView(word, *(plain(cell).replace("|", "\\|") for cell in (name, unit, text)))
            for name, word, (unit, text) in described
        ),
    )


def _output_remark(name: str, enumerator: str, unit: str, text: str) -> tuple[str, str]:
    """Return unit and description for a comment, and the model's name where the enumerator does not say it."""
    words = [plain(text)] if text else []
    if not enumerator.endswith(f"_{name.upper()}"):
        words.append(f'model name "{plain(name)}"')
    return f"[{doc(plain(unit))}]" if unit else "", doc("; ".join(words))


def _macro_lines(
    schedule: Schedule, scope: Scope, functions: Sequence[FunctionView], interface: str
) -> tuple[str, ...]:
    program = schedule.program
    rows: list[tuple[str, int | str, str]] = [
        ("INTERFACE_VERSION", interface, "hash of model, options and eomc"),
        ("NX", len(program.states), "number of states"),
        ("NR", len(program.inputs), "number of inputs"),
        ("NP", len(program.parameters), "number of parameters"),
    ]
    rows += [
        (
            array.macro.removeprefix(f"{scope.macro}_"),
            array.size,
            f"length of {'the result' if len(view.arrays) == 1 else array.name} of {scope.prefix}_{view.name}()",
        )
        for view in functions
        if view.name != "rhs"
        for array in view.arrays
    ]
    if schedule.check_labels:
        rows.append(("CHECKS", len(schedule.check_labels), "number of pivots that can vanish"))
    return _documented([Line(f"#define {scope.macro}_{name} {value}", text) for name, value, text in rows])


def _projection(program: Program, scope: Scope) -> ProjectionView | None:
    """Return how a state is brought onto the constraints, None where no function for it is selected."""
    names = {function.name for function in program.functions}
    coordinates, velocities = "coordinate_correction" in names, "velocity_correction" in names
    if not coordinates and not velocities:
        return None
    prefix, macro = scope.prefix, scope.macro
    arguments = (
        f"{prefix}_real t",
        f"{prefix}_real x[{macro}_NX]",
        f"const {prefix}_inputs *r",
        f"const {prefix}_constants *c",
        f"{prefix}_work *work",
    )
    signature = declaration(f"{prefix}_status {prefix}_project(", arguments)
    return ProjectionView(coordinates, velocities, program.coordinates, program.projected, signature)


def _summary(schedule: Schedule, scope: Scope, memory: str) -> tuple[str, ...]:
    program = schedule.program
    rows: list[tuple[str, list[str]]] = [
        ("method", [_METHODS.get(program.method, plain(program.method))]),
        ("state", _listing("x", program.states)),
        ("inputs", _listing("r", program.inputs)),
        ("parameters", _listing("p", program.parameters)),
    ]
    operations = [f"prepare {schedule.prepare.counts}"]
    operations += [f"{routine.function.name} {routine.counts}" for routine in schedule.routines]
    rows.append(("operations", operations))
    rows.append(("memory", [f"work {memory}"]))
    lines = []
    for title, texts in rows:
        for position, text in enumerate(texts):
            lines.append(f"{title if position == 0 else '':<14} {text}")
    return tuple(lines)


def _listing(letter: str, variables: Sequence[Variable]) -> list[str]:
    if not variables:
        return [f"{letter} = []"]
    names = dict.fromkeys(
        f"{one.array}[{','.join(map(str, one.shape))}]" if one.array else one.name for one in variables
    )
    return wrap_words(f"{letter} = [{', '.join(map(doc, names))}]", _TEXT - 14)


def _prose(text: str) -> list[str]:
    """Return lines for a comment; a line that fits keeps its own spacing, a formula stays as it was set."""
    indent = " " * (len(text) - len(text.lstrip(" ")))
    clean = doc(text)
    if len(clean) + len(indent) <= _TEXT:
        return [indent + clean]
    return [indent + line for line in wrap_words(clean, _TEXT - len(indent))]


def _start_notes(program: Program) -> list[str]:
    """Return what --set and --init do not compute anew."""
    notes = []
    if program.method.startswith("hamilton"):
        notes.append(f"momenta keep their values under --set{' and --input' if program.inputs else ''}")
    if _has_corrections(program):
        notes.append("a start off the constraints is moved onto them, all states alike")
    if notes:
        notes.append("the first row of `eomc simulate` has the states that go with other values")
    return [f"                   {note}" for note in notes]


def _help(program: Program, tableau: Tableau) -> list[str]:
    """Return what the simulator says about its options."""
    lines = [
        "",
        "  --t-end S        time at the end, 10 by default",
        f"  --dt S           step ({tableau.name}), 0.001 by default; a shorter last one ends the run exactly at "
        "--t-end",
        "  --t0 S           time at the start, 0 by default",
        "  --every N        print every Nth step, 1 by default",
        "  --set NAME=V     value of a parameter; several may follow",
        "  --init NAME=V    initial value of a state",
        *_start_notes(program),
        "  --input NAME=V   value at which an input is held",
        "                   V is a number, or factors such as pi/2 and 3*deg",
        "  --self-test      let the program check itself",
        "  --help           this text",
        "",
        "exit codes: 0 done, 1 a run or the self-test failed, 2 bad input",
    ]
    for title, variables in (
        ("parameters", program.parameters),
        ("states", program.states),
        ("inputs", program.inputs),
    ):
        if not variables:
            continue
        lines += ["", f"{title}:"]
        widest = max(len(variable.name) for variable in variables)
        for variable in variables:
            unit = f" {variable.unit}" if variable.unit else ""
            text = f"  {variable.name:<{widest}} = {variable.value:.12g}{unit}"
            lines.append(f"{text}  {variable.description}".rstrip())
    return [" ".join(line.split("\n")) for line in lines]


def _is_smooth(graph: Graph, function: Function) -> bool:
    return not any(graph.ops[node] in ROUGH for node in graph.reachable(function.outputs))
