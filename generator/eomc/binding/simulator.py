"""NumPy in, NumPy out: a compiled model as Python objects see it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.cell import simulator_cell
from eomc.binding.columns import Columns
from eomc.binding.contract import Compiled
from eomc.binding.controllers import Controller, controlling
from eomc.binding.controls import Asked
from eomc.binding.ensemble.ensembles import Ensembles
from eomc.binding.ensemble.progress import Watcher
from eomc.binding.ensemble.reductions import Reduce
from eomc.binding.ensemble.result import Ensemble
from eomc.binding.evaluation import Evaluator
from eomc.binding.functions import Functions
from eomc.binding.integration import Follower
from eomc.binding.later import Later
from eomc.binding.library import Library
from eomc.binding.running import Runner
from eomc.binding.samples import Samples
from eomc.binding.sensitivity.asking import Sensitive
from eomc.binding.sensitivity.result import Sensitivities
from eomc.binding.sources import InputSource
from eomc.binding.states import States
from eomc.binding.steps import Steps, with_step_jacobian
from eomc.binding.trajectory import Trajectory
from eomc.binding.vectors import NamedVector, Values
from eomc.errors import UsageError
from eomc.integrators import ADAPTIVE, DEFAULT, Integrator
from eomc.integrators import integrator as find_integrator
from eomc.wording import suggesting


class Simulator(Functions, Steps):
    """The functions of one compiled model.

    Every function takes ``(t, x, inputs=None, parameters=None)``: `t` [s]; `x` one state of shape (nx,) or k states
    of shape (k, nx), with one time for all or (k,) times; `inputs` and `parameters` as a mapping by name or an array in
    order, `inputs` also as (k, nr) for k states, or as a function of time that returns a mapping or (nr,). What is not
    given has the model's default value. Calls may run in several threads at once; the interpreter's lock is released
    while the C runs. `columns` has `rhs` and `jac` for states as columns, (nx, k).

    For one state a system without solution raises ``SingularSystemError``; among many its row becomes NaN, and a
    ``RuntimeWarning`` counts such rows.

    `eomc.Build.load` makes it: of a `build`, of the `library` that was compiled, and of `load`, which compiles another.

    Examples
    --------
    >>> import eomc
    >>> sim = eomc.compile(eomc.load("simple_pendulum")).load()
    >>> sim.state_names, sim.rhs(0.0, [0.0, 0.0]).round(3).tolist()
    (('theta', 'theta_d'), [0.0, 14.014])
    """

    def __init__(self, build: Compiled, library: Library, load: Callable[[Compiled], Simulator]) -> None:
        program = build.program
        self._inputs = NamedVector.of("input", program.name, program.inputs)
        self._parameters = NamedVector.of("parameter", program.name, program.parameters, library.real)
        evaluator = Evaluator(build, library, self._inputs, self._parameters, lambda other: load(other).evaluator)
        super().__init__(build, library, evaluator)
        self._load = load
        self._bodies = evaluator.bodies
        self._states = States(build, self.evaluator.sources, self._parameters)
        self._runner = Runner(build, library, self.evaluator, self._states, self._parameters)
        common = self._states, self.evaluator.sources, self._parameters, self._bodies
        self._ensembles = Ensembles(build, *common)
        self._sensitive = Sensitive(build, library, self.evaluator, load)
        self._functions = self.evaluator.functions
        self._stepper = Later(lambda scheme: load(build.for_runs_by(scheme)))  # with other steps
        self._running = Later(lambda scheme: load(build.for_runs_by(scheme, run=True)))  # with their run in C
        self._differentiated = Later(lambda scheme: load(with_step_jacobian(build, scheme)).evaluator)
        self._others = Later(lambda scheme: Ensembles(build.with_integrator(scheme), *common))
        self.columns = Columns(self.evaluator)
        self.name = program.name
        self.method = build.method
        self.real = build.real
        self.integrator = build.integrator.asked
        self.state_names = self.evaluator.state_names
        self.input_names = self._inputs.names
        self.parameter_names = self._parameters.names
        self.output_names = self._functions["outputs"].output_names if "outputs" in self._functions else ()
        self.functions = tuple(self._functions)

    def __repr__(self) -> str:
        return f"<eomc.Simulator of {self.name} ({self.method}, {self.real}): x = [{', '.join(self.state_names)}]>"

    def _repr_html_(self) -> str:
        """Return states, inputs and parameters with their values in tables, for a notebook."""
        program = self._build.program
        states = list(zip(program.states, self.initial_state.tolist(), strict=True))
        about = f"by {self.method}, {self.real}, {self.integrator}"
        return simulator_cell(self.name, about, states, program.inputs, program.parameters, self.functions)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the build: where it is unpickled, its C is compiled, or found compiled, and bound."""
        return self._load, (self._build,)

    def __copy__(self) -> Simulator:
        return self  # what a call changes is its thread's own

    def __deepcopy__(self, memo: object) -> Simulator:
        return self

    @property
    def parameters(self) -> dict[str, float]:
        """Default parameters by name."""
        return self._parameters.as_dict()

    @property
    def inputs(self) -> dict[str, float]:
        """Default inputs by name."""
        return self._inputs.as_dict()

    @property
    def initial_state(self) -> NDArray[np.float64]:
        """The model's initial state, shape (nx,): zeros where it gives none and none was found at the constraints."""
        return self._states.initial

    @property
    def momentum_names(self) -> tuple[str, ...]:
        """Names of the momenta that may have any value, where Hamilton's form has put them in the place of speeds."""
        return self._states.momentum_names

    @suggesting
    def unphysical_link(self, parameters: Values | None = None) -> str | None:
        """Return the name of the first link whose mass or inertia no body has, None where there is none.

        Looked at are the links of a tree of joints that hold parameters. A link of zeros is a frame; points, rods and
        plates are bodies. What the rounding of `real` breaks is no flaw.

        Parameters
        ----------
        parameters
            By name or in order.

        Raises
        ------
        UsageError
            An unknown name, or a value that is no finite number.
        """
        return self._bodies.unphysical_link(parameters)

    # -- motions ------------------------------------------------------------------------------------------------------

    @suggesting
    def state(
        self,
        coordinates: Mapping[Any, float] | None = None,
        speeds: Mapping[Any, float] | None = None,
        t: float = 0.0,
        parameters: Values | None = None,
        momenta: Mapping[Any, float] | None = None,
        inputs: InputSource = None,
    ) -> NDArray[np.float64]:
        """Return this method's state from coordinates and speeds.

        Parameters
        ----------
        coordinates, speeds
            By name or SymPy symbol; what is not given has the model's initial value. Extra states count as
            coordinates, derivatives q' (``theta_d``) as speeds. Dependent speeds are solved from the velocity
            constraints; in Hamilton's form the momenta are computed.
        t
            Time at which the constraints hold [s].
        parameters
            By name or in order.
        momenta
            In Hamilton's form of a Lagrangian or of bodies without constraints, momenta (``p_theta``) by name instead
            of speeds; the others are those of the model's initial speeds. A Hamiltonian's own momenta count as speeds.
        inputs
            By name or in order, or a function of time: a prescribed motion has its part in momenta, speeds and
            constraints.

        Raises
        ------
        UsageError
            An unknown name, or speeds and momenta together.
        """
        return self._states.state(coordinates, speeds, t, parameters, momenta, inputs)

    @suggesting
    def simulate(
        self,
        t_end: float | None = None,
        dt: float | None = None,
        x0: ArrayLike | None = None,
        t0: float = 0.0,
        inputs: InputSource = None,
        parameters: Values | None = None,
        integrator: str | None = None,
        every: int = 1,
        follow: Follower | None = None,
        *,
        rtol: float | None = None,
        atol: ArrayLike | Mapping[Any, float] | None = None,
        t_eval: ArrayLike | None = None,
        jumps: ArrayLike | None = None,
        first_step: float | None = None,
        max_step: float | None = None,
        max_steps: int | None = None,
        controller: Controller | None = None,
        sample_time: float | None = None,
    ) -> Trajectory:
        """Integrate the motion in C, with a fixed step or to a tolerance.

        Parameters
        ----------
        t_end, t0
            Interval [s]; by default it ends as that of the model's usual run, at 10 s where it has none of its own.
        dt
            Length of fixed steps [s], likewise, 1e-3. Times are t0 + k dt; when the interval is not a whole number of
            steps, a shorter step ends it, so that the last point is at `t_end`.
        x0
            Initial state, shape (nx,); the model's by default, for these parameters. One that does not meet the
            constraints is moved onto them, as the emitted program does, with a warning.
        inputs
            Held: a mapping by name or an array (nr,). Sampled: `eomc.Samples`, a step ends where held ones jump, and
            fixed steps are counted anew from there; in fixed steps also an array with one
            row per time t0, t0 + dt, ..., t_end, each held over the step that it begins. Or a function of time that
            returns a mapping or an array; it is evaluated where the scheme takes inputs, for ``"rk4"`` at t, t + h/2
            and t + h of each step. A mapping that has a signal has its time derivatives, too, as far as these are
            inputs.
        parameters
            By name or in order. A ``RuntimeWarning`` tells of a link that is no body with them: see `unphysical_link`.
        integrator
            As `eomc.compile` takes it; the build's own by default, which is ``"rk4"`` unless it says otherwise, or
            ``"dop853"`` where a tolerance is given, or the model has events and `dt` is not given. An event divides a
            fixed step: the part after it ends where the whole step would have ended.
        every
            Store only each `every`-th step; the first and the last are stored in any case.
        follow
            Called on the way with times, states and inputs at the ends of some thousand steps, all of them, and with
            the inputs that each of them takes, (steps, times, nr) or (1, times, nr): for what would not fit into
            memory.
        rtol, atol
            Of adaptive runs: the error of a step is at most ``atol + rtol |x|`` in every state, in the mean of squares;
            1e-8 where one is not given, `rtol` never below ten roundings. `atol` is a number, an array (nx,), or a
            mapping by name whose others have 1e-8. The error of the run is larger, the more so the longer it is and
            the more the motion diverges.
        t_eval
            Times [s] of the stored points in place of the ends of the steps, ascending, from the dense output, whose
            order is that of the scheme or one less; they move no step.
        jumps
            Times [s] at which an input, or what depends on the time, jumps; a step ends at each, and fixed steps are
            counted anew from there.
        first_step, max_step, max_steps
            Of adaptive runs: lengths of the first and of the longest step [s], and how many may be tried; 10,000,000 by
            default.
        controller
            A function of the time [s] and a copy of the state (nx,) that returns inputs, by name or (nr,), or an
            object with such a ``__call__``, which may have a state of its own. It is called at t0 + k `sample_time`
            before `t_end`, in order, once at each; what it returns is held until the next call, through events, too,
            and what it does not name is as `inputs` say. Steps end at samples: fixed ones begin there anew, with a
            shorter one before the next sample where that is not a whole number of `dt` away. What it raises is raised,
            and carries the points so far as its ``trajectory``, where it takes attributes.
        sample_time
            Of the controller [s].

        Raises
        ------
        UsageError
            Something above is not as described, or the integrator does not take it.
        SingularSystemError
            The accelerations are not determined somewhere on the way.
        DivergenceError
            The state leaves the finite numbers, or has no finite derivative at the start.
        StepError
            An adaptive run finds no step that meets the tolerance, or tries too many.
        EventError
            Events follow each other at one instant without an end. The errors of a run carry the points so far as
            their ``trajectory``, unless there is no motion from the start.
        """
        self._bodies.warn(parameters)
        asked = Asked(rtol, atol, first_step, max_step, max_steps, t_eval, jumps)
        given = controlling(controller, sample_time)
        chosen = self._chosen(integrator, asked, dt)
        if chosen.adaptive and dt is not None:
            raise UsageError(
                f"dt is not for {chosen.name}, whose steps follow from rtol and atol; max_step bounds them, and "
                f"integrator={DEFAULT.name!r} takes it"
            )
        asked.refuse_unused(chosen, "t_eval", "jumps")
        t_end, dt = self._span(t_end, dt)
        jump = isinstance(inputs, Samples) and inputs.jump
        if not (asked.names or chosen.remembers or self.event_names or jump or given):
            return self._by(chosen.asked)._runner.run_in_steps(t_end, dt, x0, t0, inputs, parameters, every, follow)
        return self._run_by(chosen)._runner.run(asked, t_end, dt, x0, t0, inputs, parameters, every, follow, given)

    def sensitivities(
        self, t_end: float | None = None, by: str | Iterable[Any] = "parameters", **options: Any
    ) -> Sensitivities:
        """Integrate the motion, and differentiate it by its start and by parameters.

        The derivatives are exact for the steps that the run takes, their lengths held, projections included; with
        ``taylor`` they are power series of their own, to the tolerance. A start is moved onto the constraints, as
        `simulate` moves x0, and so are its changes. At an event they jump by the saltation matrix; a step that ends
        there counts as one of its length by the same scheme. A build of their own has df/dx, df/dp and the like; it is
        compiled when it is first asked for.

        Parameters
        ----------
        t_end, options
            As `simulate` takes them. At ``t_eval`` they are those of shorter steps of the same scheme, which differ
            from its dense output by the error of that.
        by
            Parameters by name or SymPy symbol, all by default; ``()``: none, the start alone. A parameter changes the
            motion from the same x0 on, by whatever that was made.

        Returns
        -------
        Sensitivities
            The ``trajectory``; ``dx_dx0``, shape (n, nx, nx), and ``dx_dp``, (n, nx, number of p), at its n points;
            ``dt_dx0`` and ``dt_dp``, (events, nx) and (events, number of p), of the times of its events [s].

        Raises
        ------
        UnsupportedError
            With a controller.
        RunError
            At an event that grazes its zero, or with impulses along several gaps at once, nothing has a derivative; and
            where dx/dt jumps, and no event is there.
        UsageError
            An unknown parameter. Beside these, what `simulate` raises.
        """
        return self._sensitive.of(self.simulate, self._chosen, by, {"t_end": t_end, **options})

    def _chosen(self, integrator: str | None, asked: Asked, dt: float | None = None) -> Integrator:
        """Return the integrator of a run; ``rk4`` of a step alone where it is the events that are for another."""
        own = self._build.integrator if integrator is None else find_integrator(integrator)
        if integrator is not None:
            return own
        if asked.tolerates:
            return own if own.adaptive else ADAPTIVE
        return DEFAULT if dt is not None and self.event_names and own is ADAPTIVE else own

    def _span(self, t_end: float | None, dt: float | None) -> tuple[float, float]:
        """Return the end of a run and the length of its steps, of the model's usual run where they are not given."""
        usual = self._build.program.run
        return usual.t_end if t_end is None else t_end, usual.dt if dt is None else dt

    def _by(self, integrator: str) -> Simulator:
        """Return the simulator whose C has the steps of an integrator."""
        return self if integrator == self.integrator else self._stepper(integrator)

    def _run_by(self, chosen: Integrator) -> Simulator:
        """Return the simulator whose C has the run of an integrator."""
        serving = self._build.view.code.runs is not None if chosen.asked == self.integrator else chosen.remembers
        return self._by(chosen.asked) if serving or self.event_names else self._running(chosen.asked)

    @suggesting
    def ensemble(
        self,
        x0: ArrayLike | None = None,
        parameters: Any = None,
        inputs: InputSource | Sequence[InputSource] = None,
        t_end: float | None = None,
        dt: float | None = None,
        t0: float = 0.0,
        integrator: str | None = None,
        keep: str | int | None = None,
        reduce: Reduce = None,
        threads: int | None = None,
        native: bool = False,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: bool | Watcher = False,
        scheduler: Any = None,
        *,
        rtol: float | None = None,
        atol: ArrayLike | Mapping[Any, float] | None = None,
        jumps: ArrayLike | None = None,
        first_step: float | None = None,
        max_step: float | None = None,
        max_steps: int | None = None,
    ) -> Ensemble:
        """Integrate many motions at once: several side by side in C, blocks of them in threads.

        Each has the points that `simulate` gives, to the last bit where no operation is contracted (``math="strict"``
        or ``"libm"``), whatever its neighbours and the number of threads are. One that fails ends there: it is NaN from
        then on, `status` and `t_failed` tell why and when, and one warning counts all.

        Parameters
        ----------
        x0
            Starts, shape (k, nx), or one for all, (nx,); the model's by default, for the parameters of each. Those
            that do not meet the constraints are moved onto them, with a warning that counts them.
        parameters
            A mapping by name, with a number for all or an array (k,); or all in order, (np,) or (k, np). One warning
            tells which link is no body in which trajectories.
        inputs
            Held: a mapping by name, with a number for all or an array (k,), or in order, (nr,) or (k, nr). Or
            `eomc.Samples` or a function of time for all, or a list with one of these, or what is held, for each
            trajectory; fixed steps have to end where held samples jump. For fixed steps also (k, times, nr), with rows
            as `simulate` takes them; (1, times, nr) for all. Samples are read in C; a function is called by one thread
            at a time, what it raises is raised, and ``"taylor"`` takes none.
        t_end, t0, integrator
            As in `simulate`.
        dt
            Length of fixed steps [s]; where steps follow from a tolerance, each trajectory has its own, and points are
            `dt` apart, from the dense output.
        keep
            ``"all"`` points, each n-th and the last of them, the ``"last"``, or ``"none"``; by default all, and none
            where something is reduced.
        reduce
            What is made of all points on the way: ``"minimum"``, ``"maximum"``, ``"mean"`` (over time, by the
            trapezoidal rule) or several of these, of all states; or a mapping from names of states and outputs to
            these. ``ensemble["theta", "maximum"]`` has the result. Of an event ``"count"``, how often it happened, and
            ``"time1"``, ``"time2"``, ..., when it did for the first time, the second, ...: NaN where it did not.
        threads
            As many as there are processors by default.
        native
            Whether the C is compiled for this machine's processor, with its widest vectors.
        checkpoint
            A file to which finished blocks are written as they come. The same call with a file that is there goes on
            where that stopped, and gives the same bytes.
        progress
            Whether share, rate and remaining time are shown on stderr; or a function that is called with an
            ``eomc.binding.ensemble.progress.Progress`` several times a second.
        scheduler
            Who runs the blocks instead of threads: a Dask client (``distributed.Client``) with workers on any machines,
            or an executor of concurrent.futures. Workers need eomc and a C compiler; each compiles once. On another
            kind of processor, or with another libm, the bytes are the same with ``math="strict"`` only.
        rtol, atol, jumps, first_step, max_step, max_steps
            As in `simulate`.

        Raises
        ------
        UsageError
            Something above is not as described, the points do not fit into memory, or the checkpoint is of another run.
        RunError
            A worker of the scheduler is lost, or cannot run its blocks.
        OutputError
            The checkpoint cannot be written.
        EnsembleInterrupt
            The user interrupted, a KeyboardInterrupt: what was finished is its ``ensemble``.
        """
        asked = Asked(rtol, atol, first_step, max_step, max_steps, None, jumps)
        chosen = self._chosen(integrator, asked)
        asked.refuse_unused(chosen)
        t_end, dt = self._span(t_end, dt)
        ensembles = self._ensembles if chosen.asked == self.integrator else self._others(chosen.asked)
        return ensembles.run(
            x0, parameters, inputs, t_end, dt, t0, keep, reduce, threads, native, checkpoint, progress, scheduler, asked
        )

    @property
    def input_times(self) -> tuple[Fraction, ...]:
        """When a step takes inputs, in steps from its beginning."""
        return self._build.integrator.row.times(self._build.program.projected)
